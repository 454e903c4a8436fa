internal import Media

extension MovieFile {
    /// The movie's time code: of the track that the first video track names, else of the first there is. What of it cannot be
    /// read is left out.
    /// - Parameter found: the tracks of time code, and the movie's others.
    func timeCode(
        in found: [MovieTrack], besides others: [MovieTrack], _ io: any FileIO
    ) -> MovieTimeCode? {
        let wanted = others.first { $0.header.mediaType == .video }?.timeCodeTracks ?? []
        let named = wanted.lazy.compactMap { id in found.first { $0.id == id } }.first
        guard let track = named ?? found.first, let rate = track.timeCode?.rate else { return nil }
        let samples = track.samples.prefix(TimeCodeTrack.mostSamples)
            .compactMap { sample -> TimeCodeStretch? in
                guard let code = Self.timeCode(of: sample, rate, io) else { return nil }
                return TimeCodeStretch(
                    start: MediaTime(value: sample.decodeTime, timescale: track.timescale),
                    code: code)
            }
        return TimeCodeStretch.line(samples, edits: track.edits, movieTimescale: timescale)
    }

    private static func timeCode(
        of sample: MovieTrack.Sample, _ rate: TimeCodeRate, _ io: any FileIO
    ) -> TimeCode? {
        guard sample.size == 4 else { return nil }
        do throws(IOFailure) {
            let bytes = try io.readAll(4, at: sample.offset)
            // negative numbers lie before midnight
            let number = Int32(
                bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) })
            return bytes.count == 4 ? TimeCode(frame: Int64(number), rate: rate) : nil
        } catch { return nil }
    }
}

/// Where a sample of time code begins (track time), and with which number.
private struct TimeCodeStretch {
    let start: MediaTime
    let code: TimeCode

    /// The stretches as the edit list shows them.
    static func line(
        _ stretches: [TimeCodeStretch], edits: [EditListBox.Entry], movieTimescale: Int32
    ) -> MovieTimeCode? {
        guard let first = stretches.first else { return nil }
        var jumps: [MovieTimeCode.Jump] = []
        var movieTime = MediaTime.zero
        let spans = edits.isEmpty ? [EditListBox.Entry(duration: 0, mediaTime: 0)] : edits
        for (place, span) in spans.prefix(64).enumerated() {
            let length = MediaTime(value: Int64(span.duration), timescale: movieTimescale)
            let isOpen = span.duration == 0 && place == spans.count - 1
            if let media = span.mediaTime {
                let from = MediaTime(value: media, timescale: timescale(of: stretches))
                let begin = stretches.last { $0.start <= from } ?? first
                jumps.append(
                    .init(time: movieTime, timeCode: begin.code.shown(after: from - begin.start)))
                for later in stretches
                where later.start > from && (isOpen || later.start < from + length) {
                    jumps.append(
                        .init(time: movieTime + (later.start - from), timeCode: later.code))
                }
            }
            guard jumps.count <= TimeCodeTrack.mostSamples else { break }
            movieTime += length
        }
        guard let start = jumps.first else { return nil }
        var line = MovieTimeCode(start.timeCode.advanced(by: -start.time))
        for jump in jumps.dropFirst() where line.timeCode(at: jump.time) != jump.timeCode {
            line.jumps.append(jump)
        }
        return line
    }

    private static func timescale(of stretches: [TimeCodeStretch]) -> Int32 {
        stretches.first?.start.timescale ?? 1
    }
}
