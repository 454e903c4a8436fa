public import Media

/// Covers every face with a mosaic that shows nothing of it. Thread-safe; of one camera or movie.
///
/// It looks ahead: a frame is settled when a later one was looked at, so that a face is covered from the first frame that
/// shows it whole, and between two looks wherever it may be. A frame behind which nothing was looked at is looked at
/// itself. What the detector does not find (profiles, faces that are
/// too small or turned away) it cannot cover. Where a look fails the frames around it are black.
public final class MosaicFilter: FrameProcessor {
    // immutable
    public let name = "mosaic-faces"
    private let looks: FaceLooks

    /// Cells of a mosaic across a face (count).
    private static let cells = 6.0
    /// The smallest cell (pixels).
    private static let smallestCell = 8

    /// - Parameter settings: how faces are found.
    /// - Throws: `invalidSetting` for settings that none can be; `unsupported` where what detects is not installed.
    public convenience init(_ settings: FaceFilterSettings = .init()) throws(MediaError) {
        self.init(looks: try settings.looks())
    }

    init(looks: FaceLooks) { self.looks = looks }

    public var lookAhead: MediaTime { looks.ahead }

    public var covered: Int { looks.covered }

    public func check(_ format: VideoFormat) throws(MediaError) { try requirePlanar(format) }

    public func look(at frame: SampleBuffer) { looks.look(at: frame) }

    public func process(_ frame: SampleBuffer) throws(MediaError) -> PixelBuffer {
        let pixels = try frame.planarPixels(of: self)
        let places = try looks.places(in: frame)
        guard !places.isEmpty else { return pixels }
        var covered = pixels.copy()
        for place in places { Self.cover(place, of: &covered) }
        looks.count(places.count)
        return covered
    }

    private static func cover(_ place: FaceFollower.Place, of frame: inout PixelBuffer) {
        let width = Double(frame.width) * place.bounds.width
        let cell = max(Int(width / cells) & ~1, smallestCell)
        guard let (columns, rows) = place.cover.cells(of: frame, side: cell) else { return }
        frame.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let part = index == 0 ? 1 : 2
                plane.average(
                    columns: columns.lowerBound / part..<(columns.upperBound + part - 1) / part,
                    rows: rows.lowerBound / part..<(rows.upperBound + part - 1) / part,
                    side: cell / part)
            }
        }
    }
}

extension NormalizedRect {
    /// The pixels of whole cells that it touches, as far as they are in the frame; `nil` for none.
    fileprivate func cells(
        of frame: PixelBuffer, side: Int
    ) -> (columns: Range<Int>, rows: Range<Int>)? {
        func range(_ start: Double, _ length: Double, _ size: Int) -> Range<Int>? {
            let first = (start * Double(size) / Double(side)).rounded(.down)
            let last = ((start + length) * Double(size) / Double(side)).rounded(.up)
            let most = Double(size / side + 1)
            let lower = Int(min(max(first, 0), most)) * side
            let upper = min(Int(min(max(last, 0), most)) * side, size)
            return lower < upper ? lower..<upper : nil
        }
        guard let columns = range(x, width, frame.width), let rows = range(y, height, frame.height)
        else { return nil }
        return (columns, rows)
    }
}

extension MutablePixelPlane {
    /// Makes each cell its own mean.
    fileprivate func average(columns: Range<Int>, rows: Range<Int>, side: Int) {
        for top in stride(from: rows.lowerBound, to: rows.upperBound, by: side) {
            let cellRows = top..<min(top + side, rows.upperBound)
            for left in stride(from: columns.lowerBound, to: columns.upperBound, by: side) {
                let count = min(left + side, columns.upperBound) - left
                var sum = 0
                for y in cellRows {
                    let row = row(y)
                    for x in left..<left + count { sum += Int(row[x]) }
                }
                let area = count * cellRows.count
                let mean = UInt8((sum + area / 2) / area)
                for y in cellRows {
                    row(y).advanced(by: left).update(repeating: mean, count: count)
                }
            }
        }
    }
}

extension SampleBuffer {
    /// - Throws: `unsupported` for anything but a frame of yuv420p.
    func planarPixels(of processor: some FrameProcessor) throws(MediaError) -> PixelBuffer {
        guard let pixels = pixelBuffer, pixels.format == .yuv420p, var video = format.video else {
            throw MediaError(
                code: .unsupported, subject: processor.name,
                message: "The filter \(processor.name) takes frames of yuv420p.")
        }
        video.coding = .raw(pixels.format)
        try processor.check(video)
        return pixels
    }
}
