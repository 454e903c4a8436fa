import Media
import Testing

@testable import Compose

@Suite("Text in its bounds")
struct TextLayoutTests {
    private let size = PixelSize(width: 400, height: 200)

    private func picture(
        _ contents: TextContents,
        _ frame: Rectangle = Rectangle(x: 0, y: 0, width: 400, height: 200)
    ) throws -> TitlePicture {
        try TitlePicture(Layer(contents: .text(contents), frame: frame), size)
    }

    private func text(
        _ text: String, size: Double = 30, _ change: (inout TextContents) -> Void = { _ in }
    ) -> TextContents {
        var contents = TextContents(text, font: TitleFont(family: "Noto Sans", size: size))
        change(&contents)
        return contents
    }

    private func layout(_ contents: TextContents, _ bounds: Rectangle) throws -> TextLayout {
        try TextLayout(contents, bounds: bounds, engine: TextEngine())
    }

    /// 10,000 characters of words.
    private var novel: String {
        let words = ["the", "quick", "brown", "fox", "jumps", "over", "lazy", "dogs"]
        var text = ""
        var index = 0
        while text.count < 10_000 {
            text += words[(index * index + index / 3) % words.count] + " "
            index += 1
        }
        return String(text.prefix(10_000))
    }

    @Test("10,000 characters wrap and shrink until all of them stand inside the bounds")
    func longText() throws {
        let frame = Rectangle(x: 40, y: 25, width: 320, height: 150)
        let contents = text(novel, size: 48) { $0.fit = .shrink(minimumSize: 1) }
        let bounds = Rectangle(x: 0, y: 0, width: 320, height: 150)
        let layout = try layout(contents, bounds)
        #expect(layout.fits)
        #expect(layout.lines.count > 20)
        #expect(layout.runs.flatMap(\.glyphs).count >= novel.filter { $0 != " " }.count)
        for line in layout.lines {
            #expect(line.frame.x >= 0 && line.frame.x + line.frame.width <= 320.1)
            #expect(line.frame.y >= -0.1 && line.frame.y + line.frame.height <= 150.1)
        }
        // it fills them as well: with letters 5 % larger it would not fit
        let used = layout.lines.last.map { $0.frame.y + $0.frame.height - layout.lines[0].frame.y }
        #expect(try #require(used) > 150 * 0.9)
        let box = try #require(try picture(contents, frame).inkBox)
        #expect(box.left >= 39 && box.right <= 360 && box.top >= 24 && box.bottom <= 175)
    }

    @Test("without fitting the same text stands out, so the bounds are what it was fitted to")
    func control() throws {
        let layout = try layout(
            text(novel, size: 48), Rectangle(x: 0, y: 0, width: 320, height: 150))
        #expect(try #require(layout.lines.last).frame.y > 150)
    }

    @Test("a short text keeps its size, a long word shrinks or breaks")
    func shortText() throws {
        let bounds = Rectangle(x: 0, y: 0, width: 300, height: 80)
        let short = text("Lake", size: 40) { $0.fit = .shrink(minimumSize: 4) }
        #expect(try layout(short, bounds).shrink == 1)
        let word = text(String(repeating: "m", count: 60), size: 40) {
            $0.fit = .shrink(minimumSize: 4)
        }
        let shrunk = try layout(word, bounds)
        #expect(shrunk.fits && shrunk.shrink < 1)
        #expect(shrunk.lines.allSatisfy { $0.frame.width <= 300.1 })
        #expect(shrunk.runs.flatMap(\.glyphs).filter { $0.advance > 0 }.count == 60)
    }

    @Test("what does not fit at the smallest size is drawn so, with a warning")
    func tooLong() throws {
        let contents = text(novel, size: 48) { $0.fit = .shrink(minimumSize: 20) }
        let frame = Rectangle(x: 0, y: 0, width: 300, height: 100)
        let renderer = try LayerRenderer(
            Layer(name: "novel", contents: .text(contents), frame: frame), renderSize: size)
        #expect(renderer.warnings.isEmpty)
        #expect(try renderer.tiles(at: .zero).count == 1)
        _ = try renderer.tiles(at: .seconds(1))
        #expect(renderer.warnings.map(\.kind) == [.doesNotFit])
        #expect(renderer.warnings.first?.message.contains("\"novel\"") == true)
    }

    @Test("lines end at the wrap width, at words")
    func wrapping() throws {
        let bounds = Rectangle(x: 0, y: 0, width: 400, height: 200)
        let words = text("one two three four five six seven eight")
        let wide = try layout(words, bounds)
        let narrow = try layout(text(words.text) { $0.wrapWidth = 120 }, bounds)
        #expect(wide.lines.count == 2)
        #expect(narrow.lines.count >= 5)
        #expect(narrow.lines.allSatisfy { $0.frame.width <= 120 })
        #expect(try layout(text("one\ntwo\n\nthree"), bounds).lines.count == 4)
    }

