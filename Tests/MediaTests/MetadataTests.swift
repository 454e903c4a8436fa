import Testing

@testable import Media

@Suite("Metadata samples")
struct MetadataTests {
    static let format = MetadataFormat(keys: [
        .init("com.example.code", .text), .init("com.example.json", .json),
        .init("com.example.count", .integer), .init("com.example.id", .unsignedInteger),
        .init("com.example.level", .number), .init("com.example.at", .point),
        .init("com.example.bounds", .rectangle), .init("com.example.raw", .data),
    ])

    static let items = [
        MetadataItem("com.example.code", .text("4006381333931 – Grüße")),
        MetadataItem("com.example.json", .json("{\"a\":[1,2.50]}")),
        MetadataItem("com.example.count", .integer(.min)),
        MetadataItem("com.example.id", .unsignedInteger(.max)),
        MetadataItem("com.example.level", .number(-0.1)),
        MetadataItem("com.example.at", .point(x: 0.1, y: 1e-20)),
        MetadataItem("com.example.bounds", .rectangle(x: 1, y: 2, width: 0.3, height: 4)),
        MetadataItem("com.example.raw", .data([0, 255, 7])),
        MetadataItem("com.example.code", .text("")),
    ]

    @Test("a sample gives back every item in its order, its time and its length")
    func items() throws {
        let group = TimedMetadataGroup(
            items: Self.items, start: .milliseconds(40), duration: .milliseconds(500))
        let sample = try SampleBuffer(group, format: Self.format)
        #expect(sample.metadata == group)
        #expect(sample.format.mediaType == .metadata)
        let empty = TimedMetadataGroup(items: [], start: .zero)
        #expect(try SampleBuffer(empty, format: Self.format).metadata == empty)
    }

    @Test("an item without a key of its type, and a sample beyond 4 MiB, are refused")
    func refusals() {
        for item in [
            MetadataItem("com.example.other", .text("")),
            MetadataItem("com.example.code", .integer(1)),
            MetadataItem("com.example.raw", .data([UInt8](repeating: 0, count: 4 << 20))),
        ] {
            let group = TimedMetadataGroup(items: [item], start: .zero)
            #expect(throws: MediaError.self) { try SampleBuffer(group, format: Self.format) }
        }
    }

    @Test("keys that no track can have are refused, and the reason names them")
    func keys() throws {
        try Self.format.validate()
        for (keys, word) in [
            ([MetadataFormat.Key](), "0"), ([.init("a b", .text)], "ASCII"),
            ([.init("a", .text), .init("a", .data)], "twice"),
            ([.init("com.apple.quicktime.still-image-time", .data)], "cameras"),
            ((0...256).map { .init("k\($0)", .text) }, "257"),
        ] {
            let error = #expect(throws: MediaError.self) {
                try MetadataFormat(keys: keys).validate()
            }
            #expect(error?.message.contains(word) ?? false)
        }
    }

    @Test("bytes that are no sample are none, wherever they are cut or changed")
    func damage() throws {
        let group = TimedMetadataGroup(items: Self.items, start: .zero)
        var sample = try SampleBuffer(group, format: Self.format)
        let bytes = try #require(sample.block?.bytes)
        for length in 0..<bytes.count {
            sample.payload = .coded(BlockBuffer(Array(bytes[..<length])))
            // at the end of an item it is a shorter sample
            #expect(
                sample.metadata.map { $0.items == Array(Self.items.prefix($0.items.count)) } ?? true
            )
        }
        for place in bytes.indices {
            var broken = bytes
            for value: UInt8 in [0, 0x7F, 0xFF] {
                broken[place] = value
                sample.payload = .coded(BlockBuffer(broken))
                #expect(sample.metadata?.items.count ?? 0 <= bytes.count / 8)
            }
        }
    }
}
