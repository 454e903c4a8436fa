import Foundation
import LibAV
import Media
import TestSupport
import Testing

@Suite("Frames as files")
struct StillEncoderTests {
    /// Left half one grey, right half another.
    private func picture(_ left: UInt8, _ right: UInt8) -> (PixelBuffer, VideoFormat) {
        var buffer = PixelBuffer(width: 32, height: 16, format: .yuv420p)
        buffer.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let width = index == 0 ? 32 : 16
                for row in 0..<plane.rows {
                    for column in 0..<width {
                        plane.row(row)[column] =
                            index == 0 ? (column < 16 ? left : right) : 128
                    }
                }
            }
        }
        return (
            buffer,
            VideoFormat(coding: .raw(.yuv420p), width: 32, height: 16, color: .bt709)
        )
    }

    @Test(
        "a frame reads back with its greys, black and white of limited range at their ends, stated or not",
        arguments: StillEncoder.Form.allCases, [ColorDescription.bt709, .bt601, .unspecified])
    func readBack(form: StillEncoder.Form, color: ColorDescription) throws {
        let folder = try TemporaryFolder()
        var (buffer, format) = picture(16, 235)
        format.color = color
        let bytes = try StillEncoder.encode(buffer, format: format, as: form)
        let path = folder.file("still.\(form.rawValue)")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let raw = folder.file("raw")
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", raw,
        ])
        #expect(result.status == 0)
        let pixels = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        try #require(pixels.count == 32 * 16 * 3)
        // not at the border between the halves, where JPEG rings
        for row in 0..<16 {
            #expect(pixels[(row * 32 + 4) * 3] <= 2)
            #expect(pixels[(row * 32 + 28) * 3] >= 253)
        }
    }

    @Test("a PNG says that its pixels are square, not that there are none")
    func squarePixels() throws {
        let (buffer, format) = picture(16, 235)
        let bytes = try StillEncoder.encode(buffer, format: format, as: .png)
        let name = Array("pHYs".utf8)
        guard
            let place = bytes.indices.dropLast(13).first(where: { bytes[$0...].starts(with: name) })
        else { return }
        #expect(Array(bytes[place + 4..<place + 13]) == [0, 0, 0, 1, 0, 0, 0, 1, 0])
    }

    @Test("a JPEG whose end a camera left out gets one, and what it filled up with goes")
    func endless() throws {
        let (buffer, format) = picture(16, 235)
        let whole = try StillEncoder.encode(buffer, format: format, as: .jpeg)
        let exif = ExifBlock(
            model: "camera", software: nil,
            taken: ExifBlock.Moment(nanosecondsSinceEpoch: 1_000_000_000))
        let expected = try #require(JPEGFile(whole)).adding(exif)
        #expect(whole.suffix(2) == [0xFF, 0xD9])
        for filling in [0, 1, 300] {
            let given = whole.dropLast(2) + [UInt8](repeating: 0, count: filling)
            #expect(try #require(JPEGFile(Array(given))).adding(exif) == expected)
        }
        #expect(JPEGFile(Array(whole.dropFirst(2))) == nil)
    }

    @Test("the ending states the form, other endings none")
    func endings() {
        #expect(StillEncoder.Form(path: "a/b.PNG") == .png)
        #expect(StillEncoder.Form(path: "b.jpeg") == .jpeg)
        #expect(StillEncoder.Form(path: "b.gif") == nil)
    }
}
