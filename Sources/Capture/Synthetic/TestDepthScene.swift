package import Media

/// What the test camera sees in depth, in millimetres: the frame's number in 24 cells, over a slanted wall in front of
/// which a box moves. What lies in the box's shadow, and only one of two cameras would see, is unknown (0).
/// Every value of every frame is known (`value`), so that a test can compare what it gets to the unit.
package struct TestDepthScene: Sendable {
    /// Of a cell for 1 and for 0 (mm).
    private static let (one, zero): (UInt16, UInt16) = (1000, 2000)

    package let size: PixelSize
    private let wall: [UInt16]

    /// - Precondition: `TestPattern.canDraw(size)`.
    package init(size: PixelSize) {
        precondition(TestPattern.canDraw(size))
        self.size = size
        wall = (0..<size.height).flatMap { y in
            (0..<size.width).map { x in
                UInt16(3000 + x * 2000 / size.width + y * 500 / size.height)
            }
        }
    }

    /// The columns of the box in a frame, and of the shadow beside it.
    private func box(_ number: Int64) -> (shadow: Range<Int>, box: Range<Int>) {
        let (width, shade) = (size.width / 5, max(1, size.width / 40))
        let left = shade + Int(number * 4 % Int64(size.width - width - shade))
        return (left - shade..<left, left..<left + width)
    }

    private var boxRows: Range<Int> { size.height / 3..<size.height * 2 / 3 }

    private func boxValue(_ number: Int64) -> UInt16 { UInt16(900 + number % 50) }

    private func cell(_ number: Int64, _ x: Int) -> UInt16 {
        let cell = ((x + 1) * TestPattern.cells - 1) / size.width
        return number >> Int64(TestPattern.cells - 1 - cell) & 1 == 1 ? Self.one : Self.zero
    }

    /// The value of a point of a frame (mm; 0: unknown).
    package func value(_ number: Int64, x: Int, y: Int) -> UInt16 {
        if y < TestPattern.stripHeight(size) { return cell(number, x) }
        let (shadow, box) = box(number)
        guard boxRows.contains(y) else { return wall[y * size.width + x] }
        if box.contains(x) { return boxValue(number) }
        return shadow.contains(x) ? 0 : wall[y * size.width + x]
    }

    /// The number that a frame's cells show; `nil` where they show none.
    /// - Parameter values: row after row.
    package func number(in values: [UInt16]) -> Int64? {
        var number: Int64 = 0
        for cell in 0..<TestPattern.cells {
            let value = values[(2 * cell + 1) * size.width / (2 * TestPattern.cells)]
            guard value == Self.one || value == Self.zero else { return nil }
            number = number << 1 | (value == Self.one ? 1 : 0)
        }
        return number
    }

    /// Draws frame `number`.
    func draw(number: Int64, into map: inout PixelBuffer) {
        let strip = (0..<size.width).map { cell(number, $0) }
        let (shadow, box) = box(number)
        map.withMutablePlanes { planes in
            for row in 0..<size.height {
                let isStrip = row < TestPattern.stripHeight(size)
                Self.copy(
                    isStrip ? strip[...] : wall[row * size.width..<(row + 1) * size.width],
                    to: planes[0].row(row))
                guard !isStrip, boxRows.contains(row) else { continue }
                Self.fill(shadow, with: 0, planes[0].row(row))
                Self.fill(box, with: boxValue(number), planes[0].row(row))
            }
        }
    }

    private static func copy(_ values: ArraySlice<UInt16>, to row: UnsafeMutablePointer<UInt8>) {
        values.withUnsafeBytes { source in
            UnsafeMutableRawBufferPointer(start: row, count: source.count).copyMemory(from: source)
        }
    }

    private static func fill(
        _ columns: Range<Int>, with value: UInt16, _ row: UnsafeMutablePointer<UInt8>
    ) {
        for column in columns {
            row[2 * column] = UInt8(value & 255)
            row[2 * column + 1] = UInt8(value >> 8)
        }
    }
}

/// What the frames of a test camera show.
enum TestScene: Sendable {
    case pattern(TestPattern)
    case depth(TestDepthScene)

    /// - Parameter raw: of the frames.
    init(_ plan: TestCameraPlan, _ raw: PixelFormat) {
        if raw == .gray16le {
            self = .depth(TestDepthScene(size: plan.uprightSize))
        } else {
            self = .pattern(
                TestPattern(
                    size: plan.uprightSize, format: raw,
                    levels: plan.format == .mjpeg ? .full : .limited))
        }
    }

    /// An upright frame, not drawn yet.
    func emptyFrame() -> PixelBuffer {
        switch self {
        case .pattern(let pattern):
            PixelBuffer(
                width: pattern.size.width, height: pattern.size.height, format: pattern.format)
        case .depth(let scene):
            PixelBuffer(width: scene.size.width, height: scene.size.height, format: .gray16le)
        }
    }

    /// - Parameters:
    ///   - exposure: of light only.
    ///   - orientation: what makes the frames of the camera upright.
    func draw(
        number: Int64, isFlash: Bool, by exposure: TestExposure?, _ orientation: VideoOrientation,
        into frame: inout PixelBuffer
    ) {
        switch self {
        case .depth(let scene): scene.draw(number: number, into: &frame)
        case .pattern(let pattern):
            pattern.draw(number: number, isFlash: isFlash, into: &frame)
            guard let exposure else { return }
            let (strip, levels) = (TestPattern.stripHeight(pattern.size), pattern.levels)
            // a flash is over before a camera has measured it
            let metering =
                isFlash
                ? 1
                : exposure.metering(
                    frame, orientation, strip: strip, black: levels.black, white: levels.white)
            TestExposure.expose(
                &frame, by: exposure.nextFactor() * metering, strip: strip, levels: levels)
        }
    }
}
