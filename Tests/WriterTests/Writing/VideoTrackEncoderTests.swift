import LibAV
import Media
import Testing

@testable import Writing

struct VideoTrackEncoderTests {
    private func format(
        _ pixels: PixelFormat, _ width: Int, _ height: Int,
        rotation: VideoOrientation.Rotation = .none
    ) -> VideoFormat {
        VideoFormat(
            coding: .raw(pixels), width: width, height: height, color: .bt709,
            orientation: VideoOrientation(rotation: rotation), nominalRate: FrameRate(25))
    }

    /// A flat picture with a bright left half.
    private func picture(_ format: VideoFormat) throws -> PixelBuffer {
        let pixels = try #require(format.pixelFormat)
        var picture = PixelBuffer(width: format.width, height: format.height, format: pixels)
        picture.withMutablePlanes { planes in
            for plane in planes {
                plane.base.initializeMemory(
                    as: UInt8.self, repeating: 128, count: plane.bytesPerRow * plane.rows)
            }
            for y in 0..<format.height {
                planes[0].row(y).update(repeating: 40, count: format.width)
                planes[0].row(y).update(repeating: 200, count: format.width / 2)
            }
        }
        return picture
    }

    /// Encodes pictures of these formats, and decodes them.
    private func roundTrip(
        _ formats: [VideoFormat], track: VideoFormat, rotatesPixels: Bool = false,
        _ settings: VideoOutputSettings = VideoOutputSettings(codec: .ffv1)
    ) throws -> [PixelBuffer] {
        let encoder = try VideoTrackEncoder(
            settings, source: track, lowLatency: true, rotatesPixels: rotatesPixels)
        var coded: [SampleBuffer] = []
        for (number, format) in formats.enumerated() {
            coded += try encoder.encode(
                SampleBuffer(
                    payload: .pixels(try picture(format)), format: .video(format),
                    presentationTime: .milliseconds(Int64(40 * number))))
        }
        coded += try encoder.finish()
        let decoder = try VideoDecoder(format: try #require(encoder.format.video))
        var decoded: [PixelBuffer] = []
        for sample in coded { decoded += try decoder.decode(sample).compactMap(\.pixelBuffer) }
        decoded += try decoder.finish().compactMap(\.pixelBuffer)
        return decoded
    }

    @Test(
        "of a depth camera that comes back with another size or unit, or shows light, nothing is computed"
    )
    func otherDepth() throws {
        func depth(_ width: Int, _ unit: DepthUnit?) -> VideoFormat {
            var depth = format(.gray16le, width, 48)
            depth.depth = unit.map { DepthFormat(unit: $0) }
            return depth
        }
        let track = depth(64, .metres(0.001))
        var light = format(.yuv420p, 64, 48)
        light.depth = track.depth
        let others = [depth(32, .metres(0.001)), depth(64, .metres(0.002)), depth(64, nil), light]
        for other in others {
            #expect(try roundTrip([track, other, track], track: track).count == 2, "\(other)")
        }
        // the control: what is as it was is there
        #expect(try roundTrip([track, track, track], track: track).count == 3)
    }

    @Test("distances that are scaled, placed between bars or given other colours are depth no more")
    func scaledDepth() throws {
        var source = format(.gray16le, 64, 48)
        source.depth = .millimetres
        func depth(_ change: (inout VideoOutputSettings, inout VideoFormat) -> Void) throws
            -> DepthFormat?
        {
            var (settings, given) = (VideoOutputSettings(codec: .ffv1), source)
            change(&settings, &given)
            return try settings.trackFormat(for: given).depth
        }
        #expect(try depth { _, _ in } == .millimetres)
        #expect(try depth { settings, _ in (settings.width, settings.height) = (64, 48) } != nil)
        #expect(try depth { settings, _ in (settings.width, settings.height) = (32, 24) } == nil)
        for mode in [VideoScalingMode.fit, .resizeAspect, .resizeAspectFill] {
            let found = try depth { settings, given in
                (settings.width, settings.height, settings.scalingMode) = (64, 48, mode)
                given.pixelAspect = PixelAspect(2, 1)
            }
            #expect(found == nil, "\(mode)")
        }
        #expect(
            try depth { settings, given in
                given.color = .bt709
                settings.color = ColorDescription(
                    primaries: 9, transfer: 14, matrix: 9, range: .limited)
            } == nil)
    }

