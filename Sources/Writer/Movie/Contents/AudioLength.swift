internal import LibAV
internal import Media

/// How long a track's audio is by what its packets hold, where stamps are coarser than frames (Matroska's are
/// milliseconds). A pure value.
struct AudioLength {
    /// How far stamps may be off (ticks): those of the beginning and of the end, and what is cut there.
    private static let tolerance: Int64 = 3

    /// Frames of all packets, what decoders cut left out; nil where one does not state.
    private var frames: Int64? = 0
    private var rate: Int32?
    /// Frames of the whole, where the codec's header states.
    private var stated: Int64?

    mutating func add(_ sample: SampleBuffer) {
        guard let audio = sample.format.audio else { return }
        if rate == nil {
            rate = Int32(exactly: audio.sampleRate)
            stated = audio.codec == .flac ? Self.total(streamInfo: audio.codecConfiguration) : nil
        }
        let trim = sample.attachments.leadingTrim + sample.attachments.trailingTrim
        frames = Self.frames(of: sample, audio).flatMap { count in
            frames.flatMap { sum in
                let (next, overflow) = sum.addingReportingOverflow(Int64(count - trim))
                return overflow ? nil : next
            }
        }
    }

    /// The exact end; what stamps say where that is more than inexact (a hole, packets that do not state).
    func end(from start: MediaTime, near end: MediaTime) -> MediaTime {
        guard let rate, start.timescale < rate, let frames = stated ?? frames, frames > 0,
            let exact = try? start.adding(MediaTime(value: frames, timescale: rate)),
            let most = try? end.adding(Self.reach(of: start)),
            let least = try? end.adding(-Self.reach(of: start)), least <= exact, exact <= most
        else { return end }
        return exact
    }

    /// - Parameter stamp: in the track's own ticks.
    private static func reach(of stamp: MediaTime) -> MediaTime {
        MediaTime(value: tolerance, timescale: stamp.timescale)
    }

    private static func frames(of sample: SampleBuffer, _ audio: AudioFormat) -> Int? {
        if let bytes = audio.codec?.bytesPerPCMSample {
            return (sample.block?.count ?? 0) / max(1, bytes * audio.channels)
        }
        // ALAC's last packet says how short it is
        if let length = sample.duration, Int(length.timescale) == audio.sampleRate {
            return Int(exactly: length.value)
        }
        return audio.framesPerPacket
    }

    /// Of FLAC's STREAMINFO (RFC 9639, 8.2); nil: unknown.
    private static func total(streamInfo: [UInt8]) -> Int64? {
        guard streamInfo.count >= 18 else { return nil }
        let total = streamInfo[14..<18].reduce(Int64(streamInfo[13] & 15)) { $0 << 8 | Int64($1) }
        return total > 0 ? total : nil
    }
}
