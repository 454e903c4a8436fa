import Foundation
import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Tiles of a layer tree")
struct LayerRendererTests {
    private let size = PixelSize(width: 120, height: 80)

    private func solid(
        _ color: Color, _ x: Double, _ y: Double, _ width: Double, _ height: Double
    ) -> Layer {
        Layer(
            contents: .solid(color), frame: Rectangle(x: x, y: y, width: width, height: height))
    }

    private func root(_ layers: [Layer]) -> Layer { Layer(covering: size, sublayers: layers) }

    @Test("a still text is one tile, drawn once, of its own size and not the frame's")
    func still() throws {
        let contents = TextContents("Hi", font: TitleFont(family: "Noto Sans", size: 20))
        let layer = Layer(
            contents: .text(contents), frame: Rectangle(x: 0, y: 0, width: 120, height: 80))
        let renderer = try LayerRenderer(layer, renderSize: size)
        let first = try #require(try renderer.tiles(at: .zero).first)
        let second = try #require(try renderer.tiles(at: .seconds(5)).first)
        #expect(first.identity == second.identity)
        #expect(first.image.width < 40 && first.image.height < 40)
    }

    @Test("fading and whole pixels of position keep the tile; colour, size and fractions do not")
    func identity() throws {
        let second = AnimationTiming(duration: .seconds(10))
        func identities(_ animation: LayerAnimation, _ times: [Int64]) throws -> [UInt64] {
            var layer = solid(.white, 10, 10, 30, 20)
            layer.animations = [animation]
            let renderer = try LayerRenderer(layer, renderSize: size)
            return try times.map { time in
                try #require(try renderer.tiles(at: .milliseconds(time)).first).identity
            }
        }
        let fade = try identities(
            .basic(.opacity, from: 0, to: 1, timing: second), [1000, 5000, 9000, 12_000])
        #expect(Set(fade).count == 1)
        let slide = try identities(
            .basic(.positionX, from: 20, to: 70, timing: second), [1000, 1200, 5000, 9000])
        #expect(Set(slide).count == 1)
        // 5 pixels a second: a tenth of a second is half a pixel
        let halves = try identities(
            .basic(.positionX, from: 20, to: 70, timing: second), [1000, 1100, 1200, 1300])
        #expect(halves[0] == halves[2] && halves[1] == halves[3] && halves[0] != halves[1])
        let colored = try identities(
            .basic(.color, from: .white, to: .black, timing: second), [1000, 5000])
        #expect(colored[0] != colored[1])
        let grown = try identities(.basic(.scaleX, from: 1, to: 2, timing: second), [1000, 5000])
        #expect(grown[0] != grown[1])
    }

    @Test("a moved tile lies where its layer is, to the pixel and between them")
    func position() throws {
        var layer = solid(.white, 10, 10, 30, 20)
        layer.animations = [
            .basic(
                .positionX, from: 25, to: 125,
                timing: AnimationTiming(duration: .seconds(100)))
        ]
        let renderer = try LayerRenderer(layer, renderSize: size)
        for seconds in [0, 7, 40, 95] {
            let tiles = try renderer.tiles(at: .seconds(Int64(seconds)))
            let picture = TitlePicture(tiles, size)
            #expect(picture.alpha(min(119, 10 + seconds), 20) == 255)
            #expect(picture.alpha(max(0, 9 + seconds), 20) == 0)
        }
        let half = TitlePicture(try renderer.tiles(at: .milliseconds(500)), size)
        #expect(abs(half.alpha(10, 20) - 128) <= 1 && abs(half.alpha(40, 20) - 128) <= 1)
    }

    @Test("a layer out of the frame, or out of its time, gives no tile")
    func invisible() throws {
        let range = MediaTimeRange(start: .seconds(1), duration: .seconds(2))
        var timed = solid(.white, 0, 0, 10, 10)
        timed.timeRange = range
        var holder = root([timed, solid(.white, 500, 0, 10, 10), solid(.clear, 0, 0, 10, 10)])
        let renderer = try LayerRenderer(holder, renderSize: size)
        let counts = try [0, 999, 1000, 2999, 3000].map {
            try renderer.tiles(at: .milliseconds($0)).count
        }
        #expect(counts == [0, 0, 1, 1, 0])
        // the outer range counts for all within
        holder.timeRange = MediaTimeRange(start: .seconds(2), duration: .seconds(9))
        let outer = try LayerRenderer(holder, renderSize: size)
        let outerCounts = try [1500, 2000, 3000].map {
            try outer.tiles(at: .milliseconds($0)).count
        }
        #expect(outerCounts == [0, 1, 0])
        holder.opacity = 0
        #expect(try LayerRenderer(holder, renderSize: size).tiles(at: .seconds(2)).isEmpty)
    }

    @Test("higher layers lie over lower ones, equal ones in the order of the list")
    func order() throws {
        let red = Color(red: 1, green: 0, blue: 0)
        let green = Color(red: 0, green: 1, blue: 0)
        var layers = [solid(red, 0, 0, 60, 40), solid(green, 30, 0, 60, 40)]
        #expect(try TitlePicture(root(layers), size).color(45, 20) == [0, 255, 0])
        layers[0].zOrder = 1
        #expect(try TitlePicture(root(layers), size).color(45, 20) == [255, 0, 0])
        // a layer's own contents lie under its sublayers, even those of negative order
        var holder = solid(.white, 0, 0, 120, 80)
        layers[0].zOrder = -5
        holder.sublayers = [layers[0]]
        #expect(try TitlePicture(holder, size).color(45, 20) == [255, 0, 0])
    }