    @Test(
        "a camera that comes back with another size, format or rotation is encoded at its track's")
    func otherFormats() throws {
        let track = format(.yuv420p, 64, 48)
        let frames = try roundTrip(
            [
                track, format(.yuv420p, 128, 96), format(.yuyv422, 64, 48),
                format(.yuv420p, 64, 48, rotation: .half), track,
            ], track: track)
        #expect(frames.count == 5)
        for (number, picture) in frames.enumerated() {
            #expect((picture.width, picture.height) == (64, 48))
            // upside down the bright half is on the right; packed chroma lies between the luma
            let ends = picture.withPlane(0) { (Int($0.row(24)[3]), Int($0.row(24)[60])) }
            if number == 3 { #expect(ends == (40, 200)) }
            if number == 0 || number == 1 || number == 4 {
                #expect(abs(ends.0 - 200) <= 1 && abs(ends.1 - 40) <= 1)
            }
        }
    }

    @Test(
        "a frame that cannot be converted is left out and named, and the next one is the sync sample it was to be"
    )
    func unconvertible() throws {
        let track = format(.yuv420p, 64, 48)
        let encoder = try VideoTrackEncoder(
            VideoOutputSettings(codec: .h264), source: track, lowLatency: true, rotatesPixels: false
        )
        var coded: [SampleBuffer] = []
        for (number, format) in [track, track, format(.gray, 16_400, 2), track, track].enumerated()
        {
            var sample = SampleBuffer(
                payload: .pixels(try picture(format)), format: .video(format),
                presentationTime: .milliseconds(Int64(40 * number)))
            sample.attachments.forcesSync = number == 2
            coded += try encoder.encode(sample)
            #expect(encoder.takeLostFrame() == (number == 2 ? .milliseconds(80) : nil))
        }
        coded += try encoder.finish()
        #expect(coded.map(\.isSync) == [true, false, true, false])
        #expect(coded.map(\.presentationTime) == [0, 40, 120, 160].map { .milliseconds($0) })
        #expect(encoder.isOpen)
        encoder.close()
        #expect(!encoder.isOpen)
        #expect(encoder.format.video?.codec == .h264)
    }

    @Test(
        "where the container cannot say how pictures lie, packed ones are rotated as they are converted"
    )
    func rotates() throws {
        let track = format(.yuyv422, 64, 48, rotation: .clockwise90)
        let frames = try roundTrip([track, track], track: track, rotatesPixels: true)
        #expect(frames.count == 2)
        #expect(frames.allSatisfy { ($0.width, $0.height) == (48, 64) })
    }

    /// Luma, row by row.
    private func luma(_ frame: PixelBuffer) -> [[UInt8]] {
        frame.withPlane(0) { plane in
            (0..<frame.height).map {
                Array(UnsafeBufferPointer(start: plane.row($0), count: frame.width))
            }
        }
    }

    @Test(
        "a size asked for is one conversion with format and rotation, but for frames laid over black",
        arguments: [(PixelFormat.yuyv422, PixelFormat.yuv444p), (.bgra, .bgra)])
    func scaledAndRotated(pixels: PixelFormat, coded: PixelFormat) throws {
        let track = format(pixels, 64, 48, rotation: .clockwise90)
        let frames = try roundTrip(
            [track], track: track, rotatesPixels: true,
            VideoOutputSettings(codec: .ffv1, width: 36, height: 20, scalingMode: .resize))
        let frame = try #require(frames.first)
        #expect((frame.width, frame.height) == (20, 36))
        var wanted = format(coded, 20, 36)
        wanted.color = track.color
        let single = try PixelConverter(from: track, to: wanted).convert(picture(track))
        #expect((luma(frame) == luma(single)) == !pixels.hasAlpha)
    }
}
