import Media
import Testing

@testable import Compose

@Suite("Texts that come letter by letter")
struct TextProgressTests {
    private let size = PixelSize(width: 400, height: 200)

    private func picture(
        _ text: String, _ progress: TextContents.Progress?, outline: Bool = false,
        alignment: TextContents.Alignment = .natural
    ) throws -> TitlePicture {
        var contents = TextContents(
            text, font: TitleFont(family: "Noto Sans", size: 40), alignment: alignment)
        if outline { contents.outline = .init(color: .black, width: 3) }
        contents.progress = progress
        return try TitlePicture(
            Layer(
                contents: .text(contents),
                frame: Rectangle(
                    x: 0, y: 0, width: Double(size.width), height: Double(size.height))), size)
    }

    @Test("nothing at 0, all of it at 1, and each step shows what the whole text shows there")
    func steps() throws {
        for text in ["Typewriter", "two lines\nof a text", "سلام دنیا"] {
            let whole = try picture(text, nil, outline: true)
            #expect(try picture(text, .init(0), outline: true).ink == 0)
            #expect(try picture(text, .init(1), outline: true) == whole)
            var ink = 0.0
            for step in 1..<text.count {
                let part = try picture(
                    text, .init(Double(step) / Double(text.count)), outline: true)
                #expect(part.ink >= ink)
                ink = part.ink
                for y in 0..<size.height {
                    for x in 0..<size.width where part.alpha(x, y) > 0 {
                        #expect(part.alpha(x, y) <= whole.alpha(x, y) + 3)
                    }
                }
            }
            #expect(ink < whole.ink)
        }
    }

    @Test("letters come in the order in which they are read")
    func order() throws {
        let latin = try #require(try picture("abcdefgh", .init(0.5), alignment: .left).inkBox)
        let all = try #require(try picture("abcdefgh", nil, alignment: .left).inkBox)
        #expect(latin.left == all.left && latin.right < (all.left + all.right) * 2 / 3)
        let arabic = try #require(try picture("سلام دنیا", .init(0.5), alignment: .left).inkBox)
        let whole = try #require(try picture("سلام دنیا", nil, alignment: .left).inkBox)
        #expect(arabic.right >= whole.right - 1 && arabic.left > whole.left + 10)
    }

    @Test("what has not come may have a colour of its own")
    func rest() throws {
        let red = Color(red: 1, green: 0, blue: 0)
        let half = try picture("HHHHHHHH", .init(0.5, rest: .color(red)), alignment: .left)
        let whole = try picture("HHHHHHHH", nil, alignment: .left)
        let box = try #require(whole.inkBox)
        let middle = (box.left + box.right) / 2
        var (white, colored) = (0, 0)
        for y in box.top...box.bottom {
            for x in box.left...box.right where whole.alpha(x, y) == 255 {
                let isWhite = half.color(x, y) == [255, 255, 255]
                let isRed = half.color(x, y) == [255, 0, 0]
                if x < middle - 2 { #expect(isWhite) }
                if x > middle + 2 { #expect(isRed) }
                (white, colored) = (white + (isWhite ? 1 : 0), colored + (isRed ? 1 : 0))
            }
        }
        #expect(white > 500 && colored > 500)
    }

    @Test("an animation comes to whole letters: between two the tile stays")
    func whole() throws {
        var contents = TextContents("abcd", font: TitleFont(family: "Noto Sans", size: 40))
        contents.progress = .init(0)
        var layer = Layer(
            contents: .text(contents), frame: Rectangle(x: 0, y: 0, width: 400, height: 200))
        layer.animations = [
            .basic(
                .textProgress, from: 0, to: 1, timing: AnimationTiming(duration: .seconds(4)))
        ]
        let renderer = try LayerRenderer(layer, renderSize: size)
        func identity(_ milliseconds: Int64) throws -> UInt64? {
            try renderer.tiles(at: .milliseconds(milliseconds)).first?.identity
        }
        let first = try identity(1000)
        #expect(try identity(1999) == first)
        let second = try identity(2000)
        #expect(second != first)
    }

    @Test("words light up one after the other, each as long as its letters")
    func words() throws {
        let ends = TitleStage.wordEnds("Row, row your  boat")
        #expect(ends.map { ($0.fraction * 19).rounded() } == [0, 4, 8, 13, 19])
        let steps = zip(ends.dropFirst(), ends.dropFirst(2)).map { $1.time - $0.time }
        // 4, 3, 4 and 4 letters share 84 % of the time
        for (step, letters) in zip(steps, [4.0, 3, 4]) {
            #expect(abs(step - 0.84 * letters / 15) < 1e-12)
        }
        #expect(ends[1].time == 0.08)
        #expect(TitleStage.wordEnds("   ").count == 1)
    }
}
