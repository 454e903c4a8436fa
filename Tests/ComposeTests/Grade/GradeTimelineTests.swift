import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Grades of clips")
struct GradeTimelineTests {
    private let assets = [SampleAsset.clip("a.mp4", seconds: 10, width: 1280, height: 720)]

    private func read(_ text: String) throws -> Timeline {
        try ProjectFile.timeline(Array(text.utf8), name: "f", resolve: { path, _ in path })
    }

    @Test("grades are read and written without a loss")
    func roundTrip() throws {
        let text = """
            { videos: [
              { file: "a.mp4", grade: { exposure: 0.5, contrast: 1.25, saturation: 0.9, temperature: -12.5,
                tint: 3, lift: -0.01, gamma: { red: 1, green: 1.1, blue: 0.9 }, gain: 2,
                curve: "0/0 0.25/0.125 1/1", blueCurve: "0/0.1 1/0.9", inputLut: "log.cube", lut: "look.cube",
                lutStrength: 0.5 },
                keyframes: [ { time: 1, curve: "ease-in", grade: { exposure: -1, inputLut: "log.cube" } } ] } ] }
            """
        let timeline = try read(text)
        let grade = timeline.videos[0].grade
        #expect(grade.exposure == 0.5 && grade.temperature == -12.5 && grade.tint == 3)
        #expect(grade.lift == ChannelValues(-0.01) && grade.gain == ChannelValues(2))
        #expect(grade.gamma == ChannelValues(red: 1, green: 1.1, blue: 0.9))
        #expect(grade.curve == ToneCurve([.init(0, 0), .init(0.25, 0.125), .init(1, 1)]))
        #expect(grade.table == "look.cube" && grade.tableStrength == 0.5)
        #expect(timeline.videos[0].keyframes[0].grade?.exposure == -1)
        #expect(try read(try ProjectFile.text(of: timeline, in: "/")) == timeline)
        #expect(Set(timeline.tablePaths) == ["log.cube", "look.cube"])
        // a clip without one is written as before
        #expect(
            try !ProjectFile.text(of: Timeline(videos: [VideoItem("a.mp4")]), in: "/").contains(
                "grade")
        )
    }

    @Test(
        "a mistake is named",
        arguments: [
            ("{ exposure: 9 }", "\"exposure\" must be a number from -8 to 8, not 9"),
            ("{ exposur: 1 }", "did you mean \"exposure\"?"),
            ("{ curve: \"0/0\" }", "\"curve\" must be a curve such as"),
            ("{ curve: \"1/0 0/1\" }", "\"curve\" must be a curve such as"),
            ("{ curve: \"0/0 1/2\" }", "\"curve\" must be a curve such as"),
            ("{ lift: \"x\" }", "\"lift\" must be a number from -1 to 1, not \"x\""),
            ("{ gain: { red: 1 } }", "needs \"green\""),
        ])
    func mistakes(grade: String, words: String) {
        #expect {
            try read("{ videos: [ { file: \"a.mp4\", grade: \(grade) } ] }")
        } throws: { error in
            let message = (error as? MediaError)?.message ?? ""
            return message.contains(words)
        }
    }

    @Test("OpenTimelineIO keeps grades in its metadata, a clip's own and those of its key frames")
    func timeline() throws {
        var item = VideoItem("a.mp4")
        item.end = .seconds(3)
        item.grade.gain = ChannelValues(red: 1, green: 0.9, blue: 0.8)
        item.grade.inputTable = "/log.cube"
        item.grade.curve = ToneCurve([.init(0, 0), .init(0.5, 0.6), .init(1, 1)])
        var key = ClipKeyframe(.seconds(1))
        key.grade = item.grade
        key.grade?.exposure = 1
        item.keyframes = [key]
        let (text, lost) = try OpenTimelineFile.text(
            of: Timeline(videos: [item]), assets: assets, in: "/nowhere")
        #expect(lost.contains { $0.hasPrefix("the grade of clip 1 (a.mp4): kept in metadata") })
        let read = try OpenTimelineFile.timeline(Array(text.utf8), name: "t.otio") { path, _ in
            path
        }.timeline
        #expect(read.videos.first?.grade == item.grade)
        #expect(read.videos.first?.keyframes == item.keyframes)
        // each key of a clip is one of OpenTimelineIO's own things, or kept in metadata
        let own = [
            "file", "generator", "name", "start", "end", "duration", "speed", "reverse", "freeze",
            "gap", "at", "fps", "first", "last", "step", "gaps",
        ]
        let keys = ProjectTables.video.shape.keys.map(\.name)
        #expect(Set(keys) == Set(own + OTIOWriter.clipKeys))
    }

    @Test("an effect of one's own cannot be written into a project")
    func effects() {
        struct Inverted: ColorEffect {
            func mapping(in space: GradeSpace) -> @Sendable (SIMD3<Double>) -> SIMD3<Double> {
                { 1 - $0 }
            }
        }
        var item = VideoItem("a.mp4")
        var key = ClipKeyframe(.seconds(1))
        key.grade = ColorGrade()
        key.grade?.effects = [Inverted()]
        item.keyframes = [key]
        #expect {
            try ProjectFile.text(of: Timeline(videos: [item]), in: "/")
        } throws: {
            ($0 as? MediaError)?.message
                == "clip 1 (a.mp4) has an effect of a program's own, which a project cannot hold; "
                + "take it out, or export the film."
        }
    }

    @Test("a table cannot become another one, but come and go")
    func tables() throws {
        func key(_ look: String, _ strength: Double) -> String {
            "{ time: 1, grade: { lut: \"\(look)\", lutStrength: \(strength) } }"
        }
        func project(_ own: String, _ key: String) -> String {
            "{ videos: [ { file: \"a.mp4\", grade: { \(own) }, keyframes: [ \(key) ] } ] }"
        }
        #expect(throws: Never.self) { try read(project("", key("a.cube", 1))) }
        #expect(throws: Never.self) { try read(project("lut: \"a.cube\"", key("a.cube", 0))) }
        #expect {
            try read(project("lut: \"a.cube\"", key("b.cube", 1)))
        } throws: {
            ($0 as? MediaError)?.message.contains("change its lookup table") ?? false
        }
    }

    @Test(
        "key frames lead from one grade to the next along their curves, and jump where two are at one time"
    )
    func keyframes() throws {
        var item = VideoItem("a.mp4")
        item.grade.exposure = 1
        var first = ClipKeyframe(MediaTime(value: 2, timescale: 1), curve: .easeIn)
        first.grade = ColorGrade()
        first.grade?.exposure = -1
        var jump = ClipKeyframe(MediaTime(value: 2, timescale: 1))
        jump.grade = ColorGrade()
        jump.grade?.saturation = 0
        var last = ClipKeyframe(MediaTime(value: 4, timescale: 1))
        last.grade = ColorGrade()
        item.keyframes = [first, jump, last]
        let film = try TimelineBuilder(Timeline(videos: [item]), assets: assets).film()
        let layer = try #require(film.videoComposition?.instructions.first?.layers.first)
        func grade(_ thousandths: Int64) -> ColorGrade {
            layer.grade(at: MediaTime(value: thousandths, timescale: 1000)) ?? ColorGrade()
        }
        #expect(grade(0).exposure == 1)
        let share = TimingCurve.easeIn.value(at: 0.5)
        #expect((grade(1000).exposure - (1 - 2 * share)).magnitude < 1e-9)
        #expect(grade(2000).exposure == 0 && grade(2000).saturation == 0)
        #expect((grade(3000).saturation - 0.5).magnitude < 1e-9)
        #expect(grade(4000).isEmpty && grade(9000).isEmpty)
        #expect(layer.isTweening && !layer.isMoving)
        #expect(layer.isGradeChanging(at: MediaTime(value: 1, timescale: 1)))
        #expect(!layer.isGradeChanging(at: MediaTime(value: 5, timescale: 1)))
    }

    @Test("what a curve leads beyond stays what it can be")
    func limits() {
        var (one, two) = (ColorGrade(), ColorGrade())
        (two.contrast, two.exposure, two.table) = (0, 8, "a.cube")
        two.gamma = ChannelValues(0.1)
        let beyond = one.mixed(two, 3)
        #expect(beyond.contrast == 0 && beyond.exposure == 8 && beyond.tableStrength == 1)
        #expect(beyond.gamma == ChannelValues(0.1))
        #expect(one.mixed(two, -2).tableStrength == 0)
        one.table = "a.cube"
        one.tableStrength = 0.5
        #expect(one.mixed(two, 0.5).tableStrength == 0.75)
        one.curve = ToneCurve([.init(0, 0.2), .init(1, 1)])
        #expect(one.mixed(two, 0.5).curve == ToneCurve([.init(0, 0.1), .init(1, 1)]))
    }

    @Test("a curve goes through its points and never turns back")
    func monotone() {
        let curve = ToneCurve([
            .init(0, 0), .init(0.1, 0.5), .init(0.2, 0.52), .init(0.7, 0.52), .init(1, 1),
        ])
        let function = curve.function
        for point in curve.points {
            #expect((function(point.input) - point.output).magnitude < 1e-12)
        }
        var last = -1.0
        for step in 0...1000 {
            let value = function(Double(step) / 1000)
            #expect(value >= last - 1e-12 && value <= 1)
            last = value
        }
        #expect(function(-1) == 0 && function(2) == 1 && function(0.45) == 0.52)
    }
}
