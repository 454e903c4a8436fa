internal import Media

/// An open microphone: the driver's thread reads it, the feed's thread delivers.
final class MicrophoneStream<Driver: MicrophoneDriver>: CaptureStream {
    // immutable
    let format: FormatDescription
    let explanation: String
    private let driver: Driver
    private let clock: any MediaClock
    private let halt: WakeSignal

    private let state = Lock(State())

    private struct State {
        var thread: NamedThread?
        var feed: AudioFeed?
    }

    /// - Parameter halt: raised to end whatever the driver waits for.
    init(_ driver: Driver, clock: any MediaClock, halt: WakeSignal = WakeSignal()) {
        self.driver = driver
        self.clock = clock
        self.halt = halt
        explanation = driver.explanation
        format = .audio(
            AudioFormat(
                coding: .raw(driver.layout.sampleFormat), sampleRate: driver.rate,
                channels: driver.channels))
    }

    func start(handler: @escaping @Sendable (SourceEvent) -> Void) throws(MediaError) {
        try driver.start()
        let feed = AudioFeed(
            name: "\(Driver.family)-deliver", rate: driver.rate, channels: driver.channels,
            layout: driver.layout, clock: clock, handler: handler)
        let thread = NamedThread(name: "\(Driver.family)-capture") { [driver, halt, clock] in
            guard let news = driver.run(into: feed, until: halt) else { return }
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
}
