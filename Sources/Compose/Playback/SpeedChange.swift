package import Media

/// Audio from a frame on, faster or slower at its own pitch (`TimeStretch`). Thread-bound.
package final class SpeedChange {
    package typealias Reader = (_ frame: Int64, _ count: Int) throws(MediaError) -> [Float]

    /// What is read, in two channels.
    private final class Reading: AudioSource {
        let channels = 2
        private let read: Reader

        init(_ read: @escaping Reader) { self.read = read }

        func read(at frame: Int64, count: Int) throws(MediaError) -> BlockBuffer {
            try read(frame, count).withUnsafeBytes { BlockBuffer($0) }
        }
    }

    private let first: Int64
    private let speed: SpeedRatio
    private let audio: any SpanAudio
    private var made: Int64 = 0

    /// - Parameters:
    ///   - sampleRate: Hz.
    ///   - frame: that is heard first.
    ///   - speed: factor, to a thousandth (0.5…2); 1: the samples themselves.
    ///   - read: interleaved frames of two channels, without end.
    package init(
        sampleRate: Int, from frame: Int64, speed: Double, read: @escaping Reader
    ) {
        first = frame
        self.speed = SpeedRatio(numerator: Int128((speed * 1000).rounded()), denominator: 1000)
        // longer than anybody listens, and within what the arithmetic holds
        let most = Int64(1) << 40
        let window = SourceWindow(
            Reading(read), channels: 2, limits: frame..<frame + most, history: sampleRate / 5)
        if self.speed.isOne {
            audio = PlainAudio(window, origin: frame)
        } else {
            let span = AudioSpan(
                range: 0..<most / 2, source: MediaSource(path: "", trackID: 1), sourceFrame: frame,
                sourceCount: most, speed: .even(self.speed), keepsPitch: true)
            audio = TimeStretch(window, span: span, sampleRate: sampleRate)
        }
    }

    /// Frames that were read (count).
    package var count: Int64 { made }

    /// The frame of the source that is heard with the next one that is read.
    package var position: Double {
        let (whole, fraction) = speed.position(of: made)
        return Double(first + whole) + fraction
    }

    /// The next frames, interleaved.
    package func read(_ count: Int) throws(MediaError) -> [Float] {
        defer { made += Int64(count) }
        return try audio.read(from: made, count: count)
    }
}
