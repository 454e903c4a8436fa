import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Movies written as MP4 and QuickTime")
struct MovieFileWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(
        _ take: CodedTake, _ name: String, _ container: MovieContainer
    ) throws -> (path: String, summary: ContainerSummary) {
        let path = folder.file(name)
        let file = try DurableFile(
            creating: path, existing: .refuse, gapHeader: MovieFileWriter.gapHeader)
        return (path, try take.write(to: file, container: container))
    }

    @Test("ffprobe, qtdemux and our reader see the same movie", arguments: MovieContainer.allCases)
    func oraclesAgree(container: MovieContainer) throws {
        let take = try CodedTake.real.get()
        let (path, summary) = try write(take, "take.\(container)", container)
        let oracles = MovieOracles(path: path)
        let asset = try Asset.load(path)
        let streams = try oracles.streams()
        #expect(try oracles.complaints() == "")
        #expect(streams.map(\.codec) == ["h264", "aac"])
        #expect(streams.map(\.packets) == asset.tracks.map(\.sampleCount))
        #expect(summary.tracks.map(\.sampleCount) == asset.tracks.map(\.sampleCount))
        #expect(asset.tracks[0].sampleCount == 60)
        #expect(streams[0].frames == 60)
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<60))
        for (kind, track) in zip(["video", "audio"], try MovieFile(path: path).tracks) {
            // qtdemux leaves out the packet that is all priming
            let shown = track.samples.filter { $0.end > track.movieShift }
            #expect(try oracles.qtdemuxBuffers(kind) == shown.count)
        }
        #expect(asset.duration == summary.duration)
        #expect(asset.duration == .seconds(2))
        #expect(abs(try MovieOracle(path).duration() - 2) < 0.001)
        #expect(abs(try oracles.discoveredDuration() - 2) < 0.001)
        #expect(asset.state == .ordinary)
        #expect(asset.container == container.rawValue)
        #expect(try MovieOracle(path).presentationTimes().first == 0)
        // the first real frame of audio is at movie time zero: priming is cut
        let audio = try oracles.firstChannel()
        // ffmpeg 5.1 does not cut inside the last packet, not of its own files either
        #expect((96_000..<97_024).contains(audio.count))
    }

    @Test("an H.264 movie with B-frames keeps every frame's time")
    func reordering() throws {
        var settings = VideoEncoderSettings(codec: .h264)
        settings.lowLatency = false
        let (path, _) = try write(try CodedTake(video: settings, audio: nil), "b.mp4", .mp4)
        let times = try MovieOracle(path).presentationTimes()
        #expect(times.count == 60)
        for (number, time) in times.enumerated() {
            #expect(abs(time - Double(number) / 30) < 0.0001)
        }
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<60))
    }

    @Test(
        "every codec of the recorder plays in both containers",
        arguments: [VideoCodec.h264, .hevc, .mjpeg, .ffv1], MovieContainer.allCases)
    func videoCodecs(codec: VideoCodec, container: MovieContainer) throws {
        let take = try CodedTake(
            video: VideoEncoderSettings(codec: codec), audio: nil, frames: 10)
        let (path, _) = try write(take, "v.\(container)", container)
        let streams = try MovieOracles(path: path).streams()
        #expect(streams.map(\.codec) == [codec.rawValue])
        #expect(streams.map(\.frames) == [10])
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<10))
        #expect(try Asset.load(path).tracks[0].format?.video?.codec == codec)
    }

    @Test(
        "every audio codec plays in both containers, sample for sample where it is lossless",
        arguments: [AudioCodec.aac, .opus, .flac, .pcm16, .pcm24, .pcm32, .pcmFloat],
        MovieContainer.allCases)
    func audioCodecs(codec: AudioCodec, container: MovieContainer) throws {
        let take = try CodedTake(
            video: nil, audio: AudioEncoderSettings(codec: codec), frames: 30)
        let (path, _) = try write(take, "a.\(container)", container)
        let oracles = MovieOracles(path: path)
        #expect(try oracles.streams().map(\.codec) == [codec.rawValue])
        #expect(try oracles.complaints() == "")
        let asset = try Asset.load(path)
        #expect(asset.tracks[0].format?.audio?.codec == codec)
        #expect(asset.tracks[0].format?.audio?.sampleRate == 48_000)
        #expect(asset.duration == .seconds(1))
        let sound = try oracles.firstChannel()
        #expect((48_000..<49_024).contains(sound.count))
        let lossless: Set<AudioCodec> = [.flac, .pcm16, .pcm24, .pcm32, .pcmFloat]
        if lossless.contains(codec), sound.count >= 48_000 {
            #expect(sound.count == 48_000)
            for frame in stride(from: 0, to: 48_000, by: 997) {
                let phase = frame % 48
                let value = Float(phase < 24 ? phase * 300 : (48 - phase) * 300) / 32_768
                #expect(abs(sound[frame] - value) < 0.001)
            }
        }
        if container == .mp4 || codec != .opus && codec != .flac {
            #expect(try oracles.qtdemuxBuffers("audio") > 0)
        }
    }

    @Test("all eight orientations, pixel aspect and colour are reported")
    func orientation() throws {
        for rotation in VideoOrientation.Rotation.allCases {
            for mirrored in [false, true] {
                let orientation = VideoOrientation(rotation: rotation, isMirrored: mirrored)
                let matrix = TransformMatrix(orientation, width: 192, height: 96)
                #expect(matrix.orientation == orientation)
            }
        }
        let take = try CodedTake(
            video: VideoEncoderSettings(codec: .h264), audio: nil, frames: 5,
            orientation: VideoOrientation(rotation: .clockwise90), aspect: PixelAspect(4, 3))
        let (path, _) = try write(take, "o.mp4", .mp4)
        let video = try #require(Asset.load(path).tracks[0].format?.video)
        #expect(video.orientation == VideoOrientation(rotation: .clockwise90))
        #expect(video.pixelAspect == PixelAspect(4, 3))
        #expect(video.color == .bt709)
        let json = try MovieOracles(path: path).probe(["-show_streams"])
        let stream = try #require((json["streams"] as? [[String: Any]])?.first)
        #expect(stream["sample_aspect_ratio"] as? String == "4:3")
        #expect(stream["color_space"] as? String == "bt709")
        let side = try #require((stream["side_data_list"] as? [[String: Any]])?.first)
        #expect(side["rotation"] as? Int == -90)
    }

    @Test(
        "title, date, devices, fingerprint and languages come back",
        arguments: MovieContainer.allCases)
    func metadata(container: MovieContainer) throws {
        let take = try CodedTake.real.get()
        let (path, _) = try write(take, "m.\(container)", container)
        let asset = try Asset.load(path)
        #expect(asset.metadata == take.metadata)
        #expect(asset.tracks.map(\.language) == [nil, "de"])
        #expect(asset.tracks.map(\.name) == ["Kamera", "Mikrofon"])
        let format = try MovieOracles(path: path).probe(["-show_format"])["format"]
        let tags = (format as? [String: Any])?["tags"] as? [String: Any]
        let title = tags?["title"] ?? tags?["com.apple.quicktime.title"]
        #expect(title as? String == "Ein Titel")
    }

    @Test("pauses and markers are there while the movie grows and when it is finished")
    func annotations() throws {
        var take = try CodedTake.real.get()
        take.annotations = [
            .pause(at: .milliseconds(500), duration: .nanoseconds(7_000_000_001)),
            .marker("Anfang ✂", at: .milliseconds(750)), .marker("Ende", at: .milliseconds(1500)),
        ]
        let path = folder.file("n.mp4")
        let file = try DurableFile(creating: path, existing: .refuse)
        let writer = try take.begun(file)
        try take.append(to: writer)
        try writer.flush()
        let growing = try Asset.load(path)
        #expect(growing.state == .unfinished)
        #expect(growing.markers.map(\.text) == ["Anfang ✂", "Ende"])
        #expect(growing.pauses.map(\.duration) == [.nanoseconds(7_000_000_001)])
        _ = try writer.finish()
        let asset = try Asset.load(path)
        #expect(asset.markers == growing.markers)
        #expect(asset.pauses == growing.pauses)
        #expect(asset.markers.map(\.time) == [.milliseconds(750), .milliseconds(1500)])
        let json = try MovieOracles(path: path).probe(["-show_chapters"])
        let chapters = json["chapters"] as? [[String: Any]] ?? []
        #expect(chapters.map { $0["start_time"] as? String } == ["0.750000", "1.500000"])
        #expect(try MovieOracles(path: path).complaints() == "")
    }

    @Test("a late track starts where it started, not at zero")
    func lateTrack() throws {
        var take = try CodedTake.real.get()
        take.samples = take.samples.map { entry in
            guard entry.track == 0 else { return entry }
            var sample = entry.sample
            let late = MediaTime(value: 45_000, timescale: 90_000)
            sample.presentationTime += late
            if let time = sample.decodeTime { sample.decodeTime = time + late }
            return (0, sample)
        }
        take.sort()
        let (path, _) = try write(take, "late.mp4", .mp4)
        let asset = try Asset.load(path)
        #expect(asset.tracks[0].edits.map(\.mediaTime) == [nil, MediaTime(value: 0, timescale: 1)])
        #expect(asset.tracks[0].edits[0].duration == .milliseconds(500))
        #expect(try MovieOracle(path).presentationTimes().first == 0.5)
        #expect(asset.duration == .milliseconds(2500))
    }

    @Test("times out of order or in other ticks are refused, and the movie is still finished")
    func refusals() throws {
        let take = try CodedTake.real.get()
        let path = folder.file("r.mp4")
        let writer = try take.begun(try DurableFile(creating: path, existing: .refuse))
        let first = try #require(take.samples.first { $0.track == 0 }).sample
        try writer.append(first, track: 0)
        #expect(throws: MediaError.self) { try writer.append(first, track: 0) }
        var other = first
        other.presentationTime = .seconds(1)
        other.decodeTime = nil
        #expect(throws: MediaError.self) { try writer.append(other, track: 0) }
        #expect(throws: MediaError.self) { try writer.append(first, track: 7) }
        let summary = try writer.finish()
        #expect(summary.tracks.map(\.sampleCount) == [1, 0])
        #expect(throws: MediaError.self) { try writer.finish() }
        #expect(try Asset.load(path).tracks.map(\.sampleCount) == [1, 0])
    }

    @Test("a take that ends before its first sample is an ordinary movie without samples")
    func emptyTake() throws {
        let (path, _) = try write(
            CodedTake(tracks: try CodedTake.real.get().tracks, samples: []), "e.mp4", .mp4)
        let asset = try Asset.load(path)
        #expect(asset.state == .ordinary)
        #expect(asset.duration == .zero)
        #expect(asset.tracks.map(\.sampleCount) == [0, 0])
    }
}
