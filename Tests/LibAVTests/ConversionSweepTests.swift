import Glibc
import LibAV
import Media
import Testing

/// Where a component lies, by the definitions of the formats: plane, byte, bytes from one sample to the next, bits to
/// the right of it and its depth, pixels and rows that it covers.
private struct Component {
    var plane: Int
    var byte: Int
    var step: Int
    var depth: Int
    var shift = 0
    var across = 1
    var down = 1

    func address(_ x: Int, _ y: Int, _ bytesPerRow: Int) -> Int {
        y * bytesPerRow + byte + x * step
    }

    var isWide: Bool { depth != 8 }

    func write(_ code: Int, _ x: Int, _ y: Int, _ planes: [MutablePixelPlane]) {
        let target = planes[plane].base + address(x, y, planes[plane].bytesPerRow)
        guard isWide else { return target.storeBytes(of: UInt8(code), as: UInt8.self) }
        let mask = UInt16((1 << depth - 1) << shift)
        let others = target.loadUnaligned(as: UInt16.self) & ~mask
        target.storeBytes(of: others | UInt16(code << shift), as: UInt16.self)
    }

    func read(_ x: Int, _ y: Int, _ planes: [PixelPlane]) -> Int {
        let source = planes[plane].base + address(x, y, planes[plane].bytesPerRow)
        let word =
            isWide
            ? Int(source.loadUnaligned(as: UInt16.self)) : Int(source.load(as: UInt8.self))
        return word >> shift & (1 << depth - 1)
    }
}

extension PixelFormat {
    /// Luma and chroma, or red, green and blue; then opacity.
    fileprivate var components: [Component] {
        func planar(_ across: Int, _ down: Int, _ depth: Int, alpha: Bool = false) -> [Component] {
            let step = depth > 8 ? 2 : 1
            return (0..<(alpha ? 4 : 3)).map { index in
                let isChroma = index == 1 || index == 2
                return Component(
                    plane: index, byte: 0, step: step, depth: depth,
                    across: isChroma ? across : 1, down: isChroma ? down : 1)
            }
        }
        func semi(_ down: Int, _ bytes: [Int], _ depth: Int = 8) -> [Component] {
            let (size, shift) = depth > 8 ? (2, 16 - depth) : (1, 0)
            return [Component(plane: 0, byte: 0, step: size, depth: depth, shift: shift)]
                + bytes.map {
                    Component(
                        plane: 1, byte: $0, step: 2 * size, depth: depth, shift: shift, across: 2,
                        down: down)
                }
        }
        func packedYUV(_ bytes: [Int]) -> [Component] {
            [Component(plane: 0, byte: bytes[0], step: 2, depth: 8)]
                + bytes[1...].map { Component(plane: 0, byte: $0, step: 4, depth: 8, across: 2) }
        }
        func packed(_ bytes: [Int], _ step: Int, _ depth: Int = 8) -> [Component] {
            bytes.map { Component(plane: 0, byte: $0, step: step, depth: depth) }
        }
        switch self {
        case .yuv420p: return planar(2, 2, 8)
        case .yuv422p: return planar(2, 1, 8)
        case .yuv444p: return planar(1, 1, 8)
        case .yuva420p: return planar(2, 2, 8, alpha: true)
        case .yuv420p10le: return planar(2, 2, 10)
        case .yuv422p10le: return planar(2, 1, 10)
        case .yuv444p10le: return planar(1, 1, 10)
        case .yuva444p10le: return planar(1, 1, 10, alpha: true)
        case .nv12: return semi(2, [0, 1])
        case .nv21: return semi(2, [1, 0])
        case .nv16: return semi(1, [0, 1])
        case .p010le: return semi(2, [0, 2], 10)
        case .yuyv422: return packedYUV([0, 1, 3])
        case .yvyu422: return packedYUV([0, 3, 1])
        case .uyvy422: return packedYUV([1, 0, 2])
        case .gray: return packed([0], 1)
        case .gray10le: return packed([0], 2, 10)
        case .gray12le: return packed([0], 2, 12)
        case .gray16le: return packed([0], 2, 16)
        case .rgb24: return packed([0, 1, 2], 3)
        case .bgr24: return packed([2, 1, 0], 3)
        case .rgba: return packed([0, 1, 2, 3], 4)
        case .bgra: return packed([2, 1, 0, 3], 4)
        case .rgb48le: return packed([0, 2, 4], 6, 16)
        case .rgba64le: return packed([0, 2, 4, 6], 8, 16)
        case .rgb565le:
            return [(11, 5), (5, 6), (0, 5)].map {
                Component(plane: 0, byte: 0, step: 2, depth: $0.1, shift: $0.0)
            }
        }
    }

}

