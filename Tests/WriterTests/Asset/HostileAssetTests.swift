import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Files from strangers")
struct HostileAssetTests {
    private let footage: Footage

    init() throws { footage = try Footage() }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = footage.folder.file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func refusal(_ path: String) -> MediaError? {
        do {
            _ = try Asset.load(path)
            return nil
        } catch { return error }
    }

    @Test("what is no movie is refused with its name, a reason and nothing opened besides")
    func refusals() throws {
        let playlist = Array("#EXTM3U\n#EXTINF:1,\n/etc/hostname\n".utf8)
        let list = Array("ffconcat version 1.0\nfile /etc/hostname\n".utf8)
        var random = SplitMix(seed: 1)
        let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let cases: [(name: String, bytes: [UInt8])] = [
            ("empty.mp4", []), ("text.mp4", Array("not a movie at all".utf8)),
            ("list.mp4", playlist), ("concat.mkv", list), ("noise.mov", noise),
            ("page.mp4", Array("<?xml version='1.0'?><MPD/>".utf8)),
        ]
        for (name, bytes) in cases {
            let path = try file(name, bytes)
            let error = try #require(refusal(path), "\(name) was taken")
            #expect(error.code == .unsupported || error.code == .damagedFile)
            #expect(error.message.contains(name), "\(error.message)")
        }
        #expect(refusal(footage.folder.file("missing.mp4"))?.code == .noSuchFile)
        #expect(refusal(footage.folder.path) != nil)
        #expect(refusal("concat:a|b")?.code == .noSuchFile)
        #expect(refusal("/dev/zero") != nil)
    }

    @Test("an edit list of years is refused, and a track of another codec named")
    func impossibleTimes() throws {
        let plain = try footage.movie(
            "y.mp4", count: 10, ["-c:v", "libx264", "-preset", "ultrafast"])
        let asset = try footage.edit(
            plain, track: 0,
            [
                EditListBox.Entry(duration: UInt64(Int64.max), mediaTime: 0),
                EditListBox.Entry(duration: 500, mediaTime: 0),
            ])
        let track = try asset.first(.video)
        #expect(throws: MediaError.self) { try FrameCursor(asset: asset, track: track) }
        #expect(throws: MediaError.self) {
            try AudioCursor(
                asset: plain, track: plain.first(.video),
                format: AudioFormat(coding: .raw(.float32), sampleRate: 48_000, channels: 2))
        }
        #expect(asset.openDescriptors == 0)
    }

    @Test("a damaged stretch costs its frames only: the one before stays on show")
    func damagedSamples() throws {
        let plain = try footage.movie(
            "d.mp4", ["-c:v", "libx264", "-preset", "ultrafast", "-g", "15", "-crf", "20"])
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: plain.path)))
        let movie = try MovieFile(path: plain.path)
        // the group of pictures from 30 to 44 becomes noise, lengths included
        for sample in movie.tracks[0].samples[30..<45] {
            for place in Int(sample.offset)..<Int(sample.offset) + Int(sample.size) {
                bytes[place] = UInt8(truncatingIfNeeded: place &* 197)
            }
        }
        let asset = try Asset.load(try file("noise.mp4", bytes))
        let cursor = try FrameCursor(asset: asset, track: asset.first(.video))
        for place in [10, 50, 29, 70, 46] {
            let sample = try cursor.picture(
                at: MediaTime(value: Int64(2 * place + 1), timescale: 60))
            #expect(FrameStrip.number(in: try #require(sample.pixelBuffer)) == place)
        }
        let inside = try cursor.picture(at: MediaTime(value: 81, timescale: 60))
        #expect(FrameStrip.number(in: try #require(inside.pixelBuffer)) == 29)
        #expect(cursor.damagedSamples > 0)
    }

    /// Everything that reads a file, once.
    private func readEverything(_ path: String) throws(MediaError) {
        let asset = try Asset.load(path)
        _ = asset.chapters
        for track in asset.tracks where track.format != nil {
            _ = (track.segments, track.timeRange, track.nominalRate, track.naturalSize)
            if track.mediaType == .video {
                let cursor = try FrameCursor(asset: asset, track: track)
                for second in [0, 2, 1, 90_000, -5] {
                    _ = try cursor.picture(at: .seconds(Int64(second)))
                }
            } else {
                let cursor = try AudioCursor(
                    asset: asset, track: track,
                    format: AudioFormat(coding: .raw(.float32), sampleRate: 44_100, channels: 2))
                for place: Int64 in [0, 90_000, 40_000, -500, 1 << 40] {
                    _ = try cursor.read(at: place, count: 3000)
                }
            }
            let output = try AssetReaderTrackOutput(asset: asset, track: track)
            let reader = AssetReader()
            try reader.add(output)
            try reader.start()
            var count = 0
            while count < 500, try output.next() != nil { count += 1 }
        }
    }

    @Test("flipped bytes anywhere in the index are read or refused, never more", arguments: [1, 2])
    func flippedBytes(_ seed: UInt64) throws {
        let asset = try footage.encode(
            "f.mp4",
            [
                "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "96x48", "-r", "30", "-i",
                try footage.pictures(30), "-f", "s16le", "-ar", "48000", "-ac", "1", "-i",
                try footage.sound(frames: 48_000), "-c:v", "libx264", "-preset", "ultrafast",
                "-bf", "2", "-c:a", "aac",
            ])
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: asset.path)))
        let index = try #require(
            whole.indices.first { whole[$0...].starts(with: Array("moov".utf8)) })
        var random = SplitMix(seed: seed)
        var read = 0
        for _ in 0..<150 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: index..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            let path = try file("flip.mp4", bytes)
            do throws(MediaError) {
                try readEverything(path)
                read += 1
            } catch { #expect(!error.message.isEmpty) }
        }
        #expect(read > 0)
    }
}
