import Media
import TestSupport
import Testing

@testable import Compose

@Suite struct JSON5ParserTests {
    private func parse(_ text: String) throws(JSON5Failure) -> JSON5Node {
        try JSON5Parser.parse(Array(text.utf8))
    }

    private func refusal(_ bytes: [UInt8]) -> String {
        do throws(JSON5Failure) { _ = try JSON5Parser.parse(bytes) } catch {
            return "\(error.position) \(error.message)"
        }
        return "nothing was refused"
    }

    @Test func everythingJSON5AddsIsRead() throws {
        let node = try parse(
            """
            // a comment
            {
              plain: 'single "quotes"', "quoted": "line \\
            goes on", $_ü\\u0061: [1, +2, -.5, 5., 0x1F, 1e3,],
              /* another
                 comment */
              escapes: "\\x41\\u00e9\\t\\uD83D\\uDE00\\'", yes: true, no: null,
            }
            """)
        #expect(node["plain"]?.text == "single \"quotes\"")
        #expect(node["quoted"]?.text == "line goes on")
        #expect(node["$_üa"]?.list?.map(\.number) == [1, 2, -0.5, 5, 31, 1000])
        #expect(node["escapes"]?.text == "Aé\t😀'")
        #expect(node["yes"]?.flag == true)
        #expect(node["no"]?.value == .null)
    }

    @Test func everyValueKnowsItsLineAndColumn() throws {
        let node = try parse("{\r\n  a: [1,\n 'é', \t{b: 2}]\r}\n")
        #expect(node.position == TextPosition(line: 1, column: 1))
        let list = try #require(node["a"]?.list)
        #expect(node["a"]?.position == TextPosition(line: 2, column: 6))
        #expect(list.map(\.position.line) == [2, 3, 3])
        #expect(list.map(\.position.column) == [7, 2, 8], "a character of two bytes is one column")
        #expect(list[2]["b"]?.position == TextPosition(line: 3, column: 12))
    }

    @Test func mistakesAreNamedWithLineAndColumn() {
        let table: [(String, String)] = [
            ("", "1:1 expected a value, found the end"),
            ("{", "1:2 the object that begins at 1:1 does not end"),
            ("[1\n2]", "2:1 expected \",\" or \"]\", found \"2\""),
            ("{a 1}", "1:4 expected \":\" after the key \"a\", found \"1\""),
            ("{a: 1 b: 2}", "1:7 expected \",\" or \"}\", found \"b\""),
            ("{a: 1,\n  a: 2}", "2:3 the key \"a\" is already at 1:2; leave one"),
            ("{'a': 1, \"\\x61\": 2}", "1:10 the key \"a\" is already at 1:2; leave one"),
            ("{,}", "1:2 expected a key, found \",\""),
            ("[hello]", "1:2 expected a value, found \"hello\"; put quotes around a text"),
            ("'one\ntwo'", "1:5 the text that begins at 1:1 does not end on its line"),
            ("'open", "1:6 the text that begins at 1:1 does not end"),
            ("/* open", "1:8 the comment that begins at 1:1 does not end"),
            ("1 2", "1:3 expected the end of the file, found \"2\""),
            ("[Infinity]", "1:2 numbers must be finite"),
            ("[-Infinity]", "1:2 numbers must be finite"),
            ("[NaN]", "1:2 numbers must be finite"),
            ("1e999", "1:1 the number is too large"),
            ("012", "1:1 a number cannot begin with 0"),
            ("-", "1:2 expected a digit, found the end"),
            ("1e", "1:3 expected the exponent's digits, found the end"),
            ("0x", "1:3 expected a hexadecimal digit, found the end"),
            ("[3s]", "1:2 put quotes around a text that begins with a number"),
            ("'\\uD800x'", "1:2 half of a surrogate pair is no character"),
            ("'\\u0000'", "1:2 a text cannot hold NUL"),
            ("'\u{1}'", "1:2 a text cannot hold a control character; write it as an escape"),
            ("'\\1'", "1:2 a backslash cannot stand before a digit"),
        ]
        for (text, sentence) in table { #expect(refusal(Array(text.utf8)) == sentence) }
    }

    @Test func bytesThatAreNotUTF8AreRefusedWhereTheyStand() {
        #expect(refusal([0x5B, 0xFF]) == "1:2 expected a value, found a byte that is not UTF-8")
        #expect(refusal([0x27, 0x61, 0xC3, 0x27]) == "1:3 the file is not UTF-8 here")
        // an overlong slash, and half of a surrogate pair in UTF-8
        #expect(refusal([0x27, 0xC0, 0xAF, 0x27]) == "1:2 the file is not UTF-8 here")
        #expect(refusal([0x27, 0xED, 0xA0, 0x80, 0x27]) == "1:2 the file is not UTF-8 here")
    }

    @Test func depthAndSizeHaveBounds() throws {
        let deep = String(repeating: "[", count: 63) + "1" + String(repeating: "]", count: 63)
        _ = try parse(deep)
        #expect(
            refusal(Array(("[" + deep + "]").utf8))
                == "1:65 values lie in more than 64 others")
        #expect(
            refusal(Array(repeating: UInt8(ascii: "["), count: 1_000_000))
                == "1:65 values lie in more than 64 others")
        #expect(
            refusal(Array(repeating: 0x20, count: 16 << 20 | 1))
                == "1:1 the file has 16777217 bytes; a project has at most 16 MB")
    }

    @Test func atWhateverByteAFileEndsItIsAnsweredWithAPlaceInIt() {
        let whole = Array(ProjectExamples.full.utf8)
        for count in 0..<whole.count {
            do throws(JSON5Failure) {
                _ = try JSON5Parser.parse(Array(whole.prefix(count)))
                // only space may be missing
                #expect(whole[count...].allSatisfy { $0 <= 0x20 }, "\(count) bytes were enough")
            } catch {
                #expect(error.position.line >= 1 && error.position.column >= 1)
                #expect(!error.message.isEmpty)
            }
        }
    }

    @Test(arguments: UInt64(1)...8)
    func changedBytesNeverDoMoreThanRefuse(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let whole = Array(ProjectExamples.full.utf8)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0...Int.random(in: 0...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            do throws(MediaError) {
                _ = try ProjectFile.timeline(bytes, name: "f", resolve: { path, _ in path })
            } catch { #expect(error.code == .invalidProject) }
        }
    }
}
