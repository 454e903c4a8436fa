import Foundation
import Media
import Testing

@testable import Compose

/// What can be wrong in a description of keys: one that reads into another's place, that is not written, that
/// the schema or the guide do not have.
@Suite struct ProjectTableTests {
    /// Every table, by its name.
    private static let tables: [String: any ProjectTableUnderTest] = {
        let all: [any ProjectTableUnderTest] = [
            ProjectTables.project, ProjectTables.video, ProjectTables.transition,
            ProjectTables.title, ProjectTables.theme, ProjectTables.key,
            ProjectTables.mask, ProjectTables.effect, ProjectTables.areaKeyframe,
            ProjectTables.voice,
            ProjectTables.music,
            ProjectTables.point, ProjectTables.audioCut, ProjectTables.audioKeyframe,
            ProjectTables.ducking, ProjectTables.watermark, ProjectTables.chapter,
            ProjectTables.subtitles, ProjectTables.clipSubtitles,
            ProjectTables.color, ProjectTables.place, ProjectTables.crop, ProjectTables.border,
            ProjectTables.shadow, ProjectTables.voiceOfClip, ProjectTables.view,
            ProjectTables.motion, ProjectTables.keyframe, ProjectTables.titleKeyframe,
            ProjectTables.generator, ProjectTables.grade, ProjectTables.gate,
            ProjectTables.channels("a lift by colour", -1...1),
            ProjectTables.channels("a gamma by colour", 0.1...10),
            ProjectTables.channels("a gain by colour", 0...8),
        ]
        return Dictionary(uniqueKeysWithValues: all.map { ($0.shape.name, $0) })
    }()

    /// The shapes of a project, each once, as they are met.
    private static let shapes: [ProjectShape] = {
        var found: [ProjectShape] = []
        func visit(_ kind: ProjectKind) {
            switch kind {
            case .list(let kind, _), .several(let kind, _): visit(kind)
            case .record(let shape), .short(_, let shape): visit(shape)
            default: break
            }
        }
        func visit(_ shape: ProjectShape) {
            guard !found.contains(where: { $0.name == shape.name }) else { return }
            found.append(shape)
            for key in shape.keys { visit(key.kind) }
        }
        visit(ProjectTables.project.shape)
        return found
    }()

    @Test func everyTableIsTried() {
        #expect(Set(Self.shapes.map(\.name)) == Set(Self.tables.keys))
    }

    @Test(arguments: ProjectTableTests.shapes.map(\.name))
    func everyKeyIsReadIntoItsPlaceAndWrittenFromIt(_ name: String) throws {
        try #require(Self.tables[name]).checkKeys()
    }

