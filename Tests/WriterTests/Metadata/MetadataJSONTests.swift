import Media
import Testing

@testable import Movie

@Suite("Metadata as JSON")
struct MetadataJSONTests {
    private let format = MetadataFormat(
        keys: MetadataDataType.allCases.map {
            MetadataFormat.Key("com.example.\($0.rawValue)", $0)
        })

    private func packed(_ bytes: [UInt8], _ type: MetadataDataType) throws -> BlockBuffer {
        var result: [UInt8] = []
        let key = try #require(MetadataDataType.allCases.firstIndex(of: type))
        MetadataPacking.append(bytes, key: key, to: &result)
        return BlockBuffer(result)
    }

    @Test("what other programs read is plain JSON")
    func plain() throws {
        var bytes: [UInt8] = []
        MetadataPacking.append(MetadataValue.text("400 \"6\"").bytes, key: 0, to: &bytes)
        MetadataPacking.append(MetadataValue.number(0.25).bytes, key: 1, to: &bytes)
        MetadataPacking.append(
            MetadataValue.rectangle(x: 0, y: 0.5, width: 1, height: 0.1).bytes, key: 2, to: &bytes)
        let format = MetadataFormat(keys: [
            .init("c", .text), .init("n", .number), .init("r", .rectangle),
        ])
        let text = MetadataJSON.text(of: BlockBuffer(bytes), format)
        #expect(
            String(decoding: text.bytes, as: UTF8.self)
                == #"{"items":[{"key":"c","value":"400 \"6\""},{"key":"n","value":0.25},"#
                + #"{"key":"r","value":[0.0,0.5,1.0,0.1]}]}"#)
        let none = MetadataJSON.text(of: BlockBuffer([]), format)
        #expect(String(decoding: none.bytes, as: UTF8.self) == #"{"items":[]}"#)
        #expect(MetadataJSON.packed(none, format)?.bytes == [])
    }

    @Test("the bytes of every value come back, also of those that JSON has no word for")
    func exact() throws {
        let texts = ["", "Grüße\n\t\u{1B}[0m\u{7F}\u{2028}", "a\0b", "é e\u{301} 🎬", "{\"a\": 1}"]
        var samples: [(MetadataDataType, [UInt8])] = texts.map { (.text, Array($0.utf8)) }
        samples += ["{\"a\":1}", "{\"a\" : 1.50}", "[1e5]", "no json", "\"\\u0000\"", "\u{FEFF}1"]
            .map { (.json, Array($0.utf8)) }
        samples += [(.text, [0xFF, 0xFE]), (.json, [0xC0]), (.data, []), (.data, [0, 9, 255])]
        samples += [Int64.min, -1, 0, .max].map { (.integer, MetadataValue.integer($0).bytes) }
        samples += [UInt64(0), .max].map {
            (.unsignedInteger, MetadataValue.unsignedInteger($0).bytes)
        }
        samples += [
            0.1, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity,
            .nan, -.nan,
        ].map { (.number, MetadataValue.number($0).bytes) }
        samples += [Float(0.1), -0.0, .leastNonzeroMagnitude, .nan, -.infinity].map {
            (.point, MetadataValue.point(x: $0, y: 1).bytes)
        }
        for (type, bytes) in samples {
            let sample = try packed(bytes, type)
            let text = MetadataJSON.text(of: sample, format)
            #expect(String(validating: text.bytes, as: UTF8.self) != nil)
            #expect(
                MetadataJSON.packed(text, format)?.bytes == sample.bytes,
                "\(String(decoding: text.bytes, as: UTF8.self))")
        }
        let random = BlockBuffer((0..<200).map { UInt8($0 * 7 & 255) })
        let text = MetadataJSON.text(of: random, format)
        #expect(MetadataJSON.packed(text, format)?.bytes == random.bytes)
    }

    @Test("texts that are no sample are refused, and cost no trap")
    func hostile() {
        for text in [
            "", "{", "[]", "{}", #"{"items":3}"#, #"{"items":[3]}"#, #"{"items":[{"key":"x"}]}"#,
            #"{"items":[{"key":"com.example.integer","value":1.5}]}"#,
            #"{"items":[{"key":"com.example.integer","value":99999999999999999999}]}"#,
            #"{"items":[{"key":"com.example.point","value":[1]}]}"#,
            #"{"items":[{"key":"com.example.data","data":"0g"}]}"#, #"{"bytes":"0"}"#,
        ] {
            #expect(
                MetadataJSON.packed(BlockBuffer(Array(text.utf8)), format)?.bytes == nil, "\(text)")
        }
    }
}
