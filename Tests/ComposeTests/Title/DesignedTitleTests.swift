import Media
import Testing

@testable import Compose

/// Styles with grounds of their own, in themes.
@Suite("Designed titles")
struct DesignedTitleTests {
    static let styles: [TitleStyle] = [
        .opener, .lowerThirdLine, .lowerThirdBlock, .lowerThirdCard, .chapter, .place, .quote,
        .countdown, .credits, .end, .frame, .typewriter, .karaoke,
    ]
    static let sizes = [
        PixelSize(width: 480, height: 270), PixelSize(width: 300, height: 300),
        PixelSize(width: 270, height: 480),
    ]
    private let range = MediaTimeRange(start: .seconds(10), duration: .seconds(6))

    private func layer(
        _ style: TitleStyle, _ text: String, _ size: PixelSize, _ theme: TitleTheme,
        look: TitleLook = TitleLook()
    ) -> Layer {
        style.layer(
            text: text, timeRange: range, renderSize: size, look: look, theme: theme)
    }

    /// The same with the letters of at most one of its texts: boxes stay.
    private func hiding(_ layer: Layer, but index: Int? = nil) -> Layer {
        var count = 0
        return hiding(layer, but: index, &count)
    }

    private func hiding(_ layer: Layer, but index: Int?, _ count: inout Int) -> Layer {
        var layer = layer
        if case .text(var text) = layer.contents {
            if count != index {
                text.progress = .init(0)
                layer.contents = .text(text)
                layer.animations.removeAll { $0.property == .textProgress }
            }
            count += 1
        }
        for number in layer.sublayers.indices {
            layer.sublayers[number] = hiding(layer.sublayers[number], but: index, &count)
        }
        return layer
    }

    /// The colours of its texts.
    private func inks(_ layer: Layer) -> [Color] {
        var own: [Color] = []
        if case .text(let text) = layer.contents { own.append(text.color) }
        return own + layer.sublayers.flatMap(inks)
    }

    /// Over a picture of one grey (0…255).
    private func pixel(_ picture: TitlePicture, _ x: Int, _ y: Int, over gray: Int) -> Color {
        let under = Double((255 - picture.alpha(x, y)) * gray) / 255
        let value = picture.color(x, y).map { min(1, (Double($0) + under) / 255) }
        return Color(red: value[0], green: value[1], blue: value[2])
    }

    @Test(
        "letters have a contrast of 4.5:1 over any picture", arguments: styles,
        TitleTheme.named.map(\.theme))
    func contrast(_ style: TitleStyle, _ theme: TitleTheme) throws {
        for size in Self.sizes {
            let whole = layer(style, "Anna Sommer\nHead of research", size, theme)
            let empty = try TitlePicture(hiding(whole), size, at: .milliseconds(13_100))
            var letters = 0
            for (index, ink) in inks(whole).enumerated() {
                let drawn = try TitlePicture(
                    hiding(whole, but: index), size, at: .milliseconds(13_100))
                var worst = 21.0
                for gray in [0, 128, 255] {
                    for y in 0..<size.height {
                        for x in 0..<size.width where drawn.color(x, y) != empty.color(x, y) {
                            let letter = pixel(drawn, x, y, over: gray)
                            // where a letter covers all of a pixel
                            guard ink.isNear(letter) else { continue }
                            letters += 1
                            worst = min(worst, letter.contrast(to: pixel(empty, x, y, over: gray)))
                        }
                    }
                }
                #expect(worst >= 4.45, "\(size) \(index)")
            }
            #expect(letters > 100)
        }
    }

