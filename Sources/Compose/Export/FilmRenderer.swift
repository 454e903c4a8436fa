internal import Glibc
package import Media

/// Makes the film's frames, one instant after the other. Thread-bound; blocks on the sources.
final class FilmRenderer {
    /// Frames that may be inside the encoder, kept by the compositor, and the one being made.
    private static let busyFrames = 12

    private let pictures: VideoComposition
    private let cursors: FrameCursors
    private let renderer: CompositionRenderer
    private let titles: LayerRenderer?
    private let subtitles: BurntSubtitles?
    private let layers: [Int: LayerFrames]

    /// - Parameters:
    ///   - format: of the frames made; another size than the film's scales it.
    ///   - heldFrames: that a player holds (count); nil: those of an encoder.
    init(
        _ film: Film, format: VideoFormat, threads: Int?, shelf: SourceShelf,
        heldFrames: Int? = nil
    ) throws(MediaError) {
        guard let frames = film.videoComposition else {
            throw .setting("film", "The film has no video.")
        }
        self.pictures = frames
        let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        // two cores are the encoder's and the compositor's; with more of them, and for a player, decoding may take two
        let decoding = cores > (heldFrames == nil ? 2 : 1) ? 2 : 1
        cursors = FrameCursors(
            film.composition, shelf: shelf, target: format, threads: decoding,
            frameDuration: frames.frameDuration)
        let size = PixelSize(width: format.width, height: format.height)
        let queue = ExportInputs.queue(size, bitDepth: format.pixelFormat?.bitDepth ?? 8)
        renderer = try CompositionRenderer(
            frames, format: format, threads: threads ?? min(4, cores),
            frameLimit: (heldFrames ?? queue.pictures) + Self.busyFrames)
        titles = try frames.animation.map { layer throws(MediaError) in
            try LayerRenderer(layer.scaled(from: frames.renderSize, to: size), renderSize: size)
        }
        subtitles = try BurntSubtitles(film, size: size, shelf: shelf)
        var layers: [Int: LayerFrames] = [:]
        for track in frames.layerTracks {
            layers[track.id] = try LayerFrames(track.layer, renderSize: frames.renderSize)
        }
        self.layers = layers
    }

    /// What the titles' author should know; grows while frames are made.
    var warnings: [String] {
        let tracks = pictures.layerTracks.flatMap { layers[$0.id]?.warnings ?? [] }
        var reported: Set<String> = []
        // several layers may show one damaged frame
        return
            (((titles?.warnings ?? []) + tracks).map(\.message) + (subtitles?.warnings ?? []))
            .filter { reported.insert($0).inserted }
    }

    /// The film at an instant of the timeline.
    func picture(at time: MediaTime) throws(MediaError) -> PixelBuffer {
        let instruction = pictures.instruction(at: time)
        cursors.keepOnly(instruction?.sourceTrackIDs ?? [])
        let hasTitles = instruction?.enablePostProcessing ?? true
        var overlays = hasTitles ? try titles?.tiles(at: time) ?? [] : []
        overlays += try subtitles?.tiles(at: time) ?? []
        return try renderer.frame(at: time, overlays: overlays) {
            track, time throws(MediaError) in
            if let layer = layers[track] { return try layer.picture(at: time) }
            return try cursors.picture(track: track, at: time)
        }
    }

    /// Where decoding of what is on show at an instant begins; nil: nobody knows.
    func syncTime(before time: MediaTime) throws(MediaError) -> MediaTime? {
        var earliest: MediaTime?
        for track in pictures.instruction(at: time)?.sourceTrackIDs ?? [] where layers[track] == nil
        {
            guard let begin = try cursors.syncTime(track: track, before: time) else { continue }
            earliest = min(earliest ?? begin, begin)
        }
        return earliest
    }
}

extension Film {
    /// Finds what keeps its titles from being drawn before anything is made, such as letters that no font has.
    /// - Returns: what their author should know, one sentence each.
    package func checkTitles() throws(MediaError) -> [String] {
        guard let frames = videoComposition, let layer = frames.animation else { return [] }
        return try LayerRenderer(layer, renderSize: frames.renderSize).warnings.map(\.message)
    }
}

extension Layer {
    /// A tree made for a film of one size, drawn in another one.
    fileprivate func scaled(from own: PixelSize, to size: PixelSize) -> Layer {
        guard own != size else { return self }
        let (across, down) = (Double(own.width), Double(own.height))
        return Layer(
            name: name, anchor: .zero, bounds: Rectangle(x: 0, y: 0, width: across, height: down),
            scale: Point(x: Double(size.width) / across, y: Double(size.height) / down),
            sublayers: [self])
    }
}
