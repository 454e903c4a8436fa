import Media
import Testing

@testable import Capture
@testable import Detect

@Suite("The moments of a pair of cameras")
struct StereoDeskTests {
    private static let format = FormatDescription.video(
        VideoFormat(coding: .raw(.gray), width: 64, height: 48, nominalRate: FrameRate(25)))

    private func frame(_ milliseconds: Int64, damaged: Bool = false) -> SynchronizedSamples {
        var sample = SampleBuffer(
            payload: .pixels(PixelBuffer(width: 64, height: 48, format: .gray)),
            format: Self.format, presentationTime: .milliseconds(milliseconds))
        sample.attachments.isDamaged = damaged
        return SynchronizedSamples(.delivered, samples: [sample])
    }

    private func lost(_ cause: SampleDrop.Cause) -> SynchronizedSamples {
        SynchronizedSamples(
            .dropped, drops: [SampleDrop(cause: cause, count: 1, time: .milliseconds(7))])
    }

    /// What is to be done, in words.
    private func steps(_ desk: inout StereoDesk) -> [String] {
        var words: [String] = []
        while let step = desk.next() {
            switch step {
            case .match(let left, let right):
                words.append(
                    "match \(left.presentationTime.nanoseconds() / 1_000_000)"
                        + "+\(right.presentationTime.nanoseconds() / 1_000_000)")
            case .say(.dropped(let drop)):
                words.append(
                    "lost \(drop.cause.rawValue) \(drop.time.nanoseconds() / 1_000_000)")
            case .say(.interrupted): words.append("interrupted")
            case .say(.resumed(_, let format)):
                words.append("resumed \(format.video?.depth.map(\.description) ?? "as light")")
            case .say(.ended): words.append("ended")
            case .say(.sample): words.append("sample")
            }
        }
        return words
    }

    private func take(
        _ desk: inout StereoDesk, _ time: Int64, _ left: SynchronizedSamples,
        _ right: SynchronizedSamples
    ) { desk.take(left: left, right: right, at: .milliseconds(time)) }

    private func away(_ time: Int64) -> SourceEvent {
        .interrupted(
            SourceInterruption(reason: .deviceGone, time: .milliseconds(time), message: "gone"))
    }

    @Test("one pair is on its way at a time; those that come meanwhile are counted and not lost")
    func busy() {
        var desk = StereoDesk(.millimetres)
        take(&desk, 0, frame(0), frame(3))
        take(&desk, 40, frame(40), frame(43))
        #expect(steps(&desk) == ["match 0+3"])
        take(&desk, 80, frame(80), frame(83))
        #expect(steps(&desk) == [])
        desk.finish(succeeded: true)
        take(&desk, 120, frame(120), frame(123))
        #expect(steps(&desk) == ["match 120+123"])
        desk.finish(succeeded: false)
        #expect(desk.counts.matched == 1 && desk.counts.busy == 2 && desk.counts.failed == 1)
    }

    @Test(
        "a frame that a camera lost is lost to the depth; one that a slower camera never had is not"
    )
    func lostOrAbsent() {
        var desk = StereoDesk(.millimetres)
        take(&desk, 0, lost(.driverGap), frame(3))
        take(&desk, 40, frame(40), lost(.late))
        take(&desk, 80, frame(80), SynchronizedSamples(.absent))
        take(&desk, 120, frame(120), SynchronizedSamples(.late))
        take(&desk, 160, frame(160), frame(163, damaged: true))
        #expect(
            steps(&desk) == [
                "lost driver-gap 0", "lost late 40", "lost late 120", "lost damaged 160",
            ])
        #expect(desk.counts.lost == 3 && desk.counts.unpaired == 1 && desk.counts.late == 1)
        #expect(desk.counts.matched == 0 && desk.counts.busy == 0)
    }

    @Test("the depth is away while one of the cameras is, and back when both are")
    func interruption() {
        var desk = StereoDesk(.millimetres)
        desk.take(away(0), of: 1)
        desk.take(away(10), of: 0)
        // what was on its way when that was said does not come behind it
        take(&desk, 20, frame(20), frame(23))
        #expect(steps(&desk) == ["interrupted", "lost late 20"])
        desk.take(.resumed(at: .milliseconds(40), format: Self.format), of: 1)
        #expect(steps(&desk) == [])
        desk.take(.resumed(at: .milliseconds(50), format: Self.format), of: 0)
        #expect(steps(&desk) == ["resumed \(DepthFormat.millimetres)"])
        take(&desk, 60, frame(60), frame(63))
        #expect(steps(&desk) == ["match 60+63"])
    }

    @Test("it ends once, and resumes with a session that is started again")
    func end() {
        var desk = StereoDesk(.millimetres)
        desk.take(.ended(at: .zero), of: 0)
        desk.take(.ended(at: .zero), of: 1)
        #expect(steps(&desk) == ["ended"])
        desk.take(.resumed(at: .zero, format: Self.format), of: 0)
        desk.take(.resumed(at: .zero, format: Self.format), of: 1)
        #expect(steps(&desk) == ["resumed \(DepthFormat.millimetres)"])
        desk.take(.ended(at: .zero), of: 1)
        #expect(steps(&desk) == ["ended"])
    }

    @Test("the maps are as large as the left camera's frames, name no rate and say what they are")
    func format() throws {
        let video = try #require(StereoDesk(.millimetres).format(of: Self.format).video)
        #expect(video.coding == .raw(.gray16le) && video.width == 64 && video.height == 48)
        #expect(video.nominalRate == nil && video.depth == .millimetres)
    }
}
