package import Media
package import Movie

extension Asset {
    /// What of a stranger's metadata is read.
    package struct MetadataLimits: Sendable {
        /// Most samples of a track (count).
        package var samples = 2_000_000
        /// Most bytes of a track (bytes).
        package var bytes = 512 << 20

        package init() {}
    }

    /// What could be read of a metadata track.
    package struct MetadataReading: Sendable {
        package var samples: [SampleBuffer] = []
        /// Samples that cannot be read and are left out (count), and what is wrong with the first of them.
        package var damagedSamples = 0
        package var damage: MediaError?

        /// One sentence for what is left out; nil: nothing is.
        package func note(of track: AssetTrack, in path: String) -> String? {
            guard let damage else { return nil }
            let what = damagedSamples == 1 ? "A sample" : "\(damagedSamples) samples"
            return "\(what) of the metadata of track \(track.id) of \(path) "
                + "\(damagedSamples == 1 ? "is" : "are") left out. \(damage.message)"
        }
    }

    /// As `readMetadata`, of a track that is whole.
    package func metadataSamples(
        of track: AssetTrack, limits: MetadataLimits = MetadataLimits()
    ) throws(MediaError) -> [SampleBuffer] {
        let reading = try readMetadata(of: track, limits: limits)
        if let damage = reading.damage { throw damage }
        return reading.samples
    }

    /// Reads the whole of a metadata track: its samples by movie time, in order, each cut to what the movie shows of
    /// it and with its length. Samples that only say that nothing holds are left out, and so are damaged ones. Blocks.
    /// - Throws: `unsupported` for a track that is no metadata or too much of it, `damaged-file` where none of its
    ///   samples can be read.
    package func readMetadata(
        of track: AssetTrack, limits: MetadataLimits = MetadataLimits()
    ) throws(MediaError) -> MetadataReading {
        guard track.format?.metadata != nil else {
            throw unreadable(track, because: "it is no metadata that vcap knows")
        }
        let source = try open(track)
        defer { source.close() }
        let line = source.line
        var reading = MetadataReading()
        var found: [SampleBuffer] = []
        var bytes = 0
        var previous: SampleBuffer?
        func take(_ sample: SampleBuffer, until next: Int64) {
            let start = sample.presentationTime.value
            let length = sample.duration.map { $0.ticks(per: line.timescale, rounding: .nearest) }
            let (end, isOver) = start.addingReportingOverflow(length ?? max(0, next - start))
            guard let block = sample.block, block.count > 0, !isOver, end > start else { return }
            let parts = line.spans.compactMap { $0.part(of: sample, start, end, line) }
            found += parts
            bytes += parts.isEmpty ? 0 : block.count
        }
        while let sample = try source.nextWhole(&reading) {
            if let previous { take(previous, until: sample.presentationTime.value) }
            previous = sample
            guard found.count <= limits.samples, bytes <= limits.bytes else {
                throw unreadable(track, because: "it is more metadata than is read")
            }
        }
        if let previous { take(previous, until: line.ticks(duration)) }
        // of one span they are in order already
        if line.spans.count > 1 {
            found.sort { $0.presentationTime.value < $1.presentationTime.value }
        }
        if previous == nil, let damage = reading.damage { throw damage }
        reading.samples = found
        return reading
    }
}

extension AssetTrack {
    /// Metadata of it as a track of another movie; nil: it is none.
    package func metadataTrack(_ samples: [SampleBuffer]) -> MetadataTrack? {
        guard let format = format?.metadata else { return nil }
        return MetadataTrack(
            format: format, samples: samples, timescale: timescale, language: language, name: name)
    }
}

extension CodedTrack {
    /// The next sample that is not damaged; the others are counted.
    fileprivate func nextWhole(
        _ reading: inout Asset.MetadataReading
    ) throws(MediaError) -> SampleBuffer? {
        while true {
            do throws(MediaError) { return try next() } catch {
                guard error.code == .damagedFile else { throw error }
                reading.damagedSamples += 1
                reading.damage = reading.damage ?? error
            }
        }
    }
}

extension EditLine.Span {
    /// The part of a sample that the span shows, by movie time.
    fileprivate func part(
        of sample: SampleBuffer, _ start: Int64, _ end: Int64, _ line: EditLine
    ) -> SampleBuffer? {
        guard media != nil, !isHeld else { return nil }
        let from = max(0, self.start, movieTime(of: start))
        let to = min(self.end ?? .max, movieTime(of: end))
        guard from < to else { return nil }
        var part = sample
        part.presentationTime = line.time(from)
        part.decodeTime = nil
        part.duration = line.time(to - from)
        return part
    }
}
