import Foundation
import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Animations in layers")
struct AnimatedImageTests {
    private let folder: TemporaryFolder
    private static let size = PixelSize(width: 64, height: 64)

    init() throws {
        folder = try TemporaryFolder()
        // 100, 200 and 300 ms of three levels of grey
        try Data(PlainGIF.bytes(delays: [10, 20, 30])).write(
            to: URL(fileURLWithPath: folder.file("a.gif")))
    }

    private func layer(_ change: (inout ImageContents) -> Void = { _ in }) -> Layer {
        var image = ImageContents(path: folder.file("a.gif"))
        change(&image)
        var layer = Layer(name: "film", covering: Self.size)
        var sticker = Layer(
            name: "sticker", contents: .image(image),
            frame: Rectangle(x: 16, y: 16, width: 32, height: 32))
        sticker.timeRange = MediaTimeRange(start: .seconds(1), duration: .seconds(5))
        layer.sublayers = [sticker]
        return layer
    }

    /// The level in the middle of the picture; nil: nothing is drawn.
    private func level(_ renderer: LayerRenderer, _ milliseconds: Int64) throws -> UInt8? {
        guard let tile = try renderer.tiles(at: .milliseconds(milliseconds)).first else {
            return nil
        }
        return tile.image.withPlane(0) { $0.row(tile.image.height / 2)[4 * (tile.image.width / 2)] }
    }

    @Test("each picture for as long as it says, again and again since the layer came")
    func plays() throws {
        let renderer = try LayerRenderer(layer(), renderSize: Self.size)
        #expect(try level(renderer, 900) == nil)
        for milliseconds in stride(from: Int64(0), to: 5000, by: 20) {
            let wanted = PlainGIF.levels[
                (milliseconds % 600 < 100 ? 0 : milliseconds % 600 < 300 ? 1 : 2) + 1]
            #expect(try level(renderer, 1000 + milliseconds) == wanted, "\(milliseconds)")
        }
        // and backwards, as a player goes
        #expect(try level(renderer, 1000) == PlainGIF.levels[1])
        let first = try renderer.tiles(at: .milliseconds(1350)).map(\.identity)
        #expect(try renderer.tiles(at: .milliseconds(1950)).map(\.identity) == first)
        #expect(try renderer.tiles(at: .milliseconds(1250)).map(\.identity) != first)
    }

    @Test("one that does not play shows its first picture")
    func still() throws {
        let renderer = try LayerRenderer(
            layer { $0.animates = false }, renderSize: Self.size)
        for milliseconds: Int64 in [1000, 1150, 1500, 3000] {
            #expect(try level(renderer, milliseconds) == PlainGIF.levels[1])
        }
    }

    @Test("a title's image and a watermark play")
    func titles() throws {
        let layers = [
            TitleStyle.plain.layer(
                text: "", image: folder.file("a.gif"),
                timeRange: MediaTimeRange(start: .seconds(1), duration: .seconds(5)),
                renderSize: PixelSize(width: 320, height: 180)),
            Watermark(.image(path: folder.file("a.gif"))).layer(
                renderSize: PixelSize(width: 320, height: 180)),
        ]
        for layer in layers {
            let renderer = try LayerRenderer(layer, renderSize: PixelSize(width: 320, height: 180))
            let tiles = try [2450, 2650, 2750].map {
                try renderer.tiles(at: .milliseconds($0)).map(\.identity)
            }
            #expect(tiles[0] != tiles[1] || tiles[1] != tiles[2])
            #expect(!tiles[0].isEmpty)
        }
    }
}
