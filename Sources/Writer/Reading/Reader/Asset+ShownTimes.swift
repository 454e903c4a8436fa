internal import LibAV
package import Media
internal import Movie

extension Asset {
    /// When each frame of a movie's track is shown first (movie time), in order. Of MP4 and QuickTime the
    /// index is read, of others every sample; blocks.
    /// - Throws: as reading does.
    package func shownTimes(of track: AssetTrack) throws(MediaError) -> [MediaTime] {
        if let sequence {
            let step = sequence.sequence.rate.frameDuration
            return (0..<Int64(sequence.count)).map { step * $0 }
        }
        if container == "mp4" || container == "mov" { return try indexedTimes(of: track) }
        let source = try open(track)
        defer { source.close() }
        var times: [MediaTime] = []
        while let sample = try source.next() { times.append(sample.presentationTime) }
        return times.sorted()
    }

    private func indexedTimes(of track: AssetTrack) throws(MediaError) -> [MediaTime] {
        let io = try openFile()
        defer { io.close() }
        let movie = try MovieFile(io: io, name: path, leavesOutDamaged: true)
        guard let found = movie.tracks.first(where: { Int($0.id) == track.id }),
            let line = EditLine(
                found.edits, movieTimescale: movie.timescale, trackTimescale: found.timescale)
        else { throw unreadable(track, because: "it is not there any more") }
        let scale = max(1, Int64(line.timescale / found.timescale))
        let stamps = found.samples.map { $0.presentationTime * scale }.sorted()
        var times: [MediaTime] = []
        for span in line.spans {
            guard let media = span.media, span.end ?? .max > span.start else { continue }
            if span.isHeld {
                times.append(line.time(span.start))
                continue
            }
            let first = max(0, (stamps.firstIndex { $0 > media } ?? stamps.count) - 1)
            let shown = stamps[first...].lazy.map { max(span.start, span.movieTime(of: $0)) }
            times += shown.prefix { $0 < span.end ?? .max }.map(line.time)
        }
        return times
    }
}
