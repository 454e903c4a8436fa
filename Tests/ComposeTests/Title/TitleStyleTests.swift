import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Ready titles")
struct TitleStyleTests {
    private let size = PixelSize(width: 320, height: 180)
    private let range = MediaTimeRange(start: .seconds(10), duration: .seconds(4))

    private func renderer(
        _ style: TitleStyle, _ text: String = "Summer", size: PixelSize? = nil
    ) throws -> LayerRenderer {
        let area = size ?? self.size
        return try LayerRenderer(
            style.layer(text: text, timeRange: range, renderSize: area), renderSize: area)
    }

    private func picture(_ renderer: LayerRenderer, _ milliseconds: Int64) throws -> TitlePicture {
        TitlePicture(try renderer.tiles(at: .milliseconds(milliseconds)), renderer.renderSize)
    }

    @Test("every style shows in its time and only then", arguments: TitleStyle.allCases)
    func inTime(_ style: TitleStyle) throws {
        let renderer = try renderer(style)
        #expect(try renderer.tiles(at: .milliseconds(9999)).isEmpty)
        #expect(try renderer.tiles(at: .seconds(14)).isEmpty)
        #expect(try picture(renderer, 12_000).ink > 300)
        #expect(renderer.warnings.isEmpty)
    }

    @Test(
        "a style without a ground keeps 5 % away from the edges at rest, shadows and long texts too",
        arguments: [TitleStyle.plain, .fade, .slide, .lowerThird, .classic],
        [
            PixelSize(width: 320, height: 180), PixelSize(width: 180, height: 320),
            PixelSize(width: 200, height: 200), PixelSize(width: 400, height: 100),
        ])
    func margins(_ style: TitleStyle, _ size: PixelSize) throws {
        for text in [
            "Summer", "A title of so many words that it needs more than one line\nand more",
        ] {
            let box = try #require(
                try picture(renderer(style, text, size: size), 12_000).inkBox)
            // to the pixel
            let (x, y) = (Double(size.width) * 0.05 - 1, Double(size.height) * 0.05 - 1)
            #expect(Double(box.left) >= x && Double(box.top) >= y)
            #expect(Double(box.right) <= Double(size.width) - x)
            #expect(Double(box.bottom) <= Double(size.height) - y)
        }
    }

    @Test(
        "a title grows with the frame",
        arguments: TitleStyle.allCases.filter { ![.chapter, .credits, .end, .frame].contains($0) })
    func scaling(_ style: TitleStyle) throws {
        let small = try #require(try picture(renderer(style), 12_000).inkBox)
        let double = PixelSize(width: 640, height: 360)
        let large = try #require(try picture(renderer(style, size: double), 12_000).inkBox)
        let ratio = Double(large.bottom - large.top) / Double(small.bottom - small.top)
        #expect(abs(ratio - 2) < 0.2)
    }

    @Test("fade is a straight line up and down, the same pixels all along")
    func fade() throws {
        let renderer = try renderer(.fade)
        var identities: Set<UInt64> = []
        for (time, expected) in [(10_000, 0.0), (10_300, 0.5), (10_600, 1), (13_700, 0.5)] {
            let tiles = try renderer.tiles(at: .milliseconds(Int64(time)))
            #expect(tiles.count == (expected == 0 ? 0 : 1))
            guard let tile = tiles.first else { continue }
            #expect(abs(tile.opacity - expected) < 1e-9)
            identities.insert(tile.identity)
        }
        #expect(identities.count == 1)
    }

    @Test("slide comes from the left and leaves to the right, mirrored for Hebrew")
    func slide() throws {
        for (text, sign) in [("Summer", 1), ("קיץ", -1)] {
            let renderer = try renderer(.slide, text)
            func left(_ time: Int64) throws -> Int {
                try #require(try renderer.tiles(at: .milliseconds(time)).first).x * sign
            }
            #expect(try left(10_100) < left(10_200))
            #expect(try left(10_200) < left(12_000))
            #expect(try left(12_000) < left(13_800))
        }
    }

    @Test("the lower third lies low, on boxes, at the side where its script begins")
    func lowerThird() throws {
        let drawn = try picture(renderer(.lowerThird, "Ada\nMathematician"), 12_000)
        let box = try #require(drawn.inkBox)
        #expect(box.top > 110 && box.left < 30 && box.right < 200)
        // the bar of the accent's colour, then the dark box
        let accent = drawn.color(box.left + 1, box.top + 10)
        #expect(accent[0] > 220 && accent[1] > 90 && accent[1] < 140 && accent[2] < 60)
        #expect(drawn.alpha(box.left + 6, box.top + 2) > 150)
        #expect(drawn.color(box.left + 6, box.top + 2).allSatisfy { $0 < 20 })
        let mirrored = try picture(renderer(.lowerThird, "עדה\nמתמטיקאית"), 12_000)
        let other = try #require(mirrored.inkBox)
        #expect(other.right > 290 && other.left > 120)
        #expect(mirrored.color(other.right - 1, other.top + 10)[0] > 220)
    }

    @Test("the classic one pops, and its image spins once about y and comes to rest")
    func classic() throws {
        let folder = try TemporaryFolder()
        let image = folder.file("logo.png")
        let tool = try #require(Program.tool("ffmpeg"))
        let made = try tool.run(
            [
                "-v", "error", "-f", "lavfi", "-i",
                "color=c=red:s=60x60,drawbox=x=30:w=30:h=60:c=blue:t=fill", "-frames:v", "1", image,
            ])
        try #require(made.status == 0)
        let layer = TitleStyle.classic.layer(
            text: "Summer", image: image, timeRange: range, renderSize: size)
        let renderer = try LayerRenderer(layer, renderSize: size)
        func logo(_ time: Int64) throws -> (width: Int, firstIsRed: Bool) {
            let picture = try picture(renderer, time)
            // the image's own colours in its middle row
            let y = 67
            let strong = (0..<size.width).filter {
                let color = picture.color($0, y)
                return max(color[0], color[2]) > 40 && color[1] < 20
            }
            let first = try #require(strong.first)
            let color = picture.color(first + 2, y)
            return (strong.count, color[0] > color[2])
        }
        let rest = try logo(12_500)
        #expect(abs(rest.width - 72) <= 2 && rest.firstIsRed)
        // grown beyond its size while it has hardly rotated
        #expect(try logo(10_300).width > 72)
        // a quarter and a half of the turn
        #expect(try logo(10_740).width < 40)
        #expect(try !logo(11_000).firstIsRed)
        #expect(try logo(11_900).firstIsRed)
    }

    @Test("titles can be read on white as on black: dark lies around the light letters")
    func legibility() throws {
        for style in [TitleStyle.plain, .fade, .slide, .classic] {
            let large = PixelSize(width: 640, height: 360)
            let drawn = try picture(renderer(style, "IIII", size: large), 12_000)
            let box = try #require(drawn.inkBox)
            let y = (box.top + box.bottom) / 2
            // on white: what the darkest pixel of the row beside letters leaves of it
            let darkest = (box.left...box.right).map {
                255 - drawn.alpha($0, y) + drawn.color($0, y)[1]
            }.min()
            #expect(try #require(darkest) < 160)
            #expect((box.left...box.right).contains { drawn.color($0, y)[1] > 250 })
        }
    }

    @Test("a watermark stays in its corner at its opacity", arguments: Watermark.Corner.allCases)
    func watermark(_ corner: Watermark.Corner) throws {
        let mark = Watermark(.text("vcap"), corner: corner, opacity: 0.4)
        let renderer = try LayerRenderer(mark.layer(renderSize: size), renderSize: size)
        let tile = try #require(try renderer.tiles(at: .seconds(3600)).first)
        #expect(tile.opacity == 0.4)
        var solid = tile
        solid.opacity = 1
        let box = try #require(TitlePicture([solid], size).inkBox)
        let isLeft = corner == .topLeft || corner == .bottomLeft
        let isTop = corner == .topLeft || corner == .topRight
        #expect(isLeft ? box.left < 24 && box.right < 100 : box.right > 296 && box.left > 220)
        #expect(isTop ? box.top < 16 && box.bottom < 50 : box.bottom > 160 && box.top > 130)
    }
}

