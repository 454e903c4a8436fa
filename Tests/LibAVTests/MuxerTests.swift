import Foundation
import LibAV
import Media
import TestSupport
import Testing

@Test(
    "a Matroska file holds every frame and the audio at its place",
    arguments: [
        (VideoCodec.h264, AudioCodec.aac), (.hevc, .opus), (.mjpeg, .pcm16), (.ffv1, .flac),
    ])
func matroska(video: VideoCodec, audio: AudioCodec) throws {
    let folder = try TemporaryFolder()
    let sound = AudioSignals.burst(at: 24_000, frames: 96_000)
    let output = MemoryOutput()
    try Movies.write(.matroska, to: output, video: video, audio: audio, sound: sound)
    try output.save(folder.file("a.mkv"))

    let demuxer = try Demuxer(path: folder.file("a.mkv"))
    #expect(demuxer.tracks.map(\.format.mediaType) == [.video, .audio])
    #expect(demuxer.tracks[1].language == "ger" || demuxer.tracks[1].language == "deu")
    #expect((demuxer.duration?.approximateSeconds ?? 0) - 2 < 0.05)
    let samples = try Movies.read(demuxer)
    let format = try #require(demuxer.tracks[0].format.video)
    #expect(format.color == .bt709 || video == .mjpeg)
    let pictures = try Movies.decode(format, samples[0])
    #expect(pictures.compactMap(\.pixelBuffer).map(TestFrames.number) == Array(0..<60))
    let heard = try Movies.decode(try #require(demuxer.tracks[1].format.audio), samples[1])
    let values = AudioSignals.values(heard)
    // AAC's priming is heard as silence, and the frames wait for it
    let priming = audio == .aac ? 1024 : 0
    #expect(values.count == 96_000 + priming)
    #expect(AudioSignals.shift(sound, values, within: -50...1050) == priming)
    let start = try #require(heard.first).presentationTime.approximateSeconds
    for (number, picture) in pictures.enumerated() {
        let ideal = start + Double(number) / 30 + Double(priming) / 48_000
        #expect((picture.presentationTime.approximateSeconds - ideal).magnitude <= 0.001)
    }
}

@Test("a last block of FLAC that is shorter than a tick of the file makes it no block longer")
func shortLastBlock() throws {
    let folder = try TemporaryFolder()
    let output = MemoryOutput()
    // 21 blocks of 4608, and 8 frames
    let sound = AudioSignals.burst(at: 24_000, frames: 96_776)
    try Movies.write(.matroska, to: output, video: .mjpeg, audio: .flac, sound: sound)
    try output.save(folder.file("a.mkv"))
    let demuxer = try Demuxer(path: folder.file("a.mkv"))
    let duration = try #require(demuxer.duration)
    #expect((duration.approximateSeconds - 96_776 / 48_000.0).magnitude <= 0.001, "\(duration)")
}

@Test("an MPEG-TS file plays picture and sound together")
func transportStream() throws {
    let folder = try TemporaryFolder()
    let output = MemoryOutput()
    let sound = AudioSignals.burst(at: 24_000, frames: 96_000)
    try Movies.write(.mpegTS, to: output, sound: sound)
    try output.save(folder.file("a.ts"))
    let demuxer = try Demuxer(path: folder.file("a.ts"))
    let samples = try Movies.read(demuxer)
    let format = try #require(demuxer.tracks[0].format.video)
    #expect(format.codecConfiguration.first == 1)
    let pictures = try Movies.decode(format, samples[0])
    #expect(pictures.compactMap(\.pixelBuffer).map(TestFrames.number) == Array(0..<60))
    let origin = try #require(pictures.first?.presentationTime)
    let heard = try Movies.decode(try #require(demuxer.tracks[1].format.audio), samples[1])
    let values = AudioSignals.values(heard)
    let at = AudioSignals.shift(sound, values, within: 0...3000)
    let first = try #require(heard.first?.presentationTime).approximateSeconds
    // where the burst is heard, against the first frame
    let burst = first + Double(24_000 + at) / 48_000 - origin.approximateSeconds
    #expect((burst - 0.5).magnitude < 0.000_1)
}

@Test(
    "metadata, track names and chapters set at the end are in the file; ffprobe agrees",
    .enabled(if: Program.tool("ffprobe") != nil, "ffprobe is missing: scripts/install-deps test"))
func metadata() throws {
    let folder = try TemporaryFolder()
    let output = MemoryOutput()
    let chapter = MuxerChapter(
        range: MediaTimeRange(from: .milliseconds(500), to: .milliseconds(1500)), title: "Tor 1")
    try Movies.write(
        .matroska, to: output, sound: AudioSignals.sine(440, frames: 96_000),
        metadata: [("title", "Sommer")], chapters: [chapter])
    try output.save(folder.file("a.mkv"))
    let probe = try #require(Program.tool("ffprobe"))
    let result = try probe.run([
        "-v", "error", "-show_format", "-show_streams", "-show_chapters", "-count_packets",
        folder.file("a.mkv"),
    ])
    let text = result.outputText
    #expect(result.errorText.isEmpty)
    for expected in [
        // with AAC all is 21.33 ms later
        "TAG:title=Sommer", "TAG:title=camera", "TAG:title=Tor 1",
        "start_time=0.521333", "end_time=1.521333", "nb_read_packets=60", "color_space=bt709",
        "avg_frame_rate=30/1",
    ] {
        #expect(text.contains(expected), "\(expected)")
    }
    let version = try probe.run([
        "-v", "error", "-show_entries", "format=duration", folder.file("a.mkv"),
    ])
    let seconds = version.outputText.split(separator: "=").dropFirst().first.flatMap {
        Double($0.prefix { !$0.isNewline })
    }
    #expect(((seconds ?? 0) - 2).magnitude <= 0.03)
}

@Test("what was flushed plays although the file never ended")
func cutOff() throws {
    let folder = try TemporaryFolder()
    let (format, samples) = try Movies.picture(count: 60)
    let output = MemoryOutput()
    let muxer = try Muxer(container: .matroska, output: output)
    _ = try muxer.addTrack(.video(format))
    try muxer.start()
    for sample in samples.prefix(45) { try muxer.write(sample, track: 0) }
    try muxer.flush()
    let flushed = output.bytes.count
    for sample in samples.dropFirst(45) { try muxer.write(sample, track: 0) }
    output.bytes.removeLast(output.bytes.count - flushed)
    try output.save(folder.file("a.mkv"))
    let demuxer = try Demuxer(path: folder.file("a.mkv"))
    #expect(try Movies.read(demuxer)[0].count == 45)
}

@Test("clusters hold at most a quarter of a second")
func clusters() throws {
    let output = MemoryOutput()
    try Movies.write(.matroska, to: output, sound: AudioSignals.sine(440, frames: 96_000))
    let mark: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
    let count = output.bytes.indices.dropLast(4).count { Array(output.bytes[$0..<$0 + 4]) == mark }
    #expect((7...12).contains(count))
}

@Test("what a container has no place for is refused before anything is written")
func refusedTracks() throws {
    let (format, _) = try Movies.picture(count: 1)
    let output = MemoryOutput()
    let webm = try Muxer(container: .webm, output: output)
    #expect(throws: MediaError.self) { _ = try webm.addTrack(.video(format)) }
    var rotated = format
    rotated.orientation = VideoOrientation(rotation: .clockwise90)
    let matroska = try Muxer(container: .matroska, output: output)
    #expect(throws: MediaError.self) { _ = try matroska.addTrack(.video(rotated)) }
    let stream = try Muxer(container: .mpegTS, output: output)
    let (flac, _) = try Movies.sound(codec: .flac, AudioSignals.sine(440, frames: 5000))
    #expect(throws: MediaError.self) { _ = try stream.addTrack(.audio(flac)) }
    #expect(output.bytes.isEmpty)
}

@Test("two frames in one tick are refused and the next one is taken")
func sameTick() throws {
    let (format, samples) = try Movies.picture(count: 3)
    let muxer = try Muxer(container: .matroska, output: MemoryOutput())
    _ = try muxer.addTrack(.video(format))
    try muxer.start()
    try muxer.write(samples[0], track: 0)
    var early = samples[1]
    early.presentationTime = MediaTime(value: 400, timescale: 1_000_000)
    do {
        try muxer.write(early, track: 0)
        Issue.record("a second picture at 0 ms was written")
    } catch let error as MediaError {
        #expect(error.code == .outOfOrder)
    }
    try muxer.write(samples[1], track: 0)
    try muxer.finish()
}

@Test("the disk's own error comes out of the muxer")
func diskFull() throws {
    let (format, samples) = try Movies.picture(count: 60)
    let output = MemoryOutput()
    output.limit = 3000
    let muxer = try Muxer(container: .matroska, output: output)
    _ = try muxer.addTrack(.video(format))
    try muxer.start()
    #expect(throws: MemoryOutput.Full.self) {
        for sample in samples {
            try muxer.write(sample, track: 0)
            try muxer.flush()
        }
    }
    #expect(output.bytes.count <= 3000)
}
