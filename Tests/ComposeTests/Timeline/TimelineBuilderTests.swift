import Media
import TestSupport
import Testing

@testable import Compose

@Suite struct TimelineBuilderTests {
    private let assets = [
        SampleAsset.clip("a.mp4", seconds: 10), SampleAsset.clip("b.mp4", seconds: 8),
        SampleAsset.clip("c.gif", seconds: 3, sound: false),
        SampleAsset.onlyAudio("talk.wav", seconds: 4),
        SampleAsset.onlyAudio("song.m4a", seconds: 6),
    ]

    private func film(_ timeline: Timeline) throws -> Film {
        try TimelineBuilder(timeline, assets: assets).film()
    }

    @Test func clipsFollowOneAnotherOnOneTrack() throws {
        let film = try film(Timeline(videos: [VideoItem("a.mp4"), VideoItem("b.mp4")]))
        #expect(film.composition.tracks.map(\.mediaType) == [.video, .audio])
        #expect(film.composition.duration == .seconds(18))
        #expect(
            film.videoComposition?.instructions.map(\.timeRange.start) == [.zero, .seconds(10)])
        #expect(film.videoComposition?.renderSize == PixelSize(width: 160, height: 96))
        #expect(film.notes.isEmpty)
    }

    @Test func aTransitionOverlapsFramesAndCrossesTheirAudioOver() throws {
        let film = try film(
            Timeline(videos: [
                VideoItem("a.mp4"),
                VideoItem("b.mp4", volume: 0.5, transition: .dissolve(.seconds(2))),
            ]))
        #expect(film.composition.duration == .seconds(16))
        #expect(
            film.composition.tracks(of: .video).map(\.duration) == [.seconds(16), .seconds(16)])
        let video = try #require(film.videoComposition)
        #expect(
            video.instructions.map(\.timeRange.start) == [.zero, .seconds(8), .seconds(10)])
        #expect(video.instructions[1].layers.map(\.trackID).count == 2)
        #expect(video.instructions[1].layers[0].opacity(at: .seconds(9)) == 0.5)
        let sounds = film.composition.tracks(of: .audio).map(\.id)
        let gains = sounds.map { film.audioMix.input(forTrack: $0).gain(at: .seconds(9)) }
        #expect((gains[0] - 0.5.squareRoot()).magnitude < 1e-9)
        #expect((gains[1] - 0.5 * 0.5.squareRoot()).magnitude < 1e-9)
        #expect(film.audioMix.input(forTrack: sounds[0]).gain(at: .seconds(12)) == 0)
        #expect(film.audioMix.input(forTrack: sounds[1]).gain(at: .seconds(12)) == 0.5)
    }

    @Test(arguments: UInt64(1)...12)
    func theFilmsLengthIsTheSumOfLengthsLessTheOverlaps(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var timeline = Timeline()
        var expected: Int64 = 0
        for index in 0..<30 {
            let asset = ["a.mp4", "b.mp4"][Int.random(in: 0...1, using: &random)]
            let start = MediaTime(value: Int64.random(in: 0...90, using: &random), timescale: 30)
            let length = MediaTime(
                value: 1001 * Int64.random(in: 60...120, using: &random), timescale: 30_000)
            let speed = Speed(Int32.random(in: 1...3, using: &random), per: 2)
            var item = VideoItem(
                asset, start: start, end: try start.adding(length), speed: speed)
            let cut = Bool.random(using: &random)
            if index > 0, !cut {
                let ticks = Int64.random(in: 1...400_000_000, using: &random)
                item.transition = .dissolve(.timeline(ticks))
                expected -= ticks
            }
            // a second of the source lasts 1/speed
            expected +=
                length.ticks(per: 705_600_000, rounding: .down) * Int64(speed.denominator)
                / Int64(speed.numerator)
            timeline.videos.append(item)
        }
        let film = try film(timeline)
        #expect(film.composition.duration == .timeline(expected))
        let video = try #require(film.videoComposition)
        try video.validate(for: film.composition)
        #expect(video.instructions.allSatisfy { $0.layers.count <= 2 })
    }

    @Test func aClipAtAnotherSpeedLastsExactlyItsPart() throws {
        let film = try film(
            Timeline(videos: [VideoItem("a.mp4", start: .seconds(1), speed: Speed(3, per: 2))]))
        #expect(film.composition.duration == .seconds(6))
        let segment = try #require(film.composition.tracks[0].segment(at: .seconds(2)))
        let shown = segment.mapping.sourceTime(
            atTarget: .seconds(2), timescale: 90_000, rounding: .down)
        #expect(shown == .seconds(4))
    }

    @Test func clipsWithoutAudioAndAudioWithoutFramesAreClipsToo() throws {
        let film = try film(
            Timeline(videos: [
                VideoItem("c.gif"), VideoItem("talk.wav", transition: .dissolve(.seconds(1))),
                VideoItem("a.mp4", transition: .push(.left, .seconds(1))),
            ]))
        #expect(film.composition.duration == .seconds(15))
        let video = try #require(film.videoComposition)
        try video.validate(for: film.composition)
        // the GIF fades into the background, the movie out of it
        #expect(video.instructions[1].layers.map { $0.opacity(at: .milliseconds(2500)) } == [0.5])
        #expect(video.instructions[2].layers.isEmpty)
        #expect(video.instructions[3].layers.map { $0.opacity(at: .milliseconds(5500)) } == [0.5])
    }

    @Test func audioAloneMakesAFilmWithoutFrames() throws {
        let film = try film(Timeline(music: [AudioItem("song.m4a", at: .seconds(1))]))
        #expect(film.videoComposition == nil)
        #expect(film.composition.duration == .seconds(7))
    }

    @Test func titlesAloneMakeAFilmAsLongAsTheyShow() throws {
        let film = try film(Timeline(titles: [TitleItem("Hello", at: .seconds(1))]))
        #expect(film.composition.duration == .seconds(5))
        #expect(film.videoComposition?.animation?.sublayers.count == 1)
        #expect(film.videoComposition?.renderSize == PixelSize(width: 1920, height: 1080))
    }

    @Test func loopedMusicEndsWithTheFilmAndFadesThere() throws {
        let film = try film(
            Timeline(
                videos: [VideoItem("a.mp4")],
                music: [
                    AudioItem(
                        "song.m4a", at: .milliseconds(500), start: .seconds(1), end: .seconds(4),
                        volume: 0.5, fadeIn: .seconds(1), fadeOut: .seconds(2), loops: true)
                ]))
        let id = film.composition.tracks(of: .audio)[1].id
        let track = try #require(film.composition.track(id))
        #expect(track.duration == .seconds(10))
        #expect(track.segments.count == 1 + 3 + 1)
        #expect(track.segments.last?.mapping.source == .milliseconds(1000, 500))
        let input = film.audioMix.input(forTrack: id)
        let gains = [500, 1000, 1500, 8000, 9000, 10_000].map { input.gain(at: .milliseconds($0)) }
        #expect(gains == [0, 0.25, 0.5, 0.5, 0.25, 0])
    }

    @Test func volumesAreLinearBetweenKeyFrames() throws {
        let film = try film(
            Timeline(
                videos: [VideoItem("a.mp4")],
                music: [
                    AudioItem(
                        "song.m4a", at: .seconds(1),
                        keyframes: [
                            .init(.seconds(1), volume: 1), .init(.seconds(3), volume: 0.2),
                        ])
                ]))
        let input = film.audioMix.input(forTrack: film.composition.tracks(of: .audio)[1].id)
        let gains = [1000, 2000, 3000, 4000, 6500].map { input.gain(at: .milliseconds($0)) }
        #expect(zip(gains, [1, 1, 0.6, 0.2, 0.2]).allSatisfy { ($0 - $1).magnitude < 1e-9 })
    }

    @Test func musicIsLoweredUnderTheVoiceOver() throws {
        let film = try film(
            Timeline(
                videos: [VideoItem("a.mp4")], voiceOvers: [AudioItem("talk.wav", at: .seconds(2))],
                music: [AudioItem("song.m4a", loops: true)], ducking: MusicDucking(depth: 18)))
        let tracks = film.composition.tracks(of: .audio).map(\.id)
        #expect(film.audioMix.ducking.map(\.trackIDs) == [[tracks[2]]])
        #expect(film.audioMix.ducking.map(\.speechTrackIDs) == [[tracks[1]]])
        #expect(film.audioMix.ducking.first?.depth == 18)
    }

    @Test func voicesShareATrackWhereTheyDoNotMeet() throws {
        let film = try film(
            Timeline(
                videos: [VideoItem("a.mp4")],
                voiceOvers: [
                    AudioItem("talk.wav"), AudioItem("talk.wav", at: .seconds(2)),
                    AudioItem("talk.wav", at: .seconds(5)),
                ]))
        let voices = film.composition.tracks(of: .audio).dropFirst()
        #expect(voices.map(\.duration) == [.seconds(9), .seconds(6)])
    }

    @Test func aVoiceThatContinuesKeepsTheFilmRunning() throws {
        let film = try film(
            Timeline(
                videos: [VideoItem("c.gif")], voiceOvers: [AudioItem("talk.wav")],
                chapters: [Chapter("one", at: .zero)]))
        #expect(film.composition.duration == .seconds(4))
        #expect(film.videoComposition?.instructions.last?.layers.isEmpty == true)
        #expect(film.chapters == [Chapter("one", at: .zero)])
        #expect(
            film.warnings == [
                "clip 1 (c.gif): the background is shown for 1 s after it, because a voice-over lasts "
                    + "longer than the clips"
            ])
    }

    @Test func musicThatContinuesFadesOutOverAllOfAShortFilm() throws {
        let film = try film(
            Timeline(
                videos: [VideoItem("c.gif", end: .seconds(1))],
                music: [AudioItem("song.m4a", fadeOut: .seconds(2), loops: true)]))
        let ramps = film.audioMix.inputs.flatMap(\.volumeRamps)
        #expect(ramps.map(\.timeRange.duration) == [.seconds(1)])
        #expect(film.composition.duration == .seconds(1))
        #expect(film.notes.contains { $0.contains("fades out over 1 s") })
    }

    @Test("a title that lasts longer than the film is reported, a frame less is not")
    func titlesThatAreCutOff() throws {
        let clip = VideoItem("a.mp4", end: .seconds(3))
        func warnings(_ length: MediaTime) throws -> [String] {
            try film(
                Timeline(
                    videos: [clip], titles: [TitleItem("Hi", at: .seconds(1), duration: length)])
            ).warnings
        }
        #expect(
            try warnings(.seconds(4)) == [
                "title 1 (\"Hi\"): its last 2 s are cut off, where the film ends"
            ])
        #expect(try warnings(.milliseconds(2010)).isEmpty && warnings(.seconds(2)).isEmpty)
    }

    @Test func whatIsConformedIsSaidAndWhy() throws {
        let odd = SampleAsset.clip(
            "phone.mov", seconds: 5, width: 1440, height: 1080, rate: FrameRate(24),
            sampleRate: 44_100, channels: 1
        ) {
            $0.pixelAspect = PixelAspect(4, 3)
            $0.orientation = VideoOrientation(rotation: .clockwise90)
            $0.color = .jpeg
        }
        let timeline = Timeline(videos: [VideoItem("a.mp4"), VideoItem("phone.mov", fit: .cover)])
        let film = try TimelineBuilder(timeline, assets: assets + [odd]).film()
        #expect(
            film.notes == [
                "clip 2 (phone.mov): rotated by 90° clockwise, because the file says that its frames "
                    + "lie so",
                "clip 2 (phone.mov): its pixels are 4:3, so it is stretched to square ones",
                "clip 2 (phone.mov): 1080x1920 is fitted into the film's 160x96 (cover)",
                "clip 2 (phone.mov): 24 frames a second are shown at the film's 30",
                "clip 2 (phone.mov): BT.601 colours are converted to the film's BT.709",
                "clip 2 (phone.mov): full range is brought to limited range, as films have it",
                "clip 2 (phone.mov): audio at 44100 Hz is resampled to the film's 48000 Hz",
                "clip 2 (phone.mov): mono audio is heard on both channels",
            ])
    }

    @Test func settingsComeBeforeTheFirstClip() throws {
        var timeline = Timeline(videos: [VideoItem("a.mp4")])
        timeline.settings = TimelineSettings(
            renderSize: PixelSize(width: 1280, height: 720), frameRate: FrameRate(25),
            color: .bt601,
            pixelFormat: .yuv420p10le, background: .white, fit: .blurred)
        let video = try #require(try film(timeline).videoComposition)
        #expect(video.renderSize == PixelSize(width: 1280, height: 720))
        #expect(video.frameDuration == MediaTime(value: 1, timescale: 25))
        #expect(video.color == .bt601)
        #expect(video.pixelFormat == .yuv420p10le)
        #expect(video.instructions[0].background == .white)
        #expect(video.instructions[0].layers[0].fill == .blurred(radius: 32))
    }
}