/// A frame whose codes rise evenly from pixel to pixel, so that every linear filter leaves them as they are, and that
/// are whole wherever a sample of chroma lies. What it becomes is computed by H.273's definitions.
private struct Gradient {
    let pixels: PixelFormat
    let color: ColorDescription
    var width: Int
    var height: Int
    /// Whether all pixels are the same.
    let isFlat: Bool
    private let components: [Component]

    private static let slopes: [(base: Double, across: Double, down: Double)] = [
        (90, 2, 2), (132, -2, 2), (110, 2, -2),
    ]

    init(
        _ pixels: PixelFormat, _ color: ColorDescription, _ width: Int, _ height: Int,
        isFlat: Bool = false
    ) {
        (self.pixels, self.color, self.isFlat) = (pixels, color, isFlat)
        (self.width, self.height) = (width, height)
        components = pixels.components
    }

    private var colorCount: Int { components.count - (pixels.hasAlpha ? 1 : 0) }

    var format: VideoFormat {
        VideoFormat(
            coding: .raw(pixels), width: width, height: height,
            color: pixels.isRGB ? .unspecified : color)
    }

    private func code(_ index: Int, _ x: Double, _ y: Double) -> Double {
        let (component, slope) = (components[index], Self.slopes[index])
        let (x, y) = isFlat ? (0, 0) : (x, y)
        guard component.depth >= 8 else { return [4 + x, 10 + x, 28 - x][index] }
        return (slope.base + slope.across * x + slope.down * y)
            * Double(1 << (component.depth - 8))
    }

    /// Where a sample of a component lies (pixels).
    static func place(
        _ x: Int, _ y: Int, _ component: Component, _ color: ColorDescription
    ) -> (x: Double, y: Double) {
        let isCentered = color == .jpeg
        return (
            Double(x * component.across) + (component.across == 2 && isCentered ? 0.5 : 0),
            Double(y * component.down) + (component.down == 2 ? 0.5 : 0)
        )
    }

    func frame() -> PixelBuffer {
        var frame = PixelBuffer(width: width, height: height, format: pixels)
        frame.withMutablePlanes { planes in
            for plane in planes {
                plane.base.initializeMemory(
                    as: UInt8.self, repeating: 0, count: plane.bytesPerRow * plane.rows)
            }
            for (index, component) in components.enumerated() {
                for y in 0..<(height - 1) / component.down + 1 {
                    for x in 0..<(width - 1) / component.across + 1 {
                        let place = Self.place(x, y, component, color)
                        let isAlpha = index == colorCount
                        let code =
                            isAlpha
                            ? 51 << (component.depth - 8) : Int(self.code(index, place.x, place.y))
                        component.write(code, x, y, planes)
                    }
                }
            }
        }
        return frame
    }

    private static func luma(_ matrix: UInt8) -> (red: Double, blue: Double) {
        switch matrix {
        case 1: (0.2126, 0.0722)
        case 9: (0.2627, 0.0593)
        default: (0.299, 0.114)
        }
    }

    /// Scale and black of a code.
    private static func span(
        _ index: Int, _ depth: Int, isRGB: Bool, _ range: ColorDescription.Range
    ) -> (scale: Double, black: Double) {
        let most = Double(1 << depth - 1)
        let unit = Double(1 << max(0, depth - 8))
        let isChroma = !isRGB && index > 0
        if isRGB || range == .full { return (most, isChroma ? 128 * unit : 0) }
        return isChroma ? (224 * unit, 128 * unit) : (219 * unit, 16 * unit)
    }

    /// Red, green and blue (0…1) at a place.
    private func light(_ x: Double, _ y: Double) -> [Double] {
        let parts = (0..<3).map { index -> Double in
            guard index < colorCount else { return 0 }
            let span = Self.span(
                index, components[index].depth, isRGB: pixels.isRGB, color.range)
            return (code(index, x, y) - span.black) / span.scale
        }
        guard !pixels.isRGB else { return parts }
        let (red, blue) = Self.luma(color.matrix)
        let r = parts[0] + 2 * (1 - red) * parts[2]
        let b = parts[0] + 2 * (1 - blue) * parts[1]
        return [r, (parts[0] - red * r - blue * b) / (1 - red - blue), b]
    }

