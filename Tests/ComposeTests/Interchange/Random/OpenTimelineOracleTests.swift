import Foundation
import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

/// OpenTimelineIO's own package (0.18, of PyPI), which shares no code with us.
enum OpenTimelineOracle {
    static let python = Program.python(importing: "opentimelineio")

    /// A line for each thing of each track: its kind, and its numbers in seconds.
    static let script = """
        import sys
        import opentimelineio as otio
        for path in sys.argv[1:]:
            timeline = otio.adapters.read_from_file(path)
            print("film", timeline.duration().to_seconds())
            for marker in timeline.tracks.markers:
                print("marker", marker.marked_range.start_time.to_seconds())
            for track in timeline.tracks:
                print("track", track.trimmed_range().duration.to_seconds())
                for child in track:
                    if isinstance(child, otio.schema.Transition):
                        print("transition", child.in_offset.to_seconds(),
                              child.out_offset.to_seconds())
                        continue
                    place, source = child.range_in_parent(), child.trimmed_range()
                    is_gap = isinstance(child, otio.schema.Gap)
                    print("gap" if is_gap else "clip", place.start_time.to_seconds(),
                          place.duration.to_seconds(), source.start_time.to_seconds(),
                          source.duration.to_seconds())
        """
}

@Suite(
    "OpenTimelineIO's own reader",
    .enabled(if: OpenTimelineOracle.python != nil, "needs opentimelineio of PyPI"))
struct OpenTimelineOracleTests {
    private struct Line {
        let kind: String
        let numbers: [Double]
    }

    /// What it should find: the builder's arithmetic, in which two clips meet in the middle of what they share.
    private func expected(_ timeline: Timeline) throws -> [Line] {
        let builder = TimelineBuilder(timeline, assets: Draw.assets)
        let rows = [try builder.placedClips()] + (try builder.placedOverlays())
        let voices = try builder.placedVoices()
        func seconds(_ ticks: Int64) -> Double { Double(ticks) / 705_600_000 }
        var tracks: [[Line]] = []
        var end: Int64 = 0
        // the clips' audio repeats their tracks, with gaps in the place of silent ones
        let repeated = rows.filter { $0.contains { Draw.isHeard($0.item) } }
        for (number, row) in (rows + repeated).enumerated() {
            let isAudio = number >= rows.count
            var (lines, last): ([Line], Int64) = ([], 0)
            func leave(_ ticks: Int64) {
                lines.append(
                    Line(
                        kind: "gap",
                        numbers: [seconds(last), seconds(ticks), 0, seconds(ticks)]))
                last += ticks
            }
            for clip in row {
                let (before, after) = (
                    clip.overlapBefore - clip.overlapBefore / 2, clip.overlapAfter / 2
                )
                if clip.overlapBefore > 0 {
                    lines.append(
                        Line(
                            kind: "transition",
                            numbers: [seconds(before), seconds(clip.overlapBefore / 2)]))
                } else if clip.start > last {
                    leave(clip.start - last)
                }
                let shown = clip.ticks - before - after
                guard !isAudio || Draw.isHeard(clip.item) else {
                    leave(shown)
                    continue
                }
                let moves = clip.item.freeze == nil
                let speed =
                    clip.course.map { Double($0.sourceTicks) / Double($0.ticks) }
                    ?? clip.item.speed.approximate
                let skipped =
                    moves
                    ? seconds(clip.item.isReversed ? after : before)
                        * speed : 0
                let source = clip.item.start.approximateSeconds + skipped
                lines.append(
                    Line(
                        kind: "clip",
                        numbers: [seconds(last), seconds(shown), source, seconds(shown)]))
                last += shown
            }
            let gap = timeline.gapAtEnd.timelineTicks
            if number == 0, gap > 0 { leave(gap) }
            end = max(end, last)
            tracks.append([Line(kind: "track", numbers: [seconds(last)])] + lines)
        }
        end = max(end, voices.map(\.end).max() ?? 0)
        let music = timeline.music.map { item -> (AudioItem, Int64) in
            let length = (item.end ?? .seconds(6)).timelineTicks - item.start.timelineTicks
            return (item, min(length, end - item.at.timelineTicks))
        }
        for (item, length) in Array(zip(timeline.voiceOvers, voices.map(\.ticks))) + music {
            let at = item.at.timelineTicks
            let gap = Line(kind: "gap", numbers: [0, seconds(at), 0, seconds(at)])
            tracks.append(
                [Line(kind: "track", numbers: [seconds(at + length)])] + (at > 0 ? [gap] : [])
                    + [
                        Line(
                            kind: "clip",
                            numbers: [
                                seconds(at), seconds(length), item.start.approximateSeconds,
                                seconds(length),
                            ])
                    ])
        }
        return [Line(kind: "film", numbers: [seconds(end)])]
            + timeline.chapters.map {
                Line(kind: "marker", numbers: [$0.time.approximateSeconds])
            } + tracks.flatMap(\.self)
    }

    @Test("it agrees on every range, offset and marker of 200 random timelines")
    func ranges() throws {
        let python = try #require(OpenTimelineOracle.python)
        let folder = try TemporaryFolder()
        var (paths, wanted): ([String], [Line]) = ([], [])
        for seed in UInt64(20_001)...20_200 {
            var draw = Draw(seed: seed)
            let timeline = draw.timeline()
            let path = folder.file("\(seed).otio")
            let (text, _) = try OpenTimelineFile.text(
                of: timeline, assets: Draw.assets, in: folder.path)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            paths.append(path)
            wanted += try expected(timeline)
        }
        let answer = try python.run(["-c", OpenTimelineOracle.script] + paths)
        #expect(answer.status == 0, "\(answer.errorText)")
        let found = answer.outputText.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return Line(
                kind: String(words[0]), numbers: words.dropFirst().compactMap { Double($0) })
        }
        #expect(found.count == wanted.count)
        let wrong = zip(found, wanted).filter { one, other in
            one.kind != other.kind || one.numbers.count != other.numbers.count
                || zip(one.numbers, other.numbers).contains { abs($0 - $1) > 1e-6 }
        }
        #expect(wrong.isEmpty, "\(wrong.count) of \(wanted.count): \(wrong.prefix(4))")
        #expect(wanted.count > 2000)
    }
}
