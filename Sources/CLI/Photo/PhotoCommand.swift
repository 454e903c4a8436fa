import Capture
import Compose
import Foundation
import Media
import Recording

/// Takes photos, from the opening of the camera to the last file.
struct PhotoCommand {
    let plan: PhotoPlan
    let aliases: [String: String]
    /// Called for each photo that is on the disk, in the order of the row.
    let report: @Sendable (Taken) -> Void
    /// What of the camera's exposure must be set back, whatever ends the run.
    let bracket = PhotoBracket()
    private let clock = HostClock()

    /// A photo that is on the disk.
    struct Taken: Sendable {
        /// In the row (from 0).
        var number = 0
        /// The photo's file, then those that belong to it.
        let paths: [String]
        let photo: CapturedPhoto
        /// Of all files.
        let bytes: Int
        /// Of a live photo.
        var movie: LivePhotoMovie?
        /// Why the movie of a live photo is missing.
        var failure: CommandFailure?
    }

    /// What photos are taken of, in a session that runs.
    private struct Source {
        let photos: PhotoOutput
        let live: LivePhotoRecorder?
    }

    /// Live photos that wait for what comes after them (photos): each holds a JPEG.
    private static let mostLiveAtOnce = 64

    init(
        plan: PhotoPlan, aliases: [String: String],
        report: @escaping @Sendable (Taken) -> Void = { _ in }
    ) {
        self.plan = plan
        self.aliases = aliases
        self.report = report
    }

    /// What was taken, and what ended it before all were.
    struct Outcome: Sendable {
        var taken: [Taken] = []
        var failure: CommandFailure?
        /// Whether all photos are there, and only depth is missing of some.
        fileprivate(set) var isWhole = false
        /// Photos that could not be written besides the one that `failure` is of.
        fileprivate(set) var unwritten = 0
    }

    /// A task that is cancelled ends the row; the photos on their way are written.
    /// - Throws: what keeps it from taking any.
    func run() async throws -> Outcome {
        let choice = DeviceChoice(aliases: aliases)
        let device: CaptureDevice
        do {
            device = try await NamedThread.run("vcap-work") {
                if let camera = plan.camera { return try choice.find(camera, .video) }
                return try choice.firstCamera(for: .photo, wanted: plan.settings)
            }
        } catch { throw CommandFailure.from(error, while: .reading) }
        let depthDevice: CaptureDevice?
        do {
            depthDevice = try await NamedThread.run("vcap-work") {
                try PhotoDepthInputs.find(plan, beside: device, choice)
            }
        } catch { throw CommandFailure.from(error, while: .reading) }
        try plan.profile?.check([device] + [depthDevice].compactMap { $0 })
        let names = PhotoNames(plan)
        let first = try names.next()
        let microphone = try await microphone(choice)
        let session = CaptureSession(discovery: choice.discovery)
        let output = PhotoOutput()
        let settings: VideoInputSettings
        do throws(MediaError) { settings = try plan.settings(for: device) } catch {
            throw CommandFailure(.usage, error.message)
        }
        let input = CaptureDeviceInput(camera: device, settings: settings)
        var live: LivePhotoRecorder?
        do {
            try await session.configure { configuration in
                try configuration.add(input, output, plan.connection)
            }
            if let depthDevice {
                try await PhotoDepthInputs.add(
                    depthDevice, beside: input, to: session, output, plan)
            }
            if plan.live != nil {
                live = try await LivePhotoInputs.add(
                    to: session, input, plan.connection, microphone: microphone)
            }
            try live?.start()
        } catch let error as MediaError
            where plan.stereo != nil && error.code == .unsupported
        {
            throw CommandFailure(.usage, error.message)
        } catch { throw CommandFailure.from(error, while: .reading) }
        defer { live?.stop() }
        if let grant = await session.grant(of: device) {
            Console.shared.detail("\(grant.device.name): \(grant.explanation)")
            if plan.isRaw, let format = grant.format.video, format.bayer == nil {
                throw CommandFailure(
                    .usage,
                    MediaError.noRawPhoto(grant.device.name, "delivers \(format.codingName)")
                        .message)
            }
            if let words = plan.idleQuality(of: grant.device.name, grant.format.video) {
                Console.shared.warning(words)
            }
            ClipCameraNotes.warn(plan.settings, grant.device, grant.format.video)
            if plan.settings.depth != nil, plan.depthCamera == nil, grant.format.video?.depth == nil
            {
                Console.shared.warning(
                    "--depth does nothing: \(grant.device.name) delivers neither Z16 nor Y16")
            }
            do {
                try await CameraWishes.report(
                    settings, of: grant.device, choice.discovery,
                    orientation: grant.orientation)
            } catch { throw CommandFailure.from(error, while: .reading) }
        }
        try await session.start()
        let outcome: Result<Outcome, any Error>
        do {
            try await prepare(device, live, output)
            try await NamedThread.run("vcap-work") { () throws(MediaError) in
                try bracket.prepare(plan.bracket, of: device, choice.discovery)
            }
            outcome = .success(
                await take(Source(photos: output, live: live), first, names))
        } catch { outcome = .failure(error) }
        await NamedThread.run("vcap-work") { bracket.restore() }
        try? await session.stop()
        return try outcome.get()
    }

