import LibAV
import Media
import Testing

/// Frames in which no two neighbours are alike.
private func picture(_ width: Int, _ height: Int, _ format: PixelFormat) -> PixelBuffer {
    var picture = PixelBuffer(width: width, height: height, format: format)
    var state: UInt32 = 7
    picture.withMutablePlanes { planes in
        for plane in planes {
            for row in 0..<plane.rows {
                for column in 0..<plane.bytesPerRow {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    plane.row(row)[column] = UInt8(state >> 28)
                }
            }
        }
    }
    return picture
}

@Test(
    "FFV1 takes frames of any shape, and returns every sample",
    arguments: [
        (1, 1), (2, 1), (1, 2), (3, 5), (1, 300), (300, 1), (1, 4096), (4096, 1), (353, 2),
        (639, 359), (641, 361), (353, 289), (355, 290),
        (2, 289), (353, 3), (3, 289), (400, 4), (400, 300), (4096, 4096), (8192, 64), (64, 8192),
    ])
func anyShape(width: Int, height: Int) throws {
    for pixels in [PixelFormat.yuv420p, .yuv444p, .rgb48le] {
        // the great ones in one form only
        if width * height > 1 << 20, pixels != .yuv444p { continue }
        let input = VideoFormat(coding: .raw(pixels), width: width, height: height)
        let encoder = try VideoEncoder(settings: VideoEncoderSettings(codec: .ffv1), input: input)
        let source = picture(width, height, pixels)
        let sample = SampleBuffer(
            payload: .pixels(source), format: .video(input), presentationTime: .zero,
            duration: .milliseconds(40))
        let coded = try encoder.encode(sample) + encoder.finish()
        let decoder = try VideoDecoder(format: encoder.format)
        var decoded: [SampleBuffer] = []
        for sample in coded { decoded += try decoder.decode(sample) }
        decoded += try decoder.finish()
        let result = try #require(decoded.first?.pixelBuffer)
        #expect(result.width == width && result.height == height)
        guard result.format == pixels else { continue }
        let bytes = pixels.bitDepth > 8 ? 6 : 1
        source.withPlanes { own in
            result.withPlanes { new in
                for (place, (a, b)) in zip(own, new).enumerated() {
                    // the rest of a row is padding
                    let isHalf = pixels == .yuv420p && place > 0
                    let length = isHalf ? (width + 1) / 2 : width * bytes
                    for row in 0..<a.rows {
                        let same = (0..<length).allSatisfy { a.row(row)[$0] == b.row(row)[$0] }
                        #expect(same, "\(pixels) row \(row)")
                    }
                }
            }
        }
    }
}

@Test("large frames are coded in more slices, so that threads share them")
func slices() throws {
    func fingerprint(
        _ width: Int, _ height: Int, _ pixels: PixelFormat = .yuv420p
    ) throws -> String {
        let input = VideoFormat(coding: .raw(pixels), width: width, height: height)
        return try VideoEncoder(settings: VideoEncoderSettings(codec: .ffv1), input: input)
            .fingerprint
    }
    #expect(try fingerprint(32, 32).contains("slices=1,"))
    #expect(try fingerprint(640, 360).contains("slices=4,"))
    #expect(try fingerprint(3840, 2160).contains("slices=16,"))
    #expect(try fingerprint(1, 300).contains("level=1"))
    // four slices would have one row each
    #expect(try fingerprint(400, 2, .yuv444p).contains("level=1"))
}
