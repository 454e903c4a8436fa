import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Capture

@Suite("a camera that sends H.264")
struct AnnexBStreamTests {
    @Test("its parameter sets go into the format, and its samples decode length-prefixed")
    func reframes() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("wire.h264")
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let made = try ffmpeg.run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48", "-frames:v", "1"]
                + ["-c:v", "libx264", "-pix_fmt", "yuv420p", path])
        #expect(made.status == 0)
        let wire = BlockBuffer(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        let plain = VideoFormat(coding: .coded(.h264), width: 64, height: 48)
        let stream = try #require(AnnexBStream(plain, parameterSetsIn: wire))
        #expect(stream.format.codecConfiguration.first == 1)
        let (block, isSync) = stream.sample(from: wire)
        #expect(isSync)
        let decoder = try VideoDecoder(format: stream.format)
        let frames =
            try decoder.decode(
                SampleBuffer(
                    payload: .coded(block), format: .video(stream.format), presentationTime: .zero))
            + decoder.finish()
        #expect(frames.first?.pixelBuffer?.width == 64)
    }

    @Test("a sample without parameter sets gives no format")
    func withoutParameterSets() {
        let format = VideoFormat(coding: .coded(.h264), width: 64, height: 48)
        let slice = BlockBuffer([0, 0, 0, 1, 0x41, 0x9A, 0x02])
        #expect(AnnexBStream(format, parameterSetsIn: slice) == nil)
        let jpeg = VideoFormat(coding: .coded(.mjpeg), width: 64, height: 48)
        #expect(AnnexBStream(jpeg, parameterSetsIn: slice) == nil)
    }
}
