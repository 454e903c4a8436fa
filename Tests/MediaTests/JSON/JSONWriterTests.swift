import Testing

@testable import Media

@Suite struct JSONWriterTests {
    private let value = JSONValue.members([
        "text": "a\"b\\c\n\u{1}\u{7F}\u{9B}\u{202E}é😀", "number": .integer(-5),
        "half": .number(0.5),
        "none": nil, "list": .array([.null, .bool(true), .array([])]), "9": .object([]),
    ])

    @Test func whatIsWrittenReadsBackWhateverCharactersItHolds() throws {
        for form in [JSONWriter.Form.line, .document, .file, .report] {
            let text = JSONWriter.text(value, form)
            #expect(try JSONParser.parse(Array(text.utf8), as: .json) == value, "\(text)")
        }
        let text = JSONWriter.text(value, .json5)
        #expect(try JSONParser.parse(Array(text.utf8), as: .json5) == value, "\(text)")
    }

    @Test func aLineOfAProtocolIsOneLineThatSteersNoTerminal() {
        #expect(
            value.compact
                == #"{"text":"a\"b\\c\n\u0001\u007f\u009b\u202eé😀","number":-5,"half":0.5,"#
                + #""list":[null,true,[]],"9":{}}"#)
    }

    @Test func aDocumentIsIndentedByTwoSpaces() {
        let small = JSONValue.members(["a": .array([.integer(1)]), "b c": .object([])])
        #expect(small.pretty == "{\n  \"a\": [\n    1\n  ],\n  \"b c\": {}\n}")
        #expect(JSONWriter.text(small, .file) == small.pretty)
        #expect(
            JSONWriter.text(small, .json5) == "{\n  a: [\n    1,\n  ],\n  \"b c\": {},\n}")
    }

    @Test func numbersThatJSONCannotSayAreNull() {
        for number in [Double.infinity, -.infinity, .nan] {
            #expect(JSONValue.number(number) == .null)
            #expect(JSONValue.shortNumber(number) == .null)
        }
        #expect(JSONValue.number(5).compact == "5.0")
        #expect(JSONValue.shortNumber(5).compact == "5")
    }
}
