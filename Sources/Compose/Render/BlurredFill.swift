internal import LibAV
internal import Media

/// The same picture over the whole frame, blurred: made small, blurred there, and made large again.
struct BlurredFill {
    let grid: FrameGrid
    let slices: SlicePool

    /// - Parameters:
    ///   - request: the whole frame's, with the blur's standard deviation.
    ///   - convert: conforms a frame.
    func make(
        _ source: PixelBuffer, _ request: ConformStore.Request,
        convert: (PixelBuffer, ConformStore.Request) throws(MediaError) -> PlacedImage
    ) throws(MediaError) -> PlacedImage {
        let factor = reduction(request.blur)
        let width = (request.width + 2 * factor - 1) / (2 * factor) * 2
        let height = (request.height + 2 * factor - 1) / (2 * factor) * 2
        let wider = Double(width * factor) / Double(request.width)
        let higher = Double(height * factor) / Double(request.height)
        let small = ConformStore.Request(
            format: request.format, width: width, height: height,
            region: widened(request.region, wider, higher, request.orientation),
            orientation: request.orientation)
        var reduced = try convert(source, small).picture
        // making small and large again by triangles blurs as well
        let scale = Double(factor)
        let own = factor == 1 ? 0 : 1.0 / 3
        let variance = max(0.05, request.blur * request.blur / (scale * scale) - own)
        if !reduced.isUniquelyHeld() { reduced = reduced.copy() }
        blur(&reduced, variance: variance, edge: (scale - 1) / (2 * scale))
        var format = grid.format
        (format.width, format.height) = (width, height)
        let large = ConformStore.Request(
            format: format, width: request.width, height: request.height,
            region: FrameConformer.Region(
                left: 0, top: 0, width: Double(request.width) / scale,
                height: Double(request.height) / scale))
        return try convert(reduced, large)
    }

    /// How much smaller the blur is computed: the deviation stays above two samples there.
    private func reduction(_ deviation: Double) -> Int {
        var factor = 1
        while factor < 32, Double(factor) * 4 <= deviation { factor *= 2 }
        return factor
    }

    /// The region for a frame that reaches on to the right and below.
    private func widened(
        _ region: FrameConformer.Region, _ wider: Double, _ higher: Double,
        _ orientation: VideoOrientation
    ) -> FrameConformer.Region {
        let swaps = orientation.swapsAxes
        let (across, down) = swaps ? (higher, wider) : (wider, higher)
        // where the frame's right and lower ends come from in the stored picture
        let corner = Transform2D.rotating(orientation, width: 1, height: 1).inverse ?? .identity
        let origin = corner.apply(x: 0, y: 0)
        var result = region
        result.width = region.width * across
        result.height = region.height * down
        if origin.x > 0.5 { result.left = region.left + region.width - result.width }
        if origin.y > 0.5 { result.top = region.top + region.height - result.height }
        return result
    }

    /// - Parameter edge: how far outside the last sample the frame's own last pixel lies (samples).
    private func blur(_ frame: inout PixelBuffer, variance: Double, edge: Double) {
        let width = frame.width
        frame.withMutablePlanes { planes in
            slices.run(grid.planes.count) { index, _ in
                let layout = grid.planes[index]
                let columns = (width + layout.across - 1) / layout.across
                let across = BoxCascade(
                    variance: variance / Double(layout.across * layout.across), edge: edge)
                let down = BoxCascade(
                    variance: variance / Double(layout.down * layout.down), edge: edge)
                let plane = planes[index]
                if grid.bytes == 1 {
                    BoxCascade.blur(
                        plane, columns: columns, across: across, down: down, largest: UInt8.max)
                } else {
                    let largest = UInt16(1 << grid.pixels.bitDepth - 1)
                    BoxCascade.blur(
                        plane, columns: columns, across: across, down: down, largest: largest)
                }
            }
        }
    }
}
