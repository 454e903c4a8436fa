internal import Glibc
internal import Media
internal import Synchronization

/// An open sound card: the driver's thread reads it, the feed's thread delivers.
final class ALSAStream: CaptureStream {
    // immutable
    let format: FormatDescription
    let explanation: String
    private let driver: ALSADriver
    private let clock: any MediaClock
    private let halt = WakeSignal()

    private let state = Mutex(State())

    private struct State {
        var thread: NamedThread?
        var feed: AudioFeed?
    }

    init(
        opening device: ALSADeviceName, settings: AudioInputSettings, clock: any MediaClock
    ) throws(CaptureError) {
        try settings.validate()
        driver = try ALSADriver(device, settings: settings, clock: clock)
        self.clock = clock
        let grant = driver.grant
        format = .audio(
            AudioFormat(
                coding: .raw(grant.layout.sampleFormat), sampleRate: grant.rate,
                channels: grant.channels))
        let period = grant.periodFrames * 1000 / grant.rate
        let buffer = grant.bufferFrames * 1000 / grant.rate
        explanation =
            "\(device.pcmName): \(grant.layout.rawValue), \(grant.rate) Hz, "
            + "\(grant.channels) channels, periods of \(period) ms in a buffer of \(buffer) ms."
    }

    func start(handler: @escaping @Sendable (SourceEvent) -> Void) throws(CaptureError) {
        try driver.start()
        let grant = driver.grant
        let feed = AudioFeed(
            name: "alsa-deliver", rate: grant.rate, channels: grant.channels,
            layout: grant.layout, clock: clock, handler: handler)
        let thread = NamedThread(name: "alsa-capture") { [driver, halt, clock] in
            let end = driver.run(into: feed, until: halt)
            guard let news = Self.interruption(by: end, of: driver.subject) else { return }
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
        driver.close()
        taken.feed?.finish()
    }

    /// What the end of the driver's thread is called; `nil` when it was asked for.
    static func interruption(
        by end: ALSADriver.End, of subject: String
    ) -> AudioFeed.Interruption? {
        switch end {
        case .asked: nil
        case .stalled:
            AudioFeed.Interruption(
                reason: .deviceStalled,
                message: "The microphone \(subject) has delivered nothing for 2 s; "
                    + "it is opened again.")
        case .failed(_, ENODEV), .failed(_, EBADFD):
            AudioFeed.Interruption(
                reason: .deviceGone,
                message: "The microphone \(subject) is gone (unplugged); plug it in again.")
        case .failed(let function, let error):
            AudioFeed.Interruption(
                reason: .deviceFailed,
                message: "Reading the microphone \(subject) failed: \(function) answered "
                    + "\"\(ALSACall.text(error))\"; it is opened again.")
        }
    }
}
