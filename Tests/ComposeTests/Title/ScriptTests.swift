import Media
import Testing

@testable import Compose

/// What Pango makes of each script, checked by its glyphs and by the pixels. The fonts come with
/// `scripts/install-deps test`.
@Suite("Titles in the world's scripts")
struct ScriptTests {
    private func layout(
        _ text: String, family: String = "Noto Sans", width: Double = 2000,
        _ change: (inout TextContents) -> Void = { _ in }
    ) throws -> TextLayout {
        var contents = TextContents(text, font: TitleFont(family: family, size: 60))
        change(&contents)
        let bounds = Rectangle(x: 0, y: 0, width: width, height: 1000)
        return try TextLayout(contents, bounds: bounds, engine: TextEngine())
    }

    private func glyphs(_ text: String) throws -> [TextLayout.Run.Glyph] {
        try layout(text).runs.flatMap(\.glyphs)
    }

    /// The ink of two pictures, each moved to its box, as unlike as 0 … 1 (shifts of a pixel allowed).
    private func unlike(_ first: TitlePicture, _ second: TitlePicture) throws -> Double {
        let (a, b) = (try #require(first.inkBox), try #require(second.inkBox))
        let width = max(a.right - a.left, b.right - b.left) + 1
        let height = max(a.bottom - a.top, b.bottom - b.top) + 1
        var best = 1.0
        for dx in -1...1 {
            for dy in -1...1 {
                best = min(
                    best,
                    first.difference(
                        (a.left, a.top), second, (b.left + dx, b.top + dy), width: width,
                        height: height))
            }
        }
        return best
    }

    @Test(
        "every script finds glyphs of its own, none of them a box",
        arguments: [
            "Summer Évora Łódź", "السلام عليكم", "שלום עולם", "नमस्ते दुनिया", "สวัสดีชาวโลก",
            "你好，世界", "こんにちは世界", "안녕하세요", "Привет Γειά σου", "👨‍👩‍👧‍👦 🇩🇪 👍🏽",
        ])
    func noBoxes(_ text: String) throws {
        let layout = try layout(text)
        #expect(layout.missingCharacters.isEmpty)
        #expect(layout.lines.count == 1)
        #expect(layout.runs.allSatisfy { !$0.glyphs.contains { $0.number == 0 } })
        let picture = try TitlePicture(text: text, size: 40)
        let box = try #require(picture.inkBox)
        #expect(box.right - box.left > 60 && box.bottom - box.top > 20)
        // letters and not filled boxes
        let area = Double((box.right - box.left + 1) * (box.bottom - box.top + 1))
        #expect(picture.ink > area * 0.1 && picture.ink < area * 0.9)
    }

    @Test("different words look different")
    func wordsDiffer() throws {
        // all boxes would look alike
        for (first, second) in [
            ("世", "界"), ("สวัส", "ชาวโ"), ("नम", "दु"), ("שלום", "עולם"), ("안", "녕"),
        ] {
            let apart = try unlike(TitlePicture(text: first), TitlePicture(text: second))
            #expect(apart > 0.3, "\(first) and \(second)")
        }
    }

    @Test("Arabic letters join, and lie from right to left")
    func arabic() throws {
        let word = "سلام"
        let runs = try layout(word).runs
        #expect(runs.allSatisfy { $0.isRightToLeft })
        // the bytes fall from left to right: the word's first letter is the rightmost
        let bytes = runs.flatMap(\.glyphs).map(\.byte)
        #expect(bytes == bytes.sorted(by: >) && bytes.count > 1)
        let alone = try word.map { try glyphs(String($0)).map(\.number) }.flatMap { $0 }
        let joined = runs.flatMap(\.glyphs).map(\.number)
        #expect(Set(joined).isDisjoint(with: [alone[0], alone[1]]))
        // seen, lam and alif hang together; meem stands alone after alif
        let picture = try TitlePicture(text: word, size: 80)
        let apart = try TitlePicture(text: "س\u{200C}ل\u{200C}ا\u{200C}م", size: 80)
        #expect(picture.columnRuns.count == 2)
        #expect(apart.columnRuns.count >= 4)
        #expect(abs(picture.ink - apart.ink) > picture.ink * 0.1)
    }

    @Test("Hebrew letters lie mirrored: the first one is the rightmost, pixel for pixel")
    func hebrew() throws {
        let word = Array("שלוג")
        let picture = try TitlePicture(text: String(word), family: "Noto Sans Hebrew", size: 80)
        let runs = picture.columnRuns
        #expect(runs.count == word.count)
        for (index, letter) in word.enumerated() {
            let alone = try TitlePicture(
                text: String(letter), family: "Noto Sans Hebrew", size: 80)
            let own = try #require(alone.columnRuns.first)
            let mirrored = runs[word.count - 1 - index]
            #expect(abs(mirrored.count - own.count) <= 1, "\(letter)")
            let apart = (-1...1).map {
                picture.difference(
                    (mirrored.lowerBound + $0, 0), alone, (own.lowerBound, 0),
                    width: own.count, height: 120)
            }
            #expect(try #require(apart.min()) < 0.12, "\(letter)")
        }
        // the control: in the order of the text they would not fit
        let first = try TitlePicture(text: String(word[0]), family: "Noto Sans Hebrew", size: 80)
        #expect(abs(runs[0].count - (try #require(first.columnRuns.first)).count) > 5)
    }

    @Test("in a line of both directions numbers and Latin keep theirs")
    func bidirectional() throws {
        let runs = try layout("שלום abc 123").runs
        let order = runs.flatMap(\.glyphs).map(\.byte)
        // Hebrew takes bytes 0–7 and stands at the right; what follows it stands left of it
        #expect(order.last == 0)
        let latin = order.filter { $0 >= 9 && $0 <= 11 }
        #expect(latin == [9, 10, 11])
        let digits = order.filter { $0 >= 13 }
        #expect(digits == [13, 14, 15])
        #expect(try #require(order.firstIndex(of: 9)) < (try #require(order.firstIndex(of: 6))))
        let forced = try layout("abc שלום") { $0.direction = .rightToLeft }
        #expect(forced.lines[0].isRightToLeft)
        #expect(forced.runs.flatMap(\.glyphs).last?.byte == 2)
    }

    @Test("Devanagari's vowel sign i stands before its consonant, and conjuncts are one glyph")
    func devanagari() throws {
        let family = "Noto Sans Devanagari"
        let syllable = try TitlePicture(text: "पि", family: family, size: 80)
        let consonant = try TitlePicture(text: "प", family: family, size: 80)
        let (whole, alone) = (try #require(syllable.inkBox), try #require(consonant.inkBox))
        let width = alone.right - alone.left + 1
        // the lower half: the sign's bow runs over the consonant's top line
        let middle = 64
        func likeness(_ left: Int) -> Double {
            (-2...2).map {
                syllable.difference(
                    (left + $0, middle), consonant, (alone.left, middle), width: width,
                    height: 120 - middle)
            }.min() ?? 1
        }
        #expect(likeness(whole.right - width + 1) < 0.15)
        #expect(likeness(whole.left) > 0.4)
        // ka, virama, ssa: three code points
        #expect(try glyphs("क्ष").count == 1)
    }

    @Test("Thai marks stack over their consonant and take no width")
    func thai() throws {
        let plain = try layout("ก", family: "Noto Sans Thai")
        let marked = try layout("กี่", family: "Noto Sans Thai")
        #expect(abs(plain.lines[0].frame.width - marked.lines[0].frame.width) < 0.5)
        let low = try TitlePicture(text: "ก", family: "Noto Sans Thai", size: 60)
        let high = try TitlePicture(text: "กี่", family: "Noto Sans Thai", size: 60)
        let (first, second) = (try #require(low.inkBox), try #require(high.inkBox))
        #expect(second.bottom - second.top > first.bottom - first.top + 15)
        #expect(high.ink > low.ink * 1.2)
    }

    @Test("Chinese and Japanese write the same code point in their own forms")
    func hanForms() throws {
        let chinese = try TitlePicture(text: "直骨", size: 80, language: "zh-cn")
        let japanese = try TitlePicture(text: "直骨", size: 80, language: "ja")
        #expect(try unlike(chinese, japanese) > 0.1)
        // without a language the text itself states: kana beside them, or nothing
        #expect(try TitlePicture(text: "直骨", size: 80) == chinese)
        let kana = try layout("直骨の").runs.flatMap(\.glyphs)
        let asJapanese = try layout("直骨") { $0.language = "ja" }.runs.flatMap(\.glyphs)
        #expect(kana.prefix(2).map(\.number) == asJapanese.map(\.number))
    }

    @Test("Hangul written as separate letters forms the same syllables")
    func hangul() throws {
        let whole = try TitlePicture(text: "한국어")
        let parts = try TitlePicture(
            text: "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}\u{110B}\u{1165}")
        #expect(try glyphs("한국어").count == 3)
        #expect(whole.columnRuns.count >= 3)
        #expect(try unlike(whole, parts) < 0.02)
    }

    @Test(
        "a combined emoji is one glyph, as wide as any",
        arguments: ["👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "👩🏽‍🚀", "🏳️‍🌈", "❤️"])
    func emoji(_ text: String) throws {
        let one = try layout("😀").lines[0].frame.width
        let layout = try layout(text)
        #expect(layout.runs.flatMap(\.glyphs).count == 1)
        #expect(abs(layout.lines[0].frame.width - one) < 1)
    }

    @Test("emoji are coloured, whatever the letters' colour, and skin tones differ")
    func emojiColors() throws {
        for text in ["🇩🇪", "👍🏽", "👩🏽‍🚀", "🏳️‍🌈"] {
            #expect(try TitlePicture(text: text).colorfulness > 0.12, "\(text)")
        }
        #expect(try TitlePicture(text: "Abc").colorfulness == 0)
        func mean(_ text: String) throws -> Int {
            let picture = try TitlePicture(text: text)
            let box = try #require(picture.inkBox)
            return picture.color((box.left + box.right) / 2, (box.top + box.bottom) / 2).reduce(
                0, +)
        }
        #expect(try mean("👍🏻") > mean("👍🏿") + 150)
        // the German flag from top to bottom
        let flag = try TitlePicture(text: "🇩🇪", size: 80)
        let box = try #require(flag.inkBox)
        let x = (box.left + box.right) / 2
        let tall = box.bottom - box.top
        let (black, red, gold) = (
            flag.color(x, box.top + tall / 5), flag.color(x, box.top + tall / 2),
            flag.color(x, box.bottom - tall / 5)
        )
        #expect(black.max() ?? 255 < 80)
        #expect(red[0] > 150 && red[1] < 80)
        #expect(gold[0] > 200 && gold[1] > 150 && gold[2] < 80)
    }

    @Test("what the asked font lacks comes from another one")
    func fallback() throws {
        let runs = try layout("abc 世界", family: "DejaVu Sans").runs
        #expect(runs.first?.family == "DejaVu Sans")
        #expect(runs.last?.family.contains("CJK") == true)
        let picture = try TitlePicture(text: "世", family: "DejaVu Sans")
        #expect(try unlike(picture, TitlePicture(text: "世", family: "Noto Sans CJK SC")) < 0.05)
    }
}
