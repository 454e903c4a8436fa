import Testing

@testable import Media

@Suite("Keys that are set in a text that a person wrote")
struct JSONEditTests {
    private func edited(_ text: String, _ dialect: JSONParser.Dialect = .json5) throws -> String {
        let bytes = try JSONEdit(Array(text.utf8), as: dialect)
            .setting([("in", .shortNumber(2.5)), ("out", .string("7/3"))])
        let (before, after) = (
            try JSONParser.parse(Array(text.utf8), as: dialect),
            try JSONParser.parse(bytes, as: dialect)
        )
        // everything else is what it was, in its order
        let own = ["in", "out"]
        #expect(
            before.members?.filter { !own.contains($0.key) }.map(\.key)
                == after.members?.filter { !own.contains($0.key) }.map(\.key))
        for member in before.members ?? [] where !own.contains(member.key) {
            #expect(after[member.key] == member.value)
        }
        #expect(after["in"] == .shortNumber(2.5) && after["out"] == .string("7/3"))
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "they come behind the last key, in its layout, and a comment at its line's end stays there",
        arguments: [
            ("{\n  a: 1,\n}\n", "{\n  a: 1,\n  in: 2.5,\n  out: \"7/3\",\n}\n"),
            ("{\n  a: 1\n}", "{\n  a: 1,\n  in: 2.5,\n  out: \"7/3\"\n}"),
            (
                "{\r\n\t\"a\": 1 // one\r\n}",
                "{\r\n\t\"a\": 1, // one\r\n\t\"in\": 2.5,\r\n\t\"out\": \"7/3\"\r\n}"
            ),
            (
                "{\n  a: [1, 2], // é\n  // the end\n}",
                "{\n  a: [1, 2], // é\n  in: 2.5,\n  out: \"7/3\",\n  // the end\n}"
            ),
            ("{a: 1}", "{a: 1, in: 2.5, out: \"7/3\"}"),
            ("{a: 1,}", "{a: 1, in: 2.5, out: \"7/3\",}"),
            (
                "{\n  a: 1 /* , */\n  , b: {in: 3}\n}",
                "{\n  a: 1 /* , */\n  , b: {in: 3}, in: 2.5, out: \"7/3\"\n}"
            ),
            ("{\n  a: 1 /* , */\n  ,\n}", "{\n  a: 1 /* , */\n  ,\n  in: 2.5,\n  out: \"7/3\",\n}"),
        ])
    func added(_ text: String, _ expected: String) throws {
        #expect(try edited(text) == expected)
    }

    @Test(
        "where one is there its value is another one, and nothing else",
        arguments: [
            (
                "{\n  in: \"00:00:01\", // begin\n  a: 1,\n}",
                "{\n  in: 2.5, // begin\n  a: 1,\n  out: \"7/3\",\n}"
            ),
            ("{'out': 9, /* x */ \"in\" : 1}", "{'out': \"7/3\", /* x */ \"in\" : 2.5}"),
        ])
    func replaced(_ text: String, _ expected: String) throws {
        #expect(try edited(text) == expected)
    }

    @Test("a text of another dialect stays one")
    func json() throws {
        #expect(
            try edited("{\n  \"a\": 1\n}", .json)
                == "{\n  \"a\": 1,\n  \"in\": 2.5,\n  \"out\": \"7/3\"\n}")
    }

    @Test("what is no object, or has nothing in it, is refused")
    func refused() throws {
        #expect(throws: JSONFailure.self) { try JSONEdit(Array("[1]".utf8), as: .json5) }
        #expect(throws: JSONFailure.self) { try edited("{}") }
    }
}
