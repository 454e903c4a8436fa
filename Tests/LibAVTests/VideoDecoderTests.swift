import LibAV
import Media
import TestSupport
import Testing

private func roundTrip(
    _ settings: VideoEncoderSettings, _ samples: [SampleBuffer], _ input: VideoFormat,
    threads: Int = 1
) throws -> [SampleBuffer] {
    let encoder = try VideoEncoder(settings: settings, input: input)
    let coded = try encoder.encodeAll(samples)
    let decoder = try VideoDecoder(format: encoder.format, threads: threads)
    var decoded: [SampleBuffer] = []
    for sample in coded { decoded += try decoder.decode(sample) }
    return try decoded + decoder.finish()
}

@Test(
    "every frame comes back at its time, with its number and close to what went in",
    arguments: [VideoCodec.h264, .hevc, .mjpeg, .ffv1])
func frameRoundTrip(codec: VideoCodec) throws {
    var settings = VideoEncoderSettings(codec: codec)
    settings.preset = "ultrafast"
    let samples = TestFrames.samples(40)
    let decoded = try roundTrip(settings, samples, TestFrames.format())
    #expect(decoded.map(\.presentationTime) == samples.map(\.presentationTime))
    for (before, after) in zip(samples, decoded) {
        let (first, second) = (try #require(before.pixelBuffer), try #require(after.pixelBuffer))
        #expect(TestFrames.number(in: second) == Int(before.attachments.sequence ?? 0))
        #expect(TestFrames.lumaPSNR(first, second) >= (codec == .ffv1 ? 100 : 32))
    }
    #expect(decoded[0].format.video?.color.matrix == 1)
    #expect(decoded[0].format.video?.color.range == .limited)
}

@Test("without the low-latency rule B-frames are allowed and decode times keep their order")
func reordering() throws {
    var settings = VideoEncoderSettings(codec: .h264)
    settings.preset = "medium"
    settings.lowLatency = false
    settings.threads = 1
    let encoder = try VideoEncoder(settings: settings, input: TestFrames.format())
    let samples = TestFrames.samples(40)
    let coded = try encoder.encodeAll(samples)
    #expect(coded.contains { $0.decodeTime != nil })
    let order = coded.map { $0.decodeTime ?? $0.presentationTime }
    #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 })
    #expect(coded.allSatisfy { ($0.decodeTime ?? $0.presentationTime) <= $0.presentationTime })
    let decoder = try VideoDecoder(format: encoder.format, threads: 2)
    var decoded: [SampleBuffer] = []
    for sample in coded { decoded += try decoder.decode(sample) }
    decoded += try decoder.finish()
    #expect(decoded.map(\.presentationTime) == samples.map(\.presentationTime))
}

@Test("every group of pictures decodes by itself")
func closedGroups() throws {
    var settings = VideoEncoderSettings(codec: .h264)
    settings.preset = "veryfast"
    settings.keyFrameInterval = .milliseconds(300)
    let encoder = try VideoEncoder(settings: settings, input: TestFrames.format())
    let coded = try encoder.encodeAll(TestFrames.samples(60))
    let starts = coded.indices.filter { coded[$0].isSync }
    #expect(starts.count >= 6)
    for (index, start) in starts.enumerated() {
        let end = index + 1 < starts.count ? starts[index + 1] : coded.count
        let decoder = try VideoDecoder(format: encoder.format)
        var frames: [SampleBuffer] = []
        for sample in coded[start..<end] { frames += try decoder.decode(sample) }
        frames += try decoder.finish()
        #expect(frames.compactMap(\.pixelBuffer).map(TestFrames.number) == Array(start..<end))
    }
}

@Test("semi-planar and 10-bit frames go in without a conversion")
func otherFormats() throws {
    var settings = VideoEncoderSettings(codec: .h264)
    settings.preset = "ultrafast"
    let decoded = try roundTrip(
        settings, TestFrames.samples(5, .nv12), TestFrames.format(.nv12))
    #expect(decoded.compactMap(\.pixelBuffer).map(TestFrames.number) == Array(0..<5))
    let deep = PixelBuffer(width: 160, height: 96, format: .yuv420p10le)
    let sample = SampleBuffer(
        payload: .pixels(deep), format: .video(TestFrames.format(.yuv420p10le)),
        presentationTime: .zero)
    let back = try roundTrip(settings, [sample], TestFrames.format(.yuv420p10le))
    #expect(back.first?.pixelBuffer?.format == .yuv420p10le)
}

@Test("a camera's full-range JPEG comes back as full range")
func fullRange() throws {
    let format = TestFrames.format(.yuv422p, color: .jpeg)
    let decoded = try roundTrip(
        VideoEncoderSettings(codec: .mjpeg), TestFrames.samples(2, .yuv422p), format)
    #expect(decoded.first?.format.video?.color.range == .full)
    #expect(decoded.first?.pixelBuffer?.format == .yuv422p)
}

@Test("a damaged sample is refused with a reason and the next sync sample decodes")
func damaged() throws {
    let encoder = try VideoEncoder(
        settings: VideoEncoderSettings(codec: .mjpeg), input: TestFrames.format())
    let coded = try encoder.encodeAll(TestFrames.samples(2))
    let decoder = try VideoDecoder(format: encoder.format)
    var broken = coded[0]
    broken.payload = .coded(BlockBuffer([1, 2, 3, 4, 5]))
    do {
        _ = try decoder.decode(broken)
        Issue.record("five bytes of nothing were decoded")
    } catch {
        #expect(error.code == .damagedFile)
        #expect(error.logLine != nil)
        #expect(error.message.hasSuffix("."))
    }
    #expect(try decoder.decode(coded[1]).count == 1)
}

@Test("frames the decoder still predicts from cannot be written to")
func sharedReference() throws {
    var settings = VideoEncoderSettings(codec: .h264)
    settings.preset = "veryfast"
    let encoder = try VideoEncoder(settings: settings, input: TestFrames.format())
    let coded = try encoder.encodeAll(TestFrames.samples(4))
    let decoder = try VideoDecoder(format: encoder.format)
    var frame = try #require(try decoder.decode(coded[0]).first?.pixelBuffer)
    let isWritable = frame.isUniquelyHeld()
    #expect(!isWritable)
    var own = PixelBuffer(width: 8, height: 8, format: .gray)
    let isOwnWritable = own.isUniquelyHeld()
    #expect(isOwnWritable)
}

@Test(
    "frames of more bits than vcap has keep their levels, and stay YUV",
    arguments: ["yuv420p12le", "yuv422p16le", "yuv444p12le", "yuva444p12le"])
func deepLevels(pixels: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("deep.mkv")
    let made = try #require(Program.tool("ffmpeg")).run(
        [
            "-v", "error", "-f", "lavfi", "-i",
            "color=0x808080:size=32x32:duration=0.1,format=yuv444p",
        ]
            + ["-vf", "geq=lum=if(lt(X\\,16)\\,16\\,235):cb=100:cr=160,format=\(pixels)"]
            + ["-c:v", "ffv1", path])
    #expect(made.status == 0, "\(made.errorText)")
    let demuxer = try Demuxer(path: path)
    let format = try #require(demuxer.tracks.first?.format.video)
    let sample = try #require(
        try { () throws -> SampleBuffer? in
            if case .sample(_, let sample) = try demuxer.next() { sample } else { nil }
        }())
    let decoder = try VideoDecoder(format: format)
    let frame = try #require(try (decoder.decode(sample) + decoder.finish()).first)
    let (buffer, decoded) = (try #require(frame.pixelBuffer), try #require(frame.format.video))
    #expect(!buffer.format.isRGB)
    var target = decoded
    target.coding = .raw(.yuv444p)
    let plain = try PixelConverter(from: decoded, to: target).convert(buffer)
    let row = plain.withPlanes { planes in
        planes.prefix(3).map { plane in [4, 28].map { Int(plane.row(8)[$0]) } }
    }
    for (one, other) in zip(row.joined(), [16, 235, 100, 100, 160, 160]) {
        #expect(abs(one - other) <= 1, "\(row)")
    }
}

