import Foundation
import Media
import Testing

@testable import Capture

@Suite("HDR and wide colours in files that are taken for sRGB")
struct StandardColorsTests {
    private static func color(_ transfer: UInt8, _ primaries: UInt8 = 9) -> ColorDescription {
        ColorDescription(primaries: primaries, transfer: transfer, matrix: 9, range: .limited)
    }

    /// The pixel in the middle of a frame of one colour.
    private static func translated(
        _ codes: [UInt16], _ pixels: PixelFormat, _ color: ColorDescription
    ) throws -> [Int] {
        var frame = PixelBuffer(width: 32, height: 16, format: pixels)
        let isPacked = frame.format.isRGB
        frame.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                for row in 0..<plane.rows {
                    for x in 0..<(isPacked ? 96 : 32) {
                        let code = codes[isPacked ? x % 3 : index]
                        plane.row(row)[2 * x] = UInt8(code & 255)
                        plane.row(row)[2 * x + 1] = UInt8(code >> 8)
                    }
                }
            }
        }
        let format = VideoFormat(coding: .raw(pixels), width: 32, height: 16, color: color)
        let (result, made) = try StandardColors.translate(frame, format)
        #expect(
            made.pixelFormat == .rgb24 && made.color.transfer == 13 && made.color.primaries == 1)
        return result.withPlanes { planes in (0..<3).map { Int(planes[0].row(8)[3 * 16 + $0]) } }
    }

    private static func grey(_ code: UInt16, _ transfer: UInt8) throws -> [Int] {
        try translated([code, 512, 512], .yuv444p10le, color(transfer))
    }

    // BT.2408-7, table 1: reference white has 58 % in PQ and 75 % in HLG, a grey card of 26 cd/m² 38 % in both; sRGB's
    // code of 26/203 of white is 100
    @Test(
        "reference white is nearly white (253), a grey card is grey, black is black: BT.2408's codes",
        arguments: [
            (573, 16, 253), (721, 18, 253), (397, 16, 100), (397, 18, 100), (64, 16, 0),
            (64, 18, 0),
        ] as [(UInt16, UInt8, Int)])
    func references(_ code: UInt16, _ transfer: UInt8, _ wanted: Int) throws {
        let pixel = try Self.grey(code, transfer)
        #expect(pixel.allSatisfy { abs($0 - wanted) <= 1 }, "\(pixel)")
    }

    @Test(
        "highlights of any brightness are white, and brighter is never darker", arguments: [16, 18])
    func highlights(_ transfer: UInt8) throws {
        var last = 0
        for code in stride(from: 64 as UInt16, through: 940, by: 12) {
            let pixel = try Self.grey(code, transfer)
            #expect(Set(pixel).count == 1 && pixel[0] >= last, "\(code) \(pixel)")
            last = pixel[0]
        }
        #expect(last == 255)
    }

    /// Of light (cd/m²), in 16 bits. Source: SMPTE ST 2084.
    private static func perceptual(_ light: Double) -> UInt16 {
        let power = pow(light / 10_000, 2610.0 / 16_384)
        let code = pow(
            (3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
        return UInt16((code * 65_535).rounded())
    }

    // BT.2087-0, table 1: what BT.709's red, green and blue are in BT.2020
    @Test(
        "sRGB's primaries at reference white come out as they are, twice as bright ones keep their hue"
    )
    func primaries() throws {
        let columns = [
            [0.6274, 0.0691, 0.0164], [0.3293, 0.9195, 0.0880], [0.0433, 0.0114, 0.8956],
        ]
        for (index, column) in columns.enumerated() {
            for light in [203.0, 406, 2000] {
                let codes = column.map { Self.perceptual($0 * light) }
                let pixel = try Self.translated(codes, .rgb48le, Self.color(16))
                for part in 0..<3 {
                    // the table has four digits, and sRGB's first codes are 0.0003 apart
                    #expect(abs(pixel[part] - (part == index ? 255 : 0)) <= 4, "\(light) \(pixel)")
                }
            }
        }
    }

    // BT.2100-2, table 5, with the luminance of other primaries: half a code of red is a twelfth of the light,
    // which HLG's system gamma brings to 0.183 of white by BT.709's weight of red, to 0.191 by BT.2020's
    @Test("HLG of BT.709's primaries is as bright as its own luminance makes it")
    func luminance() throws {
        let pixel = try Self.translated([32_767, 0, 0], .rgb48le, Self.color(18, 1))
        #expect(abs(pixel[0] - 119) <= 1 && pixel[1] == 0 && pixel[2] == 0, "\(pixel)")
    }

    // SMPTE ST 428-1: white has 48 cd/m² at a code of (48 / 52.37)^(1 / 2.6); half a code has 0.18 of it
    @Test("the gamma of cinemas: its white is white, and half a code is as bright as there")
    func cinema() throws {
        for (code, wanted) in [(63_380, 255), (32_768, 118), (0, 0)] as [(UInt16, Int)] {
            let pixel = try Self.translated([code, code, code], .rgb48le, Self.color(17, 11))
            #expect(pixel.allSatisfy { abs($0 - wanted) <= 1 }, "\(code) \(pixel)")
        }
    }

    @Test("wide colours of SDR: P3's green is clipped to sRGB's, greys stay")
    func wide() throws {
        let green = try Self.translated([0, 65_535, 0], .rgb48le, Self.color(13, 12))
        #expect(green == [0, 255, 0])
        for primaries: UInt8 in [9, 11, 12] {
            let grey = try Self.translated(
                [32_896, 32_896, 32_896], .rgb48le, Self.color(13, primaries))
            #expect(grey.allSatisfy { abs($0 - 128) <= 1 }, "\(grey)")
        }
    }

    @Test("frames of sRGB's colours and depth are left alone")
    func untouched() throws {
        let frame = PixelBuffer(width: 32, height: 16, format: .yuv420p)
        let format = VideoFormat(
            coding: .raw(.yuv420p), width: 32, height: 16, color: .bt709)
        #expect(try StandardColors.translate(frame, format).1 == format)
    }
}