    @Test("layers that fade together do not shine through each other")
    func groupOpacity() throws {
        let red = Color(red: 1, green: 0, blue: 0)
        var group = root([solid(red, 0, 0, 60, 40), solid(.white, 30, 0, 60, 40)])
        group.opacity = 0.5
        let renderer = try LayerRenderer(group, renderSize: size)
        let tiles = try renderer.tiles(at: .zero)
        #expect(tiles.count == 1 && tiles[0].opacity == 0.5)
        let picture = TitlePicture(tiles, size)
        // where both lie: half of white, and nothing of the red under it
        #expect(picture.color(45, 20) == [128, 128, 128] && picture.alpha(45, 20) == 128)
        #expect(picture.color(10, 20) == [128, 0, 0])
        // each by itself, for comparison, lets the lower one through
        group.opacity = 1
        for index in group.sublayers.indices { group.sublayers[index].opacity = 0.5 }
        let apart = try TitlePicture(group, size)
        #expect(apart.alpha(45, 20) > 180 && apart.color(45, 20)[1] < apart.color(45, 20)[0])
    }

    @Test("a fading group keeps its tile while nothing in it changes")
    func groupIdentity() throws {
        var group = root([solid(.white, 0, 0, 60, 40), solid(.black, 30, 0, 60, 40)])
        group.animations = [
            .basic(.opacity, from: 0, to: 0.9, timing: AnimationTiming(duration: .seconds(1)))
        ]
        let renderer = try LayerRenderer(group, renderSize: size)
        let tiles = try [100, 500, 900].map { try renderer.tiles(at: .milliseconds($0))[0] }
        #expect(Set(tiles.map(\.identity)).count == 1)
        #expect(tiles.map(\.opacity).map { ($0 * 100).rounded() } == [9, 45, 81])
    }

    @Test("equal identities are equal pixels, across renderers and orders of asking")
    func equalPixels() throws {
        let range = MediaTimeRange(start: .zero, duration: .seconds(2))
        let layer = TitleStyle.slide.layer(text: "Hi", timeRange: range, renderSize: size)
        var known: [UInt64: UInt64] = [:]
        for _ in 0..<2 {
            let renderer = try LayerRenderer(layer, renderSize: size)
            for time in [0, 1900, 40, 200, 1000, 240, 40, 1860, 200] {
                for tile in try renderer.tiles(at: .milliseconds(Int64(time))) {
                    var whole = tile
                    (whole.x, whole.y, whole.opacity) = (0, 0, 1)
                    let area = PixelSize(width: tile.image.width, height: tile.image.height)
                    let digest = TitlePicture([whole], area).digest
                    #expect(known[tile.identity] ?? digest == digest)
                    known[tile.identity] = digest
                }
            }
        }
        #expect(known.count > 4)
    }

    @Test("an instant looks the same whatever was asked before")
    func anyOrder() throws {
        let range = MediaTimeRange(start: .zero, duration: .seconds(3))
        let layer = TitleStyle.classic.layer(text: "Hi", timeRange: range, renderSize: size)
        let times: [Int64] = [0, 120, 350, 700, 1500, 2500, 2900]
        let renderer = try LayerRenderer(layer, renderSize: size)
        let forwards = try times.map {
            TitlePicture(try renderer.tiles(at: .milliseconds($0)), size)
        }
        let backwards = try times.reversed().map {
            TitlePicture(try renderer.tiles(at: .milliseconds($0)), size)
        }
        #expect(forwards == backwards.reversed())
        for (time, picture) in zip(times, forwards) {
            #expect(try TitlePicture(layer, size, at: .milliseconds(time)) == picture)
        }
    }

    @Test("memory does not grow with the number of titles")
    func memory() throws {
        var titles: [Layer] = []
        for index in 0..<300 {
            let shade = Double(index) / 300
            var layer = solid(Color(red: shade, green: 0, blue: 0), 0, 0, 100, 60)
            layer.timeRange = MediaTimeRange(start: .seconds(Int64(index)), duration: .seconds(1))
            titles.append(layer)
        }
        let budget = 10 * 100 * 60 * 4
        let renderer = try LayerRenderer(
            root(titles), renderSize: size, options: .init(tileBytes: budget, imageBytes: 1))
        for second in 0..<300 {
            let tiles = try renderer.tiles(at: .seconds(Int64(second)))
            #expect(tiles.count == 1)
            #expect(renderer.tileBytesUsed <= budget + 100 * 60 * 4)
        }
        #expect(renderer.tileBytesUsed > budget / 2)
    }

    @Test("a layer far larger than the frame costs no more than the frame")
    func huge() throws {
        var layer = solid(.white, -50_000, -50_000, 100_000, 100_000)
        let tile = try #require(try LayerRenderer(layer, renderSize: size).tiles(at: .zero).first)
        #expect(tile.x == 0 && tile.y == 0 && tile.image.width == 120 && tile.image.height == 80)
        layer.rotation.z = 30
        let rotated = try TitlePicture(layer, size)
        #expect(rotated.ink == 9600)
        let small = solid(.white, 10, 10, 4, 4)
        var near = small
        near.scale = Point(x: 1e5, y: 1e5)
        #expect(try TitlePicture(near, size).ink == 9600)
        near.scale = Point(x: 0, y: 1)
        #expect(try TitlePicture(near, size).ink == 0)
    }
}
