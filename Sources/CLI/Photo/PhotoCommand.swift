import Capture
import Compose
import Foundation
import Media

/// Takes photos, from the opening of the camera to the last file.
struct PhotoCommand {
    let plan: PhotoPlan
    let aliases: [String: String]
    private let clock = HostClock()

    /// A photo that is on the disk.
    struct Taken: Sendable {
        let path: String
        let photo: CapturedPhoto
        let bytes: Int
    }

    /// Photos that are encoded and written beside each other (photos): each holds a frame.
    private static let mostAtOnce = 4

    init(plan: PhotoPlan, aliases: [String: String]) {
        self.plan = plan
        self.aliases = aliases
    }

    /// What was taken, and what ended it before all were.
    struct Outcome: Sendable {
        var taken: [Taken] = []
        var failure: CommandFailure?
    }

    /// - Throws: what keeps it from taking any.
    func run() async throws -> Outcome {
        let choice = DeviceChoice(aliases: aliases)
        let device: CaptureDevice
        do {
            device = try await NamedThread.run("vcap-work") {
                if let camera = plan.camera { return try choice.find(camera, .video) }
                return try choice.firstCamera(for: .photo)
            }
        } catch { throw CommandFailure.from(error, while: .reading) }
        let first = try path()
        let session = CaptureSession(discovery: choice.discovery)
        let output = PhotoOutput()
        let input = CaptureDeviceInput(camera: device, settings: plan.settings(for: device))
        do {
            try await session.configure { configuration in
                try configuration.add(input, output, plan.connection)
            }
        } catch { throw CommandFailure.from(error, while: .reading) }
        if let grant = await session.grant(of: device) {
            Console.shared.detail("\(grant.device.name): \(grant.explanation)")
        }
        try await session.start()
        do {
            try await prepare(device)
            let outcome = await take(output, first)
            try? await session.stop()
            return outcome
        } catch {
            try? await session.stop()
            throw error
        }
    }

    /// The next file's name, ready to be made.
    private func path(besides names: Set<String> = []) throws(CommandFailure) -> String {
        let folders = UserFolders.ofThisProcess
        let inputs = plan.camera.map { $0.hasPrefix("file:") ? [String($0.dropFirst(5))] : [] }
        var output = OutputPath(
            replacesExisting: plan.replacesExisting, inputs: inputs ?? [], folders: folders,
            endings: ["jpg", "jpeg", "png"])
        output.unnamed = .photo
        // several of one run never replace each other
        output.isTaken = { [replaces = plan.replacesExisting] path in
            names.contains(path) || !replaces && OutputPath.exists(path)
        }
        return try output.prepare(plan.output)
    }

    /// Gives the camera time to adjust, and the person too.
    private func prepare(_ device: CaptureDevice) async throws {
        let usual = DeviceChoice.isReal(device) ? MediaTime.milliseconds(500) : .zero
        try await Task.sleep(for: plan.warmUp ?? usual)
        guard let timer = plan.timer else { return }
        let end = clock.now() + timer
        var left = timer.approximateSeconds.rounded(.up)
        while left > 0 {
            Console.shared.notice("photo in \(Int(left)) s")
            left -= 1
            let next = end - .milliseconds(Int64(left * 1000))
            try await Task.sleep(for: max(.zero, next - clock.now()))
        }
    }

    private func take(_ output: PhotoOutput, _ first: String) async -> Outcome {
        var names: Set<String> = []
        var shutter = clock.now()
        var outcome = Outcome()
        let frame = output.format.nominalRate?.frameDuration ?? .milliseconds(33)
        await withTaskGroup(of: Result<Taken, MediaError>.self) { group in
            do {
                for number in 0..<plan.count {
                    if number >= Self.mostAtOnce, let done = await group.next() {
                        outcome.add(done)
                    }
                    if outcome.failure != nil { break }
                    let path = number == 0 ? first : try path(besides: names)
                    names.insert(path)
                    if number > 0, plan.interval != nil { try await wait(until: shutter) }
                    let photo = try await output.capturePhoto(at: shutter)
                    warnIfLate(photo, frame)
                    shutter =
                        plan.interval.map { shutter + $0 } ?? photo.presentationTime + frame
                    group.addTask { [plan] in await Self.written(photo, path, plan) }
                }
            } catch { outcome.failure = outcome.failure ?? .from(error, while: .writing) }
            // those on their way are photos, whatever ended the others
            while let done = await group.next() { outcome.add(done) }
        }
        outcome.taken.sort { $0.photo.presentationTime < $1.photo.presentationTime }
        return outcome
    }

    private func wait(until shutter: MediaTime) async throws {
        try await Task.sleep(for: max(.zero, shutter - clock.now()))
    }

    /// Nothing happens in silence: a photo of another moment than the one asked for is reported.
    private func warnIfLate(_ photo: CapturedPhoto, _ frame: MediaTime) {
        let distance = photo.presentationTime - photo.shutterTime
        guard plan.interval != nil, max(distance, -distance) > frame * 2 else { return }
        let milliseconds = distance.nanoseconds() / 1_000_000
        Console.shared.warning(
            "a photo is \(abs(milliseconds)) ms \(milliseconds < 0 ? "early" : "late"): the camera or the "
                + "disk is slower than --every asks for")
    }

    private static func written(
        _ photo: CapturedPhoto, _ path: String, _ plan: PhotoPlan
    ) async -> Result<Taken, MediaError> {
        do throws(MediaError) {
            return .success(
                try await NamedThread.run("vcap-photo") { () throws(MediaError) in
                    try write(photo, path, plan)
                })
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
        return Taken(path: path, photo: photo, bytes: bytes.count)
    }
}

extension PhotoCommand.Outcome {
    fileprivate mutating func add(_ result: Result<PhotoCommand.Taken, MediaError>) {
        switch result {
        case .success(let photo): taken.append(photo)
        case .failure(let error):
            failure = failure ?? CommandFailure(error, while: .writing)
        }
    }
}

extension Task where Success == Never, Failure == Never {
    fileprivate static func sleep(for time: MediaTime) async throws {
        try await sleep(nanoseconds: UInt64(max(0, time.nanoseconds())))
    }
}
