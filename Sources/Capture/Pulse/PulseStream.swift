internal import Media
internal import Synchronization

/// An open source of a sound server: the driver's thread reads it, the feed's thread delivers.
final class PulseStream: CaptureStream {
    // immutable
    let format: FormatDescription
    let explanation: String
    private let recorder: PulseRecorder
    private let clock: any MediaClock
    private let halt: WakeSignal

    private let state = Mutex(State())

    private struct State {
        var thread: NamedThread?
        var feed: AudioFeed?
    }

    init(
        sourceName: String, server: String?, settings: AudioInputSettings,
        clock: any MediaClock
    ) throws(CaptureError) {
        try settings.validate()
        let halt = WakeSignal()
        let recorder = try PulseRecorder(
            sourceName: sourceName, server: server, settings: settings, clock: clock, wake: halt)
        self.halt = halt
        self.recorder = recorder
        self.clock = clock
        let granted = recorder.format
        format = .audio(granted)
        let isOwn =
            granted.sampleRate == recorder.source.rate
            && granted.channels == recorder.source.channels
        explanation =
            "\(recorder.source.name): \(granted.sampleFormat?.rawValue ?? ""), "
            + "\(granted.sampleRate) Hz, \(granted.channels) channels, "
            + (isOwn ? "as the source has it." : "converted by the sound server.")
    }

    func start(handler: @escaping @Sendable (SourceEvent) -> Void) throws(CaptureError) {
        try recorder.start()
        let granted = recorder.format
        let feed = AudioFeed(
            name: "pulse-deliver", rate: granted.sampleRate, channels: granted.channels,
            layout: Self.layout(of: granted), clock: clock, handler: handler)
        let thread = NamedThread(name: "pulse-capture") { [recorder, clock] in
            let end = recorder.run(into: feed)
            guard let news = Self.interruption(by: end, of: recorder.source.name) else { return }
            feed.interrupt(news, at: clock.now().nanoseconds())
        }
        state.withLock { $0 = State(thread: thread, feed: feed) }
    }

    func stop() {
        halt.raise()
        let taken = state.withLock { state in
            defer { state = State() }
            return state
        }
        taken.thread?.join()
        recorder.close()
        taken.feed?.finish()
    }

    private static func layout(of format: AudioFormat) -> DeviceSampleLayout {
        switch format.sampleFormat {
        case .float32: .float32
        case .int32: .int32
        case .int16, nil: .int16
        }
    }

    /// What the end of the driver's thread is called; `nil` when it was asked for.
    static func interruption(
        by end: PulseRecorder.End, of name: String
    ) -> AudioFeed.Interruption? {
        switch end {
        case .asked: nil
        case .serverGone(let code):
            AudioFeed.Interruption(
                reason: .serverGone,
                message: "The sound server behind pulse:\(name) is gone "
                    + "(\(PulseFailure.text(code))); recording goes on when it is back.")
        case .sourceGone(let code):
            AudioFeed.Interruption(
                reason: .deviceGone,
                message: "The microphone pulse:\(name) is gone from the sound server "
                    + "(\(PulseFailure.text(code))); recording goes on when it is back.")
        case .stalled:
            AudioFeed.Interruption(
                reason: .deviceStalled,
                message: "The microphone pulse:\(name) has delivered nothing for 3 s; "
                    + "it is opened again.")
        }
    }
}
