internal import Media

/// What lies behind a foreground, as the planes of frames of yuv420p: codes, and how much of the frame's own background
/// they leave.
struct BackgroundPlanes: Sendable {
    /// One plane: codes times opacity, and what is left (255: all of the frame's own).
    struct Plane: Sendable {
        let width: Int
        var codes: [UInt8]
        /// `nil`: nothing is left.
        var rest: [UInt8]?
    }

    private(set) var planes: [Plane]
    private let size: PixelSize?

    /// One colour.
    init(_ color: (luma: Double, blue: Double, red: Double)) {
        planes = [color.luma, color.blue, color.red].map {
            Plane(width: 0, codes: [UInt8(min(max($0.rounded(), 0), 255))], rest: nil)
        }
        size = nil
    }

    /// A picture of the frame's size.
    /// - Parameter picture: of `bgra`, premultiplied.
    /// - Throws: `conversionFailed` for a picture of another size or format.
    init(
        _ picture: PixelBuffer, _ frame: PixelBuffer, _ codes: ColorCodes
    ) throws(MediaError) {
        guard picture.format == .bgra, picture.width == frame.width,
            picture.height == frame.height
        else {
            throw MediaError(
                code: .conversionFailed, subject: "background",
                message: "A picture behind a matte is of bgra, and as large as the frame.")
        }
        size = PixelSize(frame.width, frame.height)
        planes = (0..<3).map { index in
            let step = index == 0 ? 1 : 2
            let (width, height) = (
                (frame.width + step - 1) / step, (frame.height + step - 1) / step
            )
            var plane = Plane(
                width: width, codes: Array(repeating: 0, count: width * height),
                rest: Array(repeating: 0, count: width * height))
            picture.withPlane(0) { source in
                for row in 0..<height {
                    for column in 0..<width {
                        let mean = source.mean(column * step, row * step, step, of: picture)
                        let made = codes.codes(
                            red: mean.red, green: mean.green, blue: mean.blue,
                            share: mean.alpha / 255)
                        let code = index == 0 ? made.luma : index == 1 ? made.blue : made.red
                        let place = row * width + column
                        plane.codes[place] = UInt8(min(max(code.rounded(), 0), 255))
                        plane.rest?[place] = UInt8(255 - mean.alpha.rounded())
                    }
                }
            }
            return plane
        }
    }

    /// The frame itself, blurred to sixteen by nine parts or so.
    init(blurred frame: PixelBuffer) {
        size = nil
        let side = max((max(frame.width, frame.height) / 24) & ~1, 2)
        planes = frame.withPlanes { planes in
            planes.enumerated().map { index, plane in
                let width = index == 0 ? frame.width : (frame.width + 1) / 2
                return Plane(
                    width: width,
                    codes: plane.blurred(
                        width: width, height: plane.rows, side: index == 0 ? side : side / 2),
                    rest: nil)
            }
        }
    }

    /// Whether it was drawn for frames of this one's size.
    func fits(_ frame: PixelBuffer) -> Bool {
        size.map { $0.width == frame.width && $0.height == frame.height } ?? true
    }
}

extension PixelPlane {
    /// The mean of some pixels of `bgra`.
    fileprivate func mean(
        _ x: Int, _ y: Int, _ side: Int, of picture: PixelBuffer
    ) -> (red: Double, green: Double, blue: Double, alpha: Double) {
        var sums = (red: 0, green: 0, blue: 0, alpha: 0)
        var count = 0
        for row in y..<min(y + side, picture.height) {
            for column in x..<min(x + side, picture.width) {
                let pixel = self.row(row).advanced(by: column * 4)
                sums.blue += Int(pixel[0])
                sums.green += Int(pixel[1])
                sums.red += Int(pixel[2])
                sums.alpha += Int(pixel[3])
                count += 1
            }
        }
        func mean(_ sum: Int) -> Double { Double(sum) / Double(max(count, 1)) }
        return (mean(sums.red), mean(sums.green), mean(sums.blue), mean(sums.alpha))
    }

    /// Means of cells, and what lies between their middles.
    fileprivate func blurred(width: Int, height: Int, side: Int) -> [UInt8] {
        let (across, down) = (max(1, width / side), max(1, height / side))
        var cells = [UInt8](repeating: 0, count: across * down)
        for cellRow in 0..<down {
            let rows =
                cellRow * height
                / down..<max(
                    (cellRow + 1) * height / down, cellRow * height / down + 1)
            for cellColumn in 0..<across {
                let columns =
                    cellColumn * width
                    / across..<max(
                        (cellColumn + 1) * width / across, cellColumn * width / across + 1)
                var sum = 0
                for y in rows {
                    let line = row(y)
                    for x in columns { sum += Int(line[x]) }
                }
                cells[cellRow * across + cellColumn] = UInt8(sum / (rows.count * columns.count))
            }
        }
        return Matte(cells, width: across, height: down).scaled(width: width, height: height)
    }
}