    @Test("lines lie as far apart as the spacing says")
    func lineSpacing() throws {
        let bounds = Rectangle(x: 0, y: 0, width: 400, height: 200)
        func step(_ spacing: Double) throws -> Double {
            let lines = try layout(text("a\nb") { $0.lineSpacing = spacing }, bounds).lines
            return lines[1].origin.y - lines[0].origin.y
        }
        let (narrow, plain, wide) = (try step(0.8), try step(1), try step(2))
        #expect(abs(wide - 2 * plain) < 0.1)
        #expect(abs(narrow - 0.8 * plain) < 0.1)
    }

    @Test("natural alignment follows the script, left and right do not")
    func alignment() throws {
        func middle(
            _ words: String, _ alignment: TextContents.Alignment
        ) throws -> Double {
            let drawn = try picture(text(words) { $0.alignment = alignment })
            let box = try #require(drawn.inkBox)
            return Double(box.left + box.right) / 2
        }
        for words in ["Lake", "سلام", "שלום"] {
            let isBack = words != "Lake"
            let natural = try middle(words, .natural)
            #expect(isBack ? natural > 300 : natural < 100, "\(words)")
            #expect(try middle(words, .left) < 100, "\(words)")
            #expect(try middle(words, .right) > 300, "\(words)")
            let center = try middle(words, .center)
            #expect(abs(center - 199.5) < 4, "\(words)")
        }
        // each paragraph by its own first letter
        let lines = try layout(
            text("Lake\nسلام"), Rectangle(x: 0, y: 0, width: 400, height: 200)
        ).lines
        #expect(lines[0].frame.x == 0 && !lines[0].isRightToLeft)
        #expect(lines[1].isRightToLeft)
        #expect(abs(lines[1].frame.x + lines[1].frame.width - 400) < 0.01)
    }

    @Test("justified lines reach both edges, the last one of a paragraph does not")
    func justified() throws {
        let lines = try layout(
            text("one two three four five six seven eight nine ten") { $0.alignment = .justified },
            Rectangle(x: 0, y: 0, width: 250, height: 200)
        ).lines
        #expect(lines.count > 2)
        for line in lines.dropLast() { #expect(abs(line.frame.width - 250) < 1.5) }
        #expect(try #require(lines.last).frame.width < 240)
    }

    @Test("top, middle and bottom", arguments: TextContents.VerticalAlignment.allCases)
    func vertical(_ alignment: TextContents.VerticalAlignment) throws {
        let box = try #require(
            try picture(text("Lake", size: 40) { $0.verticalAlignment = alignment }).inkBox)
        switch alignment {
        case .top: #expect(box.bottom < 60)
        case .center: #expect(box.top > 70 && box.bottom < 130)
        case .bottom: #expect(box.top > 140 && box.bottom < 200)
        }
    }

