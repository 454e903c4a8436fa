import Testing

@testable import Media

@Suite struct JSONParserTests {
    private func parse(_ text: String) throws(JSONFailure) -> JSONValue {
        try JSONParser.parse(Array(text.utf8), as: .json5)
    }

    private func refusal(
        _ bytes: [UInt8], as dialect: JSONParser.Dialect = .json5,
        longest: Int = JSONParser.longest
    ) -> String {
        do throws(JSONFailure) {
            _ = try JSONParser.parse(bytes, as: dialect, longest: longest)
        } catch {
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
            continues", $_ü\\u0061: [1, +2, -.5, 5., 0x1F, 1e3,],
              /* another
                 comment */
              escapes: "\\x41\\u00e9\\t\\uD83D\\uDE00\\'", yes: true, no: null,
            }
            """)
        #expect(node["plain"]?.text == "single \"quotes\"")
        #expect(node["quoted"]?.text == "line continues")
        #expect(node["$_üa"]?.elements?.map(\.number) == [1, 2, -0.5, 5, 31, 1000])
        #expect(node["escapes"]?.text == "Aé\t😀'")
        #expect(node["yes"]?.boolean == true)
        #expect(node["no"] == .null)
    }

    @Test func everyValueKnowsItsLineAndColumn() throws {
        let node = try parse("{\r\n  a: [1,\n 'é', \t{b: 2}]\r}\n")
        #expect(node.position == TextPosition(line: 1, column: 1))
        let list = try #require(node["a"]?.elements)
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
                == "1:1 the file has 16777217 bytes; at most 16777216 are read")
    }

    @Test func aProgramsTextIsJSONAndNothingMore() throws {
        let table: [(String, String)] = [
            ("[1,]", "1:4 expected a value, found \"]\""),
            ("{\"a\": 1,}", "1:9 expected a key in double quotes, found \"}\""),
            ("{a: 1}", "1:2 expected a key in double quotes, found \"a\""),
            ("'a'", "1:1 expected a value, found \"'\""),
            ("+1", "1:1 expected a value, found \"+\""),
            (".5", "1:1 expected a value, found \".\""),
            ("5.", "1:3 expected a digit, found the end"),
            ("-.5", "1:4 expected a digit, found the end"),
            ("0x10", "1:1 put quotes around a text that begins with a number"),
            ("\"\\x41\"", "1:2 JSON has no such escape"),
            ("\"a\\\nb\"", "1:3 JSON has no such escape"),
            ("\"\t\"", "1:2 a text cannot hold a control character; write it as an escape"),
            ("// a\n1", "1:1 expected a value, found \"/\""),
            ("\u{A0}1", "1:1 expected a value, found \"\u{A0}\""),
            ("\\u0074rue", "1:2 expected a word without escapes, found \"u\""),
            ("tru\\u0065", "1:5 expected a word without escapes, found \"u\""),
            ("NaN", "1:1 numbers must be finite"),
        ]
        for (text, sentence) in table {
            #expect(refusal(Array(text.utf8), as: .json) == sentence, "\(text)")
        }
        let text = " {\"a\\u0041\\/\" : [1 , -2.50e+3,\r\n\ttrue, false, null, {}, []]} "
        let value = try JSONParser.parse(Array(text.utf8), as: .json)
        #expect(value.compact == "{\"aA/\":[1,-2.50e3,true,false,null,{},[]]}")
    }

    @Test(arguments: [JSONParser.Dialect.json, .json5])
    func whatIsHostileIsRefusedInEitherForm(_ dialect: JSONParser.Dialect) {
        let table: [(String, String)] = [
            ("{\"a\": 1, \"\\u0061\": 2}", "1:10 the key \"a\" is already at 1:2; leave one"),
            ("[1e999]", "1:2 the number is too large"),
            ("[-1e999]", "1:2 the number is too large"),
            ("[\"\\uD800\"]", "1:3 half of a surrogate pair is no character"),
            ("[\"\\uDC00\\uD800\"]", "1:3 half of a surrogate pair is no character"),
            ("[\"\\u0000\"]", "1:3 a text cannot hold NUL"),
            ("[\"\u{0}\"]", "1:3 a text cannot hold a control character; write it as an escape"),
            (
                String(repeating: "{\"a\":", count: 100_000),
                "1:321 values lie in more than 64 others"
            ),
        ]
        for (text, sentence) in table {
            #expect(refusal(Array(text.utf8), as: dialect) == sentence)
        }
        #expect(
            refusal([0x22, 0xFF, 0x22], as: dialect) == "1:2 the file is not UTF-8 here")
        #expect(
            refusal([0x22, 0x61], as: dialect, longest: 1)
                == "1:1 the file has 2 bytes; at most 1 are read")
    }

    @Test func numbersKeepTheirDigits() throws {
        let value = try parse("[9007199254740993, 0.1000, 1E-2, 0xFF, 9223372036854775808]")
        #expect(value.compact == "[9007199254740993,0.1000,1e-2,255,9223372036854775808]")
        let numbers = try #require(value.elements)
        #expect(numbers.map(\.wholeNumber) == [9_007_199_254_740_993, nil, nil, 255, nil])
        #expect(try parse("5.0").wholeNumber == 5)
    }

    @Test func atWhateverByteAProgramsTextEndsItIsAnsweredWithAPlaceInIt() {
        let whole = Array("{\"é\\u00e9\": [1.5e3, true, null, \"\\uD83D\\uDE00\", {}]}".utf8)
        for count in 0..<whole.count {
            do throws(JSONFailure) {
                _ = try JSONParser.parse(Array(whole.prefix(count)), as: .json)
                Issue.record("\(count) bytes were enough")
            } catch {
                #expect(error.position.line == 1 && error.position.column <= count + 1)
                #expect(!error.message.isEmpty)
            }
        }
    }
}
