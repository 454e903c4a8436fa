import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

@Suite("Audio that gives way earlier or later than frames")
struct AudioCutTests {
    private let assets = [
        SampleAsset.clip("a.mp4", seconds: 10), SampleAsset.clip("b.mp4", seconds: 10),
        SampleAsset.clip("mute.mp4", seconds: 10, sound: false),
    ]

    /// What a track plays from where to where, and of which part of its source (milliseconds).
    private struct Heard: Equatable {
        let path: String
        let film: Range<Int64>
        let source: Range<Int64>
    }

    private func film(_ timeline: Timeline) throws -> Film {
        try TimelineBuilder(timeline, assets: assets).film()
    }

    private func clip(
        _ path: String, _ start: Int64, _ end: Int64, _ cut: AudioCut? = nil,
        _ edit: (inout VideoItem) -> Void = { _ in }
    ) -> VideoItem {
        var item = VideoItem(path, start: .seconds(start), end: .seconds(end))
        item.audioCut = cut
        edit(&item)
        return item
    }

    private func parts(_ film: Film, _ type: MediaType = .audio) -> [[Heard]] {
        func milliseconds(_ range: MediaTimeRange) -> Range<Int64> {
            range.start.ticks(
                per: 1000, rounding: .nearest)..<range.end.ticks(per: 1000, rounding: .nearest)
        }
        return film.composition.tracks(of: type).map { track in
            track.segments.compactMap { segment in
                segment.source.map {
                    Heard(
                        path: $0.path, film: milliseconds(segment.timeRange),
                        source: milliseconds(segment.mapping.source))
                }
            }
        }
    }

    private func half(_ cut: AudioCut?, _ edit: (inout VideoItem) -> Void = { _ in }) throws -> Film
    {
        try film(Timeline(videos: [clip("a.mp4", 1, 4), clip("b.mp4", 2, 5, cut, edit)]))
    }

