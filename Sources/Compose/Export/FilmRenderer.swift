internal import Glibc
internal import Media
internal import Writer

/// Makes the film's pictures, one instant after the other. Thread-bound; blocks on the sources.
final class FilmRenderer {
    /// Pictures that may wait for the encoder and be inside it, and the one being made.
    private static let poolLimit = ExportInputs.queuedPictures + 12

    private let pictures: VideoComposition
    private let cursors: PictureCursors
    private let compositor: PictureCompositor
    private let titles: LayerRenderer?
    /// From the film's render area to the pictures made.
    private let scale: AffineTransform

    /// - Parameter format: of the pictures made; another size than the film's scales it.
    init(
        _ film: Film, format: VideoFormat, threads: Int?, shelf: SourceShelf
    ) throws(ComposeError) {
        guard let pictures = film.videoComposition, let pixels = format.pixelFormat else {
            throw .setting("film", "The film has no pictures.")
        }
        self.pictures = pictures
        cursors = PictureCursors(film.composition, shelf: shelf)
        let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        compositor = try PictureCompositor(
            target: format, threads: threads ?? min(4, cores),
            pool: PixelBufferPool(
                width: format.width, height: format.height, format: pixels,
                limit: Self.poolLimit))
        let size = PixelSize(width: format.width, height: format.height)
        titles = try pictures.animation.map { layer throws(ComposeError) in
            try LayerRenderer(layer.scaled(from: pictures.renderSize, to: size), renderSize: size)
        }
        scale = .scale(
            x: Double(format.width) / Double(pictures.renderSize.width),
            y: Double(format.height) / Double(pictures.renderSize.height))
    }

    /// What the titles' author should know; grows while pictures are made.
    var warnings: [String] { titles?.warnings.map(\.message) ?? [] }

    /// The film at an instant of the timeline.
    func picture(at time: MediaTime) throws(ComposeError) -> PixelBuffer {
        guard let instruction = pictures.instruction(at: time) else {
            throw .setting(
                "film", "Nothing says what the film looks like at \(time.spoken).")
        }
        cursors.keepOnly(instruction.layers.map(\.trackID))
        var scene = Scene(background: instruction.background)
        for layer in instruction.layers.reversed() {
            if let shown = try self.layer(layer, at: time) { scene.layers.append(shown) }
        }
        if let titles { scene.overlays = try titles.tiles(at: time) }
        return try compositor.compose(scene)
    }

    private func layer(
        _ layer: LayerInstruction, at time: MediaTime
    ) throws(ComposeError) -> SceneLayer? {
        let opacity = layer.opacity(at: time)
        guard opacity > 0, let sample = try cursors.picture(track: layer.trackID, at: time),
            let picture = sample.pixelBuffer, let format = sample.format.video
        else { return nil }
        let crop = layer.crop(at: time)
        return SceneLayer(
            picture: picture, format: format,
            transform: layer.transform(at: time).followed(by: scale), crop: crop?.rectangle,
            softness: crop?.softness ?? 0, opacity: opacity, fill: layer.fill.scaled(by: scale.a))
    }
}

extension Fill {
    fileprivate func scaled(by factor: Double) -> Fill {
        switch self {
        case .none: .none
        case .color: self
        case .blurred(let radius): .blurred(radius: radius * factor)
        }
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
