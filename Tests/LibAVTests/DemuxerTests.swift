import Foundation
import Glibc
import LibAV
import Media
import TestSupport
import Testing

private func refusal(_ path: String, _ limits: DemuxerLimits = DemuxerLimits()) -> MediaError? {
    do {
        _ = try Demuxer(path: path, limits: limits)
        return nil
    } catch { return error }
}

private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
}

/// The descriptors this process has open (count).
private func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

@Test("names that are protocols are only names")
func protocolNames() throws {
    let folder = try TemporaryFolder()
    let output = MemoryOutput()
    try Movies.write(
        .matroska, to: output, pictures: 5, sound: AudioSignals.sine(440, frames: 8000))
    let movie = folder.file("a.mkv")
    try output.save(movie)
    #expect(refusal(movie) == nil)
    for name in [
        "concat:\(movie)|\(movie)", "file:\(movie)", "subfile,,start,0,end,0,,:\(movie)",
        "data:video/x-matroska;base64,AAAA", "http://127.0.0.1:1/a.mp4", "pipe:0", "fd:0",
    ] {
        let error = try #require(refusal(name))
        #expect(error.code == .noSuchFile, "\(name)")
        #expect(error.message.hasSuffix("."))
    }
}

@Test("a playlist named like a movie is refused by what it is, and opens nothing else")
func playlists() throws {
    let folder = try TemporaryFolder()
    let output = MemoryOutput()
    try Movies.write(.mpegTS, to: output, pictures: 5, sound: AudioSignals.sine(440, frames: 8000))
    let movie = folder.file("secret.ts")
    try output.save(movie)
    let lists = [
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(movie)\n#EXT-X-ENDLIST\n",
        "\n  #EXTM3U\n\(movie)\n", "ffconcat version 1.0\nfile '\(movie)'\n",
        "file '\(movie)'\n", "<?xml version=\"1.0\"?><MPD></MPD>",
    ]
    for (index, text) in lists.enumerated() {
        let path = folder.file("list\(index).mp4")
        try write(text, path)
        let error = try #require(refusal(path))
        #expect(error.code == .unsupported)
        #expect(error.message.contains(path))
    }
    // control: what sniffing does not know is still kept out by the whitelist
    let path = folder.file("script.mp4")
    try write("WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n", path)
    #expect(refusal(path)?.code == .unsupported)
}

@Test("43 bytes that claim a frame of 4 gigapixels are refused before it is allocated")
func gifBomb() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("bomb.gif")
    var bytes: [UInt8] = Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0x80, 0, 0]
    bytes += [0, 0, 0, 255, 255, 255, 0x21, 0xF9, 4, 0, 0, 0, 0, 0]
    bytes += [0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 2, 2, 0x44, 1, 0, 0x3B]
    #expect(bytes.count == 43)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let error = try #require(refusal(path))
    #expect(error.code == .overLimit)
    #expect(error.message.contains("65535x65535"))
}

@Test("a movie cut at any place gives its samples so far or a sentence, and never more than it has")
func truncated() throws {
    let folder = try TemporaryFolder()
    let output = MemoryOutput()
    try Movies.write(
        .matroska, to: output, pictures: 20, sound: AudioSignals.sine(440, frames: 32_000))
    let path = folder.file("cut.mkv")
    for part in 0..<40 {
        let size = output.bytes.count * part / 40
        try Data(output.bytes.prefix(size)).write(to: URL(fileURLWithPath: path))
        do {
            let samples = try Movies.read(try Demuxer(path: path))
            #expect(samples[0].count <= 20)
        } catch let error as MediaError {
            #expect(error.message.contains(path))
            #expect(error.message.hasSuffix("."))
        }
    }
}