    @Test(
        "a J cut lets the next clip be heard before it is seen, exactly, and the frames are as without it"
    )
    func j() throws {
        let film = try half(.j(.milliseconds(500)))
        #expect(
            parts(film) == [
                [
                    Heard(path: "a.mp4", film: 0..<2500, source: 1000..<3500),
                    Heard(path: "b.mp4", film: 2500..<6000, source: 1500..<5000),
                ]
            ])
        #expect(parts(film, .video) == parts(try half(nil), .video))
        #expect(film.composition.duration == .seconds(6))
    }

    @Test("an L cut lets the clip before be heard when it is no longer seen")
    func l() throws {
        #expect(
            parts(try half(.l(.milliseconds(750)))) == [
                [
                    Heard(path: "a.mp4", film: 0..<3750, source: 1000..<4750),
                    Heard(path: "b.mp4", film: 3750..<6000, source: 2750..<5000),
                ]
            ])
    }

    @Test("an L cut over a silent clip plays on")
    func silent() throws {
        let film = try film(
            Timeline(videos: [
                clip("a.mp4", 1, 4), clip("mute.mp4", 0, 3, .l(.seconds(2))), clip("b.mp4", 0, 2),
            ]))
        #expect(
            parts(film) == [
                [
                    Heard(path: "a.mp4", film: 0..<5000, source: 1000..<6000),
                    Heard(path: "b.mp4", film: 6000..<8000, source: 0..<2000),
                ]
            ])
    }

    @Test("a crossfade of the audio alone overlaps both at equal power where frames are cut")
    func crossfade() throws {
        let film = try half(AudioCut(crossfade: .milliseconds(400)))
        #expect(
            parts(film) == [
                [Heard(path: "a.mp4", film: 0..<3400, source: 1000..<4400)],
                [Heard(path: "b.mp4", film: 3000..<6000, source: 2000..<5000)],
            ])
        let inputs = film.audioMix.inputs
        let gains = [2900, 3200, 3500].map { time in
            inputs.map { $0.gain(at: .milliseconds(Int64(time))) }
        }
        #expect(gains[0][0] == 1 && gains[2][1] == 1)
        #expect(gains[1].allSatisfy { ($0 - 0.5.squareRoot()).magnitude < 1e-9 })
        #expect(gains[2][0] == 0)
        #expect(film.videoComposition?.instructions.allSatisfy { $0.layers.count == 1 } == true)
    }

    @Test("one recording that was cut in two crosses over without a change of level")
    func oneRecording() throws {
        let cut = AudioCut(crossfade: .milliseconds(400))
        func gains(_ first: VideoItem, _ second: VideoItem) throws -> [Double] {
            let film = try film(Timeline(videos: [first, second]))
            return [3000, 3100, 3200, 3300, 3400].map { time in
                film.audioMix.inputs.map { $0.gain(at: .milliseconds(time)) }.reduce(0, +)
            }
        }
        let faded = try gains(
            clip("a.mp4", 1, 4), clip("a.mp4", 4, 7, cut) { $0.fadeIn = .milliseconds(1) })
        for sums in [try gains(clip("a.mp4", 1, 4), clip("a.mp4", 4, 7, cut)), faded] {
            #expect(sums.allSatisfy { ($0 - 1).magnitude < 1e-6 }, "\(sums)")
        }
        // what has nothing to do with one another keeps its power
        for other in [
            clip("b.mp4", 4, 7, cut), clip("a.mp4", 5, 8, cut),
            clip("a.mp4", 4, 7, cut) { $0.isReversed = true },
        ] {
            let sums = try gains(clip("a.mp4", 1, 4), other)
            #expect((sums[2] - 2 * 0.5.squareRoot()).magnitude < 1e-6, "\(sums)")
        }
    }

    @Test("with a dissolve the audio crosses over as long as it, earlier or later")
    func dissolve() throws {
        let film = try half(.j(.milliseconds(500))) {
            $0.transition = .dissolve(.seconds(1))
        }
        // frames overlap from 2 to 3 s
        #expect(
            parts(film) == [
                [Heard(path: "a.mp4", film: 0..<2500, source: 1000..<3500)],
                [Heard(path: "b.mp4", film: 1500..<5000, source: 1500..<5000)],
            ])
        let hard = try half(.l(.milliseconds(500), crossfade: .zero)) {
            $0.transition = .dissolve(.seconds(1))
        }
        #expect(
            parts(hard) == [
                [
                    Heard(path: "a.mp4", film: 0..<2500, source: 1000..<3500),
                    Heard(path: "b.mp4", film: 2500..<5000, source: 2500..<5000),
                ]
            ])
    }

    @Test("at another speed, and backwards, it is the source's time that plays before and after")
    func speeds() throws {
        let fast = try half(.j(.milliseconds(500))) { $0.speed = Speed(2) }
        #expect(
            parts(fast)[0].last == Heard(path: "b.mp4", film: 2500..<4500, source: 1000..<5000))
        // backwards what comes before it is what lies behind its end
        let back = try half(.j(.milliseconds(500))) { $0.isReversed = true }
        #expect(
            parts(back)[0].last == Heard(path: "b.mp4", film: 2500..<6000, source: 2000..<5500))
        let slow = try film(
            Timeline(videos: [
                clip("a.mp4", 1, 4) { $0.speed = Speed(1, per: 2) },
                clip("b.mp4", 2, 5, .l(.seconds(1))),
            ]))
        #expect(
            parts(slow)[0] == [
                Heard(path: "a.mp4", film: 0..<7000, source: 1000..<4500),
                Heard(path: "b.mp4", film: 7000..<9000, source: 3000..<5000),
            ])
    }

    @Test("before a gap an early clip is heard in it, and only an L cut carries audio over it")
    func gaps() throws {
        let early = try half(.j(.seconds(1))) { $0.gap = .seconds(2) }
        #expect(
            parts(early) == [
                [
                    Heard(path: "a.mp4", film: 0..<3000, source: 1000..<4000),
                    Heard(path: "b.mp4", film: 4000..<8000, source: 1000..<5000),
                ]
            ])
        let late = try half(.l(.milliseconds(500))) { $0.gap = .seconds(2) }
        #expect(
            parts(late) == [
                [
                    Heard(path: "a.mp4", film: 0..<5500, source: 1000..<6500),
                    Heard(path: "b.mp4", film: 5500..<8000, source: 2500..<5000),
                ]
            ])
    }

    @Test("volumes follow their clip's time, fades the audio's own")
    func volumes() throws {
        let film = try half(.j(.seconds(1))) {
            var key = ClipKeyframe(.seconds(1))
            key.volume = 0
            ($0.keyframes, $0.fadeOut) = ([key], .seconds(1))
        }
        let input = film.audioMix.inputs[0]
        // heard from 2 s on, seen from 3 s on, silent from 4 s on
        let gains = [2500, 3000, 3500, 4500].map { input.gain(at: .milliseconds(Int64($0))) }
        #expect(zip(gains, [1, 1, 0.5, 0]).allSatisfy { ($0 - $1).magnitude < 1e-6 })
    }

    @Test(
        "what cannot be heard is refused in one sentence",
        arguments: [
            (AudioCut.j(.milliseconds(2500)), "0.5 s too little audio before its part"),
            (.l(.seconds(3)), "leave nothing of the audio of clip 2 (b.mp4)"),
            (.j(.milliseconds(3500)), "before the film begins"),
            (
                .l(.milliseconds(2990), crossfade: .milliseconds(100)),
                "which is shorter than its crossfades"
            ),
        ])
    func refusals(_ cut: AudioCut, _ words: String) throws {
        let error = #expect(throws: MediaError.self) { try half(cut) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("beside a silent clip nothing is lost: audio neither waits for it nor gives way to it")
    func besideSilence() throws {
        let clips = { (cut: AudioCut) -> [VideoItem] in
            [clip("a.mp4", 1, 4), clip("mute.mp4", 0, 1, cut), clip("b.mp4", 2, 5, cut)]
        }
        let late = try film(Timeline(videos: clips(.l(.milliseconds(500)))))
        #expect(
            parts(late)[0] == [
                Heard(path: "a.mp4", film: 0..<3500, source: 1000..<4500),
                Heard(path: "b.mp4", film: 4000..<7000, source: 2000..<5000),
            ])
        let early = try film(Timeline(videos: clips(.j(.milliseconds(500)))))
        #expect(
            parts(early)[0] == [
                Heard(path: "a.mp4", film: 0..<3000, source: 1000..<4000),
                Heard(path: "b.mp4", film: 3500..<7000, source: 1500..<5000),
            ])
        // all of the silent clip, and no more
        let whole = try film(
            Timeline(videos: [
                clip("a.mp4", 1, 4), clip("mute.mp4", 0, 1, .l(.seconds(1))), clip("b.mp4", 2, 5),
            ]))
        #expect(
            parts(whole)[0] == [
                Heard(path: "a.mp4", film: 0..<4000, source: 1000..<5000),
                Heard(path: "b.mp4", film: 4000..<7000, source: 2000..<5000),
            ])
        let error = #expect(throws: MediaError.self) {
            try film(
                Timeline(videos: [
                    clip("a.mp4", 1, 4), clip("mute.mp4", 0, 1, .l(.milliseconds(1500))),
                    clip("b.mp4", 2, 5),
                ]))
        }
        #expect(error?.message.contains("would still be heard when clip 3") == true)
    }

    @Test("a fade and a crossfade at one end are both heard")
    func fadeAndCrossfade() throws {
        let film = try half(AudioCut(crossfade: .milliseconds(500))) { $0.fadeIn = .seconds(2) }
        let input = film.audioMix.inputs[1]
        let gains = [3250, 4000, 5500].map { input.gain(at: .milliseconds(Int64($0))) }
        let expected = [0.125 * 0.5.squareRoot(), 0.5, 1]
        #expect(zip(gains, expected).allSatisfy { ($0 - $1).magnitude < 2e-3 }, "\(gains)")
    }

    @Test("audio that begins late in its file is not there before it")
    func lateAudio() throws {
        var late = SampleAsset.clip("late.mp4", seconds: 10)
        late.tracks[1].start = .seconds(2)
        let timeline = Timeline(videos: [
            clip("a.mp4", 1, 4), clip("late.mp4", 3, 6, .j(.milliseconds(1500))),
        ])
        let error = #expect(throws: MediaError.self) {
            try TimelineBuilder(timeline, assets: assets + [late]).film()
        }
        #expect(
            error?.message.contains("too little audio before") == true, "\(error?.message ?? "")")
    }

    @Test("the clip before is refused too, where it has nothing behind its part")
    func nothingBehind() throws {
        let error = #expect(throws: MediaError.self) {
            try film(
                Timeline(videos: [
                    clip("a.mp4", 7, 10), clip("b.mp4", 0, 3, .l(.milliseconds(1500))),
                ]))
        }
        #expect(
            error?.message.contains(
                "clip 1 (a.mp4) is to be heard after it shows, but its source has 1.5 s too little audio after "
                    + "its part") == true, "\(error?.message ?? "")")
    }

    @Test("a clip whose speed changes has no audio cut")
    func ramped() throws {
        let error = #expect(throws: MediaError.self) {
            try half(.j(.milliseconds(500))) {
                var key = ClipKeyframe(.seconds(1))
                key.speed = Speed(2)
                $0.keyframes = [key]
            }
        }
        #expect(error?.message.contains("its speed changes") == true)
    }

    @Test("a project says it in a word or with keys, and writes it again")
    func project() throws {
        let cases: [(String, AudioCut)] = [
            ("\"j:500ms\"", .j(.milliseconds(500))), ("\"l:1.5s\"", .l(.milliseconds(1500))),
            ("\"crossfade:0.2s\"", AudioCut(crossfade: .milliseconds(200))),
            ("{ l: 1, crossfade: 0.5 }", .l(.seconds(1), crossfade: .milliseconds(500))),
            ("{ j: \"250ms\" }", .j(.milliseconds(250))),
        ]
        for (text, cut) in cases {
            let project =
                "{ videos: [{ file: \"a.mp4\" }, { file: \"b.mp4\", audioCut: \(text) }] }"
            let timeline = try ProjectFile.timeline(
                Array(project.utf8), name: "f", resolve: { path, _ in path })
            #expect(timeline.videos[1].audioCut == cut)
            let again = try ProjectFile.timeline(
                Array(ProjectFile.text(of: timeline, in: "/").utf8), name: "f",
                resolve: { path, _ in path })
            #expect(again.videos[1].audioCut == cut)
        }
        for text in ["\"x:1s\"", "\"j\"", "{ j: 1, l: 1 }", "{ k: 1 }", "1"] {
            let project = "{ videos: [{ file: \"a.mp4\", audioCut: \(text) }] }"
            #expect(throws: MediaError.self, "\(text)") {
                try ProjectFile.timeline(
                    Array(project.utf8), name: "f", resolve: { path, _ in path })
            }
        }
    }
}

