import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

@Suite("What is done to the audio of clips on timelines and in projects")
struct TreatmentTimelineTests {
    private let assets = [
        SampleAsset.clip("a.mp4"), SampleAsset.clip("b.mp4"),
        SampleAsset.clip("mute.mp4", sound: false),
        SampleAsset.still("s.png", width: 160, height: 96),
        SampleAsset.onlyAudio("talk.wav", seconds: 5),
    ]

    private func film(_ timeline: Timeline) throws -> Film {
        try TimelineBuilder(timeline, assets: assets).film()
    }

    private func read(_ text: String) throws -> Timeline {
        try ProjectFile.timeline(Array(text.utf8), name: "f", resolve: { path, _ in path })
    }

    private func clip(_ path: String, _ edit: (inout VideoItem) -> Void = { _ in }) -> VideoItem {
        var item = VideoItem(path)
        edit(&item)
        return item
    }

    @Test("clips share a track where they are treated alike, and their voices have their own")
    func tracks() throws {
        let gate = AudioTreatment(gate: NoiseGate(threshold: -50))
        let film = try film(
            Timeline(
                videos: [
                    clip("a.mp4"), clip("b.mp4") { $0.treatment = gate },
                    clip("a.mp4") { $0.pan = 0.5 },
                    clip("b.mp4") { $0.treatment = gate },
                    clip("a.mp4") {
                        $0.treatment = AudioTreatment(lowCut: 80, limiter: -3)
                        var voice = ClipVoice(track: 2, pan: -0.75)
                        voice.treatment.lowCut = 120
                        ($0.voices, $0.pan) = ([voice], -0.75)
                    },
                ],
                voiceOvers: [
                    {
                        var talk = AudioItem("talk.wav")
                        talk.treatment.limiter = -6
                        return talk
                    }(), AudioItem("talk.wav", at: .seconds(5)),
                ]))
        let inputs = film.audioMix.inputs
        #expect(
            inputs.map(\.treatment) == [
                AudioTreatment(), gate, AudioTreatment(),
                AudioTreatment(lowCut: 120, limiter: -3), AudioTreatment(limiter: -6),
                AudioTreatment(),
            ])
        #expect(inputs.map(\.pan) == [0, 0, 0.5, -1, 0, 0])
        let segments = film.composition.tracks(of: .audio).map { track in
            track.segments.count { !$0.isEmpty }
        }
        #expect(segments == [1, 2, 1, 1, 1, 1])
    }

    @Test("a treatment of a silent clip or picture is reported, but not where all have it")
    func silent() throws {
        let treatment = AudioTreatment(lowCut: 80, gate: NoiseGate())
        let words = "no audio of it is heard that its low cut and gate could change"
        for path in ["mute.mp4", "s.png"] {
            let one = clip(path) { $0.treatment = treatment }
            let warnings = try film(Timeline(videos: [clip("a.mp4"), one])).warnings
            #expect(warnings.contains { $0.contains(path) && $0.contains(words) })
            let all = try film(
                Timeline(videos: [clip("a.mp4") { $0.treatment = treatment }, one]))
            #expect(!all.warnings.contains { $0.contains("low cut") })
        }
    }

    @Test("another treatment is another plan")
    func digest() throws {
        func text(_ treatment: AudioTreatment) throws -> String {
            let film = try film(Timeline(videos: [clip("a.mp4") { $0.treatment = treatment }]))
            return String(reflecting: film.audioMix)
        }
        let texts = try [
            AudioTreatment(), .init(lowCut: 80), .init(lowCut: 81), .init(gate: NoiseGate()),
            .init(gate: NoiseGate(hold: .zero)), .init(limiter: -1),
        ].map(text)
        #expect(Set(texts).count == texts.count)
    }

    @Test(
        "values out of their range are named",
        arguments: [
            (
                "the low cut of clip 1 (a.mp4) is 5.0; it can be 20 to 1000",
                AudioTreatment(lowCut: 5)
            ),
            ("the limiter of clip 1 (a.mp4) is 1.0; it can be -40 to 0", .init(limiter: 1)),
            (
                "the threshold of the gate of clip 1 (a.mp4) is nan; it can be -90 to 0",
                .init(gate: NoiseGate(threshold: .nan))
            ),
            (
                "the range of the gate of clip 1 (a.mp4) is 0.0; it can be 1 to 90",
                .init(gate: NoiseGate(range: 0))
            ),
            (
                "the hold of the gate of clip 1 (a.mp4) is 6 s; it can be 0 s to 5 s",
                .init(gate: NoiseGate(hold: .seconds(6)))
            ),
        ])
    func refusals(words: String, treatment: AudioTreatment) {
        let timeline = Timeline(videos: [clip("a.mp4") { $0.treatment = treatment }])
        let error = #expect(throws: MediaError.self) { try timeline.validate() }
        #expect(error?.message == words)
        let mix = AudioMix(inputs: [AudioMixInput(trackID: 1, treatment: treatment)])
        #expect(throws: MediaError.self) { try mix.validate() }
        let ramp = PanRamp(
            timeRange: MediaTimeRange(start: .zero, duration: .seconds(1)), from: 0, to: 2)
        #expect(throws: MediaError.self) {
            try AudioMix(inputs: [AudioMixInput(trackID: 1, panRamps: [ramp])]).validate()
        }
    }

    @Test("projects say it with units or without, in short or in full, and keep it")
    func project() throws {
        let text = """
            { videos: [
                { file: "a.mp4", lowCut: "80Hz", gate: -50, limiter: -3, pan: -0.5, keyframes: [
                  { time: 1, pan: 0.5 } ], audio: [ { track: 2, lowCut: 62.5, gate: {} } ] },
                { file: "b.mp4", lowCut: "62.5 hz", gate: { threshold: -40, hold: "0.5s" } } ],
              voiceOvers: [ { file: "talk.wav", lowCut: 100, gate: { range: 20, release: 1 } } ],
              music: [ { file: "talk.wav", limiter: -12.5 } ] }
            """
        let timeline = try read(text)
        let first = timeline.videos[0]
        #expect(
            first.treatment
                == AudioTreatment(lowCut: 80, gate: NoiseGate(threshold: -50), limiter: -3))
        #expect(first.pan == -0.5 && first.keyframes[0].pan == 0.5)
        #expect(first.voices?[0].treatment == AudioTreatment(lowCut: 62.5, gate: NoiseGate()))
        #expect(
            timeline.videos[1].treatment
                == AudioTreatment(
                    lowCut: 62.5, gate: NoiseGate(threshold: -40, hold: .milliseconds(500))))
        #expect(
            timeline.voiceOvers[0].treatment
                == AudioTreatment(
                    lowCut: 100, gate: NoiseGate(range: 20, release: .seconds(1))))
        #expect(timeline.music[0].treatment == AudioTreatment(limiter: -12.5))
        #expect(try read(ProjectFile.text(of: timeline, in: "/")) == timeline)
        let (otio, lost) = try OpenTimelineFile.text(of: timeline, assets: assets, in: "/nowhere")
        let back = try OpenTimelineFile.timeline(Array(otio.utf8), name: "f.otio") { path, _ in path
        }
        #expect(
            back.timeline.videos.map { [$0.treatment] + ($0.voices ?? []).map(\.treatment) }
                == timeline.videos.map { [$0.treatment] + ($0.voices ?? []).map(\.treatment) })
        #expect(back.timeline.videos.map(\.pan) == [-0.5, 0])
        #expect(back.timeline.videos.map(\.keyframes) == timeline.videos.map(\.keyframes))
        let sounds = back.timeline.voiceOvers + back.timeline.music
        #expect(
            sounds.map(\.treatment) == (timeline.voiceOvers + timeline.music).map(\.treatment))
        #expect(lost.contains { $0.hasPrefix("the low cut, gate and limiter of clip 1 (a.mp4)") })
        #expect(lost.contains { $0.hasPrefix("the limiter of music 1 (talk.wav)") })
    }

    @Test(
        "a mistake is named with its line",
        arguments: [
            (
                "lowCut: 10",
                "\"lowCut\" must be a frequency such as 80 or \"80Hz\", from 20 to 1000 Hz"
            ),
            ("lowCut: \"80\"", "\"lowCut\" must be a frequency"),
            ("lowCut: \"1e3Hz\"", "\"lowCut\" must be a frequency"),
            ("lowCut: \"2kHz\"", "\"lowCut\" must be a frequency"),
            ("gate: 5", "\"gate\" must be a number from -90 to 0, not 5"),
            ("gate: { treshold: -40 }", "did you mean \"threshold\"?"),
            ("gate: { hold: 9 }", "the hold of the gate of clip 1 (a.mp4) is 9 s"),
            ("limiter: \"-3\"", "\"limiter\" must be a number from -40 to 0"),
            ("lowcut: 80", "did you mean \"lowCut\"?"),
        ])
    func mistakes(key: String, words: String) {
        let error = #expect(throws: MediaError.self) {
            try read("{ videos: [\n{ file: \"a.mp4\",\n\(key) } ] }")
        }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(error?.message.hasPrefix("f:") == true, "\(error?.message ?? "")")
    }
}
