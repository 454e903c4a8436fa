import Media
import Testing

@testable import Movie

@Suite("What coded text says")
struct CueTextTests {
    private func plain(_ text: String, _ codec: TextCodec) -> String {
        Array(text.utf8).withUnsafeBytes { CueText.plain($0, codec).text }
    }

    private func timed(_ bytes: [UInt8], length: Int? = nil) -> String {
        let count = length ?? bytes.count
        return ([UInt8(count >> 8), UInt8(count & 255)] + bytes)
            .withUnsafeBytes { CueText.plain($0, .movText).text }
    }

    @Test("marks of SubRip, WebVTT and SubStation are left out, and their line ends are line feeds")
    func marks() {
        #expect(plain("<i>One</i>\r\n<font color=\"red\">two</font>\r\n", .subrip) == "One\ntwo")
        #expect(plain("{\\an8}Above, 3 < 4 {and} <3", .subrip) == "Above, 3 < 4 {and} <3")
        #expect(
            plain("<v Ann>Fish &amp; chips &amp;lt; &lt;b&gt;", .webvtt) == "Fish & chips &lt; <b>")
        #expect(plain("<00:01.000>A<c.red>b</c>", .webvtt) == "Ab")
        let line = "7,0,Default,,0,0,0,,{\\i1}One, two{\\i0}\\Nthree\\hfour"
        #expect(plain(line, .ass) == "One, two\nthree\u{A0}four")
        #expect(plain("1,0,D,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}after", .ass) == "after")
        #expect(plain("no dialogue", .ass) == "")
    }

    @Test("timed text ends where it says, in UTF-8 or marked UTF-16; what is neither is replaced")
    func timedText() {
        #expect(
            timed(Array("Grüße".utf8) + [0, 0, 0, 12, 0x73, 0x74, 0x79, 0x6C], length: 7) == "Grüße"
        )
        #expect(timed([0xFE, 0xFF, 0x26, 0x3A]) == "☺")
        #expect(timed([0xFF, 0xFE, 0x3A, 0x26, 0x41]) == "☺")
        #expect(timed([0x41, 0xC3, 0x28]) == "A\u{FFFD}(")
        #expect(timed([0x41], length: 60_000) == "A")
        #expect(CueText.plain(UnsafeRawBufferPointer(start: nil, count: 0), .movText).text == "")
    }

    @Test("empty lines and control characters are no text")
    func tidy() {
        #expect(plain("\u{1B}[2Jone\n\n \n\0two\n", .subrip) == "[2Jone\ntwo")
        #expect(plain(" \n\t", .subrip) == "")
    }

    @Test("longer text is cut at 65,535 bytes, before a character that does not fit")
    func cut() {
        let long = String(repeating: "ü", count: 40_000)
        let (text, isCut) = Array(long.utf8).withUnsafeBytes { CueText.plain($0, .subrip) }
        #expect(isCut)
        #expect(text.utf8.count == 65_534)
        #expect(text.allSatisfy { $0 == "ü" })
        let fits = String(repeating: "x", count: 65_535)
        #expect(!Array(fits.utf8).withUnsafeBytes { CueText.plain($0, .subrip) }.isCut)
        let bomb = [UInt8](repeating: 0x3C, count: 1 << 20)
        #expect(bomb.withUnsafeBytes { CueText.plain($0, .webvtt) }.isCut)
    }

    @Test("only what can be a language is taken for one")
    func languages() {
        #expect(LanguageCode.tag("pt-BR") == "pt-BR")
        for text in ["", "und", "e", "en\u{1B}[2J", "e n", String(repeating: "a", count: 36)] {
            #expect(LanguageCode.tag(text) == nil)
        }
        #expect(LanguageCode.threeLetters("en-GB") == "eng")
        #expect(LanguageCode.threeLetters("eng") == "eng")
        #expect(LanguageCode.threeLetters("und") == nil)
    }
}