    @Test("a box lies behind the text, as large as asked")
    func background() throws {
        let red = Color(red: 1, green: 0, blue: 0)
        func box(_ extent: TextContents.Background.Extent) throws -> TitlePicture {
            try picture(
                text("Lake") {
                    $0.alignment = .left
                    $0.background = .init(
                        color: red, extent: extent, padding: Size(width: 12, height: 5))
                })
        }
        let drawn = try box(.text)
        let layout = try layout(
            text("Lake"), Rectangle(x: 0, y: 0, width: 400, height: 200))
        let hugged = try #require(drawn.inkBox)
        #expect(hugged.left == 0)
        #expect(abs(Double(hugged.right + 1) - (layout.lines[0].frame.width + 24)) <= 1)
        #expect(
            abs(Double(hugged.bottom - hugged.top + 1) - (layout.lines[0].frame.height + 10)) <= 1.5
        )
        #expect(drawn.color(5, 100) == [255, 0, 0])
        let across = try #require(try box(.textAcross).inkBox)
        #expect(across.top == 0 && across.bottom == 199 && across.right == hugged.right)
        let whole = try #require(try box(.bounds).inkBox)
        #expect(whole.right == 399 && whole.bottom == 199)
    }

    @Test("outline and shadow lie under and around the letters, not over them")
    func outlineAndShadow() throws {
        let plain = try picture(text("l", size: 100) { $0.alignment = .center })
        let black = Color.black
        let outlined = try picture(
            text("l", size: 100) {
                $0.alignment = .center
                $0.outline = .init(color: black, width: 4)
            })
        let (thin, thick) = (try #require(plain.inkBox), try #require(outlined.inkBox))
        #expect(thin.left - thick.left == 4 && thick.right - thin.right == 4)
        let (x, y) = ((thin.left + thin.right) / 2, (thin.top + thin.bottom) / 2)
        #expect(outlined.color(x, y) == [255, 255, 255])
        #expect(outlined.color(thick.left + 2, y) == [0, 0, 0])
        #expect(outlined.alpha(thick.left + 2, y) == 255)
        let shadowed = try picture(
            text("l", size: 100) {
                $0.alignment = .center
                $0.shadow = .init(color: black, offset: Point(x: 30, y: 0), radius: 0)
            })
        #expect(shadowed.color(x, y) == [255, 255, 255])
        #expect(shadowed.color(x + 30, y) == [0, 0, 0] && shadowed.alpha(x + 30, y) == 255)
        let soft = try picture(
            text("l", size: 100) {
                $0.alignment = .center
                $0.shadow = .init(color: black, offset: Point(x: 0, y: 0), radius: 12)
            })
        let halo = (1...12).map { soft.alpha(thin.right + $0, y) }
        #expect(halo[0] > 60 && halo[11] < halo[0] / 2)
        #expect(zip(halo, halo.dropFirst()).allSatisfy { $0 >= $1 })
    }

    @Test("weight and style choose the font's cut")
    func cuts() throws {
        let regular = try picture(text("Lake", size: 60))
        let bold = try picture(text("Lake", size: 60) { $0.font.weight = 700 })
        let italic = try picture(text("Lake", size: 60) { $0.font.style = .italic })
        #expect(bold.ink > regular.ink * 1.2)
        #expect(italic != regular && abs(italic.ink - regular.ink) < regular.ink * 0.15)
    }

    @Test("text is text; markup is markup only where asked for")
    func markup() throws {
        let bounds = Rectangle(x: 0, y: 0, width: 400, height: 200)
        let source = "<b>a</b> &amp; <i>b</i>"
        let plain = try layout(text(source), bounds)
        #expect(plain.runs.flatMap(\.glyphs).count == source.count)
        let marked = try layout(text(source) { $0.markup = .pango }, bounds)
        #expect(marked.runs.flatMap(\.glyphs).count == "a & b".count)
        let red = try picture(
            text("<span foreground='#ff0000'>Lake</span>") { $0.markup = .pango })
        #expect(red.colorfulness > 0.8)
        let broken = text("<b>a") { $0.markup = .pango }
        let error = #expect(throws: MediaError.self) { try layout(broken, bounds) }
        #expect(error?.code == .invalidSetting)
        #expect(error?.message.contains("correct the markup") == true)
    }

    @Test("a family that is not installed is named with the one used instead, one that is not")
    func missingFont() throws {
        func warnings(_ family: String) throws -> [LayerWarning] {
            var contents = text("Lake")
            contents.font.family = family
            let layer = Layer(
                name: "title", contents: .text(contents),
                frame: Rectangle(x: 0, y: 0, width: 300, height: 100))
            return try LayerRenderer(layer, renderSize: size).warnings
        }
        let found = try warnings("No Such Family")
        guard case .missingFont(let requested, let used) = try #require(found.first).kind else {
            Issue.record("no warning of a missing font: \(found)")
            return
        }
        #expect(requested == "No Such Family" && !used.isEmpty && used != requested)
        #expect(found[0].message.contains(used) && found[0].message.contains("\"title\""))
        for family in ["Noto Sans", "noto sans", "Sans", "serif", "No Such Family, DejaVu Sans"] {
            #expect(try warnings(family).isEmpty, "\(family)")
        }
    }

    @Test("characters that no font has are an error that names them, or a warning where allowed")
    func missingGlyphs() throws {
        var contents = text("a\u{10FFFD}b\u{10FFFC}")
        func make() throws -> LayerRenderer {
            try LayerRenderer(
                Layer(
                    name: "title", contents: .text(contents),
                    frame: Rectangle(x: 0, y: 0, width: 300, height: 100)), renderSize: size)
        }
        let error = #expect(throws: MediaError.self) { try make() }
        #expect(error?.code == .missingGlyphs)
        #expect(error?.message.contains("U+10FFFD") == true)
        #expect(error?.message.contains("U+10FFFC") == true)
        contents.allowsMissingGlyphs = true
        let renderer = try make()
        #expect(renderer.warnings.count == 1)
        #expect(renderer.warnings[0].message.contains("U+10FFFD"))
        #expect(try renderer.tiles(at: .zero).count == 1)
    }
}
