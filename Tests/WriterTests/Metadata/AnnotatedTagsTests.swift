import Media
import Testing

@testable import Movie

@Suite("What a movie says about itself from a moment on")
struct AnnotatedTagsTests {
    @Test("later words count over earlier ones, by time and not by their order in the file")
    func followed() {
        let metadata = MovieMetadata(title: "typed", values: ["artist": "A", "org.vcap.take": "0"])
        let notes: [MovieAnnotation] = [
            .tags(["title": "second", "org.vcap.take": "2"], at: .seconds(9)),
            .marker("title", at: .seconds(10)), .tags(["title": "first"], at: .seconds(1)),
        ]
        let after = metadata.followed(by: notes)
        #expect(after.title == "second")
        #expect(after.values == ["artist": "A", "org.vcap.take": "2"])
        #expect(metadata.followed(by: [.marker("x", at: .zero)]) == metadata)
    }

    @Test(
        "what is no object of a few texts is none",
        arguments: [
            "", "{}", "[]", "{\"title\":1}", "{\"title\":", "null", "{\"title\":{\"a\":\"b\"}}",
        ])
    func hostile(_ text: String) {
        #expect(AnnotatedTags.read(text) == nil)
    }

    @Test("for a container without a place for them they are annotations of sixteen at most")
    func parts() {
        var metadata = MovieMetadata(
            title: "T", creationTime: 1_700_000_000_000_000_000, software: "s",
            encoderFingerprint: "e",
            deviceNames: ["A", "B"])
        for number in 0..<20 { metadata.values["key\(number)"] = "\(number)" }
        metadata.values["long"] = String(repeating: "x", count: 4097)
        let parts = AnnotatedTags.parts(of: metadata)
        #expect(parts.map(\.count) == [16, 9])
        let long = MovieMetadata(
            values: Dictionary(
                uniqueKeysWithValues: (0..<16).map {
                    ("k\($0)", String(repeating: "\u{1}", count: 4000))
                }))
        #expect(
            AnnotatedTags.parts(of: long).allSatisfy { AnnotatedTags.text($0).utf8.count < 61_000 })
        let read = parts.compactMap { AnnotatedTags.read(AnnotatedTags.text($0)) }
        let after = MovieMetadata().followed(by: read.map { .tags($0, at: .zero) })
        metadata.values["long"] = nil
        #expect(after == metadata)
        #expect(AnnotatedTags.parts(of: MovieMetadata()).isEmpty)
    }

    @Test("texts without measure are not taken into memory as tags")
    func large() {
        let long = String(repeating: "x", count: 4097)
        #expect(AnnotatedTags.read("{\"title\":\"\(long)\"}") == nil)
        #expect(AnnotatedTags.read("{\"\(long)\":\"a\"}") == nil)
        let many = (0..<17).map { "\"k\($0)\":\"v\"" }.joined(separator: ",")
        #expect(AnnotatedTags.read("{\(many)}") == nil)
        let tags = ["title": String(repeating: "x", count: 4096), "a\"b": "\n\u{1F3AC}"]
        #expect(AnnotatedTags.read(AnnotatedTags.text(tags)) == tags)
    }
}
