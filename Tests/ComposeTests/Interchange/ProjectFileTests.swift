import FoundationEssentials
import Media
import TestSupport
import Testing

@testable import Compose

@Suite struct ProjectFileTests {
    private func read(_ text: String) throws(MediaError) -> Timeline {
        try ProjectFile.timeline(Array(text.utf8), name: "film.json5") { path, _ in path }
    }

    private func refusal(_ text: String) -> String {
        do throws(MediaError) { _ = try read(text) } catch {
            #expect(error.code == .invalidProject)
            return error.message
        }
        return "nothing was refused"
    }

    @Test func aProjectWithEveryKeyIsTheTimelineItStandsFor() throws {
        #expect(try read(ProjectExamples.full) == ProjectExamples.timeline)
    }

    @Test func aTimelineThatIsWrittenAndReadIsTheSame() throws {
        let text = try ProjectFile.text(of: ProjectExamples.timeline, in: "/nowhere")
        #expect(try read(text) == ProjectExamples.timeline)
        #expect(try ProjectFile.text(of: read(text), in: "/nowhere") == text)
        #expect(
            try ProjectFile.text(of: Timeline(videos: [VideoItem("a.mp4")]), in: "/nowhere") == """
                {
                  schema: "vcap.film/1",
                  videos: [
                    {
                      file: "a.mp4",
                    },
                  ],
                }

                """)
    }

    @Test func mistakesAreNamedWithFileLineColumnAndWhatIsPossible() {
        let table: [(String, String)] = [
            ("[]", "film.json5:1:1: a project must be an object, not a list"),
            (
                "{\n  vidoes: []}",
                "film.json5:2:3: a project has no key \"vidoes\"; did you mean \"videos\"?"
            ),
            (
                "{voiceovers: []}",
                "film.json5:1:2: a project has no key \"voiceovers\"; did you mean \"voiceOvers\"?"
            ),
            (
                "{chapters: [{at: 1, title: 'x', colour: 3}]}",
                "film.json5:1:33: a chapter has no key \"colour\"; it knows at, title"
            ),
            ("{videos: [{start: 1}]}", "film.json5:1:11: a clip needs \"file\" or \"generator\""),
            (
                "{videos: [3]}",
                "film.json5:1:11: \"videos\"[0] must be a file's path, not 3"
            ),
            (
                "{videos: [{file: 'a', speed: '1/0'}]}",
                "film.json5:1:30: \"speed\" must be a speed such as 2, 0.5 or \"3/2\", from 0.01 to "
                    + "100, not \"1/0\""
            ),
            (
                "{videos: [{file: 'a', start: '1h2s3m'}]}",
                "film.json5:1:30: \"start\" must be a time such as 3.5, \"1m30s\", \"00:01:30.5\" or "
                    + "\"1001/30000\", at most 24 h, not \"1h2s3m\""
            ),
            (
                "{videos: [{file: 'a', volume: 17}]}",
                "film.json5:1:31: \"volume\" must be a number from 0 to 16, not 17"
            ),
            (
                "{fit: 'fill'}",
                "film.json5:1:7: \"fit\" must be \"contain\" or \"cover\" or \"stretch\" or "
                    + "\"blurred\", not \"fill\""
            ),
            ("{bits: '8'}", "film.json5:1:8: \"bits\" must be 8 or 10, not \"8\""),
            (
                "{size: '1281x720'}",
                "film.json5:1:8: \"size\" must be a size such as \"1920x1080\" or \"1080p\", with even "
                    + "sides, not \"1281x720\""
            ),
            (
                "{videos: ['a', {file: 'b', transition: 'melt:1s'}]}",
                "film.json5:1:40: \"transition\" must be a transition such as \"cut\", "
                    + "\"dissolve:1s\", \"push-left:1s\", \"wipe-up:500ms\", \"fade-white:1s\", "
                    + "\"zoom:1s\", \"iris:1s:ease-in\" or \"luma-clouds.png:1s\", not \"melt:1s\""
            ),
            (
                "{watermark: {text: 'a', image: 'b'}, titles: ['x']}",
                "film.json5:1:13: a watermark needs either \"text\" or \"image\""
            ),
            (
                "{\n videos: [\n  {file: 'a', start: 3, end: 2}]}",
                "film.json5:3:3: clip 1 (a) starts at 3 s and ends at 2 s of its source; the end must "
                    + "come after the start"
            ),
            ("{}", "film.json5:1:1: the timeline is empty; give it a clip, a title or audio"),
            (
                "{videos: ['a'], music: null}",
                "film.json5:1:24: \"music\" must be a list, not null"
            ),
        ]
        for (text, sentence) in table {
            #expect(refusal(text) == sentence)
        }
    }

    @Test func aLongUnknownKeyIsAnsweredShortly() {
        let key = String(repeating: "k", count: 100_000)
        #expect(refusal("{\(key): 1}").utf8.count < 600)
    }

    @Test func theSchemaIsJSONAndHoldsEveryKeyOfTheReader() throws {
        let schema = try JSONParser.parse(Array(ProjectFile.schema.utf8), as: .json5)
        #expect(schema["$schema"]?.text == "https://json-schema.org/draft/2020-12/schema")
        func keys(_ node: JSONValue?) -> [String] {
            (node?["properties"]?.members ?? []).map(\.key)
        }
        #expect(keys(schema) == ProjectTables.project.shape.keys.map(\.name))
        let clip = schema["properties"]?["videos"]?["items"]?["anyOf"]?.elements?.last
        #expect(keys(clip) == ProjectTables.video.shape.keys.map(\.name))
        let one = clip?["oneOf"]?.elements?.map { $0["required"]?.elements?.first?.text }
        #expect(one == ["file", "generator"])
        #expect(clip?["additionalProperties"]?.boolean == false)
    }

    @Test(arguments: [
        "90", "3.5s", "250ms", "1m30s", "00:01:30.5", "1001/30000", "2e-3", "1h", "0", "7:05", "",
        "-1", "1s1m", "1:99", "1/0", "abc", ".5", "5.", "1001/", "1:2:3:4", "1.5.5", "s",
        "99999:00",
    ])
    func theSchemaTakesTheTimesThatTheReaderTakes(_ text: String) throws {
        let pattern = try Regex(SchemaPattern.time)
        let isTime = MediaTime(projectText: text).map { $0 >= .zero } ?? false
        #expect((text.wholeMatch(of: pattern) != nil) == isTime, "\(text)")
    }

    /// What the reader refuses by its form, the schema refuses too.
    @Test(arguments: [
        "99999999999h", "25h", "24.1h", "1441m", "86401s", "86401", "25:00:00", "24:00:01",
        "1440:01",
        "24h", "1440m", "86400s", "86400.0", "24:00:00", "1440:00", "23:59:59.9", "0023:00:00",
        "0086400",
        "1h59m59s", "1e2", "999:59",
    ])
    func theSchemaBoundsTimesInTextsAsTheReaderDoes(_ text: String) throws {
        let pattern = try Regex(SchemaPattern.time)
        let isTime =
            MediaTime(projectText: text).map { $0 <= Composition.longestDuration } ?? false
        #expect((text.wholeMatch(of: pattern) != nil) == isTime, "\(text)")
        let long = try Regex(SchemaPattern.transition)
        #expect(
            ("dissolve:\(text)".wholeMatch(of: long) != nil)
                == (Transition(projectText: "dissolve:\(text)") != nil), "\(text)")
    }

    @Test(arguments: [
        "cut", "dissolve:1s", "dissolve:0s", "dissolve:-1s", "dissolve:0.0", "dissolve:0/5",
        "dissolve:1/5", "dissolve:0e5", "fade-white:1s", "fade-nocolour:1s", "fade-#336699:0.5",
        "wipe-up:00:00:01", "wipe-up:0:00", "push:", "dissolve:x",
        "zoom:1s", "zoom-in:1s", "zoom-out:1s", "iris:1s", "iris-close:2", "luma:1s", "luma-:1s",
        "luma-a.png:1s", "luma-a:b-c.png:1s:ease", "luma-a.png:0s", "push-up:1s:ease-in-out",
        "push-up:1s:eased", "iris:0s:ease-in", "iris:1/5:cubic-bezier(0.2, 0, 0, 1.5)",
        "iris:1s:cubic-bezier(2, 0, 0, 1)", "cut:ease",
    ])
    func theSchemaTakesTheTransitionsThatTheReaderTakes(_ text: String) throws {
        let pattern = try Regex(SchemaPattern.transition)
        #expect(
            (text.wholeMatch(of: pattern) != nil) == (Transition(projectText: text) != nil),
            "\(text)")
    }

    @Test(arguments: ["0", "0s", "00:00", "0/7", "0.0", "0h0m0s", "1", "0.5s", "0:01", "1/7"])
    func lengthsOfNothingAreRefusedByReaderAndSchema(_ text: String) throws {
        let pattern = try Regex(SchemaPattern.length)
        let matches = text.wholeMatch(of: pattern) != nil
        for project in [
            "{ videos: [{ file: \"a.mp4\", end: \"\(text)\" }] }",
            "{ videos: [{ file: \"a.mp4\", duration: \"\(text)\" }] }",
            "{ stillDuration: \"\(text)\" }",
            "{ titles: [{ text: \"a\", duration: \"\(text)\" }] }",
        ] {
            let root = try JSONParser.parse(Array(project.utf8), as: .json5)
            var reader = ProjectReader { path, _ in path }
            let reads = (try? ProjectTables.project.read(root, &reader)) != nil
            #expect(reads == matches, "\(project)")
        }
        let schema = try JSONParser.parse(Array(ProjectFile.schema.utf8), as: .json5)
        let still = schema["properties"]?["stillDuration"]?["anyOf"]?.elements
        #expect(still?.first?["exclusiveMinimum"]?.number == 0)
        let clip = schema["properties"]?["videos"]?["items"]?["anyOf"]?.elements?.last
        #expect(clip?["not"]?["required"]?.elements?.map(\.text) == ["end", "duration"])
    }

    @Test(arguments: [
        "30", "30000/1001", "0.5", "3/2", "0", "0.0", "0/5", "5/0", "-2", "1/2/3", "", "x", "2.5e1",
    ])
    func theSchemaTakesTheRatiosThatTheReaderTakes(_ text: String) throws {
        let pattern = try Regex(SchemaPattern.ratio)
        #expect(
            (text.wholeMatch(of: pattern) != nil) == (ProjectText.ratio(text) != nil), "\(text)")
    }

    @Test func theSchemaBoundsNumbersAsTheReaderDoes() throws {
        let schema = try JSONParser.parse(Array(ProjectFile.schema.utf8), as: .json5)
        let clip = schema["properties"]?["videos"]?["items"]?["anyOf"]?.elements?.last?[
            "properties"]
        func bounds(_ node: JSONValue?) -> [Double?] {
            let number = node?["anyOf"]?.elements?.first
            return [number?["minimum"]?.number, number?["maximum"]?.number]
        }
        #expect(bounds(schema["properties"]?["fps"]) == [1, 1000])
        #expect(bounds(clip?["start"]) == [0, 86_400])
        #expect(bounds(clip?["speed"]) == [0.01, 100])
        let size = try Regex(try #require(schema["properties"]?["size"]?["pattern"]?.text))
        #expect("101x57".wholeMatch(of: size) == nil && "102x58".wholeMatch(of: size) != nil)
    }

    @Test(arguments: [
        ("wipe:1s", Transition.wipe(.left, .seconds(1))),
        ("push:1s", .push(.left, .seconds(1))), ("crossfade:1s", .dissolve(.seconds(1))),
    ])
    func transitionsForShortHaveAUsualDirection(_ text: String, _ transition: Transition) throws {
        #expect(Transition(projectText: text) == transition)
        let schema = try JSONParser.parse(Array(ProjectFile.schema.utf8), as: .json5)
        let clip = schema["properties"]?["videos"]?["items"]?["anyOf"]?.elements?.last
        let kinds = clip?["properties"]?["transition"]?["anyOf"]?.elements
        let pattern = try Regex(try #require(kinds?.first?["pattern"]?.text))
        #expect(text.wholeMatch(of: pattern) != nil)
    }

    @Test func aFileThatIsNoneIsDistinguishedFromOneThatIsMissing() throws {
        let folder = try TemporaryFolder()
        for (name, code) in [("gone.json5", MediaError.Code.noSuchFile), ("", .invalidProject)] {
            do throws(MediaError) {
                _ = try ProjectFile.read(folder.path + "/" + name)
                Issue.record("\(name) was read")
            } catch { #expect(error.code == code) }
        }
    }

    /// Objects, words and what is written of them.
    @Test func transitionsByObjectAndWordAreReadAndWritten() throws {
        let curve = TimingCurve.cubicBezier(0.25, 0, 0.5, 1.25)
        let table: [(String, Transition, String)] = [
            ("'zoom-out:2s'", .zoom(.outward, .seconds(2)), "\"zoom-out:2s\""),
            ("{kind: 'iris', duration: 1}", .iris(.opening, .seconds(1)), "\"iris:1s\""),
            (
                "{kind: 'iris-close', duration: 1, softness: 0.5, x: 0.25, y: 1}",
                .iris(.closing, softness: 0.5, center: Point(x: 0.25, y: 1), .seconds(1)),
                "kind: \"iris-close\""
            ),
            (
                "{kind: 'luma', duration: 1, picture: 'p/clouds.png', invert: true}",
                .luma("/m/p/clouds.png", isInverted: true, .seconds(1)), "picture: \"p/clouds.png\""
            ),
            (
                "'luma-p/a:b-c.png:0.5s'", .luma("/m/p/a:b-c.png", .milliseconds(500)),
                "\"luma-p/a:b-c.png:0.5s\""
            ),
            (
                "{kind: 'push', direction: 'up', duration: 1, curve: 'cubic-bezier(0.25, 0, 0.5, 1.25)'}",
                Transition(.push(.up), duration: .seconds(1), curve: curve),
                "\"push-up:1s:cubic-bezier(0.25, 0.0, 0.5, 1.25)\""
            ),
        ]
        for (words, transition, written) in table {
            let project = "{videos: ['a.mp4', {file: 'b.mp4', transition: \(words)}]}"
            let timeline = try ProjectFile.timeline(Array(project.utf8), name: "f") { path, _ in
                "/m/" + path
            }
            #expect(timeline.videos[1].transition == transition, "\(words)")
            let text = try ProjectFile.text(of: timeline, in: "/m")
            #expect(text.contains(written), "\(text)")
            let again = try ProjectFile.timeline(Array(text.utf8), name: "f") { path, _ in
                "/m/" + path
            }
            #expect(again == timeline)
        }
    }

    @Test("a key that a kind of transition has no use for is refused at its place")
    func idleKeysOfTransitions() {
        for (keys, kind, key) in [
            ("softness: 0.5", "dissolve", "softness"), ("color: 'white'", "wipe", "color"),
            ("direction: 'up'", "iris", "direction"), ("x: 0.2", "luma', picture: 'p.png", "x"),
            ("invert: true", "push", "invert"), ("invert: false", "iris", "invert"),
        ] {
            let project =
                "{videos: ['a.mp4', {file: 'b.mp4', transition: {kind: '\(kind)', duration: 1, \(keys)}}]}"
            let place = project.distance(
                from: project.startIndex,
                to: project.range(of: keys)?.lowerBound ?? project.endIndex)
            let word = kind.split(separator: "'")[0]
            let column = place + key.count + 3
            #expect(
                refusal(project)
                    == "film.json5:1:\(column): a transition of the kind \"\(word)\" has no use for "
                    + "\"\(key)\": leave it out")
        }
    }

    @Test func aLumaNeedsItsPictureAndMayNotLeaveTheFolder() throws {
        #expect(
            refusal("{videos: ['a.mp4', {file: 'b.mp4', transition: {kind: 'luma', duration: 1}}]}")
                == "film.json5:1:48: a transition of the kind \"luma\" needs \"picture\"")
        let folder = try TemporaryFolder()
        let roots = try MediaRoots(project: folder.path, allowing: [])
        for words in ["'luma-../x.png:1s'", "{kind: 'luma', duration: 1, picture: '/etc/x.png'}"] {
            let project = "{videos: ['a.mp4', {file: 'b.mp4', transition: \(words)}]}"
            let error = #expect(throws: MediaError.self) {
                try ProjectFile.timeline(Array(project.utf8), name: "f", resolve: roots.resolve)
            }
            #expect(error?.message.contains("out of the project's folder") ?? false, "\(words)")
        }
    }
}
