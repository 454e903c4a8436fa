import Media
import TestSupport
import Testing

@testable import Compose

/// The new clip slides over the old one.
private struct Slide: TransitionEffect {
    var isLeftward = true
    var picture: String?

    var imagePaths: [String] { picture.map { [$0] } ?? [] }

    func validate(_ subject: String) throws(MediaError) {
        guard isLeftward else { throw .setting(subject, "\(subject) only goes left") }
    }

    func instruction(
        from old: Transition.Side, to new: Transition.Side, over span: TransitionSpan
    ) -> Instruction {
        let width = Double(span.frame.width)
        let front = new.moving(over: span) { .translation(x: width * (1 - $0), y: 0) }
        return span.instruction([front, old.layer])
    }
}

@Suite("Transitions of one's own")
struct CustomTransitionTests {
    private let assets = [
        SampleAsset.clip("a.mp4", seconds: 4), SampleAsset.clip("b.mp4", seconds: 4),
    ]

    private func timeline(_ effect: Slide, overlay: Bool = false) -> Timeline {
        Timeline(videos: [
            VideoItem("a.mp4"), VideoItem("b.mp4", transition: .custom(effect, .seconds(2))),
        ])
    }

    @Test("frames are those that its ramps make")
    func frames() throws {
        let stage = TransitionStage()
        let codes = try stage.codes(.custom(Slide(), .seconds(2)), at: 0.25)[0]
        let (old, new) = (
            RenderFrames.codes(stage.old.picture, 0), RenderFrames.codes(stage.new.picture, 0)
        )
        for y in 0..<96 {
            #expect(codes[y * 160..<y * 160 + 120] == old[y * 160..<y * 160 + 120])
            #expect(
                Array(codes[y * 160 + 120..<y * 160 + 160]) == Array(new[y * 160..<y * 160 + 40]))
        }
    }

    @Test("a film with one has a plan that can be resumed, another effect's is another")
    func plans() throws {
        func film(_ effect: Slide) throws -> Film {
            try TimelineBuilder(timeline(effect), assets: assets).film()
        }
        let one = try film(Slide())
        #expect(one.composition.duration == .seconds(6))
        #expect(one.videoComposition?.instructions.count == 3)
        #expect(
            try film(Slide()).videoComposition?.instructions == one.videoComposition?.instructions)
        let error = #expect(throws: MediaError.self) { try film(Slide(isLeftward: false)) }
        #expect(error?.message == "the transition to clip 2 (b.mp4) only goes left")
    }

    @Test("values are equal where their effects are")
    func equality() {
        let all: [Transition] = [
            .custom(Slide(), .seconds(1)), .custom(Slide(picture: "x"), .seconds(1)),
            .custom(ZoomTransition(), .seconds(1)), .zoom(.inward, .seconds(1)),
        ]
        #expect(Set(all).count == 4)
        #expect(Set(all + all).count == 4)
        #expect(all[1].imagePaths == ["x"])
    }

    @Test("it has no text, so a project is refused and OpenTimelineIO loses it, which is said")
    func writing() throws {
        #expect(Transition.custom(Slide(), .seconds(1)).projectText == nil)
        let error = #expect(throws: MediaError.self) {
            try ProjectFile.text(of: timeline(Slide()), in: "/nowhere")
        }
        #expect(error?.code == .unsupported)
        #expect(
            error?.message
                == "the transition to clip 2 (b.mp4) is an effect of a program's own, which a project "
                + "cannot hold; make it one of the kinds that projects know, or export the film.")
        let (text, lost) = try OpenTimelineFile.text(
            of: timeline(Slide()), assets: assets, in: "/nowhere")
        #expect(
            lost == [
                "the look of the transition to clip 2 (b.mp4): it is an effect of a program's own, and a "
                    + "dissolve when the file is read"
            ])
        let back = try OpenTimelineFile.timeline(Array(text.utf8), name: "f.otio") { path, _ in
            path
        }
        #expect(back.timeline.videos[1].transition == .dissolve(.seconds(2)))
    }

    @Test("its pictures must be there before a film is made")
    func pictures() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("gone.png")
        let error = #expect(throws: MediaError.self) {
            try timeline(Slide(picture: path)).checkTransitionImages()
        }
        #expect(error?.code == .noSuchFile)
        #expect(
            error?.message.hasPrefix("the picture of the transition to clip 2 (b.mp4): ") ?? false)
        try GreyPicture.hills(8, 8, bits: 8).write(to: path)
        try timeline(Slide(picture: path)).checkTransitionImages()
    }
}
