import Capture
import Detect
internal import Glibc
import Media

/// Looks for codes, faces and so on in the frames of a camera, from its opening to its end.
struct LiveDetection: Sendable {
    let plan: DetectPlan
    let selector: String
    let aliases: [String: String]

    func run() async throws {
        let choice = DeviceChoice(aliases: aliases)
        // before a camera is opened
        let output = try self.output()
        let device = try await NamedThread.run("vcap-work") {
            try choice.find(selector, .video)
        }
        try plan.profile?.check([device])
        let session = CaptureSession(discovery: choice.discovery)
        let settings = plan.settings.following(plan.profile, of: device)
        let input = CaptureDeviceInput(camera: device, settings: settings)
        try await session.configure { configuration in
            try configuration.add(input, output, plan.connection)
        }
        if let grant = await session.grant(of: device) {
            Console.shared.detail("\(grant.device.name): \(grant.explanation)")
            try await CameraWishes.report(
                settings, of: grant.device, choice.discovery,
                orientation: grant.orientation)
        }
        let printer = Lock(DetectionPrinter(writesJSON: plan.writesJSON))
        let isOver = listen(to: output, printer)
        let absence = Lock<MediaError?>(nil)
        let follower = follow(session, absence)
        defer { follower.cancel() }
        try await session.start()
        let ending = await wait(for: isOver)
        try? await session.stop()
        DetectCommand(plan: plan, aliases: aliases).summarize(printer.withLock { $0 })
        report(output)
        // not for who ended it while the camera was away
        if ending == .timeIsOver, let why = absence.withLock({ $0 }) {
            throw CommandFailure(.noDevice, why.message)
        }
    }

    /// What ends a look at a camera.
    private enum Ending { case cameraEnded, timeIsOver, signal, readerGone }

    /// Says when the camera goes and comes.
    /// - Parameter absence: why there are no frames; nil while there are.
    private func follow(
        _ session: CaptureSession, _ absence: Lock<MediaError?>
    ) -> Task<Void, Never> {
        Task {
            var notices = ForeignSettingNotices()
            for await event in session.events {
                switch event {
                case .interrupted(let device, let interruption):
                    absence.withLock {
                        $0 = MediaError(
                            code: interruption.failure ?? .deviceGone, subject: device.name,
                            message: interruption.message)
                    }
                    Console.shared.warning(interruption.message)
                case .reopenFailed(_, let error):
                    absence.withLock { $0 = error }
                    Console.shared.warning(error.message)
                case .resumed(let device, _):
                    absence.withLock { $0 = nil }
                    Console.shared.notice("\(device.name) is back")
                case .settingChangedByOthers(let device, let setting, let time):
                    if let words = notices.words(for: setting, of: device, at: time) {
                        Console.shared.notice(words)
                    }
                case .ended, .pressure, .systemPressure, .pressureStep, .settingsApplied: break
                }
            }
        }
    }

    private func output() throws(CommandFailure) -> MetadataOutput {
        do throws(MediaError) {
            return try MetadataOutput(
                metadataObjectTypes: plan.wanted, rectOfInterest: plan.region,
                maximumRate: plan.rate ?? MetadataOutput.standardRate,
                isThorough: plan.isThorough, faceModel: plan.faceModel)
        } catch { throw .noDetector(error) }
    }

    /// Prints on the detector's thread: while a reader of the lines is slow, frames are skipped.
    /// - Returns: an element when no more frames are wanted.
    private func listen(
        to output: MetadataOutput, _ printer: Lock<DetectionPrinter>
    ) -> AsyncStream<Ending> {
        let start = HostClock().now()
        let (isOver, announce) = AsyncStream<Ending>.makeStream()
        output.setObjectsHandler { found in
            let line = printer.withLock {
                $0.take(
                    .init(
                        time: found.time, start: start, size: found.frameSize,
                        found: found.objects))
            }
            if let line { Console.shared.result(line) }
            if Console.shared.hasLostResults { announce.yield(.readerGone) }
        }
        output.setHandler { event in
            if case .ended = event { announce.yield(.cameraEnded) }
        }
        SignalListener.listenForEnd { number in
            if number > 1 { _exit(ExitCode.failedRunning.rawValue) }
            announce.yield(.signal)
        }
        guard let duration = plan.duration else { return isOver }
        Task {
            try? await Task.sleep(for: .nanoseconds(duration.nanoseconds()))
            announce.yield(.timeIsOver)
        }
        return isOver
    }

    private func wait(for isOver: AsyncStream<Ending>) async -> Ending {
        for await ending in isOver { return ending }
        return .cameraEnded
    }

    private func report(_ output: MetadataOutput) {
        let skipped = output.detectionCounts.skipped.values.reduce(0, +)
        if skipped > 0 {
            Console.shared.notice(
                "\(Amounts.count(skipped, "frame")) skipped while others were looked at")
        }
        if let failure = output.lastFailure { Console.shared.warning(failure.message) }
    }
}
