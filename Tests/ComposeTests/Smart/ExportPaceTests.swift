import Media
import Testing

@testable import Compose

@Suite("How long a film takes of which some frames are copied")
struct ExportPaceTests {
    private static let clip = MediaSource(path: "a.mp4", trackID: 1)

    private func plan(_ runs: [(frames: Int64, isCopied: Bool)]) -> SmartPlan {
        var (made, next) = ([SmartPlan.Run](), Int64(0))
        for run in runs {
            made.append(
                SmartPlan.Run(
                    frames: next..<next + run.frames,
                    work: run.isCopied
                        ? .copy(Self.clip, place: 0, from: .zero, record: 0)
                        : .encode(because: [.nothing])))
            next += run.frames
        }
        return SmartPlan(runs: made, reorder: 0, records: [], namesSources: false)
    }

    /// What is left after some frames, of which an encoded one takes 20 ms and a copied one 0.1 ms.
    private func left(_ plan: SmartPlan, after frames: Int64, from first: Int64 = 0) -> Double? {
        var elapsed = MediaTime.seconds(2)
        var pace = ExportPace(plan, from: first, at: elapsed)
        for frame in first..<frames {
            let isCopied = plan.run(of: frame)?.isCopied == true
            elapsed += MediaTime(value: isCopied ? 1 : 200, timescale: 10_000)
            pace.made(frame, at: elapsed)
        }
        return pace.timeLeft?.approximateSeconds
    }

    @Test("a title at the beginning or the end of an hour is neither an hour nor nothing")
    func titles() throws {
        let first = plan([(120, false), (108_000, true)])
        #expect(left(first, after: 0) == nil)
        // one is copied in a fiftieth of the time until that has been seen
        let begun = try #require(left(first, after: 20))
        #expect(abs(begun - (100 * 0.02 + 108_000 * 0.0004)) < 0.01)
        let copying = try #require(left(first, after: 8120))
        #expect(abs(copying - 10) < 0.01)
        let last = plan([(108_000, true), (120, false)])
        let before = try #require(left(last, after: 54_000))
        #expect(abs(before - (5.4 + 120 * 0.005)) < 0.01)
        #expect(try abs(#require(left(last, after: 108_060)) - 1.2) < 0.01)
        #expect(left(last, after: 108_120) == 0)
    }

    @Test("frames of an earlier run are neither to do nor a measure")
    func resumed() throws {
        let film = plan([(100, false), (900, true), (100, false)])
        let rest = try #require(left(film, after: 510, from: 500))
        #expect(abs(rest - (490 * 0.0001 + 100 * 0.005)) < 0.001)
    }
}
