import Compose
import Foundation
import Media
import Testing

/// The guide's examples as a user writes them: with what is public, and nothing else.
@Suite("The guide's page of titles")
struct TitleGuideTests {
    @Test("the page's code is the code of these tests, but for white space")
    func quoted() throws {
        let own = URL(fileURLWithPath: #filePath)
        let page = own.appendingPathComponent("../../../../docs/guide/titles.md").standardized
        func squeezed(_ text: String) -> String { text.filter { !$0.isWhitespace } }
        let code = squeezed(try String(contentsOf: own, encoding: .utf8))
        let blocks = try String(contentsOf: page, encoding: .utf8)
            .components(separatedBy: "```swift\n").dropFirst()
        #expect(blocks.count == 3)
        for block in blocks {
            let lines = block.components(separatedBy: "```")[0].split(separator: "\n")
            let example = lines.filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
            #expect(code.contains(squeezed(example)), "\(example)")
        }
    }

    @Test("ready titles and a watermark make one layer for a film")
    func ready() throws {
        let size = PixelSize(width: 1920, height: 1080)
        let opening = MediaTimeRange(start: .seconds(1), duration: .seconds(4))
        let title = TitleStyle.classic.layer(
            text: "Summer at the lake", image: "sun.png", timeRange: opening, renderSize: size)
        let name = TitleStyle.lowerThird.layer(
            text: "Ada Lovelace\nMathematician",
            timeRange: MediaTimeRange(start: .seconds(8), duration: .seconds(5)), renderSize: size,
            look: TitleLook(accent: Color(red: 0.1, green: 0.4, blue: 0.9)), theme: .paper)
        let mark = Watermark(.text("© 2026"), corner: .topRight, opacity: 0.5).layer(
            renderSize: size)
        let film = Layer(covering: size, sublayers: [title, name, mark])
        try film.validate()
        #expect(film.sublayers[0].presentation(at: .seconds(1)).opacity == 0)
        #expect(film.sublayers[0].presentation(at: .seconds(3)).opacity == 1)
        #expect(film.sublayers[2].presentation(at: .seconds(3)).opacity == 0.5)
        let backdrop = LayerTrack(
            id: 100, layer: Layer(covering: size, sublayers: [mark]))
        var video = VideoComposition(
            renderSize: size, frameDuration: MediaTime(value: 1, timescale: 30),
            layerTracks: [backdrop])
        video.instructions = [
            Instruction(
                timeRange: opening, background: .white,
                layers: [LayerInstruction(trackID: 1), LayerInstruction(trackID: backdrop.id)])
        ]
        #expect(video.layerTracks == [backdrop])
        #expect(video.instruction(at: .seconds(2))?.layers.last?.trackID == 100)
    }

    @Test("a layer tree as a track lies under a picture")
    func track() throws {
        let size = PixelSize(width: 1920, height: 1080)
        let opening = MediaTimeRange(start: .zero, duration: .seconds(4))
        let mark = Watermark(.text("© 2026"), corner: .topRight, opacity: 0.5).layer(
            renderSize: size)
        let backdrop = LayerTrack(
            id: 100, layer: Layer(covering: size, sublayers: [mark]))
        var video = VideoComposition(
            renderSize: size, frameDuration: MediaTime(value: 1, timescale: 30),
            layerTracks: [backdrop])
        video.instructions = [
            Instruction(
                timeRange: opening, background: .white,
                layers: [LayerInstruction(trackID: 1), LayerInstruction(trackID: backdrop.id)])
        ]
        var composition = Composition()
        let track = composition.addTrack(.video)
        try composition.insertEmpty(opening, into: track)
        try video.validate(for: composition)
    }

    @Test("a layer of one's own rotates in and then breathes")
    func own() throws {
        var badge = Layer(
            contents: .text(
                TextContents(
                    "New", font: TitleFont(family: "Sans", size: 90, weight: 800),
                    outline: .init(color: .black, width: 3), fit: .shrink(minimumSize: 20))),
            position: Point(x: 960, y: 300), bounds: Rectangle(x: 0, y: 0, width: 500, height: 160))
        badge.transform = .perspective(distance: 1200)
        badge.animations = [
            .basic(
                .rotationY, from: -90, to: 0,
                timing: AnimationTiming(
                    begin: .seconds(2), duration: .seconds(1), curve: .easeOut)),
            .keyframes(
                .scale, values: [Point(x: 1, y: 1), Point(x: 1.1, y: 1.1), Point(x: 1, y: 1)],
                timing: AnimationTiming(
                    begin: .seconds(3), duration: .seconds(2), repeats: .forever)),
        ]
        try badge.validate()
        #expect(badge.presentation(at: .seconds(2)).rotation.y == -90)
        #expect(badge.presentation(at: .seconds(9)).rotation.y == 0)
        #expect(badge.presentation(at: .seconds(3601)).scale == Point(x: 1, y: 1))
        #expect(badge.presentation(at: .seconds(3602)).scale == Point(x: 1.1, y: 1.1))
    }
}
