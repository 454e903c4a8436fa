public import Media

/// What is drawn over a preview to judge it by. A value; drawing changes a copy.
public struct PreviewOverlays: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Lines at the thirds of the frame and a cross in its middle.
    public static let guides = PreviewOverlays(rawValue: 1)
    /// Slanted stripes where the frame is brighter than 95 % of full level.
    public static let zebra = PreviewOverlays(rawValue: 2)
    /// Red where the frame has sharp edges: what is in focus.
    public static let peaking = PreviewOverlays(rawValue: 4)

    /// A copy with the overlays drawn in, one pixel wide.
    /// - Parameters:
    ///   - pixels: `yuv420p` or `rgb24`; frames of other formats stay as they are.
    ///   - range: of the luma of `yuv420p` (default: limited).
    public func applied(
        to pixels: PixelBuffer, range: ColorDescription.Range = .limited
    ) -> PixelBuffer {
        guard !isEmpty, [.yuv420p, .rgb24].contains(pixels.format) else { return pixels }
        let marks = OverlayMarks(self, luma: LumaPlane(pixels, range: range))
        var result = pixels.copy()
        marks.paint(into: &result)
        return result
    }
}

/// The brightness of a frame's pixels (0…255 is black to white).
struct LumaPlane: Sendable {
    let width: Int
    let height: Int
    private(set) var values: [UInt8]

    init(width: Int, height: Int, values: [UInt8]) {
        precondition(values.count == width * height, "a value for each pixel")
        (self.width, self.height, self.values) = (width, height, values)
    }

    init(_ pixels: PixelBuffer, range: ColorDescription.Range) {
        let (width, height) = (pixels.width, pixels.height)
        (self.width, self.height) = (width, height)
        let isRGB = pixels.format == .rgb24
        let isLimited = range != .full
        values = pixels.withPlane(0) { plane in
            [UInt8](unsafeUninitializedCapacity: width * height) { values, count in
                for y in 0..<height {
                    let row = plane.row(y)
                    for x in 0..<width {
                        let level: Int
                        if isRGB {
                            let (red, green, blue) = (row[3 * x], row[3 * x + 1], row[3 * x + 2])
                            level = (Int(red) * 54 + Int(green) * 183 + Int(blue) * 19) >> 8
                        } else {
                            let code = Int(row[x])
                            level = isLimited ? (code - 16) * 255 / 219 : code
                        }
                        values[y * width + x] = UInt8(clamping: level)
                    }
                }
                count = width * height
            }
        }
    }
}

/// Which pixels of a frame overlays mark, and how. A pure function of its luma.
struct OverlayMarks: Sendable, Equatable {
    enum Mark: UInt8, Sendable {
        case none, light, dark, red
    }

    let width: Int
    let height: Int
    private(set) var marks: [Mark]

    /// Brighter than this is overexposed, or nearly (of 255).
    static let zebraLevel: UInt8 = 242
    /// Neighbours that differ by more than this are a sharp edge (of 255).
    static let edge = 48

    init(_ overlays: PreviewOverlays, luma: LumaPlane) {
        (width, height) = (luma.width, luma.height)
        marks = Array(repeating: .none, count: luma.values.count)
        if overlays.contains(.zebra) { markZebra(luma) }
        if overlays.contains(.peaking) { markPeaks(luma) }
        if overlays.contains(.guides) { markGuides() }
    }

    subscript(x: Int, y: Int) -> Mark { marks[y * width + x] }

    private mutating func markZebra(_ luma: LumaPlane) {
        for y in 0..<height {
            for x in 0..<width where luma.values[y * width + x] >= Self.zebraLevel {
                marks[y * width + x] = (x + y) % 6 < 3 ? .dark : .none
            }
        }
    }

    /// The difference across a pixel, both ways: a blurred edge spreads it over several.
    private mutating func markPeaks(_ luma: LumaPlane) {
        guard width > 2, height > 2 else { return }
        luma.values.withUnsafeBufferPointer { values in
            for y in 1..<height - 1 {
                for x in 1..<width - 1 {
                    let place = y * width + x
                    let across = abs(Int(values[place + 1]) - Int(values[place - 1]))
                    let down = abs(Int(values[place + width]) - Int(values[place - width]))
                    if max(across, down) > Self.edge { marks[place] = .red }
                }
            }
        }
    }

    private mutating func markGuides() {
        for third in 1...2 {
            let (x, y) = (width * third / 3, height * third / 3)
            if x < width { for row in 0..<height { marks[row * width + x] = .light } }
            if y < height { for column in 0..<width { marks[y * width + column] = .light } }
        }
        let arm = max(1, min(width, height) / 20)
        let (middleX, middleY) = (width / 2, height / 2)
        for step in -arm...arm {
            let (x, y) = (middleX + step, middleY + step)
            if (0..<width).contains(x) { marks[middleY * width + x] = .light }
            if (0..<height).contains(y) { marks[y * width + middleX] = .light }
        }
    }

    /// - Precondition: the frame is of the same size and uniquely held.
    func paint(into pixels: inout PixelBuffer) {
        let isRGB = pixels.format == .rgb24
        pixels.withMutablePlanes { planes in
            for y in 0..<height {
                for x in 0..<width {
                    let mark = marks[y * width + x]
                    if mark == .none { continue }
                    if isRGB {
                        let pixel = planes[0].row(y) + 3 * x
                        (pixel[0], pixel[1], pixel[2]) = mark.rgb
                    } else {
                        let codes = mark.codes
                        planes[0].row(y)[x] = codes.0
                        planes[1].row(y / 2)[x / 2] = codes.1
                        planes[2].row(y / 2)[x / 2] = codes.2
                    }
                }
            }
        }
    }
}

extension OverlayMarks.Mark {
    fileprivate var rgb: (UInt8, UInt8, UInt8) {
        switch self {
        case .none, .dark: (24, 24, 24)
        case .light: (208, 208, 208)
        case .red: (255, 32, 32)
        }
    }

    /// As codes of BT.601, limited range, which are near enough in every other.
    fileprivate var codes: (UInt8, UInt8, UInt8) {
        switch self {
        case .none, .dark: (36, 128, 128)
        case .light: (194, 128, 128)
        case .red: (93, 95, 229)
        }
    }
}