@Suite("Key frames of audio")
struct AudioKeyframeTests {
    private let assets = [
        SampleAsset.clip("a.mp4", seconds: 10), SampleAsset.onlyAudio("song.m4a", seconds: 6),
    ]

    private func film(_ timeline: Timeline) throws -> Film {
        try TimelineBuilder(timeline, assets: assets).film()
    }

    @Test("a voice's key frames multiply the clip's, with curves")
    func voices() throws {
        var item = VideoItem("a.mp4", volume: 0.5)
        var voice = ClipVoice(track: 2, volume: 0.8)
        voice.keyframes = [
            AudioKeyframe(.seconds(2), volume: 0.8),
            AudioKeyframe(.seconds(4), curve: .easeInOut, volume: 0),
            AudioKeyframe(.seconds(6), volume: 1, pan: -1),
        ]
        item.voices = [voice]
        var key = ClipKeyframe(.seconds(8))
        key.volume = 1
        item.keyframes = [key]
        let input = try film(Timeline(videos: [item])).audioMix.inputs[0]
        func gain(_ time: Double) -> Double { input.gain(at: .milliseconds(Int64(time * 1000))) }
        // the clip's goes from 0.5 to 1 in 8 s
        #expect((gain(1) - 0.8 * 0.5625).magnitude < 1e-3)
        #expect((gain(3) - 0.4 * 0.6875).magnitude < 1e-3)
        #expect(
            (gain(2.5) - 0.8 * (1 - TimingCurve.easeInOut.value(at: 0.25)) * 0.65625).magnitude
                < 1e-3)
        #expect((gain(7) - 0.9375).magnitude < 1e-3)
        #expect(input.pan == 0)
        #expect((input.pan(at: .seconds(3)) + 0.5).magnitude < 1e-3)
    }

    @Test("music has key frames of volume and pan, and reads those of an older project")
    func music() throws {
        var song = AudioItem("song.m4a", at: .seconds(1), volume: 0.5, pan: 0.25)
        song.keyframes = [
            AudioKeyframe(.seconds(2), volume: 1), AudioKeyframe(.seconds(4), pan: -0.75),
        ]
        let film = try film(Timeline(videos: [VideoItem("a.mp4")], music: [song]))
        let input = film.audioMix.inputs[1]
        #expect((input.gain(at: .seconds(2)) - 0.75).magnitude < 1e-6)
        #expect((input.gain(at: .seconds(5)) - 1).magnitude < 1e-6)
        #expect((input.pan(at: .seconds(3)) + 0.25).magnitude < 1e-3)
        let project = """
            { videos: [{ file: "a.mp4" }], music: [{ file: "song.m4a", volume: 0.5,
              automation: [{ time: 1, volume: 0.5 }, { time: 2, volume: 1 }] }] }
            """
        let read = try ProjectFile.timeline(
            Array(project.utf8), name: "f", resolve: { path, _ in path })
        #expect(read.music[0].volume == 0.25)
        #expect(
            read.music[0].keyframes == [
                AudioKeyframe(.seconds(1), volume: 0.25), AudioKeyframe(.seconds(2), volume: 0.5),
            ])
        let text = try ProjectFile.text(of: read, in: "/")
        #expect(!text.contains("automation"))
    }

    @Test("key frames out of order, of nothing or out of range are refused")
    func refusals() {
        for keys in [
            [AudioKeyframe(.seconds(2), volume: 1), AudioKeyframe(.seconds(1), volume: 1)],
            [AudioKeyframe(.seconds(2))], [AudioKeyframe(.seconds(2), volume: 17)],
            [AudioKeyframe(.seconds(2), pan: 2)],
        ] {
            var song = AudioItem("song.m4a")
            song.keyframes = keys
            #expect(throws: MediaError.self) { try film(Timeline(music: [song])) }
        }
    }
}