@Test("a movie that is cut off while it is read is no shorter movie", arguments: [false, true])
func shortened(cutting: Bool) throws {
    let folder = try TemporaryFolder()
    let output = MemoryOutput()
    // far above what libavformat reads ahead
    try Movies.write(
        .matroska, to: output, pictures: 400, sound: AudioSignals.sine(440, frames: 640_000))
    let path = folder.file("a.mkv")
    try output.save(path)
    let demuxer = try Demuxer(path: path)
    if cutting { #expect(truncate(path, off_t(output.bytes.count * 3 / 4)) == 0) }
    var samples = 0
    let error: MediaError? = {
        do throws(MediaError) {
            while case .sample = try demuxer.next() { samples += 1 }
            return nil
        } catch { return error }
    }()
    #expect(samples > 0)
    #expect((error?.code == .damagedFile) == cutting, "\(samples) samples")
    #expect(error?.message.contains("became shorter while it was read") ?? !cutting)
}

@Test("more tracks than the limit, and frames above it, are refused")
func limits() throws {
    let folder = try TemporaryFolder()
    let output = MemoryOutput()
    try Movies.write(
        .matroska, to: output, pictures: 5, sound: AudioSignals.sine(440, frames: 8000))
    let path = folder.file("a.mkv")
    try output.save(path)
    #expect(refusal(path, DemuxerLimits(maximumTracks: 1)) != nil)
    #expect(refusal(path, DemuxerLimits(maximumVideoPixels: 160 * 96 - 1))?.code == .overLimit)
    #expect(refusal(path, DemuxerLimits(maximumVideoPixels: 160 * 96)) == nil)
    #expect(refusal(path, DemuxerLimits(maximumDuration: .milliseconds(10)))?.code == .overLimit)
}

@Test("a call that takes longer than allowed ends with that reason")
func deadline() throws {
    let folder = try TemporaryFolder()
    let output = MemoryOutput()
    try Movies.write(.matroska, to: output, sound: AudioSignals.sine(440, frames: 96_000))
    let path = folder.file("a.mkv")
    try output.save(path)
    // a clock on which every reading comes a second after the one before
    let clock = HastyClock()
    do {
        _ = try Demuxer(path: path, limits: DemuxerLimits(timeout: .seconds(2)), clock: clock)
        Issue.record("the deadline passed unnoticed")
    } catch {
        #expect(error.code == .damagedFile)
        #expect(error.message.contains("longer than allowed"), "\(error)")
    }
    _ = try Demuxer(path: path, limits: DemuxerLimits(timeout: .seconds(100_000)), clock: clock)
}

private final class HastyClock: MediaClock {
    private let inner = ManualClock()

    func now() -> MediaTime {
        inner.advance(by: .seconds(1))
        return inner.now()
    }

    func wait(until deadline: MediaTime, orSignal signal: WakeSignal) -> WaitOutcome {
        inner.wait(until: deadline, orSignal: signal)
    }
}

@Test("folders, devices and pipes are not opened")
func irregularFiles() throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.file("fifo.mp4"), 0o600)
    for path in [
        folder.path, "/dev/zero", folder.file("fifo.mp4"), folder.file("none.mp4"), "a\0b",
    ] {
        #expect(refusal(path)?.code == .noSuchFile)
    }
}

@Test("a jump lands at the sync sample before, for all tracks")
func seeking() throws {
    let folder = try TemporaryFolder()
    let output = MemoryOutput()
    try Movies.write(
        .matroska, to: output, pictures: 90, sound: AudioSignals.sine(440, frames: 144_000))
    let path = folder.file("a.mkv")
    try output.save(path)
    let demuxer = try Demuxer(path: path)
    _ = try Movies.read(demuxer)
    try demuxer.seek(track: 0, to: .milliseconds(1500))
    let samples = try Movies.read(demuxer)
    #expect(samples[0].first?.isSync == true)
    #expect(samples[0].count == 60)
    let format = try #require(demuxer.tracks[0].format.video)
    let pictures = try Movies.decode(format, samples[0])
    #expect(pictures.first?.pixelBuffer.map(TestFrames.number) == 30)
}

@Test("opening, reading and closing again and again leaves no descriptor behind")
func noLeak() throws {
    let folder = try TemporaryFolder()
    let output = MemoryOutput()
    try Movies.write(
        .matroska, to: output, pictures: 5, sound: AudioSignals.sine(440, frames: 8000))
    let path = folder.file("a.mkv")
    try output.save(path)
    try write("#EXTM3U\n", folder.file("list.mp4"))
    // other tests open files meanwhile: a leak would add 200
    let before = try openDescriptors()
    for _ in 0..<100 {
        let demuxer = try Demuxer(path: path)
        _ = try demuxer.next()
        #expect(refusal(folder.file("list.mp4")) != nil)
    }
    #expect(try openDescriptors() < before + 50)
}

@Test("display matrices are snapped to quarter turns and mirrors, and broken ones are upright")
func displayMatrices() {
    let one: Int32 = 1 << 16
    func orientation(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) -> VideoOrientation {
        VideoOrientation(displayMatrix: [a, b, 0, c, d, 0, 0, 0, 1 << 30])
    }
    #expect(orientation(one, 0, 0, one) == .upright)
    #expect(orientation(0, one, -one, 0) == VideoOrientation(rotation: .clockwise90))
    #expect(orientation(-one, 0, 0, -one) == VideoOrientation(rotation: .half))
    #expect(orientation(0, -one, one, 0) == VideoOrientation(rotation: .clockwise270))
    #expect(orientation(-one, 0, 0, one) == VideoOrientation(isMirrored: true))
    #expect(
        orientation(0, -one, -one, 0)
            == VideoOrientation(rotation: .clockwise90, isMirrored: true))
    #expect(orientation(one - 900, 900, -900, one) == .upright)
    #expect(orientation(0, 0, 0, 0) == .upright)
    #expect(orientation(.min, .min, .min, .min) == .upright)
    #expect(orientation(.min, 0, 0, .min) == VideoOrientation(rotation: .half))
    #expect(VideoOrientation(displayMatrix: []) == .upright)
}
