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
        "a frame reads back with its greys, black and white of limited range at their ends",
        arguments: StillEncoder.Form.allCases)
    func readBack(form: StillEncoder.Form) throws {
        let folder = try TemporaryFolder()
        let (buffer, format) = picture(16, 235)
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

    @Test("the ending states the form, other endings none")
    func endings() {
        #expect(StillEncoder.Form(path: "a/b.PNG") == .png)
        #expect(StillEncoder.Form(path: "b.jpeg") == .jpeg)
        #expect(StillEncoder.Form(path: "b.gif") == nil)
    }
}
