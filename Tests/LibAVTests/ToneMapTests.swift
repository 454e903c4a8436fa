import Foundation
import Media
import TestSupport
import Testing

@testable import LibAV

/// Against the formulae of the standards in double precision, written a second time here.
@Suite("HDR frames in SDR")
struct ToneMapTests {
    private static let pq = ColorDescription(primaries: 9, transfer: 16, matrix: 9, range: .limited)
    private static let hlg = ColorDescription(
        primaries: 9, transfer: 18, matrix: 9, range: .limited)

    private func format(
        _ pixels: PixelFormat, _ color: ColorDescription, _ width: Int = 64, _ height: Int = 32
    ) -> VideoFormat {
        VideoFormat(coding: .raw(pixels), width: width, height: height, color: color)
    }

    // MARK: The reference

    private func light(pq code: Double) -> Double {
        let power = pow(code, 32 / 2523.0)
        return 10_000
            * pow(
                max(0, power - 107.0 / 128) / (2413.0 / 128 - 2392.0 / 128 * power), 8192 / 1305.0)
    }

    private func pq(_ light: Double) -> Double {
        let power = pow(light / 10_000, 1305 / 8192.0)
        return pow((107.0 / 128 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523 / 32.0)
    }

    /// BT.2390's curve from 1000 to 203 cd/m².
    private func toned(_ light: Double) -> Double {
        let most = pq(203) / pq(1000)
        let knee = 1.5 * most - 0.5
        let code = min(1, pq(light) / pq(1000))
        guard code > knee else { return light }
        let t = (code - knee) / (1 - knee)
        let spline =
            (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
            + (-2 * t * t * t + 3 * t * t) * most
        return self.light(pq: spline * pq(1000))
    }

    /// Linear light of BT.2020 (cd/m²) as SDR's codes of BT.709 (0…1).
    private func codes(_ light: SIMD3<Double>) -> SIMD3<Double> {
        // BT.2087's matrix
        let rows = [
            SIMD3(1.6605, -0.5876, -0.0728), SIMD3(-0.1246, 1.1329, -0.0083),
            SIMD3(-0.0182, -0.1006, 1.1187),
        ]
        var own = SIMD3(
            (rows[0] * light).sum(), (rows[1] * light).sum(), (rows[2] * light).sum())
        own = SIMD3(max(own.x, 0), max(own.y, 0), max(own.z, 0))
        guard own.max() > 0 else { return .zero }
        own *= toned(own.max()) / own.max() / 203
        return SIMD3(pow(own.x, 1 / 2.4), pow(own.y, 1 / 2.4), pow(own.z, 1 / 2.4))
    }

    /// HLG's light on a display of 1000 cd/m².
    private func light(hlg code: SIMD3<Double>) -> SIMD3<Double> {
        func scene(_ code: Double) -> Double {
            code <= 0.5
                ? code * code / 3 : (exp((code - 0.55991073) / 0.17883277) + 0.28466892) / 12
        }
        let scene = SIMD3(scene(code.x), scene(code.y), scene(code.z))
        let luminance = (SIMD3(0.2627, 0.6780, 0.0593) * scene).sum()
        return luminance > 0 ? scene * (1000 * pow(luminance, 0.2)) : .zero
    }

    // MARK: What the conformer makes

    /// A frame of full-range RGB whose columns are given, made SDR as RGB of BT.709 (0…1).
    private func converted(
        _ columns: [SIMD3<Double>], _ color: ColorDescription,
        to target: PixelFormat = .yuv444p10le,
        stating: (inout VideoFormat) -> Void = { _ in }
    ) throws -> [SIMD3<Double>] {
        var frame = PixelBuffer(width: columns.count, height: 16, format: .rgb48le)
        frame.withMutablePlanes { planes in
            for y in 0..<16 {
                let row = UnsafeMutableRawPointer(planes[0].row(y))
                    .assumingMemoryBound(to: UInt16.self)
                for (x, column) in columns.enumerated() {
                    for part in 0..<3 {
                        row[3 * x + part] = UInt16((column[part] * 65_535).rounded())
                    }
                }
            }
        }
        var source = color
        source.matrix = 0
        source.range = .full
        var stated = format(.rgb48le, source, columns.count, 16)
        stating(&stated)
        let conformer = try FrameConformer(
            from: stated, to: format(target, .bt709, columns.count, 16))
        let made = try conformer.convert(frame).picture
        let depth = target.bitDepth > 8 ? 4.0 : 1.0
        return made.withPlanes { planes in
            columns.indices.map { x in
                func code(_ plane: Int) -> Double {
                    let row = UnsafeRawPointer(planes[plane].row(8))
                    return target.bitDepth > 8
                        ? Double(row.loadUnaligned(fromByteOffset: 2 * x, as: UInt16.self))
                        : Double(row.load(fromByteOffset: x, as: UInt8.self))
                }
                let luma = (code(0) / depth - 16) / 219
                let (blue, red) = ((code(1) / depth - 128) / 224, (code(2) / depth - 128) / 224)
                return SIMD3(
                    luma + 1.5748 * red,
                    luma - 0.2126 * 1.5748 / 0.7152 * red - 0.0722 * 1.8556 / 0.7152 * blue,
                    luma + 1.8556 * blue)
            }
        }
    }

    private func differ(_ made: [SIMD3<Double>], _ wanted: [SIMD3<Double>]) -> Double {
        zip(made, wanted).map {
            let difference = $0 - $1
            return max(abs(difference.x), max(abs(difference.y), abs(difference.z)))
        }.max() ?? .infinity
    }

    @Test("a ramp of PQ is within a code of ten bits of the formulae, up to and past its peak")
    func ramp() throws {
        let steps = (0..<64).map { Double($0) / 63 }
        let made = try converted(steps.map { SIMD3(repeating: $0) }, Self.pq)
        let wanted = steps.map { codes(SIMD3(repeating: light(pq: $0))) }
        // a code of luma, where the chroma is grey
        #expect(differ(made, wanted) <= 1.0 / 876)
        // diffuse white is below the most, and there is shape above it
        let white = pq(203)
        let bright = try converted(
            [white, pq(400), pq(700), pq(1000), pq(4000)].map { SIMD3(repeating: $0) }, Self.pq)
        #expect((0.85...0.93).contains(bright[0].y))
        for (one, next) in zip(bright, bright.dropFirst().prefix(2)) {
            #expect(one.y < next.y - 0.005)
        }
        #expect(abs(bright[3].y - 1) < 0.002 && abs(bright[4].y - 1) < 0.002)
    }

    @Test("what a clip states of its light is the peak, as far as it can be one")
    func peaks() throws {
        let steps = (0..<32).map { SIMD3<Double>(repeating: Double($0) / 31) }
        func made(_ light: UInt16?, _ display: UInt32?) throws -> [SIMD3<Double>] {
            try converted(steps, Self.pq) { format in
                let place = MasteringDisplay.Chromaticity(x: 15_635, y: 16_450)
                format.contentLight = light.map { .init(maximum: $0, maximumFrameAverage: 0) }
                format.masteringDisplay = display.map {
                    .init(
                        red: place, green: place, blue: place, white: place,
                        maximumLuminance: $0, minimumLuminance: 0)
                }
            }
        }
        let usual = try made(nil, nil)
        #expect(try made(1000, nil) == usual && made(nil, 10_000_000) == usual)
        // a number in cd/m² instead of their 10,000ths, and nothing
        #expect(try made(nil, 1000) == usual && made(0, nil) == usual)
        let bright = try made(4000, 10_000_000)
        #expect(try made(nil, 40_000_000) == bright)
        #expect(zip(bright, usual).allSatisfy { $0.y <= $1.y + 0.001 } && bright != usual)
        #expect(try made(65_535, nil) == made(nil, .max))
        // nothing above diffuse white: what is there stays as it is
        let dark = try made(100, nil)
        #expect(abs(dark[18].y - codes(SIMD3(repeating: light(pq: 18.0 / 31))).y) > 0.02)
    }

    @Test("a ramp of HLG is within a code of ten bits of the formulae")
    func hybrid() throws {
        let steps = (0..<64).map { Double($0) / 63 }
        let made = try converted(steps.map { SIMD3(repeating: $0) }, Self.hlg)
        let wanted = steps.map { codes(light(hlg: SIMD3(repeating: $0))) }
        #expect(differ(made, wanted) <= 1.0 / 876)
    }

    @Test(
        "colours of both keep to the formulae", arguments: [UInt8(16), 18])
    func colors(transfer: UInt8) throws {
        var random = SplitMix(seed: 7)
        let columns = (0..<64).map { _ in
            SIMD3(
                Double.random(in: 0...0.75, using: &random),
                Double.random(in: 0...0.75, using: &random),
                Double.random(in: 0...0.75, using: &random))
        }
        let made = try converted(columns, transfer == 16 ? Self.pq : Self.hlg)
        let wanted = columns.map { column in
            codes(
                transfer == 18
                    ? light(hlg: column)
                    : SIMD3(light(pq: column.x), light(pq: column.y), light(pq: column.z)))
        }
        // chroma of ten bits, and its part in a component
        #expect(differ(made, wanted) <= 3.0 / 876, "\(differ(made, wanted) * 876)")
    }

    /// Of linear light, in degrees around grey.
    private func hue(_ light: SIMD3<Double>) -> Double {
        let x = light.x - (light.y + light.z) / 2
        let y = (light.y - light.z) * 3.0.squareRoot() / 2
        return atan2(y, x) * 180 / .pi
    }

    @Test("colours of BT.709 keep their hue within a degree from 50 to 4000 cd/m²")
    func hues() throws {
        // BT.709's as those of BT.2020 (BT.2087)
        let rows = [
            SIMD3(0.6274, 0.3293, 0.0433), SIMD3(0.0691, 0.9195, 0.0114),
            SIMD3(0.0164, 0.0880, 0.8956),
        ]
        let colors = [
            SIMD3(1, 0.2, 0.1), SIMD3(1, 0.6, 0.1), SIMD3(0.2, 1, 0.3), SIMD3(0.2, 0.3, 1),
            SIMD3(1, 0.3, 0.9),
        ]
        for color in colors {
            let wide = SIMD3(
                (rows[0] * color).sum(), (rows[1] * color).sum(), (rows[2] * color).sum())
            let columns = (0..<16).map { step in
                let light = wide * (50 * pow(80, Double(step) / 15))
                return SIMD3(pq(light.x), pq(light.y), pq(light.z))
            }
            var last = 0.0
            for made in try converted(columns, Self.pq) {
                let shown = SIMD3(pow(made.x, 2.4), pow(made.y, 2.4), pow(made.z, 2.4))
                #expect(abs(hue(shown) - hue(color)) <= 1, "\(color): \(hue(shown)) \(hue(color))")
                // no component falls while the light rises
                #expect(made.max() >= last - 0.002)
                last = made.max()
            }
        }
    }

    @Test(
        "SDR's white is code 573 of ten-bit PQ and 721 of HLG", arguments: [(16, 573), (18, 721)])
    func upwards(transfer: UInt8, wanted: Int) throws {
        var white = PixelBuffer(width: 64, height: 32, format: .yuv444p)
        white.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                for y in 0..<32 {
                    for x in 0..<64 { plane.row(y)[x] = index == 0 ? 235 : 128 }
                }
            }
        }
        var color = Self.pq
        color.transfer = transfer
        let conformer = try FrameConformer(
            from: format(.yuv444p, .bt709), to: format(.yuv420p10le, color))
        let code = try conformer.convert(white).picture.withPlane(0) {
            Int($0.row(8)[16]) | Int($0.row(8)[17]) << 8
        }
        #expect(abs(code - wanted) <= 1, "\(code)")
    }