    /// What a component of another format has at a place of this frame; its opacity, if it has any, is the fourth.
    func ideal(
        _ index: Int, _ depth: Int, isRGB: Bool, _ color: ColorDescription, _ x: Double, _ y: Double
    ) -> Double {
        let most = Double(1 << depth - 1)
        if index == 3 {
            guard pixels.hasAlpha, let alpha = components.last else { return most }
            return Double(51 << (alpha.depth - 8)) / Double(1 << alpha.depth - 1) * most
        }
        let rgb = light(x, y)
        let span = Self.span(index, depth, isRGB: isRGB, color.range)
        guard !isRGB else { return rgb[index] * span.scale }
        let (red, blue) = Self.luma(color.matrix)
        let luma = red * rgb[0] + (1 - red - blue) * rgb[1] + blue * rgb[2]
        let parts = [luma, (rgb[2] - luma) / (2 - 2 * blue), (rgb[0] - luma) / (2 - 2 * red)]
        return parts[index] * span.scale + span.black
    }
}

/// Where a pixel of a rotated frame comes from: mirrored first, then rotated clockwise.
private func origin(
    _ x: Double, _ y: Double, _ frame: Gradient, _ orientation: VideoOrientation
) -> (x: Double, y: Double) {
    let (right, lower) = (Double(frame.width - 1), Double(frame.height - 1))
    var place: (x: Double, y: Double) =
        switch orientation.rotation {
        case .none: (x, y)
        case .clockwise90: (y, lower - x)
        case .half: (right - x, lower - y)
        case .clockwise270: (right - y, x)
        }
    if orientation.isMirrored { place.x = right - place.x }
    return place
}

/// Greatest distances from what is right (codes), away from the edges.
private func errors(
    _ gradient: Gradient, to target: PixelFormat, _ color: ColorDescription,
    _ orientation: VideoOrientation = .upright
) throws -> [Double] {
    var input = gradient.format
    input.orientation = orientation
    var output = input
    output.rotate(to: .upright)
    output.coding = .raw(target)
    output.color = target.isRGB ? .unspecified : color
    let result = try PixelConverter(from: input, to: output).convert(gradient.frame())
    return result.withPlanes { planes in
        target.components.enumerated().map { index, component in
            let margin = 4
            var worst = 0.0
            for y in margin / component.down..<(result.height - margin) / component.down {
                for x in margin / component.across..<(result.width - margin) / component.across {
                    let place = Gradient.place(x, y, component, color)
                    let from = origin(place.x, place.y, gradient, orientation)
                    let ideal = gradient.ideal(
                        index, component.depth, isRGB: target.isRGB, color, from.x, from.y)
                    worst = max(worst, (Double(component.read(x, y, planes)) - ideal).magnitude)
                }
            }
            return worst
        }
    }
}

@Suite("Every format becomes every other one")
struct ConversionSweepTests {
    private static let colors: [ColorDescription] = [
        .bt601, .jpeg, .bt709,
        ColorDescription(primaries: 1, transfer: 1, matrix: 1, range: .full),
        ColorDescription(primaries: 9, transfer: 14, matrix: 9, range: .limited),
    ]

