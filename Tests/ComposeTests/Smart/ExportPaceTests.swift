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

    /// What is left after some frames of a film of 1080p, of which an encoded one takes 20 ms, a copied one 0.1 ms and
    /// the audio of each 0.05 ms.
    /// - Parameter waits: frames that take a second more.
    private func left(
        _ plan: SmartPlan, after frames: Int64, from first: Int64 = 0, waits: Set<Int64> = []
    ) -> Double? {
        var pace = ExportPace(plan, size: PixelSize(1920, 1080), from: first)
        for frame in first..<frames {
            let isCopied = plan.run(of: frame)?.isCopied == true
            let picture: Int64 = (isCopied ? 2 : 400) + (waits.contains(frame) ? 20_000 : 0)
            pace.made(
                frame, audio: MediaTime(value: 1, timescale: 20_000),
                picture: MediaTime(value: picture, timescale: 20_000))
        }
        return pace.timeLeft?.approximateSeconds
    }

    @Test("a title at the beginning or the end of an hour is neither an hour nor nothing")
    func titles() throws {
        let first = plan([(120, false), (108_000, true)])
        #expect(left(first, after: 23) == nil)
        // one is copied in a fiftieth of the time until that has been seen
        let begun = try #require(left(first, after: 40))
        #expect(abs(begun - (80 * 0.02 + 108_000 * 0.0004 + 108_080 * 0.00005)) < 0.01)
        let copying = try #require(left(first, after: 8120))
        #expect(abs(copying - 15) < 0.01)
        let last = plan([(108_000, true), (120, false)])
        let before = try #require(left(last, after: 54_000))
        #expect(abs(before - (8.1 + 120 * 0.00505)) < 0.01)
        #expect(try abs(#require(left(last, after: 108_060)) - 1.203) < 0.01)
        #expect(left(last, after: 108_120) == 0)
    }

    @Test("a frame that waits, and the first of a run, are no measure of the others")
    func waiting() throws {
        let film = plan([(120, false), (108_000, true), (120, false)])
        // where encoding turns into copying, the file is opened and the writer drained
        for frames in [160, 200, 905, 1000] as [Int64] {
            let calm = try #require(left(film, after: frames))
            let waits = try #require(left(film, after: frames, waits: [120, 122, 125, 900]))
            #expect(waits >= calm && waits < calm * 2, "\(frames): \(waits) instead of \(calm)")
        }
    }

    @Test("a pace that changes is followed")
    func slower() throws {
        let film = plan([(2000, true), (10, false)])
        let slow = Set((1000..<2000).map(Int64.init))
        // a second each is 10,000 times as long
        let rest = try #require(left(film, after: 1990, waits: slow))
        #expect(rest > 8)
    }

    @Test("frames of an earlier run are neither to do nor a measure")
    func resumed() throws {
        let film = plan([(100, false), (900, true), (100, false)])
        let rest = try #require(left(film, after: 540, from: 500))
        #expect(abs(rest - (460 * 0.00015 + 100 * 0.00505)) < 0.001)
    }

    @Test("until there is a pace nothing is said, however fast the film was so far")
    func beginning() {
        var progress = ExportProgress(
            frames: 10, frameCount: 6000, time: .milliseconds(400), duration: .seconds(240),
            bytes: 0, elapsed: .seconds(1), made: .milliseconds(400))
        #expect(progress.timeLeft != nil)
        progress.isMixed = true
        #expect(progress.timeLeft == nil)
        progress.estimate = .seconds(30)
        #expect(progress.timeLeft == .seconds(30))
    }
}