    /// Of live photos.
    private func microphone(_ choice: DeviceChoice) async throws -> CaptureDevice? {
        guard plan.live != nil, let wanted = plan.microphone else { return nil }
        do {
            let found = try await NamedThread.run("vcap-work") { () throws -> CaptureDevice? in
                if case .selector(let words) = wanted { return try choice.find(words, .audio) }
                return choice.defaultMicrophone()
            }
            if found == nil {
                Console.shared.notice("there is no microphone: live photos without audio")
            }
            return found
        } catch { throw CommandFailure.from(error, while: .reading) }
    }

    /// Gives the camera time to adjust, and the person too.
    private func prepare(
        _ device: CaptureDevice, _ live: LivePhotoRecorder?, _ photos: PhotoOutput
    ) async throws {
        let usual = DeviceChoice.isReal(device) ? MediaTime.milliseconds(500) : .zero
        try await Task.sleep(for: plan.warmUp ?? usual)
        try await countDown()
        if photos.isDepthDataDeliverySupported {
            try await PhotoDepthInputs.wait(for: photos, clock)
        }
        if let live { try await LivePhotoInputs.wait(for: live, clock) }
    }

    private func countDown() async throws {
        guard let timer = plan.timer else { return }
        let end = clock.now() + timer
        var left = timer.approximateSeconds
        while left > 0 {
            let isWhole = left == left.rounded()
            Console.shared.notice("photo in \(Amounts.decimal(left, isWhole ? 0 : 1)) s")
            left = left.rounded(.up) - 1
            let next = end - .milliseconds(Int64(left * 1000))
            try await Task.sleep(for: max(.zero, next - clock.now()))
        }
    }

    private func take(_ source: Source, _ first: String, _ names: PhotoNames) async -> Outcome {
        let isLive = source.live != nil
        let queue = PhotoQueue(
            workers: isLive ? Self.mostLiveAtOnce : PhotoQueue.usualWorkers,
            mostCount: isLive ? Self.mostLiveAtOnce : .max, report: report)
        var row = PhotoRow(frame: source.photos.format.nominalRate?.frameDuration)
        var outcome = Outcome()
        do {
            try await take(source, first, names, queue, &row)
        } catch  where Self.isCancellation(error) {
            outcome.failure = Self.ended
        } catch { outcome.failure = .from(error, while: .writing) }
        // those on their way are photos, whatever ended the others
        let done = await NamedThread.run("vcap-work") { queue.finish() }
        // what could not be written ended the row before anything else could
        let ended = outcome.failure
        outcome.failure = nil
        for one in done { outcome.add(one) }
        outcome.warn()
        let other = outcome.failure ?? ended
        outcome.failure = other ?? row.failure(of: plan.count)
        if outcome.failure == nil {
            outcome.failure = outcome.missingDepth
            outcome.isWhole = true
        }
        row.warn(isHidden: other != nil)
        outcome.taken.sort { $0.number < $1.number }
        return outcome
    }

    private func take(
        _ source: Source, _ first: String, _ names: PhotoNames, _ queue: PhotoQueue,
        _ row: inout PhotoRow
    ) async throws {
        var shutter = clock.now()
        var taken = 0
        for number in 0..<plan.count {
            if number > 0, plan.interval != nil { try await wait(until: shutter) }
            try Task.checkCancellation()
            if queue.hasFailed { return }
            if !queue.hasRoom(for: row.frameBytes) {
                if let interval = plan.interval {
                    row.miss(number, queue.held)
                    shutter += interval
                    continue
                }
                let bytes = row.frameBytes
                await NamedThread.run("vcap-work") { queue.waitForRoom(for: bytes) }
            }
            if queue.hasFailed { return }
            let path = taken == 0 ? first : try names.next()
            let photo = try await next(number, at: shutter, source.photos)
            row.take(photo, isTimed: plan.interval != nil, isBracket: !plan.bracket.isEmpty)
            shutter = plan.interval.map { shutter + $0 } ?? photo.presentationTime + row.frame
            let movie = source.live.map { AwaitedMovie(of: photo, from: $0) }
            // the row does not wait for it: the next shutter may come first
            let depth = AwaitedDepth(of: photo, from: source.photos)
            queue.add(number: taken, bytes: photo.byteCount) { [plan] in
                Self.written(depth.wait(), path, movie, plan, names)
            }
            taken += 1
        }
    }

