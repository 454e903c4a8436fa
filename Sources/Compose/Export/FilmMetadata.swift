internal import Media
internal import Movie
internal import Reading

/// A film's metadata tracks as an export writes them: the samples of all sources on the film's time line, cut to
/// what is exported.
struct FilmMetadata {
    private(set) var tracks: [MetadataTrack] = []
    private(set) var notes: [String] = []

    /// Ticks per second of tracks whose sources do not agree, or that are not at the speed of their source.
    private static let timescale: Int32 = 90_000

    /// Reads every source's metadata once. Blocks.
    init(
        _ film: Film, plan: ExportPlan, container: OutputContainer, shelf: SourceShelf
    ) throws(MediaError) {
        let tracks = film.composition.tracks(of: .metadata)
            .filter { $0.segments.contains { !$0.isEmpty } }
        guard !tracks.isEmpty else { return }
        guard container.holdsMetadataTracks else {
            notes.append(
                "film: its metadata is left out, because a .\(container.rawValue) file has no place for "
                    + "it; choose mp4 or mov.")
            return
        }
        var known: [MediaSource: (track: AssetTrack, samples: [SampleBuffer])] = [:]
        for track in tracks {
            var samples: [SampleBuffer] = []
            var sources: [AssetTrack] = []
            for segment in track.segments {
                guard let source = segment.source else { continue }
                if known[source] == nil { known[source] = try read(source, shelf) }
                guard let found = known[source] else { continue }
                sources.append(found.track)
                samples += segment.metadata(found.samples, in: plan.range)
            }
            guard let first = sources.first, let format = first.format?.metadata, !samples.isEmpty
            else { continue }
            let isAlike = sources.allSatisfy { $0.timescale == first.timescale }
            self.tracks.append(
                MetadataTrack(
                    format: format, samples: samples,
                    timescale: isAlike ? first.timescale : Self.timescale,
                    language: first.language, name: first.name))
        }
    }

    private mutating func read(
        _ source: MediaSource, _ shelf: SourceShelf
    ) throws(MediaError) -> (AssetTrack, [SampleBuffer]) {
        let (asset, track) = try shelf.track(source)
        do throws(MediaError) {
            let reading = try asset.readMetadata(of: track)
            if let note = reading.note(of: track, in: asset.path) { notes.append(note) }
            return (track, reading.samples)
        } catch {
            // nothing that video and audio would suffer from
            guard error.code == .unsupported || error.code == .damagedFile else { throw error }
            notes.append("Metadata is left out. \(error.message)")
            return (track, [])
        }
    }

    /// For the export's report.
    var report: [ExportReport.MetadataTrack] { tracks.map { ExportReport.MetadataTrack($0) } }
}

extension ExportReport.MetadataTrack {
    init(_ track: MetadataTrack) { self.init(name: track.name, samples: track.samples.count) }
}

extension TrackSegment {
    /// The samples that hold in the segment within a range of the timeline, by the time since the range began.
    fileprivate func metadata(
        _ samples: [SampleBuffer], in range: MediaTimeRange
    ) -> [SampleBuffer] {
        let placed: [SampleBuffer] = samples.compactMap { sample in
            let held = MediaTimeRange(
                start: sample.presentationTime, duration: sample.duration ?? .zero)
            guard let place = place(of: held, in: range) else { return nil }
            var placed = sample
            placed.presentationTime = place.start
            placed.duration = place.duration
            return placed
        }
        return isReversed ? placed.reversed() : placed
    }

    /// What of a span of the source the segment shows within a range of the timeline, by the time since the range
    /// began; nil: nothing.
    func place(of span: MediaTimeRange, in range: MediaTimeRange) -> MediaTimeRange? {
        let (from, to) = (max(start, range.start.timelineTicks), min(end, range.end.timelineTicks))
        guard from < to, span.start < mapping.source.end, span.end > mapping.source.start else {
            return nil
        }
        let ends = [tick(ofSource: span.start), tick(ofSource: span.end)]
        let (first, last) = (max(from, ends.min() ?? from), min(to, ends.max() ?? to))
        guard first < last else { return nil }
        return .ticks(first - range.start.timelineTicks, last - first)
    }
}