    @Test func everyKeyIsInTheSchema() throws {
        let root = try JSONParser.parse(Array(ProjectFile.schema.utf8), as: .json)
        func check(_ shape: ProjectShape, _ schema: JSONValue?) {
            #expect(schema?["type"]?.text == "object", "\(shape.name)")
            let properties = schema?["properties"]
            #expect(properties?.members?.map(\.key) == shape.keys.map(\.name))
            for key in shape.keys {
                #expect(properties?[key.name]?["description"]?.text == key.about)
                check(key.kind, properties?[key.name])
            }
            let required = schema?["required"]?.elements?.map(\.text) ?? []
            #expect(required == shape.keys.filter(\.isRequired).map(\.name))
            let one = schema?["oneOf"]?.elements?.map { $0["required"]?.elements?.first?.text }
            #expect(one ?? [] == shape.oneNeeded)
            let beside = schema?["dependentRequired"]?.members?.map {
                ($0.key, $0.value.elements?.first?.text)
            }
            #expect(
                Dictionary(uniqueKeysWithValues: beside ?? []).compactMapValues(\.self)
                    == shape.dependent)
        }
        func check(_ kind: ProjectKind, _ schema: JSONValue?) {
            switch kind {
            case .list(let kind, let most):
                #expect(schema?["maxItems"]?.wholeNumber == Int64(most))
                check(kind, schema?["items"])
            case .several(let kind, let most):
                check(kind, schema?["anyOf"]?.elements?.first)
                check(.list(kind, most: most), schema?["anyOf"]?.elements?.last)
            case .record(let shape): check(shape, schema)
            case .short(let kind, let shape):
                check(kind, schema?["anyOf"]?.elements?.first)
                check(shape, schema?["anyOf"]?.elements?.last)
            case .choice(let words): #expect(schema?["enum"]?.elements?.count == words.count)
            default: #expect(schema?["type"] != nil || schema?["anyOf"] != nil)
            }
        }
        check(ProjectTables.project.shape, root)
    }

    /// The page is written anew with VCAP_UPDATE_GOLDEN=1.
    @Test func theGuideHasEveryKeyAndWhatItHolds() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = folder.appendingPathComponent("../../../docs/guide/projects.md").standardized
        let old = try String(contentsOf: page, encoding: .utf8)
        let mark = "<!-- keys: from the reader's own table -->\n"
        let head = try #require(old.range(of: mark)?.upperBound, "the page has its mark")
        let new = String(old[..<head]) + Self.shapes.map(Self.section).joined()
        if ProcessInfo.processInfo.environment["VCAP_UPDATE_GOLDEN"] == "1" {
            try new.write(to: page, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == new)
    }

    private static func section(_ shape: ProjectShape) -> String {
        let rows = shape.keys.map { key in
            let others = shape.oneNeeded.filter { $0 != key.name }.map { "`\($0)`" }
            let need =
                key.isRequired
                ? " (needed)"
                : shape.oneNeeded.contains(key.name)
                    ? " (or \(others.joined(separator: ", ")))" : ""
            return "| `\(key.name)`\(need) | \(key.kind.expected) "
                + "| \(key.about) |\n"
        }
        return "\n## What \(shape.name) has\n\n| key | holds | meaning |\n|---|---|---|\n"
            + rows.joined()
    }
}

/// A table whatever it describes.
private protocol ProjectTableUnderTest: Sendable {
    var shape: ProjectShape { get }
    func checkKeys() throws
}

extension ProjectTable: ProjectTableUnderTest {
    func checkKeys() throws {
        let writer = ProjectWriter { $0 }
        for field in fields {
            let name = field.key.name
            let one = oneNeeded.contains(name) ? name : oneNeeded.first
            let needed = fields.filter {
                $0.key.isRequired || [one, dependent[name]].contains($0.key.name)
            }.map {
                ($0.key.name, $0.key.kind.examples[0])
            }
            var isKept = false
            for example in field.key.kind.examples {
                var members = needed.filter { $0.0 != name }
                // what means something beside another key only
                if name == "truePeak" { members.append(("loudness", .number(written: "-20"))) }
                if ["x", "y", "width", "height"].contains(name),
                    fields.contains(where: { $0.key.name == "shape" })
                {
                    members.append(("shape", "rectangle"))
                }
                var reader = ProjectReader { path, _ in path }
                var without = usual
                if !oneNeeded.contains(name) {
                    try read(.object(members), into: &without, &reader)
                }
                members.append((name, example))
                let item = try read(.object(members), &reader)
                let written = write(item, writer)
                let before = write(without, writer)
                let changed = (written.members ?? []).filter { $0.value != before[$0.key] }
                if name == "duration", alternatives.contains(name) {
                    #expect(changed.map(\.key) == ["end"], "a length is read as an end")
                    isKept = true
                } else if name == "automation" {
                    // an older word for them
                    #expect(written[name] == nil)
                    isKept = isKept || changed.contains { $0.key == "keyframes" }
                } else if name == "like" {
                    // the theme whose values the other keys hold
                    #expect(written["like"] == nil)
                    isKept = isKept || changed.contains { $0.key == "accent" }
                } else if changed.isEmpty {
                    // the usual value, or one that says nothing of the film
                    isKept =
                        isKept || ["$schema", "variables"].contains(name)
                        || written[name] == example
                } else {
                    #expect(changed.map(\.key) == [name], "\(shape.name): only \(name) is read")
                    #expect(written[name].map { $0.holds(example) } ?? false, "\(name)")
                    isKept = true
                }
            }
            #expect(isKept, "\(shape.name): \(name) is written as it was read")
        }
    }
}