    @Test(
        "letters stay 5 % away from the frame's edges and within their places",
        arguments: styles.filter { $0 != .credits }, sizes)
    func places(_ style: TitleStyle, _ size: PixelSize) throws {
        for text in [
            "Anna", "A title of so many words that it needs more than one line\nand more of them",
            "سلام دنیا\nتهران",
        ] {
            let whole = layer(style, text, size, .studio)
            let renderer = try LayerRenderer(whole, renderSize: size)
            let drawn = TitlePicture(
                try renderer.tiles(at: .milliseconds(15_000)), size)
            let empty = try TitlePicture(hiding(whole), size, at: .milliseconds(15_000))
            var inked = 0
            for y in 0..<size.height {
                for x in 0..<size.width where drawn.color(x, y) != empty.color(x, y) {
                    inked += 1
                    #expect(Double(x) >= Double(size.width) * 0.05 - 1)
                    #expect(Double(x) <= Double(size.width) * 0.95 + 1)
                    #expect(Double(y) >= Double(size.height) * 0.05 - 1)
                    if style != .frame { #expect(Double(y) <= Double(size.height) * 0.95 + 1) }
                }
            }
            #expect(inked > 30, "\(text)")
            #expect(renderer.warnings.isEmpty, "\(renderer.warnings)")
        }
    }

    @Test("a title comes and goes: hardly anything shows at its ends", arguments: styles)
    func ends(_ style: TitleStyle) throws {
        let size = Self.sizes[0]
        let renderer = try LayerRenderer(
            layer(style, "Anna\nResearch", size, .signal), renderSize: size)
        func ink(_ ticks: Int64) throws -> Double {
            let time = MediaTime(value: ticks, timescale: 1000)
            return TitlePicture(try renderer.tiles(at: time), size).ink
        }
        let rest = try ink(13_000)
        #expect(rest > 300)
        #expect(try ink(10_000) < rest / 50)
        #expect(try ink(15_999) < rest / 20)
    }

    @Test("a short title has its whole way in and out", arguments: styles)
    func short(_ style: TitleStyle) throws {
        let size = Self.sizes[0]
        for length in [1, 40, 1000] as [Int64] {
            let layer = style.layer(
                text: "Anna\nResearch",
                timeRange: MediaTimeRange(start: .zero, duration: .milliseconds(length)),
                renderSize: size, theme: .paper)
            let renderer = try LayerRenderer(layer, renderSize: size)
            for step in 0..<5 {
                _ = try renderer.tiles(
                    at: MediaTime(value: length * Int64(step), timescale: 5000))
            }
        }
    }

    @Test("letters in a colour that its ground hides get another ground")
    func unreadable() throws {
        let gray = Color(red: 0.5, green: 0.5, blue: 0.5)
        let themes = [
            TitleTheme(color: .white, ground: .white), TitleTheme(color: .black, ground: .black),
            TitleTheme(color: gray, accent: gray, ground: gray),
            TitleTheme(
                color: .black, accent: .white, ground: Color(red: 1, green: 1, blue: 1, alpha: 0.1)),
        ]
        for theme in themes {
            let palette = TitlePalette(theme)
            #expect(palette.ink == theme.color)
            for behind in [Color.black, .white] {
                let ground = palette.ground.opaque.mixed(
                    with: behind, 1 - palette.ground.alpha)
                #expect(palette.ink.contrast(to: ground) >= 4.5)
                #expect(palette.accentInk.contrast(to: ground) >= 4.5)
                let block = palette.block.opaque.mixed(with: behind, 1 - palette.block.alpha)
                #expect(palette.blockInk.contrast(to: block) >= 4.5)
            }
        }
        // what can be read stays as it is wanted
        #expect(TitlePalette(.studio).ground == TitleTheme.studio.ground)
        #expect(TitlePalette(.paper).accentInk == TitleTheme.paper.accent)
    }

    @Test("a title's own font and colours go before the theme's")
    func look() {
        let look = TitleLook(family: "Mono", accent: .white)
        let theme = look.over(.paper)
        #expect(theme.family == "Mono" && theme.headingFamily == nil)
        #expect(theme.accent == .white && theme.color == TitleTheme.paper.color)
    }

    @Test("a countdown says the seconds that are left, the last one ends with it")
    func countdown() throws {
        let size = Self.sizes[0]
        let range = MediaTimeRange(start: .seconds(2), duration: .milliseconds(3500))
        let layer = TitleStyle.countdown.layer(text: "", timeRange: range, renderSize: size)
        func numbers(_ milliseconds: Int64, _ layer: Layer) -> [String] {
            guard layer.isShown(at: .milliseconds(milliseconds)) else { return [] }
            var result: [String] = []
            if case .text(let text) = layer.contents { result.append(text.text) }
            return result + layer.sublayers.flatMap { numbers(milliseconds, $0) }
        }
        for (time, number) in [
            (2000, "4"), (2499, "4"), (2500, "3"), (3499, "3"), (3500, "2"), (4500, "1"),
            (5499, "1"),
        ] as [(Int64, String)] {
            #expect(numbers(time, layer) == [number])
        }
    }

    @Test("credits roll at one speed from below the frame to above it")
    func credits() throws {
        #expect(
            TitleStage.paragraphs("A film\n\nCamera\nAnna\nBen\n \n\nSound\nCarl")
                == [["A film"], ["Camera", "Anna", "Ben"], ["Sound", "Carl"]])
        let size = Self.sizes[0]
        let whole = layer(.credits, "A film\n\nCamera\nAnna\nBen", size, .studio)
        let roll = try #require(whole.sublayers.first { $0.name == "title roll" })
        func top(_ seconds: Int64) -> Double {
            roll.presentation(at: .seconds(seconds)).position.y - roll.bounds.height / 2
        }
        #expect(top(10) == Double(size.height))
        #expect(abs(top(16) + roll.bounds.height) < 0.001)
        let steps = (10..<16).map { top($0) - top($0 + 1) }
        #expect(steps.allSatisfy { abs($0 - steps[0]) < 0.001 })
    }

    @Test("what stands aside lies beside what stands in the middle")
    func aside() {
        #expect(TitleStyle.allCases.filter(\.isAside).count == 7)
        #expect(!TitleStyle.opener.isAside && TitleStyle.place.isAside)
    }
}

extension Color {
    fileprivate func isNear(_ other: Color) -> Bool {
        abs(red - other.red) < 0.012 && abs(green - other.green) < 0.012
            && abs(blue - other.blue) < 0.012
    }
}
