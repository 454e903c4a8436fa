internal import Media
internal import Movie
internal import Reading

/// The metadata tracks of a source by the new movie's time.
struct ConversionMetadata {
    private(set) var tracks: [MetadataTrack] = []
    private(set) var notes: [String] = []

    /// Reads every metadata track once. Blocks.
    init(_ asset: Asset, _ plan: ConversionPlan) throws(MediaError) {
        for track in plan.tracks where track.treatment == .carryMetadata {
            do throws(MediaError) {
                let reading = try asset.readMetadata(of: track.source)
                if let note = reading.note(of: track.source, in: asset.path) { notes.append(note) }
                guard var metadata = track.source.metadataTrack(reading.samples) else { continue }
                metadata.samples = metadata.samples.compactMap { $0.cut(to: plan.range) }
                if !metadata.samples.isEmpty { tracks.append(metadata) }
            } catch {
                // nothing that video and audio would suffer from
                guard error.code == .unsupported || error.code == .damagedFile else { throw error }
                notes.append("Metadata is left out. \(error.message)")
            }
        }
    }

    /// For the conversion's report.
    var report: [ExportReport.MetadataTrack] { tracks.map { ExportReport.MetadataTrack($0) } }
}

extension SampleBuffer {
    /// What of the sample holds within a range, by the time since the range began, in ticks as fine as the sample's.
    fileprivate func cut(to range: MediaTimeRange) -> SampleBuffer? {
        let end = presentationTime + (duration ?? .zero)
        let (first, last) = (max(presentationTime, range.start), min(end, range.end))
        guard first < last else { return nil }
        var sample = self
        sample.presentationTime = first - range.start
        sample.duration = last - first
        return sample
    }
}
