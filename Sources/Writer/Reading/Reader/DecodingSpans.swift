internal import LibAV
internal import Media

/// Spans of a track's audio, each of which is decoded by a decoder of its own, so that a frame's audio is the same
/// wherever reading began.
///
/// Decoders of AAC and AC-3 put noise where the coder has left bands out, and which noise depends on all of it that a
/// decoder has made before. A new decoder begins with a span, behind the same few packets that lie before it, from
/// which it needs no more than what overlaps.
struct DecodingSpans {
    /// What becomes of a packet.
    enum Step {
        /// It lies before the span that is wanted.
        case passed
        case decoded
        /// A new decoder begins with it, behind others whose audio is not wanted.
        case begins(behind: [SampleBuffer])
    }

    /// Of a span (frames).
    private static let length: Int64 = 65_536
    /// Decoded before a span (packets).
    private static let lead = 4

    // immutable
    /// The track's first packet.
    let first: SampleBuffer?
    private let rate: Int32
    private let packetFrames: Int64

    /// The packets before the next one, at most `lead`.
    private var recent: [SampleBuffer] = []
    /// The number of the span that is decoded; nil: the next packet's that is wanted.
    private var current: Int64?
    /// The number of the first span that is wanted.
    private var wanted = Int64.min

    /// - Parameters:
    ///   - coded: as the track says.
    ///   - rate: as decoded (Hz).
    ///   - first: the track's first packet.
    ///   - packetFrames: of the first packet that was decoded (frames).
    /// - Returns: nil for what is the same anyway, or needs more than what overlaps: other codecs and profiles, and
    ///   bands that are made of others (SBR), which show in packets of twice the frames.
    init?(_ coded: AudioFormat, rate: Int, first: SampleBuffer?, packetFrames: Int) {
        guard rate == coded.sampleRate, packetFrames > 0 else { return nil }
        switch coded.codec {
        case .aac:
            // the object type is low complexity
            guard packetFrames <= 1024, (coded.codecConfiguration.first ?? 0) >> 3 == 2 else {
                return nil
            }
        case .ac3: break
        default: return nil
        }
        (self.rate, self.packetFrames) = (Int32(rate), Int64(packetFrames))
        self.first = first
    }

    /// Begins anew at the span of a frame.
    /// - Returns: from where packets have to be read (frames).
    mutating func begin(at frame: Int64) -> Int64 {
        (recent, current, wanted) = ([], nil, number(of: frame))
        return leadStart(of: wanted)
    }

    /// Where the packets begin that lead to a span (frames): behind a hole they may be fewer, from wherever one comes.
    private func leadStart(of span: Int64) -> Int64 {
        span * Self.length - Int64(Self.lead + 1) * packetFrames
    }

    private func frame(of packet: SampleBuffer) -> Int64 {
        packet.presentationTime.ticks(per: rate, rounding: .nearest)
    }

    /// The next packet in order.
    mutating func step(_ packet: SampleBuffer) -> Step {
        defer { recent = recent.suffix(Self.lead - 1) + [packet] }
        let own = number(of: frame(of: packet))
        guard own >= wanted else { return .passed }
        // stamps that go back are no span's beginning
        guard own > current ?? .min else { return .decoded }
        current = own
        let start = leadStart(of: own)
        return .begins(behind: recent.filter { frame(of: $0) >= start })
    }

    private func number(of frame: Int64) -> Int64 {
        frame >= 0 ? frame / Self.length : (frame + 1) / Self.length - 1
    }
}
