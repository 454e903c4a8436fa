internal import Media
internal import Movie
internal import Writing

/// The take's writer in earnest: an `AssetWriter` with one input a source. Thread-safe.
final class AssetTakeWriter: TakeWriting {
    // immutable
    private let writer: AssetWriter
    private let receivers: [SampleBufferReceiver]
    // guarded by itself
    private let load: Lock<WriterLoad>

    /// Opens the encoders and creates the movie's file.
    static let make: TakeWriterMaker = { settings, plans, handler throws(MediaError) in
        try AssetTakeWriter(settings, plans, handler)
    }

    private init(
        _ settings: RecordingSettings, _ plans: [TrackPlan],
        _ handler: @escaping @Sendable (AssetWriterEvent) -> Void
    ) throws(MediaError) {
        var configuration = try AssetWriterConfiguration(
            outputPath: settings.outputPath, container: settings.container,
            overwrites: settings.replacesExisting,
            mode: settings.overflow == .wait ? .offline : .realTime)
        configuration.syncPolicy = settings.syncPolicy
        configuration.fragmentInterval = settings.fragmentInterval
        configuration.metadata = settings.metadata
        configuration.maximumDuration = settings.duration
        configuration.keepsFile = true
        if configuration.metadata.deviceNames.isEmpty {
            configuration.metadata.deviceNames = plans.map(\.origin.name)
        }
        if configuration.metadata.creationTime == nil {
            configuration.metadata.creationTime = WallClock.nanosecondsSinceEpoch()
        }
        StaleParts.remove(besides: settings.outputPath)
        let writer = try AssetWriter(configuration, onEvent: handler)
        var receivers: [SampleBufferReceiver] = []
        for plan in plans { receivers.append(try Self.receiver(for: plan, of: writer)) }
        try writer.start()
        self.writer = writer
        self.receivers = receivers
        load = Lock(
            WriterLoad(configuration, rates: plans.map { $0.format.video?.nominalRate }))
    }

    private static func receiver(
        for plan: TrackPlan, of writer: AssetWriter
    ) throws(MediaError) -> SampleBufferReceiver {
        switch (plan.output, plan.format) {
        case (.video(let settings), .video(let format)):
            try writer.inputReceiver(for: settings, sourceFormat: format, name: plan.origin.name)
        case (.audio(let settings), .audio(let format)):
            try writer.inputReceiver(for: settings, sourceFormat: format, name: plan.origin.name)
        default:
            try writer.inputReceiver(passingThrough: plan.format, name: plan.origin.name)
        }
    }

    func leaveOut(track: Int) { receivers[track].leaveOut() }

    func startSession(at time: MediaTime) throws(MediaError) {
        try writer.startSession(atSourceTime: time)
    }

    func append(
        _ sample: SampleBuffer, track: Int, waits: Bool
    ) throws(MediaError) -> Bool {
        guard waits else { return try receivers[track].appendImmediately(sample) }
        try appendWaiting(sample, to: receivers[track])
        return true
    }

    /// Holds the source's own thread, never one of Swift's pool, until there is room.
    private func appendWaiting(
        _ sample: SampleBuffer, to receiver: SampleBufferReceiver
    ) throws(MediaError) {
        let answer = BlockingLock<Result<Void, MediaError>?>(nil)
        Task {
            do throws(MediaError) {
                try await receiver.append(sample)
                answer.withLock { $0 = .success(()) }
            } catch {
                answer.withLock { $0 = .failure(error) }
            }
        }
        try answer.wait { $0 }.get()
    }

    func pause(at time: MediaTime) throws(MediaError) -> Bool { try writer.pause(at: time) }

    func resume(at time: MediaTime) throws(MediaError) -> Bool { try writer.resume(at: time) }

    func mark(_ text: String, at time: MediaTime) throws(MediaError) {
        try writer.mark(text, at: time)
    }

    func endSession(at time: MediaTime) throws(MediaError) {
        try writer.endSession(atSourceTime: time)
    }

    func finish() async throws(MediaError) -> AssetWriterResult { try await writer.close() }

    func cancel() async { await writer.cancel() }

    var timeline: PauseGate? { writer.timeline }

    var status: AssetWriterStatus { writer.status }

    func leave() async { await writer.leave() }

    func setEncodingSpeed(_ speed: EncodingSpeed) { writer.setEncodingSpeed(speed) }

    func measure(into reading: inout PressureReading) {
        let status = writer.status
        load.withLock { $0.look(status, into: &reading) }
    }

    var file: GrowingFile? { writer.file }
}
