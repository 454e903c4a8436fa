import Foundation
import Media
import TestSupport
import Testing
import Writing

@testable import Compose

@Suite("Which exports are the same")
struct PlanDigestTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ bytes: [UInt8], at time: TimeInterval) throws -> String {
        let path = folder.file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: path)
        return path
    }

    /// Of a film without clips: images are all its files.
    private func digest(_ layer: Layer, track: Layer? = nil) throws -> String {
        var composition = Composition()
        let id = composition.addTrack(.video)
        try composition.insertEmpty(.seconds(0, 1), into: id)
        let size = PixelSize(width: 64, height: 36)
        let frames = VideoComposition(
            renderSize: size, frameDuration: FrameRate(25).frameDuration,
            instructions: [Instruction(timeRange: .seconds(0, 1), background: .black, layers: [])],
            animation: layer, layerTracks: track.map { [LayerTrack(id: 9, layer: $0)] } ?? [])
        let film = Film(composition: composition, videoComposition: frames)
        return try ExportPlanner(film: film, settings: ExportSettings()).plan(SourceShelf()).digest
    }

    private func layer(_ path: String) -> Layer {
        let size = PixelSize(width: 64, height: 36)
        let image = Layer(
            name: "mark", contents: .image(ImageContents(path: path)),
            frame: Rectangle(x: 0, y: 0, width: 8, height: 8))
        return Layer(
            name: "all", covering: size,
            sublayers: [Layer(name: "in", covering: size, sublayers: [image])])
    }

    @Test("two presets of one's own that differ in quality alone make different plans")
    func presets() throws {
        var composition = Composition()
        let id = composition.addTrack(.video)
        try composition.insertEmpty(.seconds(0, 1), into: id)
        let frames = VideoComposition(
            renderSize: PixelSize(width: 64, height: 36),
            frameDuration: FrameRate(25).frameDuration,
            instructions: [Instruction(timeRange: .seconds(0, 1), background: .black, layers: [])])
        let film = Film(composition: composition, videoComposition: frames)
        let plans = try [20.0, 30].map { quality in
            let video = VideoOutputSettings(codec: .hevc, rate: .quality(quality))
            let preset = ExportPreset(
                name: "small", largestSize: PixelSize(width: 32, height: 18), video: video)
            return try ExportPlanner(film: film, settings: ExportSettings(preset: preset))
                .plan(SourceShelf())
        }
        #expect(plans[0].digest != plans[1].digest)
        #expect(plans.map(\.size) == Array(repeating: PixelSize(width: 32, height: 18), count: 2))
    }

    @Test("an image that was changed makes another plan, by its size or by its time")
    func images() throws {
        let path = try write("mark.png", [1, 2, 3], at: 1000)
        let other = try write("other.png", [1, 2, 3], at: 1000)
        let first = try digest(layer(path), track: layer(other))
        #expect(try digest(layer(path), track: layer(other)) == first)
        _ = try write("other.png", [1, 2, 3], at: 1001)
        let second = try digest(layer(path), track: layer(other))
        #expect(second != first)
        _ = try write("mark.png", [1, 2, 3, 4], at: 1000)
        let third = try digest(layer(path), track: layer(other))
        #expect(third != second && third != first)
        try FileManager.default.removeItem(atPath: path)
        #expect(try digest(layer(path), track: layer(other)) != third)
    }
}
