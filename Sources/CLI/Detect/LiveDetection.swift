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
        let session = CaptureSession(discovery: choice.discovery)
        let input = CaptureDeviceInput(camera: device, settings: plan.settings)
        try await session.configure { configuration in
            try configuration.add(input, output, plan.connection)
        }
        if let grant = await session.grant(of: device) {
            Console.shared.detail("\(grant.device.name): \(grant.explanation)")
        }
        let printer = Lock(DetectionPrinter(writesJSON: plan.writesJSON))
        let isOver = listen(to: output, printer, name: device.name)
        try await session.start()
        await wait(for: isOver)
        try? await session.stop()
        DetectCommand(plan: plan, aliases: aliases).summarize(printer.withLock { $0 })
        report(output)
    }

    private func output() throws(CommandFailure) -> MetadataOutput {
        do throws(MediaError) {
            return try MetadataOutput(
                metadataObjectTypes: plan.wanted, rectOfInterest: plan.region,
                maximumRate: plan.rate ?? MetadataOutput.standardRate,
                isThorough: plan.isThorough)
        } catch { throw .noDetector(error) }
    }

    /// Prints on the detector's thread: while a reader of the lines is slow, frames are skipped.
    /// - Returns: an element when no more frames come.
    private func listen(
        to output: MetadataOutput, _ printer: Lock<DetectionPrinter>, name: String
    ) -> AsyncStream<Void> {
        let start = HostClock().now()
        output.setObjectsHandler { found in
            let line = printer.withLock {
                $0.take(
                    .init(
                        time: found.time, start: start, size: found.frameSize,
                        found: found.objects))
            }
            if let line { Console.shared.result(line) }
        }
        let (isOver, announce) = AsyncStream<Void>.makeStream()
        output.setHandler { event in
            switch event {
            case .ended: announce.yield()
            case .interrupted(let interruption): Console.shared.warning(interruption.message)
            case .resumed: Console.shared.notice("\(name) is back")
            case .sample, .dropped: break
            }
        }
        SignalListener.listenForEnd { number in
            if number > 1 { _exit(ExitCode.failedRunning.rawValue) }
            announce.yield()
        }
        guard let duration = plan.duration else { return isOver }
        Task {
            try? await Task.sleep(for: .nanoseconds(duration.nanoseconds()))
            announce.yield()
        }
        return isOver
    }

    private func wait(for isOver: AsyncStream<Void>) async {
        for await _ in isOver { return }
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