    private func next(
        _ number: Int, at shutter: MediaTime, _ output: PhotoOutput
    ) async throws -> CapturedPhoto {
        if let photo = try await bracket.capturePhoto(number, with: output) { return photo }
        return try await output.capturePhoto(at: shutter)
    }

    private func wait(until shutter: MediaTime) async throws {
        try await Task.sleep(for: max(.zero, shutter - clock.now()))
    }

    /// Whether the task was cancelled while it slept, or waited for a photo.
    static func isCancellation(_ error: any Error) -> Bool {
        error is CancellationError || (error as? MediaError)?.code == .cancelled
    }

    /// By a signal.
    static let ended = CommandFailure(.failedRunning, "ended by a signal")

    private static func written(
        _ photo: CapturedPhoto, _ path: String, _ movie: AwaitedMovie?, _ plan: PhotoPlan,
        _ names: PhotoNames
    ) -> Result<Taken, MediaError> {
        do throws(MediaError) {
            guard let movie, let form = plan.live else {
                return .success(
                    try names.retrying(path) { (path) throws(MediaError) in
                        try write(photo, path, plan)
                    })
            }
            let (files, still) = try names.retrying(path) { (path) throws(MediaError) in
                let files = LivePhotoFiles(form, path: path)
                return (
                    files,
                    try files.writeStill(photo, plan.quality, overwrites: plan.replacesExisting)
                )
            }
            photo.depth?.warn(of: files.path)
            return .success(write(photo, files, still, movie, plan))
        } catch { return .failure(error) }
    }

    private static func write(
        _ photo: CapturedPhoto, _ path: String, _ plan: PhotoPlan
    ) throws(MediaError) -> Taken {
        guard let type = PhotoFileType(path: path) else {
            throw MediaError(
                code: .invalidSetting, subject: path,
                message: "Cannot say the kind of picture of \(path) by its ending.")
        }
        let bytes = try photo.fileData(
            as: type, quality: plan.quality, software: "vcap \(Verbs.versionNumber)")
        try TemporaryOutput(path: path, overwrites: plan.replacesExisting).write(bytes)
        photo.depth?.warn(of: path)
        return Taken(paths: [path], photo: photo, bytes: bytes.count)
    }

    /// The movie of a photo that is written.
    /// - Returns: the photo alone, and why, where the movie could not be made or written.
    private static func write(
        _ photo: CapturedPhoto, _ files: LivePhotoFiles, _ still: LivePhotoFiles.Still,
        _ awaited: AwaitedMovie, _ plan: PhotoPlan
    ) -> Taken {
        var made: LivePhotoMovie?
        do throws(MediaError) {
            let movie = try awaited.wait()
            made = movie
            let bytes = try files.writeMovie(movie, of: still, overwrites: plan.replacesExisting)
            files.warn(of: movie)
            return Taken(paths: files.paths, photo: photo, bytes: bytes, movie: movie)
        } catch {
            let others = files.paths.dropFirst().filter(OutputPath.exists)
            if let made, !others.isEmpty { files.warn(of: made) }
            return Taken(
                paths: [files.path] + others, photo: photo, bytes: still.bytes.count,
                failure: files.withoutMovie(error))
        }
    }
}

extension PhotoCommand.Outcome {
    mutating func add(_ result: Result<PhotoCommand.Taken, MediaError>) {
        switch result {
        case .success(let photo):
            taken.append(photo)
            guard let missing = photo.failure else { return }
            // the first one ends the row and is what the run ends with
            if failure != nil { Console.shared.warning(missing.message) }
            failure = failure ?? missing
        case .failure(let error):
            if failure != nil { unwritten += 1 }
            failure = failure ?? CommandFailure(error, while: .writing)
        }
    }

    /// That photos are there without the depth they were to have.
    fileprivate var missingDepth: CommandFailure? {
        let bare = taken.filter { $0.photo.depth?.absence != nil }
        guard let first = bare.min(by: { $0.number < $1.number }) else { return nil }
        return CommandFailure(
            .failedRunning,
            taken.count == 1
                ? "the photo \(first.paths[0]) is there without its depth"
                : "\(bare.count) of \(taken.count) photos are there without their depth, the first of them "
                    + first.paths[0])
    }

    /// Of failures behind the first one.
    fileprivate func warn() {
        guard unwritten > 0 else { return }
        Console.shared.warning(
            "\(unwritten) more photo\(unwritten == 1 ? "" : "s") could not be written")
    }
}

extension Task where Success == Never, Failure == Never {
    /// - Throws: `CancellationError`.
    fileprivate static func sleep(for time: MediaTime) async throws {
        try await sleep(nanoseconds: UInt64(max(0, time.nanoseconds())))
    }
}
