public import Media
public import Reading

/// The audio of a film's tracks as one, for an `AssetReader`: levels, ramps, ducking, loudness and taps as
/// the film's `AudioMix` says.
///
/// Samples are interleaved float32 at the wanted rate, 1,024 frames each, the last one shorter; times are
/// the timeline's. Frame *n* of the film is at *n* / rate, whatever range is read, and the same
/// range gives the same samples every time.
public final class AudioMixOutput: AssetReaderOutput {
    /// Frames of a sample.
    private static let run: Int64 = 1024

    /// What is being read. Thread-bound.
    private final class Mixing: @unchecked Sendable {  // because the output's lock guards it
        let renderer: MixRenderer
        var place: Int64 = 0
        var end: Int64 = 0

        init(_ renderer: MixRenderer) { self.renderer = renderer }
    }

    private struct State: Sendable {
        var mixing: Mixing?
        var report = MixReport()
    }

    // immutable
    public let film: Film
    /// Raw float32.
    public let format: AudioFormat
    public let slot = AssetReaderSlot()
    // guarded by itself; held while a sample is made
    private let state = Lock(State())

    /// - Parameters:
    ///   - film: of which all audio is mixed.
    ///   - sampleRate: Hz; 8,000…192,000; default 48,000.
    ///   - channels: 1 or 2; default 2.
    public init(film: Film, sampleRate: Int = 48_000, channels: Int = 2) {
        self.film = film
        format = AudioFormat(
            coding: .raw(.float32), sampleRate: sampleRate, channels: channels)
    }

    public var mediaType: MediaType { .audio }

    /// The whole film.
    public var timeRange: MediaTimeRange {
        MediaTimeRange(start: .zero, duration: film.composition.duration)
    }

    /// What the mixer had to do so far: what was limited, and how the loudness was reached.
    public var report: MixReport { state.withLock { $0.mixing?.renderer.report ?? $0.report } }

    /// Listens to the speech of the ducking rules and measures the loudness, the first time, if the mix
    /// asks for it.
    /// - Throws: `invalid-setting` for a format or a mix out of range; what a source answered.
    public func begin(_ range: MediaTimeRange) throws(MediaError) {
        try state.withLock { state throws(MediaError) in
            let mixing: Mixing
            if let open = state.mixing { mixing = open } else { mixing = Mixing(try open()) }
            try mixing.renderer.prepare()
            let rate = Int32(format.sampleRate)
            mixing.place = range.start.ticks(per: rate, rounding: .nearest)
            mixing.end = range.end.ticks(per: rate, rounding: .nearest)
            state.mixing = mixing
        }
    }

    public func produce() throws(MediaError) -> SampleBuffer? {
        try state.withLock { state throws(MediaError) in
            guard let mixing = state.mixing, mixing.place < mixing.end else { return nil }
            let count = min(Self.run, mixing.end - mixing.place)
            let block = try mixing.renderer.read(from: mixing.place, count: Int(count))
            let rate = Int32(format.sampleRate)
            defer { mixing.place += count }
            return SampleBuffer(
                payload: .audio(block), format: .audio(format),
                presentationTime: MediaTime(value: mixing.place, timescale: rate),
                duration: MediaTime(value: count, timescale: rate))
        }
    }

    public func end() {
        state.withLock { state in
            state.report = state.mixing?.renderer.report ?? state.report
            state.mixing = nil
        }
    }

    private func open() throws(MediaError) -> MixRenderer {
        let shelf = SourceShelf(film.assets)
        return try MixRenderer(
            composition: film.composition, mix: film.audioMix, sampleRate: format.sampleRate,
            channels: format.channels
        ) { source, rate throws(MediaError) in
            try shelf.audio(of: source, sampleRate: rate)
        }
    }
}
