import LibAV
package import Media

/// A movie as text, the same on every machine: tracks, edit lists, each sample's times and flags,
/// and what the decoded content is. Lossless codecs are identified by a hash of the decoded bytes, others
/// by the number that the test camera drew into each frame; encoded bytes are never looked at.
package struct MovieDump {
    /// One span of an edit list, as the reader under test gives it.
    package struct Edit {
        let track: Int
        let text: String

        /// - Parameters:
        ///   - duration: nil: to the end of a growing movie.
        ///   - mediaTime: nil: shows nothing.
        package init(track: Int, start: MediaTime, duration: MediaTime?, mediaTime: MediaTime?) {
            self.track = track
            text =
                "at \(start) for \(duration?.description ?? "the rest") "
                + (mediaTime.map { "shows from \($0)" } ?? "shows nothing")
        }
    }

    private let path: String
    private let edits: [Edit]
    private let notes: [String]

    /// - Parameter notes: lines of the caller's own, such as pauses and markers.
    package init(_ path: String, edits: [Edit], notes: [String]) {
        self.path = path
        self.edits = edits
        self.notes = notes
    }

    package func text() throws -> String {
        let demuxer = try Demuxer(path: path)
        var samples = Array(repeating: [SampleBuffer](), count: demuxer.tracks.count)
        while case .sample(let track, let sample) = try demuxer.next() {
            samples[track].append(sample)
        }
        var lines: [String] = []
        for track in demuxer.tracks {
            lines.append("track \(track.index): \(Self.words(track))")
            for edit in edits where edit.track == track.index {
                lines.append("  edit \(edit.text)")
            }
            lines +=
                track.format.video == nil
                ? try Self.sound(track, samples[track.index])
                : try Self.pictures(track, samples[track.index])
        }
        return (lines + notes).joined(separator: "\n") + "\n"
    }

    private static func words(_ track: DemuxedTrack) -> String {
        switch track.format {
        case .video(let video):
            "video \(video.codec?.rawValue ?? "?") \(video.width)x\(video.height), "
                + "1/\(track.timescale) s"
        case .audio(let audio):
            "audio \(audio.codec?.rawValue ?? "?") \(audio.sampleRate) Hz, \(audio.channels) ch, "
                + "1/\(track.timescale) s"
        case .text(let text): "text \(text.codec?.rawValue ?? "?"), 1/\(track.timescale) s"
        case .metadata: "metadata, 1/\(track.timescale) s"
        }
    }

    // MARK: frames

    private static func pictures(
        _ track: DemuxedTrack, _ samples: [SampleBuffer]
    ) throws -> [String] {
        guard let format = track.format.video else { return [] }
        let decoder = try VideoDecoder(format: format)
        var decoded: [SampleBuffer] = []
        for sample in samples { decoded += try decoder.decode(sample) }
        decoded += try decoder.finish()
        let content = decoded.map { picture -> (MediaTime, String) in
            guard let pixels = picture.pixelBuffer else { return (picture.presentationTime, "?") }
            let number = "picture \(FrameStrip.number(in: pixels))"
            let words = format.codec == .ffv1 ? "\(number), \(hash(pixels))" : number
            return (picture.presentationTime, words)
        }
        return samples.map { sample in
            let shown = content.first { $0.0 == sample.presentationTime }?.1 ?? "nothing"
            return line(sample, track.timescale) + " \(shown)"
        }
    }

    private static func line(_ sample: SampleBuffer, _ scale: Int32) -> String {
        func ticks(_ time: MediaTime) -> String { "\(time.ticks(per: scale, rounding: .nearest))" }
        return "  pts \(ticks(sample.presentationTime)) "
            + "dts \(ticks(sample.decodeTime ?? sample.presentationTime)) "
            + "for \(sample.duration.map(ticks) ?? "?")\(sample.isSync ? " sync" : "")"
    }

    private static func hash(_ frame: PixelBuffer) -> String {
        var state = Fingerprint()
        frame.withPlanes { planes in
            for (index, plane) in planes.enumerated() {
                let columns = index == 0 ? frame.width : (frame.width + 1) / 2
                for row in 0..<plane.rows {
                    for column in 0..<columns { state.add(plane.row(row)[column]) }
                }
            }
        }
        return state.text
    }

    // MARK: audio

    /// One line for each unbroken run: how PCM is cut into chunks depends on the machine's pace.
    private static func sound(
        _ track: DemuxedTrack, _ samples: [SampleBuffer]
    ) throws -> [String] {
        guard let format = track.format.audio, let first = samples.first else { return [] }
        let decoder = try AudioDecoder(format: format)
        var state = Fingerprint()
        var frames = 0
        func take(_ decoded: [SampleBuffer]) {
            for block in decoded {
                frames += block.audioFrameCount
                block.block?.withUnsafeBytes { bytes in for byte in bytes { state.add(byte) } }
            }
        }
        var lines: [String] = []
        var (start, end) = (first.presentationTime, first.presentationTime)
        for sample in samples {
            if abs(sample.presentationTime.nanoseconds() - end.nanoseconds()) > 2_000_000 {
                lines.append("  run from \(start) to \(end)")
                start = sample.presentationTime
            }
            end = sample.presentationTime + (sample.duration ?? .zero)
            take(try decoder.decode(sample))
        }
        take(try decoder.finish())
        let isLossless = format.codec == .flac || format.codec?.rawValue.hasPrefix("pcm") ?? false
        return lines + [
            "  run from \(start) to \(end)",
            "  decoded \(frames) frames\(isLossless ? ", \(state.text)" : "")",
        ]
    }
}

/// FNV-1a over bytes.
private struct Fingerprint {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
