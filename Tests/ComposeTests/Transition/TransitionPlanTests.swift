import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Plans of films with transitions by a picture")
struct TransitionPlanTests {
    private let folder: TemporaryFolder
    private let assets = [
        SampleAsset.clip("a.mp4", seconds: 4), SampleAsset.clip("b.mp4", seconds: 4),
    ]

    init() throws { folder = try TemporaryFolder() }

    private func film(_ transition: Transition) throws -> Film {
        try TimelineBuilder(
            Timeline(videos: [VideoItem("a.mp4"), VideoItem("b.mp4", transition: transition)]),
            assets: assets
        ).film()
    }

    private func digest(_ film: Film) throws -> String { try ExportSession(film).plan().digest }

    @Test("another state of the picture is another plan, and so are other values")
    func digests() throws {
        let path = folder.file("hills.png")
        try GreyPicture.hills(20, 20, bits: 8).write(to: path)
        let film = try film(.luma(path, .seconds(1)))
        let first = try digest(film)
        #expect(!first.isEmpty)
        #expect(try digest(film) == first)
        #expect(try digest(self.film(.luma(path, softness: 0.2, .seconds(1)))) != first)
        #expect(
            try digest(
                self.film(
                    Transition(.luma(LumaTransition(path)), duration: .seconds(1), curve: .easeIn)))
                != first)
        try GreyPicture.hills(21, 20, bits: 8).write(to: path)
        #expect(try digest(film) != first)
    }

    @Test("what a film reads has the picture, which no output may be")
    func inputs() throws {
        let path = folder.file("hills.png")
        let film = try film(.luma(path, .seconds(1)))
        #expect(film.inputPaths == ["a.mp4", "b.mp4", path])
    }

    @Test("a film with transitions is rendered where they are, whatever asks for a copy")
    func copies() throws {
        for transition in [Transition.iris(.opening, .seconds(1)), .zoom(.inward, .seconds(1))] {
            let film = try film(transition)
            let error = #expect(throws: MediaError.self) {
                try ExportSession(film, settings: ExportSettings(preset: .passthrough)).plan()
            }
            #expect(error?.message.contains("transition") ?? false, "\(error?.message ?? "")")
        }
    }
}
