import Compose
import Foundation
import Media
import TestSupport
import Testing

@testable import Play

@Suite("A layer tree with a player's time")
struct SynchronizedLayerTests {
    private let folder: TemporaryFolder
    private let size = PixelSize(64, 36)

    init() throws { folder = try TemporaryFolder() }

    private func player() async throws -> Player {
        let clip = try await PlayedClip(frames: 90, hasAudio: false).write(
            to: folder.file("clip.mov"))
        return try Player(try PlayerItem(clip), settings: PlayerSettings(speaker: .none))
    }

    /// A square in the second second.
    private func square(_ color: Color) -> Layer {
        var square = Layer(
            contents: .solid(color), frame: Rectangle(x: 8, y: 4, width: 16, height: 16))
        square.timeRange = MediaTimeRange(start: .seconds(1), duration: .seconds(1))
        return Layer(covering: size, sublayers: [square])
    }

    /// Blue, green, red and opacity.
    private func pixel(_ x: Int, _ y: Int, of picture: PixelBuffer?) -> [UInt8]? {
        picture.map { picture in
            picture.withPlane(0) { plane in (0..<4).map { plane.row(y)[x * 4 + $0] } }
        }
    }

    @Test("at an instant it looks as its tree says, transparent elsewhere, and is nothing without")
    func instants() async throws {
        let player = try await player()
        let layer = try SynchronizedLayer(square(.white), player: player, size: size)
        #expect(try layer.picture(at: .milliseconds(500)) == nil)
        let picture = try layer.picture(at: .milliseconds(1500))
        #expect(picture?.width == 64 && picture?.height == 36 && picture?.format == .bgra)
        #expect(pixel(12, 8, of: picture) == [255, 255, 255, 255])
        #expect(pixel(40, 8, of: picture)?.last == 0)
        #expect(try layer.picture(at: .seconds(2)) == nil)
        await player.stop()
    }

    @Test("a tree that cannot be drawn is refused, and the one that there was stays")
    func refused() async throws {
        let player = try await player()
        let layer = try SynchronizedLayer(square(.white), player: player, size: size)
        let missing = Layer(
            contents: .image(ImageContents(path: folder.file("missing.png"))),
            frame: Rectangle(x: 0, y: 0, width: 8, height: 8))
        #expect(throws: MediaError.self) { try layer.setLayer(missing) }
        #expect(throws: MediaError.self) {
            try SynchronizedLayer(missing, player: player, size: size)
        }
        #expect(pixel(12, 8, of: try layer.picture(at: .seconds(1))) == [255, 255, 255, 255])
        await player.stop()
    }

    @Test(
        "pictures come when they change: while it plays, at jumps and steps, and with another tree",
        .tags(.realTime))
    func pictures() async throws {
        let player = try await player()
        let layer = try SynchronizedLayer(square(.white), player: player, size: size)
        var pictures = layer.pictures().makeAsyncIterator()
        let first = try #require(await pictures.next())
        #expect(first.time == .zero && first.pixels == nil)
        player.play()
        let second = try #require(await pictures.next())
        #expect(second.pixels != nil)
        #expect((1.0..<1.2).contains(second.time.approximateSeconds), "\(second.time)")
        let third = try #require(await pictures.next())
        #expect(third.pixels == nil)
        #expect((2.0..<2.2).contains(third.time.approximateSeconds), "\(third.time)")
        player.pause()
        #expect(await player.seek(to: .milliseconds(1500)))
        let jumped = try #require(await pictures.next())
        #expect(pixel(12, 8, of: jumped.pixels) == [255, 255, 255, 255])
        // another tree, though nothing moves
        try layer.setLayer(square(.black))
        let black = try #require(await pictures.next())
        #expect(pixel(12, 8, of: black.pixels) == [0, 0, 0, 255])
        // before the square by a step from its first frame
        #expect(await player.seek(to: .seconds(1)))
        #expect(await player.step(byFrames: -1))
        let stepped = try #require(await pictures.next())
        #expect(stepped.pixels == nil && stepped.time < .seconds(1), "\(stepped.time)")
        await player.stop()
        #expect(await pictures.next() == nil)
    }
}
