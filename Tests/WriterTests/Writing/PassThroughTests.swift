import LibAV
import Media
import TestSupport
import Testing

@testable import Writing

/// The take's frames as a camera would deliver them coded.
private func coded(
    _ take: SyntheticTake, _ codec: VideoCodec, gop: MediaTime
) throws -> (format: VideoFormat, samples: [SampleBuffer]) {
    var settings = VideoEncoderSettings(codec: codec)
    settings.keyFrameInterval = gop
    if codec == .h264 { settings.preset = "ultrafast" }
    let encoder = try VideoEncoder(settings: settings, input: take.videoFormat)
    var samples: [SampleBuffer] = []
    for frame in 0..<take.frameCount { samples += try encoder.encode(take.frameSample(frame)) }
    samples += try encoder.finish()
    for index in samples.indices { samples[index].attachments = SampleAttachments() }
    return (encoder.format, samples)
}

/// Appends coded samples with a pause at 0.5 s and a resume at 1.2 s.
private func copy(
    _ samples: [SampleBuffer], of format: VideoFormat, to path: String
) async throws -> AssetWriterResult {
    let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
    let receiver = try writer.inputReceiver(passingThrough: .video(format))
    let start = SyntheticTake.start
    try writer.startSession(atSourceTime: .nanoseconds(start))
    var commands = [(500_000_000, true), (1_200_000_000, false)][...]
    for sample in samples {
        while let (time, pauses) = commands.first,
            sample.presentationTime >= .nanoseconds(start + Int64(time))
        {
            commands.removeFirst()
            let at = MediaTime.nanoseconds(start + Int64(time))
            if pauses { try writer.pause(at: at) } else { try writer.resume(at: at) }
        }
        try await receiver.append(sample)
    }
    try writer.endSession(atSourceTime: .nanoseconds(start + 3_000_000_000))
    return try await writer.finish()
}