@Test("frames above the limit are refused before anything is allocated")
func sizeLimit() {
    let huge = VideoFormat(coding: .coded(.h264), width: 65_535, height: 65_535)
    do {
        _ = try VideoDecoder(format: huge)
        Issue.record("4 gigapixels were accepted")
    } catch {
        #expect(error.code == .overLimit)
    }
}

@Test(
    "one damaged frame among good ones costs itself only, on one thread and on several",
    arguments: [1, 3])
func damagedAmongGood(threads: Int) throws {
    let encoder = try VideoEncoder(
        settings: VideoEncoderSettings(codec: .ffv1), input: TestFrames.format())
    var coded = try encoder.encodeAll(TestFrames.samples(12))
    coded[5].payload = .coded(BlockBuffer([0, 0, 0, 0, 0, 0, 0, 0]))
    let decoder = try VideoDecoder(format: encoder.format, threads: threads)
    var numbers: [Int] = []
    var failures = 0
    for sample in coded {
        do {
            numbers += try decoder.decode(sample).compactMap(\.pixelBuffer).map(TestFrames.number)
        } catch { failures += 1 }
    }
    for _ in 0..<3 {
        do {
            numbers += try decoder.finish().compactMap(\.pixelBuffer).map(TestFrames.number)
        } catch { failures += 1 }
    }
    #expect(failures == 1)
    #expect(numbers == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11])
}

@Test(
    "frames that are filled in where they cannot be decoded are marked, and no others",
    arguments: [1, 3])
func filledIn(threads: Int) throws {
    var settings = VideoEncoderSettings(codec: .h264)
    settings.preset = "ultrafast"
    settings.threads = 1
    let encoder = try VideoEncoder(settings: settings, input: TestFrames.format())
    var coded = try encoder.encodeAll(TestFrames.samples(20))
    for index in [7, 12] {
        guard case .coded(let block) = coded[index].payload else { continue }
        var bytes = block.withUnsafeBytes { Array($0) }
        for place in (bytes.count / 3)..<(2 * bytes.count / 3) {
            bytes[place] = place % 2 == 0 ? 0xFF : 0
        }
        coded[index].payload = .coded(BlockBuffer(bytes))
    }
    let decoder = try VideoDecoder(format: encoder.format, threads: threads)
    var decoded: [SampleBuffer] = []
    for sample in coded { decoded += try decoder.decode(sample) }
    decoded += try decoder.finish()
    #expect(decoded.map(\.presentationTime) == coded.map(\.presentationTime))
    let marked = decoded.indices.filter { decoded[$0].attachments.isDamaged }
    #expect(marked == [7, 12])
}
