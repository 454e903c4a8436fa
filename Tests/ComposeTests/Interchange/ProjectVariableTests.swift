import Foundation
import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Variables of projects")
struct ProjectVariableTests {
    private func read(
        _ text: String, _ values: [String: String] = [:], context: [String: String] = [:]
    ) throws -> Timeline {
        try ProjectFile.timeline(
            Array(text.utf8), name: "p",
            filling: ProjectVariables(values, context: context),
            resolve: { path, _ throws(JSONFailure) in "/m/" + path })
    }

    private func refusal(_ text: String, _ values: [String: String] = [:]) -> String {
        do {
            _ = try read(text, values)
            return ""
        } catch { return (error as? MediaError)?.message ?? "\(error)" }
    }

    @Test("texts, names of files and times are filled; what is given goes before what is declared")
    func filled() throws {
        let text = """
            { variables: { name: "Ben", long: "4s", photo: "b.jpg", n: 7 },
              title: "For { name }", videos: ["{photo}"],
              titles: [{ text: "{name} {n}\\n{{not a place}}", duration: "{long}" }] }
            """
        let usual = try read(text)
        #expect(usual.settings.title == "For Ben")
        #expect(usual.videos[0].path == "/m/b.jpg")
        #expect(usual.titles[0].text == "Ben 7\n{not a place}")
        #expect(usual.titles[0].duration == .seconds(4))
        let given = try read(text, ["name": "Anna", "long": "9"])
        #expect(given.titles[0].text.hasPrefix("Anna 7"))
        #expect(given.titles[0].duration == .seconds(9))
    }

    @Test("a project without variables keeps its braces until values are given")
    func braces() throws {
        let text = #"{ titles: [{ text: "f{x} = {{1}}" }], videos: ["a.mp4"] }"#
        #expect(try read(text).titles[0].text == "f{x} = {{1}}")
        #expect(try read(text, context: ["x": "2"]).titles[0].text == "f{x} = {{1}}")
        #expect(try read(text, ["x": "2"]).titles[0].text == "f2 = {1}")
    }

    @Test("date and time are there, and those of a context before those of now")
    func moment() throws {
        let text = #"{ variables: {}, titles: ["{date} {time}"], videos: ["a.mp4"] }"#
        let now = try read(text).titles[0].text
        #expect(now.wholeMatch(of: /20\d\d-\d\d-\d\d \d\d:\d\d/) != nil)
        let take = try read(text, context: ProjectVariables.moment(86_400 * 365))
        #expect(take.titles[0].text.hasPrefix("197"))
        #expect(try read(text, ["date": "today"]).titles[0].text.hasPrefix("today "))
    }

    @Test("mistakes stand at their line and column, with what is meant")
    func mistakes() {
        let unknown = "{ variables: { name: \"A\" },\n  titles: [\"{nmae}\"], videos: [\"a.mp4\"] }"
        #expect(
            refusal(unknown).contains(
                "p:2:12: there is no variable \"nmae\"; did you mean \"name\"?"))
        let open = "{ variables: { name: null },\n titles: [\"{name}\"], videos: [\"a.mp4\"] }"
        #expect(refusal(open).contains("p:2:11: the variable \"name\" has no value"))
        #expect(refusal(open, ["name": "A"]).isEmpty)
        let unclosed = "{ variables: {}, titles: [\"{name\"], videos: [\"a.mp4\"] }"
        #expect(refusal(unclosed).contains("has no \"}\""))
        #expect(
            refusal("{ variables: [1], videos: [\"a.mp4\"] }").contains(
                "\"variables\" must be an object of texts"))
        #expect(
            refusal("{ variables: { \"a{b\": \"\" }, videos: [\"a.mp4\"] }").contains("must be"))
        #expect(
            refusal("{ variables: { a: true }, videos: [\"a.mp4\"] }").contains("must be"))
        #expect(
            refusal(unclosed.replacing("{name", with: "{date}"), ["nmae": "A"]).contains(
                "no text of p has a place {nmae}; it has {date}"))
    }

    @Test("a value cannot lead out of the project's folder, nor bring keys of its own")
    func folder() throws {
        let folder = try TemporaryFolder(in: "/tmp")
        let path = folder.file("p.vcap.json5")
        try #"{ variables: { f: null }, videos: ["{f}"] }"#.write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: MediaError.self) {
            try ProjectFile.read(path, filling: ProjectVariables(["f": "../../etc/passwd"]))
        }
        let text = #"{ variables: { t: null }, titles: ["{t}"], videos: ["a.mp4"] }"#
        let title = try read(text, ["t": "\"}, { text: \"x {date}"]).titles
        #expect(title.count == 1 && title[0].text == "\"}, { text: \"x {date}")
    }

    @Test("the places of a project are found, each once")
    func places() throws {
        let folder = try TemporaryFolder(in: "/tmp")
        let path = folder.file("p.vcap.json5")
        try #"{ variables: { a: null, z: "1" }, titles: ["{b} {a} {b}"], videos: ["{c}.mp4"] }"#
            .write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try ProjectFile.places(in: path) == ["b", "a", "c"])
    }

    @Test("texts in parts")
    func parts() {
        #expect(TextPlaces.parts(of: "a{b}c") == [.text("a"), .place("b"), .text("c")])
        #expect(TextPlaces.parts(of: "{{b}}") == [.text("{b}")])
        #expect(TextPlaces.parts(of: "{{{b}}}") == [.text("{"), .place("b"), .text("}")])
        #expect(TextPlaces.parts(of: "a}") == [.text("a}")])
        #expect(TextPlaces.parts(of: "{a") == nil && TextPlaces.parts(of: "{a{b}") == nil)
        #expect(TextPlaces.parts(of: "") == [])
    }
}
