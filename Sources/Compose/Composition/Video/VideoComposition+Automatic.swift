public import Media
public import Reading

extension VideoComposition {
    /// Made from a composition's video tracks: an instruction from each border of a segment to the next,
    /// showing whatever lies there, first track in front, each picture fitted into the frame.
    ///
    /// Size and colours are the first movie's, or without one the first frame's. The rate is the highest of all
    /// movies', so that none loses frames by it; animations and still pictures count where there is no movie.
    /// - Parameters:
    ///   - composition: With at least one frame.
    ///   - assets: The files the composition shows.
    ///   - fit: How each picture is brought into the frame.
    /// - Throws: `invalid-edit` when the composition has no video or a file is missing here.
    public init(
        propertiesOf composition: Composition, assets: [Asset], fit: FitMode = .contain
    ) throws(MediaError) {
        let files = Dictionary(assets.map { ($0.path, $0) }) { first, _ in first }
        let tracks = composition.tracks(of: .video)
        var leads: [(format: VideoFormat, track: AssetTrack)] = []
        for source in tracks.flatMap(\.segments).sorted(by: { $0.start < $1.start })
            .compactMap(\.source)
        {
            leads.append(try files.video(source))
        }
        let movies = leads.filter { !$0.track.isStill && !$0.track.isAnimation }
        guard let (format, track) = movies.first ?? leads.first else {
            throw .edit("composition", "the composition has no video, so it has no frame size")
        }
        let style = FilmStyle(firstClip: format, track: track)
        let animations = leads.filter { $0.track.isAnimation }
        let rates = (movies.isEmpty ? animations : movies).map { FrameRate.film(of: $0.track) }
        self.init(
            renderSize: style.renderSize,
            frameDuration: rates.max()?.frameDuration ?? style.frameDuration, color: style.color,
            pixelFormat: style.pixelFormat)
        state(lightOf: leads.map(\.format))
        let end = composition.duration
        let borders = Set(
            tracks.flatMap { $0.segments.flatMap { [$0.start, $0.end] } }
                + [0, end.timelineTicks]
        ).sorted()
        for (start, next) in zip(borders, borders.dropFirst()) {
            let range = MediaTimeRange(start: .timeline(start), duration: .timeline(next - start))
            var layers: [LayerInstruction] = []
            for track in tracks {
                guard let source = track.segment(at: range.start)?.source else { continue }
                let (format, _) = try files.video(source)
                layers.append(
                    LayerInstruction(
                        trackID: track.id,
                        transforms: [
                            TransformRamp(fit.transform(for: format, in: renderSize))
                        ], fill: fit.fill(in: renderSize)))
            }
            instructions.append(Instruction(timeRange: range, layers: layers))
        }
    }
}

extension Dictionary where Key == String, Value == Asset {
    /// The format of a video source.
    func video(_ source: MediaSource) throws(MediaError) -> (VideoFormat, AssetTrack) {
        guard let asset = self[source.path] else {
            throw .edit(
                source.path, "\(source.path) is in the composition but not among the assets given")
        }
        guard let track = asset.tracks.first(where: { $0.id == source.trackID }),
            let format = track.format?.video
        else {
            throw .edit(
                source.path, "track \(source.trackID) of \(source.path) holds no video")
        }
        return (format, track)
    }
}