@Suite("What can be read of titles")
struct TitleReadingTests {
    @Test(
        "the lower third's second line has a contrast of 4.5:1 on every accent",
        arguments: [
            TitleTheme.plain.accent, .yellowish, .black, .white,
            Color(red: 0.5, green: 0.5, blue: 0.5),
            Color(red: 0.1, green: 0.4, blue: 0.9),
        ])
    func contrast(_ accent: Color) throws {
        let layer = TitleStyle.lowerThird.layer(
            text: "Ada Lovelace\nMathematician",
            timeRange: MediaTimeRange(start: .zero, duration: .seconds(4)),
            renderSize: PixelSize(width: 1920, height: 1080), look: TitleLook(accent: accent))
        let detail = try #require(layer.sublayers.first { $0.name == "title detail" })
        guard case .text(let text) = detail.contents else {
            Issue.record("the detail is no text")
            return
        }
        #expect(text.color.contrast(to: accent) >= 4.5)
        // where the look's own colour can be read it stays
        if Color.white.contrast(to: accent) >= 4.5 { #expect(text.color == .white) }
    }

    @Test("black on white has the contrast 21, and a colour on itself 1")
    func scale() {
        #expect(abs(Color.black.contrast(to: .white) - 21) < 0.001)
        #expect(abs(Color.yellowish.contrast(to: .yellowish) - 1) < 0.001)
    }

    @Test(
        "font advice names the package that has the script",
        arguments: [
            ("漢", "fonts-noto-cjk"), ("한", "fonts-noto-cjk"), ("ね", "fonts-noto-cjk"),
            ("😀", "fonts-noto-color-emoji"), ("ग", "fonts-noto-core"), ("ع", "fonts-noto-core"),
            ("𒀀", "fonts-noto-extra"), ("漢😀", "fonts-noto-cjk and fonts-noto-color-emoji"),
        ])
    func fonts(_ text: String, _ package: String) {
        #expect(FontAdvice.packages(for: Array(text)) == package)
    }
}

extension Color {
    fileprivate static let yellowish = Color(red: 0.9, green: 0.8, blue: 0.2)
}
