internal import LibAV
internal import Media

/// The planes of the pictures the compositor makes, and where their samples lie in the frame.
struct FrameGrid {
    struct Plane {
        /// Pixels of the frame one sample covers (1 or 2).
        var across: Int
        var down: Int
        /// Size of the plane (samples).
        var columns: Int
        var rows: Int
        /// Where sample (0, 0) lies (pixels of the frame).
        var originX: Double
        var originY: Double
        /// The code of no light (luma) or no colour (chroma).
        var black: Int
    }

    let format: VideoFormat
    let pixels: PixelFormat
    let width: Int
    let height: Int
    let siting: ChromaSiting
    let planes: [Plane]
    /// Placement in whole multiples of this keeps every plane's samples on the grid (pixels).
    let stepX: Int
    let stepY: Int
    /// Bytes of a sample.
    let bytes: Int

    /// - Parameter format: planar YUV with its colour stated.
    init(_ format: VideoFormat, _ pixels: PixelFormat) {
        self.format = format
        self.pixels = pixels
        width = format.width
        height = format.height
        let siting = ChromaSiting(of: format.color)
        self.siting = siting
        let isFull = format.color.range == .full
        let depth = pixels.bitDepth
        bytes = depth > 8 ? 2 : 1
        planes = pixels.layout.planes.enumerated().map { index, layout in
            let (across, down) = (layout.pixelsPerGroup, layout.rowsPerRow)
            let isCentered = siting == .center || siting == .top || siting == .bottom
            let isOnRows = siting == .topLeft || siting == .top
            return Plane(
                across: across, down: down,
                columns: (format.width + across - 1) / across,
                rows: (format.height + down - 1) / down,
                originX: across == 2 && isCentered ? 1 : 0.5,
                originY: down == 2 ? (isOnRows ? 0.5 : 1) : 0.5,
                black: index > 0 ? 1 << (depth - 1) : isFull ? 0 : 16 << (depth - 8))
        }
        stepX = planes.map(\.across).max() ?? 1
        stepY = planes.map(\.down).max() ?? 1
    }
}