@Test(
    "an MJPEG camera's frames are copied and cut like raw ones",
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"), arguments: ["mp4", "mov", "mkv"])
func copiedMJPEG(container: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("copy.\(container)")
    let take = SyntheticTake(
        seconds: 3, pauses: [SyntheticTake.Pause(at: 500_000_000, resume: 1_200_000_000)])
    let (format, samples) = try coded(take, .mjpeg, gop: .seconds(1))
    let result = try await copy(samples, of: format, to: path)
    #expect(result.duration == .nanoseconds(take.length))
    #expect(try MovieOracle(path).frameNumbers() == take.expected.map(\.number))
}

@Test(
    "an H.264 camera's samples are copied, continuing at the next sync sample",
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"), arguments: ["mp4", "mkv", "ts"])
func copiedH264(container: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("copy.\(container)")
    let take = SyntheticTake(seconds: 3)
    let (format, samples) = try coded(take, .h264, gop: .seconds(1))
    let result = try await copy(samples, of: format, to: path)
    let times = samples.map { $0.presentationTime.nanoseconds() - SyntheticTake.start }
    let cut = try #require(times.firstIndex { $0 >= 500_000_000 })
    let resume = try #require(
        samples.indices.first { samples[$0].isSync && times[$0] >= 1_200_000_000 })
    #expect(try MovieOracle(path).frameNumbers() == Array(0..<cut) + Array(resume..<90))
    let pause = try #require(result.pauses.first)
    #expect(pause.cutTime == .nanoseconds(SyntheticTake.start + times[cut]))
    #expect(pause.resumeTime == .nanoseconds(SyntheticTake.start + times[resume]))
}

/// As a camera delivers it: start codes, parameter sets before each sync sample, no sync flags.
private func annexB(_ samples: [SampleBuffer], _ format: VideoFormat) -> [SampleBuffer] {
    let record = format.codecConfiguration
    // avcC: one SPS behind the sixth byte, then one PPS (ISO/IEC 14496-15, 5.3.3.1)
    let first = Int(record[6]) << 8 | Int(record[7])
    let second = Int(record[9 + first]) << 8 | Int(record[10 + first])
    let code: [UInt8] = [0, 0, 0, 1]
    let sets = code + record[8..<8 + first] + code + record[11 + first..<11 + first + second]
    var bare = format
    bare.codecConfiguration = []
    return samples.map { sample in
        var result = sample
        let bytes = sample.block?.bytes ?? []
        var stream = sample.isSync ? sets : []
        var offset = 0
        while offset + 4 <= bytes.count {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            stream += code + bytes[offset + 4..<offset + 4 + length]
            offset += 4 + length
        }
        result.payload = .coded(BlockBuffer(stream))
        result.format = .video(bare)
        result.isSync = false
        return result
    }
}

@Test(
    "a camera's raw H.264 stream is copied although only its first sample states the format",
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"), arguments: ["mp4", "mkv"])
func copiedAnnexB(container: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("copy.\(container)")
    let (format, samples) = try coded(SyntheticTake(seconds: 3), .h264, gop: .seconds(1))
    var bare = format
    bare.codecConfiguration = []
    let result = try await copy(annexB(samples, format), of: bare, to: path)
    let stored = result.tracks[0].format.video?.codecConfiguration
    #expect(stored == format.codecConfiguration)
    let numbers = try MovieOracle(path).frameNumbers()
    let resume = try #require(
        samples.indices.first {
            samples[$0].isSync
                && samples[$0].presentationTime
                    >= .nanoseconds(SyntheticTake.start + 1_200_000_000)
        })
    #expect(numbers.count > 15 && numbers.last == 89)
    #expect(numbers == Array(0..<numbers.count - (90 - resume)) + Array(resume..<90))
}

@Test("a camera whose stream has no parameter sets is refused in a sentence and leaves no file")
func annexBWithoutParameterSets() async throws {
    let folder = try TemporaryFolder()
    let (format, samples) = try coded(SyntheticTake(seconds: 1), .h264, gop: .seconds(1))
    var bare = format
    bare.codecConfiguration = []
    var sample = annexB(samples, format)[0]
    sample.payload = .coded(BlockBuffer([0, 0, 0, 1, 0x65, 1, 2, 3]))
    let writer = try AssetWriter(
        AssetWriterConfiguration(outputPath: folder.file("a.mp4"), mode: .offline))
    let receiver = try writer.inputReceiver(passingThrough: .video(bare))
    try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
    try await receiver.append(sample)
    let error = await #expect(throws: MediaError.self) { try await writer.finish() }
    #expect(error?.message.contains("no parameter sets") == true)
    #expect(folder.contents.isEmpty)
}

@Test("when a copied frame is dropped, those that need it are dropped and counted with it")
func droppedFrameTakesItsGOP() async throws {
    let take = SyntheticTake(seconds: 3)
    let (format, samples) = try coded(take, .h264, gop: .seconds(1))
    var track = TrackInput(
        coding: .passThrough(.video(format)), name: nil, queueBytes: 1 << 20, videoTimescale: 90_000
    )
    track.noteDropped(samples[10], cause: .diskBehind)
    let lost = samples.dropFirst(11).prefix { track.mustDrop($0) }.count
    let next = try #require(samples.indices.dropFirst(11).first { samples[$0].isSync })
    #expect(lost == next - 11)
    track.notePushed(samples[next])
    #expect(!track.mustDrop(samples[next + 1]))
}

@Test(
    "a Matroska movie that nobody finished plays up to its last cluster",
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
func unfinishedMatroska() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("growing.mkv")
    let take = SyntheticTake(seconds: 3)
    let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
    let video = try writer.inputReceiver(
        for: VideoOutputSettings(codec: .mjpeg), sourceFormat: take.videoFormat)
    let audio = try writer.inputReceiver(
        for: AudioOutputSettings(), sourceFormat: take.audioFormat)
    try await take.deliver(to: writer, video: video, audio: audio)
    // what a kill would leave: a copy taken once the encoders have caught up
    while writer.status.tracks[0].written < 85 { await Task.yield() }
    let copy = folder.file("killed.mkv")
    _ = try #require(Program.tool("cp")).run([path, copy])
    let numbers = try MovieOracle(copy).frameNumbers()
    #expect(numbers.count >= 70 && numbers == Array(0..<numbers.count))
    await writer.cancel()
}

@Test("frames on a driver's memory are copied at once, so that capture does not starve")
func driverMemoryIsReleased() async throws {
    let folder = try TemporaryFolder()
    let take = SyntheticTake(seconds: 1)
    let released = BlockingLock(0)
    let writer = try AssetWriter(AssetWriterConfiguration(outputPath: folder.file("a.mp4")))
    let video = try writer.inputReceiver(
        for: VideoOutputSettings(preset: "ultrafast"), sourceFormat: take.videoFormat)
    try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
    try writer.pause(at: .nanoseconds(SyntheticTake.start))
    for frame in 0..<5 {
        let own = take.picture(frame)
        let planes = own.withPlanes { $0 }
        let lent = PixelStorage(planes: planes, holdLimit: .milliseconds(100)) {
            released.withLock { $0 += 1 }
            _ = own
        }
        var sample = take.frameSample(frame)
        sample.payload = .pixels(
            PixelBuffer(width: 192, height: 108, format: .yuv420p, storage: lent))
        try video.appendImmediately(sample)
    }
    #expect(released.withLock { $0 } == 5)
    await writer.cancel()
}

@Test(
    "frames drawn into the receiver's pool come out in order",
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
func pixelBufferReceiver() async throws {
    let folder = try TemporaryFolder()
    let take = SyntheticTake(seconds: 1)
    let writer = try AssetWriter(
        AssetWriterConfiguration(outputPath: folder.file("a.mp4"), mode: .offline))
    let receiver = try writer.pixelBufferReceiver(
        for: VideoOutputSettings(preset: "ultrafast"), sourceFormat: take.videoFormat,
        poolLimit: 60)
    try writer.startSession(atSourceTime: .zero)
    for frame in 0..<30 {
        var picture = try receiver.pool.makeBuffer()
        picture.copyPixels(from: take.picture(frame))
        try await receiver.append(picture, at: MediaTime(value: Int64(frame), timescale: 30))
    }
    receiver.finish()
    try writer.endSession(atSourceTime: .seconds(1))
    let result = try await writer.finish()
    #expect(result.duration == .seconds(1))
    #expect(try MovieOracle(folder.file("a.mp4")).frameNumbers() == Array(0..<30))
    #expect(receiver.pool.outCount == 0)
}

@Test("a hole in raw audio is reported, and the audio is placed by counting all the same")
func audioHoleIsReported() async throws {
    let folder = try TemporaryFolder()
    let take = SyntheticTake(seconds: 1)
    let reported = BlockingLock<[String]>([])
    let writer = try AssetWriter(
        AssetWriterConfiguration(outputPath: folder.file("a.mov"), mode: .offline)
    ) { event in
        if case .misused(_, let message) = event { reported.withLock { $0.append(message) } }
    }
    let audio = try writer.inputReceiver(
        for: AudioOutputSettings(codec: .pcm16), sourceFormat: take.audioFormat)
    try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
    try await audio.append(take.audioSample(from: 0, count: 4800))
    try await audio.append(take.audioSample(from: 9600, count: 4800))
    let result = try await writer.finish()
    #expect(result.duration == .milliseconds(200))
    #expect(reported.withLock { $0 }.count == 1)
}
