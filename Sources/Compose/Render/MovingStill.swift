internal import LibAV
internal import Media

/// A still picture that pans or zooms: brought to the film's colours once, and then only scaled for each frame.
///
/// Otherwise each view of a photograph of many megapixels would be converted whole. What stands for it has twice the
/// pixels that are shown along each side, or all of its own: so the second scaling is not seen. It depends on the layer
/// alone, so that a frame stays a function of its instant.
struct MovingStill {
    let grid: FrameGrid
    let store: ConformStore

    /// Larger ones are converted view by view, of which only what is seen is kept (pixels).
    private static let (longestSide, mostPixels) = (16_000, 64_000_000)

    /// The layer with its picture in the film's format; itself where nothing would be gained.
    func prepared(_ layer: SceneLayer) throws(MediaError) -> SceneLayer {
        guard layer.isMovingStill, layer.key == nil,
            layer.format.pixelFormat.map({ !$0.hasAlpha }) ?? false,
            case let size = size(for: layer), size.width >= grid.stepX, size.height >= grid.stepY,
            max(size.width, size.height) <= Self.longestSide,
            size.width * size.height <= Self.mostPixels
        else { return layer }
        let own = layer.format.uprightPixelSize
        let isPlain =
            FrameConformer.changesNothing(from: layer.format, to: grid.format)
            && layer.format.orientation == .upright && layer.format.pixelAspect == .square
        guard !isPlain || size.width * 2 < own.width else { return layer }
        let request = ConformStore.Request(
            format: layer.format, width: size.width, height: size.height,
            region: FrameConformer.Region(
                left: 0, top: 0, width: Double(layer.format.width),
                height: Double(layer.format.height)), orientation: layer.format.orientation)
        var result = layer
        // a grade that stays is that of the picture
        if layer.isGradeChanging {
            result.picture = try store.picture(layer.picture, request).picture
        } else {
            result.picture = try store.picture(of: layer, request).picture
            result.grade = nil
        }
        result.format = grid.format
        (result.format.width, result.format.height) = (size.width, size.height)
        let upright = layer.format.uprightSize
        let scale = (
            x: Double(size.width) / upright.width, y: Double(size.height) / upright.height
        )
        result.transform = Transform2D.scale(x: 1 / scale.x, y: 1 / scale.y).followed(
            by: layer.transform)
        result.crop = layer.crop.map {
            Rectangle(
                x: $0.x * scale.x, y: $0.y * scale.y, width: $0.width * scale.x,
                height: $0.height * scale.y)
        }
        result.softness = layer.softness * (scale.x + scale.y) / 2
        return result
    }

    /// Of what stands for the picture (pixels).
    private func size(for layer: SceneLayer) -> PixelSize {
        let map = layer.transform
        let (across, down) = (
            (map.a * map.a + map.b * map.b).squareRoot(),
            (map.c * map.c + map.d * map.d).squareRoot()
        )
        // in steps of a half octave: a zoom passes few of them
        var scale = 1.0
        while scale > 2 * 1.42 * max(across, down), scale > 1.0 / 64 { scale /= 2.0.squareRoot() }
        let upright = layer.format.uprightSize
        func side(_ length: Double, _ step: Int) -> Int {
            max(1, Int((length * min(1, scale) / Double(step)).rounded())) * step
        }
        return PixelSize(
            width: side(upright.width, grid.stepX), height: side(upright.height, grid.stepY))
    }
}
