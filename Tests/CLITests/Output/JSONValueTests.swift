import Testing

@testable import vcap

@Suite("JSON")
struct JSONValueTests {
    @Test("what is written reads back, whatever characters it holds")
    func roundTrip() {
        let value = JSONValue.members([
            "text": "a\"b\\c\n\u{1}\u{7F}é😀", "number": .integer(-5), "half": .number(0.5),
            "list": .array([.null, .bool(true), .array([])]), "empty": .object([]),
        ])
        for text in [value.compact, value.pretty] {
            guard case .success(let read) = JSONValue.parse(Array(text.utf8)) else {
                Issue.record("not JSON: \(text)")
                continue
            }
            for key in ["text", "number", "half", "list", "empty"] {
                #expect(read[key] == value[key])
            }
        }
        #expect(!value.compact.contains("\n"))
        #expect(!value.compact.contains("\u{7F}"))
    }

    @Test("numbers that JSON cannot say are null")
    func notFinite() {
        #expect(JSONValue.number(.infinity).compact == "null")
        #expect(JSONValue.number(.nan).compact == "null")
    }

    @Test("JSON5 is read where it is allowed and only there")
    func json5() {
        let text = Array("{a: 0x10, /* c */ 'b': [1,],}".utf8)
        guard case .success(let value) = JSONValue.parse(text, allowsJSON5: true) else {
            Issue.record("JSON5 refused")
            return
        }
        #expect(value["a"] == .integer(16))
        #expect(value["b"] == .array([.integer(1)]))
        #expect((try? JSONValue.parse(text).get()) == nil)
    }

    @Test("hostile text is refused: nothing, cuts, depth, wrong encoding")
    func hostile() {
        let deep = String(repeating: "[", count: 100_000)
        for text in ["", "{", "{\"a\":", "nul", deep] {
            #expect((try? JSONValue.parse(Array(text.utf8)).get()) == nil)
        }
        #expect((try? JSONValue.parse([0x22, 0xFF, 0x22]).get()) == nil)
    }

    @Test("columns are as wide as their widest cell and lines end without spaces")
    func table() {
        var table = Table("A", "LONG")
        table.add("wider", "x")
        table.add("y", "")
        #expect(table.text == "A      LONG\nwider  x\ny\n")
    }
}
