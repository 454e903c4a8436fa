import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

/// Random timelines with everything that a project holds, to texts and back.
@Suite("Random timelines as texts")
struct RandomInterchangeTests {
    private static let all = UInt64(1)...10_000

    private func read(
        _ text: String
    ) throws(MediaError) -> (timeline: Timeline, notCarried: [String]) {
        try OpenTimelineFile.timeline(Array(text.utf8), name: "f.otio") { path, _ in path }
    }

    /// As OpenTimelineIO says it: gaps in the place of times at which clips begin, ends in the place of the sources' own,
    /// music that ends with the film.
    private func stated(_ timeline: Timeline) throws -> Timeline {
        let builder = TimelineBuilder(timeline, assets: Draw.assets)
        let rows = [try builder.placedClips()] + (try builder.placedOverlays())
        var stated = timeline
        let items = rows.map { row in
            row.indices.map { index in
                var item = row[index].item
                if item.at != nil {
                    item.gap = .timeline(row[index].start - (index > 0 ? row[index - 1].end : 0))
                    item.at = nil
                }
                if item.freeze == nil, !item.isRamped {
                    item.end = (row[index].picture ?? row[index].sound)?.range.end
                }
                return item
            }
        }
        stated.videos = items[0]
        stated.overlays = items.dropFirst().map { OverlayTrack($0) }
        for index in stated.voiceOvers.indices {
            stated.voiceOvers[index].end = try builder.placedVoices()[index].spans[0].range.end
        }
        let last = rows[0].last.map { $0.end + timeline.gapAtEnd.timelineTicks }
        let end =
            (rows.joined().map(\.end) + (try builder.placedVoices().map(\.end))
            + [last].compactMap(\.self))
            .max() ?? 0
        for (index, item) in timeline.music.enumerated() {
            let whole = try PlacedAudio(item, "", builder.asset(item.path, "")).spans[0].range
            let room = try MediaTime.timeline(end).adding(-item.at)
            stated.music[index].end = min(whole.end, whole.start + room)
        }
        return stated
    }

    @Test("of 10,000 timelines a project's text is read back equal, and OpenTimelineIO's, too")
    func roundTrips() throws {
        var wrong: [String] = []
        let seeds = Sweep.part(200, of: Array(Self.all))
        for seed in seeds {
            var draw = Draw(seed: seed)
            let timeline = draw.timeline()
            do throws(MediaError) {
                let project = try ProjectFile.text(of: timeline, in: "/nowhere")
                let back = try ProjectFile.timeline(Array(project.utf8), name: "p") { path, _ in
                    path
                }
                if back != timeline { wrong.append("\(seed): the project") }
            } catch { wrong.append("\(seed): the project: \(error.message)") }
            do throws(MediaError) {
                let (text, _) = try OpenTimelineFile.text(
                    of: timeline, assets: Draw.assets, in: "/nowhere")
                let back = try read(text)
                let wanted: Timeline
                do { wanted = try stated(timeline) } catch { wanted = timeline }
                if back.timeline != wanted || !back.notCarried.isEmpty {
                    wrong.append(
                        "\(seed): OpenTimelineIO: \(Self.firstDifference(wanted, back.timeline)), \(back.notCarried)"
                    )
                }
            } catch { wrong.append("\(seed): OpenTimelineIO: \(error.message)") }
        }
        for line in wrong.prefix(40) { print("WRONG", line) }
        #expect(wrong.isEmpty, "\(wrong.count) of \(seeds.count): \(wrong.prefix(5))")
    }

    @Test("of 10,000 timelines every loss is in the list, and none that is not one")
    func losses() throws {
        var wrong: [String] = []
        var named = 0
        let seeds = Sweep.part(200, of: Array(Self.all))
        for seed in seeds {
            var draw = Draw(seed: seed)
            let timeline = draw.timeline()
            do throws(MediaError) {
                let (text, list) = try OpenTimelineFile.text(
                    of: timeline, assets: Draw.assets, in: "/nowhere")
                let own = try read(text).timeline
                let other = try read(Self.withoutMetadata(text)).timeline
                let losses = InterchangeLosses(own, other)
                let said = list.map(Self.subject).sorted()
                let wanted = losses.expected.sorted()
                named += said.count
                if said != wanted || !losses.unnamed.isEmpty {
                    let more = Set(said).subtracting(wanted)
                    let less = Set(wanted).subtracting(said)
                    wrong.append(
                        "\(seed): not in the list \(less), no losses \(more), not named \(losses.unnamed)"
                    )
                }
            } catch { wrong.append("\(seed): \(error.message)") }
        }
        for line in wrong.prefix(60) { print("WRONG", line) }
        #expect(wrong.isEmpty, "\(wrong.count) of \(seeds.count): \(wrong.prefix(5))")
        #expect(named > seeds.count * 5)
    }

    /// Of a sentence of the list, what is before its reason.
    private static func subject(_ sentence: String) -> String {
        sentence.ranges(of: ": ").last.map { String(sentence[..<$0.lowerBound]) } ?? sentence
    }

    /// As another program would write it again: nothing of what it does not know.
    private static func withoutMetadata(_ text: String) -> String {
        func stripped(_ value: JSONValue) -> JSONValue {
            if let members = value.members {
                return .object(
                    members.map { member in
                        (
                            member.key,
                            member.key == "metadata" ? .object([]) : stripped(member.value)
                        )
                    })
            }
            return value.elements.map { .array($0.map(stripped)) } ?? value
        }
        guard let root = try? JSONParser.parse(Array(text.utf8), as: .json5) else { return "" }
        return JSONWriter.text(stripped(root), .file)
    }

    private static func firstDifference(_ one: Timeline, _ other: Timeline) -> String {
        func parts(_ value: some Any) -> [String] {
            Mirror(reflecting: value).children.map { "\($0.label ?? ""): \($0.value)" }
        }
        let rows = zip(
            [one.videos] + one.overlays.map(\.videos), [other.videos] + other.overlays.map(\.videos)
        )
        for (row, foreign) in rows {
            for (a, b) in zip(row, foreign) where a != b {
                let pairs = zip(parts(a), parts(b)).filter { $0 != $1 }
                return "\(ItemName.clip(0, a)) \(pairs.map { "\($0) / \($1)" })"
            }
        }
        return "\(zip(parts(one), parts(other)).first { $0 != $1 }.map { "\($0) / \($1)" } ?? "")"
    }
}
