import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading
@testable import Writing

/// What of a track qtdemux shows, and when: its SEGMENT events.
struct ShownSegment: Equatable {
    /// From where to where in the track (ns).
    var start: Int64
    var stop: Int64
    /// When, in movie time (ns).
    var time: Int64
}

extension MovieOracles {
    /// The segments qtdemux sends on a pad ("video_0").
    func qtdemuxSegments(_ pad: String) throws -> [ShownSegment] {
        guard let tool = Program.tool("timeout") else { return [] }
        let text = try tool.run([
            "60", "gst-launch-1.0", "-v", "filesrc", "location=\(path)", "!", "qtdemux", "name=d",
            "d.\(pad)", "!", "identity", "silent=false", "!", "fakesink", "sync=false",
        ]).outputText
        return text.split(separator: "\n").compactMap { line in
            guard line.contains("type: segment"), line.contains("identity0:sink") else {
                return nil
            }
            func value(_ name: String) -> Int64? {
                let mark = " \(name)=(guint64)"
                guard let at = line.range(of: mark) else { return nil }
                return UInt64(line[at.upperBound...].prefix { $0.isNumber })
                    .flatMap { Int64(exactly: $0) }
            }
            guard let start = value("start"), let time = value("time"), let stop = value("stop")
            else { return nil }
            return ShownSegment(start: start, stop: stop, time: time)
        }
    }
}

@Suite(
    "qtdemux, ffprobe and our reader agree on edit lists",
    .enabled(
        if: MovieOracle.isAvailable && Program.tool("gst-launch-1.0") != nil,
        "needs ffmpeg and GStreamer"))
struct SegmentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What our reader says is shown, in nanoseconds.
    private func segments(_ track: AssetTrack) -> [ShownSegment] {
        guard !track.edits.isEmpty else {
            return [ShownSegment(start: 0, stop: track.duration.nanoseconds(), time: 0)]
        }
        return track.edits.compactMap { edit in
            guard let length = edit.duration else { return nil }
            // for one that shows nothing qtdemux counts from zero
            let media = edit.mediaTime ?? .zero
            return ShownSegment(
                start: media.nanoseconds(), stop: media.nanoseconds() + length.nanoseconds(),
                time: edit.start.nanoseconds())
        }
    }

    private func check(
        _ path: String, video: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Asset {
        let asset = try Asset.load(path)
        let oracles = MovieOracles(path: path)
        for track in asset.tracks {
            let isVideo = track.mediaType == .video
            let wanted = segments(track)
            let found = try oracles.qtdemuxSegments(isVideo ? "video_0" : "audio_0")
            #expect(found.count == wanted.count, "\(found)", sourceLocation: sourceLocation)
            for (seen, ours) in zip(found, wanted) {
                // nanoseconds are rounded on the way, and the movie's tick is 1/720,000 s
                for (left, right) in [
                    (seen.start, ours.start), (seen.stop, ours.stop), (seen.time, ours.time),
                ] {
                    #expect(
                        abs(left - right) <= 1500, "\(seen) \(ours)", sourceLocation: sourceLocation
                    )
                }
            }
            // ffprobe applies the list to the stamps: the first one shown is when the edit begins
            let times = try MovieOracle(path).presentationTimes(stream: isVideo ? "v:0" : "a:0")
            let first = try #require(wanted.last).time
            let shown = try #require(times.first { $0 > Double(first) / 1e9 - 0.001 })
            #expect(abs(shown - Double(first) / 1e9) < 0.001, sourceLocation: sourceLocation)
        }
        return asset
    }

    private func write(_ take: CodedTake, _ container: MovieContainer) throws -> String {
        let path = folder.file("t.\(container)")
        let file = try DurableFile(
            creating: path, existing: .replace, gapHeader: MovieFileWriter.gapHeader)
        _ = try take.write(to: file, container: container)
        return path
    }

    @Test(
        "priming: the encoder's silence before the first frame", arguments: MovieContainer.allCases)
    func priming(container: MovieContainer) throws {
        let asset = try check(try write(try CodedTake.real.get(), container))
        #expect(
            asset.tracks[1].edits.map(\.mediaTime) == [MediaTime(value: 1024, timescale: 48_000)])
    }

    @Test("a start offset: a camera that came half a second late")
    func startOffset() throws {
        var take = try CodedTake.real.get()
        take.samples = take.samples.map { entry in
            guard entry.track == 0 else { return entry }
            var sample = entry.sample
            let late = MediaTime(value: 45_000, timescale: 90_000)
            sample.presentationTime += late
            sample.decodeTime = sample.decodeTime.map { $0 + late }
            return (0, sample)
        }
        take.sort()
        let asset = try check(try write(take, .mp4))
        #expect(asset.tracks[0].edits.count == 2)
    }

    @Test("reordered frames: the first decode time is before the first frame")
    func reordered() throws {
        var settings = VideoEncoderSettings(codec: .h264)
        settings.lowLatency = false
        let take = try CodedTake(video: settings, audio: AudioEncoderSettings(codec: .aac))
        let asset = try check(try write(take, .mp4))
        #expect(asset.tracks[0].edits.map(\.mediaTime) != [.zero])
    }

    @Test("a take with two pauses, whose audio ends inside a packet", arguments: ["mp4", "mov"])
    func pauses(container: String) async throws {
        let path = folder.file("p.\(container)")
        let take = SyntheticTake(
            seconds: 4,
            pauses: [
                SyntheticTake.Pause(at: 312_345_678, resume: 781_000_001),
                SyntheticTake.Pause(at: 1_533_333_333, resume: 2_610_987_654),
            ])
        _ = try await take.write(
            to: path, video: VideoOutputSettings(preset: "ultrafast"),
            audio: AudioOutputSettings(codec: .aac))
        let asset = try check(path)
        #expect(abs(asset.duration.nanoseconds() - take.length) < 1_000_000_000 / 30)
    }

    @Test("control: a movie whose list another program changed is distinguished")
    func changedList() throws {
        let path = try write(try CodedTake.real.get(), .mp4)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let mark = Array("elst".utf8)
        let at = try #require(bytes.indices.dropLast(4).last { Array(bytes[$0..<$0 + 4]) == mark })
        // the media time of the audio's one edit: 1024 becomes 1536
        bytes[at + 4 + 4 + 4 + 4 + 2] = 6
        let copy = folder.file("changed.mp4")
        try Data(bytes).write(to: URL(fileURLWithPath: copy))
        let before = try MovieOracles(path: path).qtdemuxSegments("audio_0")
        let after = try MovieOracles(path: copy).qtdemuxSegments("audio_0")
        #expect(before != after)
    }
}
