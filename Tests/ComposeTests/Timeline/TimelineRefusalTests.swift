import Media
import Testing

@testable import Compose

@Suite struct TimelineRefusalTests {
    private let assets = [
        SampleAsset.clip("a.mp4", seconds: 10), SampleAsset.clip("b.mp4", seconds: 2),
        SampleAsset.onlyAudio("song.m4a", seconds: 6),
        SampleAsset.clip("mute.mp4", seconds: 2, sound: false), SampleAsset.asset("odd.bin", []),
    ]

    private func refusal(_ timeline: Timeline) -> String {
        do { _ = try TimelineBuilder(timeline, assets: assets).film() } catch {
            return error.message
        }
        return "nothing was refused"
    }

    @Test func everyRefusalNamesItsItem() {
        let a = VideoItem("a.mp4")
        let table: [(Timeline, String)] = [
            (Timeline(), "the timeline is empty; give it a clip, a title or audio"),
            (
                Timeline(videos: [a, VideoItem("x/gone.mp4")]),
                "clip 2 (gone.mp4) needs x/gone.mp4, which has not been loaded; give it to the builder"
            ),
            (
                Timeline(videos: [VideoItem("a.mp4", start: .seconds(12))]),
                "clip 1 (a.mp4) starts at 12 s, but its source lasts 10 s"
            ),
            (
                Timeline(videos: [VideoItem("a.mp4", name: "Beach", end: .seconds(12))]),
                "clip 1 (Beach) ends at 12 s, but its source lasts 10 s"
            ),
            (
                Timeline(videos: [VideoItem("a.mp4", start: .seconds(3), end: .seconds(3))]),
                "clip 1 (a.mp4) starts at 3 s and ends at 3 s of its source; the end must come after "
                    + "the start"
            ),
            (
                Timeline(videos: [VideoItem("a.mp4", start: .seconds(-1))]),
                "the start of clip 1 (a.mp4) is -1 s; it can be 0 s to 24 h"
            ),
            (
                Timeline(videos: [VideoItem("a.mp4", speed: Speed(200))]),
                "the speed of clip 1 (a.mp4) is 200.0; it can be 0.01 to 100"
            ),
            (
                Timeline(videos: [VideoItem("a.mp4", volume: .infinity)]),
                "the volume of clip 1 (a.mp4) is inf; it can be 0 to 16"
            ),
            (
                Timeline(videos: [VideoItem("a.mp4", transition: .dissolve(.seconds(1)))]),
                "the transition to clip 1 (a.mp4) has no clip before it; take it out or put a clip "
                    + "first"
            ),
            (
                Timeline(videos: [
                    a, VideoItem("b.mp4", transition: .dissolve(.milliseconds(1500))),
                    VideoItem("a.mp4", transition: .push(.up, .seconds(1))),
                ]),
                "the transitions of clip 2 (b.mp4) last 2.5 s together, but the clip lasts 2 s; shorten "
                    + "them"
            ),
            (
                Timeline(videos: [a, VideoItem("b.mp4", transition: .dissolve(.seconds(11)))]),
                "the transitions of clip 1 (a.mp4) last 11 s together, but the clip lasts 10 s; "
                    + "shorten them"
            ),
            (
                Timeline(videos: [
                    a, VideoItem("b.mp4", transition: .wipe(.up, softness: 2, .seconds(1))),
                ]),
                "the softness of the transition to clip 2 (b.mp4) is 2.0; it can be 0 to 1"
            ),
            (
                Timeline(videos: [a], titles: [TitleItem("Late", at: .seconds(10))]),
                "title 1 (\"Late\") begins at 10 s, but the film ends at 10 s"
            ),
            (
                Timeline(videos: [a], titles: [TitleItem("")]),
                "title 1 (\"\") is empty; give it a text or an image"
            ),
            (
                Timeline(videos: [a], music: [AudioItem("song.m4a", at: .seconds(11))]),
                "music 1 (song.m4a) begins at 11 s, but the film ends at 10 s"
            ),
            (
                Timeline(music: [AudioItem("song.m4a", loops: true)]),
                "music 1 (song.m4a) loops, but nothing else says where the film ends; add a clip or a "
                    + "title, or let it play once"
            ),
            (
                Timeline(videos: [a], voiceOvers: [AudioItem("mute.mp4")]),
                "voice-over 1 (mute.mp4) has no audio that vcap can read"
            ),
            (
                Timeline(
                    videos: [a],
                    music: [AudioItem("song.m4a", fadeIn: .seconds(4), fadeOut: .seconds(4))]),
                "the fades of music 1 (song.m4a) last 8 s together, but it plays for 6 s; shorten them"
            ),
            (
                Timeline(
                    videos: [a],
                    music: [
                        AudioItem(
                            "song.m4a",
                            keyframes: [
                                .init(.seconds(2), volume: 1), .init(.seconds(1), volume: 0),
                            ])
                    ]),
                "the key frames of music 1 (song.m4a) are not in order of time at 1 s"
            ),
            (
                Timeline(videos: [VideoItem("odd.bin")]),
                "clip 1 (odd.bin) has neither video nor audio that vcap can read"
            ),
            (
                Timeline(
                    videos: [a],
                    music: [AudioItem("song.m4a", end: .nanoseconds(100_000), loops: true)]),
                "music 1 (song.m4a) would be repeated 100000 times; at most 10000 are possible"
            ),
        ]
        for (timeline, sentence) in table {
            #expect(refusal(timeline) == sentence)
        }
    }

    @Test func timesOfAnyTimescaleDoNotTrap() throws {
        let item = VideoItem(
            "a.mp4", start: .nanoseconds(1_000_000_007),
            end: MediaTime(value: 400_001, timescale: 90_001))
        let film = try TimelineBuilder(
            Timeline(
                videos: [
                    item,
                    VideoItem(
                        "b.mp4", transition: .dissolve(MediaTime(value: 1, timescale: 1_000_003))),
                ],
                titles: [
                    TitleItem(
                        "t", at: .nanoseconds(1), duration: MediaTime(value: 7, timescale: 11_987))
                ]),
            assets: assets
        ).film()
        #expect((film.composition.duration.approximateSeconds - 5.444394).magnitude < 1e-4)
    }
}

@Suite("Chapters of a timeline")
struct TimelineChapterTests {
    @Test("a chapter at or after the film's end is refused with both times")
    func late() throws {
        var timeline = Timeline(videos: [VideoItem("a.mp4")])
        timeline.chapters = [Chapter("Last", at: .milliseconds(9999))]
        let assets = [SampleAsset.clip("a.mp4", seconds: 10)]
        #expect(try TimelineBuilder(timeline, assets: assets).film().chapters.count == 1)
        timeline.chapters.append(Chapter("Late", at: .seconds(10)))
        let error = #expect(throws: MediaError.self) {
            try TimelineBuilder(timeline, assets: assets).film()
        }
        #expect(
            error?.message == "chapter 2 (\"Late\") begins at 10 s, but the film ends at 10 s")
    }
}
