import Testing

@testable import Play

@Suite("What comes from a terminal")
struct TerminalInputTests {
    private func elements(_ text: String, inPiecesOf size: Int = .max) -> [TerminalInput.Element] {
        var input = TerminalInput()
        input.awaitsAnswers = true
        var rest = Array(text.utf8)[...]
        var all: [TerminalInput.Element] = []
        while !rest.isEmpty {
            all += input.take(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return all
    }

    @Test("answers between keys are no keys, whatever pieces they come in")
    func answers() {
        let text =
            "p\u{1B}_Gi=31;OK\u{1B}\\m\u{1B}[6;20;10t\u{1B}P1$r0;48:2:3:5:7m\u{1B}\\ \u{1B}[?62;4;22cq"
        let wanted: [TerminalInput.Element] = [
            .key(UInt8(ascii: "p")), .answer(.kitty(true)), .key(UInt8(ascii: "m")),
            .answer(.cell(width: 10, height: 20)), .answer(.trueColor(true)), .key(0x20),
            .answer(.attributes([62, 4, 22])), .key(UInt8(ascii: "q")),
        ]
        for size in [1, 2, 3, 7, 100] { #expect(elements(text, inPiecesOf: size) == wanted) }
    }

    @Test("an answer that says no is one, and a colour that became another is not true colour")
    func refusals() {
        #expect(elements("\u{1B}_Gi=31;ENOTSUPPORTED:no\u{1B}\\") == [.answer(.kitty(false))])
        #expect(elements("\u{1B}P1$r0;48;5;16m\u{1B}\\") == [.answer(.trueColor(false))])
        #expect(elements("\u{1B}P0$r\u{1B}\\") == [])
        #expect(elements("\u{1B}[?1;2c") == [.answer(.attributes([1, 2]))])
    }

    @Test("arrows, keys with Alt and letters of other alphabets are keys without a character")
    func otherKeys() {
        #expect(elements("\u{1B}[A") == [.arrow(.up)])
        #expect(elements("\u{1B}OD") == [.arrow(.left)])
        #expect(elements("\u{1B}[1;5A") == [.otherKey])
        #expect(elements("\u{1B}OP") == [.otherKey])
        #expect(elements("\u{1B}x") == [.otherKey])
        #expect(elements("ö") == [.otherKey])
    }

    @Test("Escape alone is a key where no answer is waited for")
    func escape() {
        var input = TerminalInput()
        #expect(input.take([0x1B]) == [.key(0x1B)])
        #expect(input.take([UInt8(ascii: "q")]) == [.key(UInt8(ascii: "q"))])
    }

    @Test("an answer without an end is not kept for ever, and ends with the next one")
    func endless() {
        var input = TerminalInput()
        input.awaitsAnswers = true
        let long = [0x1B, UInt8(ascii: "P")] + Array(repeating: UInt8(ascii: "a"), count: 100_000)
        #expect(input.take(long).isEmpty)
        #expect(input.take(Array("\u{1B}\\q".utf8)) == [.key(UInt8(ascii: "q"))])
    }
}