    @Test(
        "colours stay what they are in every format, matrix and range, in odd sizes: plain ones within one code, and gradients",
        arguments: PixelFormat.allCases, [true, false])
    func everyPair(source: PixelFormat, isFlat: Bool) throws {
        for color in source.isRGB ? [.bt601] : Self.colors {
            let gradient =
                isFlat
                ? Gradient(source, color, 11, 11, isFlat: true) : Gradient(source, color, 21, 15)
            for target in PixelFormat.allCases {
                for wanted in target.isRGB ? [color] : Self.colors {
                    let errors = try errors(gradient, to: target, wanted)
                    // codes of 5 and 6 bits become codes of 8 before they are converted
                    let isCoarse = source == .rgb565le
                    // resampled chroma is rounded in each direction, before it gets more bits
                    let isFine = !isFlat && target.bitDepth == 10
                    let most =
                        isCoarse ? 1 + Double(1 << max(0, target.bitDepth - 8)) : isFine ? 1.5 : 1
                    #expect(
                        errors.allSatisfy { $0 <= most },
                        "\(source) \(color) to \(target) \(wanted): \(errors)")
                }
            }
        }
    }

    @Test("a rotated frame's colours are computed in the same pass, chroma where it belongs")
    func rotated() throws {
        let pairs: [(PixelFormat, PixelFormat)] = [
            (.nv12, .yuv420p), (.yuyv422, .nv12), (.yuv422p, .yuv422p), (.yuv420p, .bgra),
            (.bgra, .yuv420p), (.rgb24, .yuyv422), (.yuv420p10le, .yuv420p), (.nv12, .rgb565le),
        ]
        for (source, target) in pairs {
            for wanted in [ColorDescription.bt601, .jpeg] {
                let gradient = Gradient(source, .bt709, 24, 18)
                for rotation in VideoOrientation.Rotation.allCases {
                    for isMirrored in [false, true] {
                        let orientation = VideoOrientation(
                            rotation: rotation, isMirrored: isMirrored)
                        let errors = try errors(gradient, to: target, wanted, orientation)
                        // on odd columns chroma cannot be made: it is a pixel beside its place
                        let isExact =
                            wanted == .jpeg || !isMirrored && rotation != .half
                            || target.layout == PixelFormat.bgra.layout
                        #expect(
                            errors.allSatisfy { $0 <= (isExact ? 1 : 3.5) },
                            "\(source) to \(target) \(wanted) by \(orientation): \(errors)")
                    }
                }
            }
        }
    }
}

/// One dimension resampled by Mitchell and Netravali's cubic of B 0, C 0.6, stretched where samples become fewer.
private func cubic(_ line: [Double], to count: Int) -> [Double] {
    let scale = Double(line.count) / Double(count)
    let stretch = max(1, scale)
    func weight(_ distance: Double) -> Double {
        let x = distance.magnitude / stretch
        if x < 1 { return (1.4 * x - 2.4) * x * x + 1 }
        return x < 2 ? ((-0.6 * x + 3) * x - 4.8) * x + 2.4 : 0
    }
    return (0..<count).map { index in
        let center = (Double(index) + 0.5) * scale - 0.5
        var (sum, total) = (0.0, 0.0)
        for place in Int(center - 2 * stretch)...Int(center + 2 * stretch + 1) {
            let own = weight(Double(place) - center)
            sum += own * line[max(0, min(line.count - 1, place))]
            total += own
        }
        return sum / total
    }
}

@Suite("Frames of another size")
struct ConversionScalingTests {
    @Test("a scaled frame is a bicubic's", arguments: [(64, 40), (150, 96), (97, 40), (48, 30)])
    func bicubic(width: Int, height: Int) throws {
        let (columns, rows) = (97, 61)
        var random = SystemRandomNumberGenerator()
        let codes = (0..<rows).map { _ in
            (0..<columns).map { _ in Double(Int.random(in: 30...220, using: &random)) }
        }
        var frame = PixelBuffer(width: columns, height: rows, format: .yuv444p)
        frame.withMutablePlanes { planes in
            for plane in planes {
                for y in 0..<rows { for x in 0..<columns { plane.row(y)[x] = UInt8(codes[y][x]) } }
            }
        }
        let across = codes.map { cubic($0, to: width) }
        let wanted = (0..<width).map { x in cubic(across.map { $0[x] }, to: height) }
        func format(_ width: Int, _ height: Int) -> VideoFormat {
            VideoFormat(coding: .raw(.yuv444p), width: width, height: height, color: .bt709)
        }
        let result = try PixelConverter(from: format(columns, rows), to: format(width, height))
            .convert(frame)
        for plane in 0..<3 {
            var sum = 0.0
            var count = 0.0
            result.withPlane(plane) { plane in
                for y in 4..<height - 4 {
                    for x in 4..<width - 4 {
                        let ideal = max(0, min(255, wanted[x][y]))
                        let error = Double(plane.row(y)[x]) - ideal
                        sum += error * error
                        count += 1
                    }
                }
            }
            // rounding alone is 58.9
            let ratio = 10 * log10(255 * 255 * count / sum)
            #expect(ratio > 55, "plane \(plane): \(ratio) dB")
        }
    }
}