    private func luma(_ frame: PixelBuffer) -> [UInt8] { plane(frame, 0, frame.width) }

    private func chroma(_ frame: PixelBuffer) -> [UInt8] {
        plane(frame, 1, frame.width / 2) + plane(frame, 2, frame.width / 2)
    }

    private func plane(_ frame: PixelBuffer, _ index: Int, _ width: Int) -> [UInt8] {
        frame.withPlane(index) { plane in
            (0..<plane.rows).flatMap {
                UnsafeBufferPointer(start: plane.row($0), count: width)
            }
        }
    }

    @Test(
        "of HDR with opacity the colours are those of opaque HDR, multiplied", arguments: [16, 18])
    func opacity(transfer: UInt8) throws {
        var color = Self.pq
        (color.transfer, color.matrix, color.range) = (transfer, 0, .full)
        var random = SplitMix(seed: 11)
        let codes = (0..<64 * 4).map { _ in UInt16.random(in: 0...48_000, using: &random) }
        /// Luma (black being 0) and opacity, of one row.
        func made(_ opacity: (Int) -> UInt16) throws -> (luma: [Int], alpha: PixelBuffer?) {
            var frame = PixelBuffer(width: 64, height: 32, format: .rgba64le)
            frame.withMutablePlanes { planes in
                for y in 0..<32 {
                    let row = UnsafeMutableRawPointer(planes[0].row(y))
                        .assumingMemoryBound(to: UInt16.self)
                    for x in 0..<64 * 4 { row[x] = x % 4 == 3 ? opacity(x / 4) : codes[x] }
                }
            }
            let conformer = try FrameConformer(
                from: format(.rgba64le, color), to: format(.yuv444p10le, .bt709))
            let (picture, alpha) = try conformer.convert(frame)
            let luma = picture.withPlane(0) { plane in
                let row = UnsafeRawPointer(plane.row(9)).assumingMemoryBound(to: UInt16.self)
                return (0..<64).map { Int(row[$0]) - 64 }
            }
            return (luma, alpha)
        }
        let opaque = try made { _ in 65_535 }
        #expect(opaque.alpha == nil)
        let shares: [UInt16] = [65_535, 49_152, 32_768, 16_384, 0]
        let veiled = try made { shares[$0 % 5] }
        #expect(veiled.alpha != nil)
        for x in 0..<64 {
            let wanted = Double(opaque.luma[x]) * Double(shares[x % 5]) / 65_535
            #expect(abs(Double(veiled.luma[x]) - wanted) <= 1, "\(x)")
        }
        // the control: the pixels differ
        #expect(Set(opaque.luma).count > 20)
    }

    @Test("strips, sizes and halved chroma agree with the whole frame", arguments: [64, 1080])
    func strips(height: Int) throws {
        var random = SplitMix(seed: 3)
        var frame = PixelBuffer(width: 96, height: height, format: .yuv420p10le)
        frame.withMutablePlanes { planes in
            for plane in planes {
                for y in 0..<plane.rows {
                    let row = UnsafeMutableRawPointer(plane.row(y))
                        .assumingMemoryBound(to: UInt16.self)
                    for x in 0..<(plane.rows == height ? 96 : 48) {
                        row[x] = UInt16.random(in: 300...700, using: &random)
                    }
                }
            }
        }
        let target = format(.yuv420p, .bt709, 96, height)
        let conformer = try FrameConformer(
            from: format(.yuv420p10le, Self.pq, 96, height), to: target)
        let whole = try conformer.convert(frame).picture
        // strips in another order
        let turned = try conformer.convert(frame) {
            PixelBuffer(width: 96, height: height, format: .yuv420p)
        } eachStrip: { count, strip throws(MediaError) in
            for number in (0..<count).reversed() { try strip(number) }
        }
        #expect(luma(whole) == luma(turned.picture) && chroma(whole) == chroma(turned.picture))
    }
}