extension JSONValue {
    /// Whether all of the other is in this one.
    fileprivate func holds(_ other: JSONValue) -> Bool {
        if let members = other.members {
            return members.allSatisfy { self[$0.key]?.holds($0.value) ?? false }
        }
        guard let mine = elements, let others = other.elements else { return self == other }
        return mine.count == others.count && zip(mine, others).allSatisfy { $0.holds($1) }
    }
}

extension ProjectKind {
    /// Values that such a key can hold; one at least is not the usual one.
    fileprivate var examples: [JSONValue] {
        switch self {
        case .flag: [.bool(true)]
        case .text: ["some text"]
        case .path: ["a/file.mp4"]
        case .number(let range):
            [
                .shortNumber(
                    range.upperBound > 1
                        ? (range.lowerBound / 4 + range.upperBound * 3 / 4).rounded(.up)
                        : (range.lowerBound + range.upperBound * 3) / 4)
            ]
        case .whole: [.integer(3)]
        case .time, .length: [.number(written: "2.25"), "1001/30000"]
        case .delay: [.number(written: "-2.25"), "1001/30000"]
        case .rate: [.integer(25), "30000/1001"]
        case .speed: [.integer(2), "2/3"]
        case .frequency: [.integer(80)]
        case .size: ["640x360"]
        case .color: ["#123456", "#12345678"]
        case .choice(let words):
            words.map { Self.isNumber($0) ? .number(written: $0) : .string($0) }
        case .phrase(let expected, _):
            ProjectKind.phraseExamples.first { expected.hasPrefix($0.phrase) }?.texts
                ?? ["dissolve:1s", "wipe-up:0.5s"]
        case .list(let kind, _): [.array([kind.examples[0], kind.examples[0]])]
        case .several(let kind, _):
            [kind.examples[0], .array([kind.examples[0], kind.examples[0]])]
        case .record(let shape): [shape.example]
        case .texts: [.members(["name": "Anna"])]
        case .short(let kind, let shape):
            // one that has no short form is written as it was read
            [shape.example] + (kind.hasNoOtherForm ? kind.examples : [])
        }
    }

    /// What phrases hold, by how they begin; the first one that does counts.
    private static let phraseExamples: [(phrase: String, texts: [JSONValue])] = [
        ("a time code", ["10:00:00:00", "01:00:00;02"]),
        ("a curve such as \"0/0", ["0/0 0.5/0.25 1/1"]),
        ("a curve", ["ease-in", "cubic-bezier(0.2, 0.0, 0.25, 1.5)"]),
        ("a motion", ["left", "auto"]),
        ("a generator", ["bars:ebu", "counter:down:10s", "color:#123456"]),
        ("an audio cut", ["j:1s", "l:0.5s", "crossfade:0.25s"]),
    ]

    private var hasNoOtherForm: Bool {
        switch self {
        case .phrase, .choice: true
        default: false
        }
    }
}

extension ProjectShape {
    fileprivate var example: JSONValue {
        // a wipe of an unusual edge is what only an object says
        if name == "a transition" {
            return .members([
                "kind": "wipe", "duration": .integer(1), "direction": "up",
                "softness": .number(written: "0.5"),
            ])
        }
        // either of both
        if name == "an audio cut" {
            return .members(["l": .integer(1), "crossfade": .number(written: "0.5")])
        }
        // a theme that is like another is written in full
        if name == "a theme" { return .members(["font": "Mono", "accent": "#123456"]) }
        // what is no gradient has a short form
        if name == "a generator" {
            return .members([
                "kind": "gradient", "colors": .array(["#123456", "#12345678"]),
                "angle": .integer(45),
            ])
        }
        // a number alone would be its track's
        if name == "an audio track" {
            return .members(["track": .integer(3), "volume": .integer(2)])
        }
        // three of one value would be a number
        if name.hasSuffix("by colour") {
            return .members([
                "red": .number(written: "0.5"), "green": .number(written: "0.25"),
                "blue": .number(written: "0.75"),
            ])
        }
        let needed = keys.filter { $0.isRequired || $0.name == oneNeeded.first }
            .map { ($0.name, $0.kind.examples[0]) }
        if !needed.isEmpty { return .object(needed) }
        return .object(
            keys.filter { !["image", "x", "y"].contains($0.name) }.map {
                ($0.name, $0.kind.examples[0])
            })
    }
}
