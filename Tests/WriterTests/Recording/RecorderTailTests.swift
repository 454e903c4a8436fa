import Media
import TestSupport
import Testing

@testable import Recording

private let origin = RecorderRig.origin
private let ms: Int64 = 1_000_000

@Suite("the last moment of a take")
struct RecorderTailTests {
    private func rig(_ camera: RigCamera) throws -> RecorderRig {
        // heard before the first frame: the movie begins at `origin`
        let rig = try RecorderRig([camera, RigMicrophone("microphone", at: origin - 50 * ms)])
        try rig.recorder.start()
        return rig
    }

    @Test(
        "a camera that is silent for a moment in the midst of a take has a gap, however short the silence",
        arguments: [400, 700, 1_500])
    func hole(silence: Int) async throws {
        let camera = RigCamera("camera", at: origin)
        let rig = try rig(camera)
        rig.run(2_000)
        camera.isPlugged = false
        rig.run(silence)
        camera.isPlugged = true
        rig.run(1_000)
        let report = await rig.stop()
        let gaps = report.tracks[0].gaps
        // less than half a second is jitter
        #expect(gaps.map(\.cause) == (silence > 500 ? ["stalled"] : []), "\(gaps)")
        if let gap = gaps.first {
            #expect(abs(gap.length.nanoseconds - Int64(silence) * ms) <= 40 * ms, "\(gap)")
            #expect(report.verdict == .degraded, "\(report.reasons)")
        }
    }

    @Test(
        "a camera that falls silent just before the stop is reported, however few frames are missing",
        arguments: [1_900, 900, 300, 100, 30])
    func silentCamera(silence: Int) async throws {
        let camera = RigCamera("camera", at: origin)
        let rig = try rig(camera)
        rig.run(1_000)
        camera.isPlugged = false
        rig.run(silence)
        let report = await rig.stop()
        #expect(report.tracks[0].gaps.map(\.cause) == ["stalled"])
        let gap = try #require(report.tracks[0].gaps.first)
        #expect(gap.hostTime == TakeTime(nanoseconds: origin + 1_000 * ms))
        #expect(gap.length.nanoseconds == report.duration.nanoseconds - 1_000 * ms)
        #expect(report.verdict != .good)
        #expect(report.reasons.contains { $0.hasPrefix("camera had a gap") })
    }

    @Test("a camera that misses frames before the stop and none after it is reported beyond five")
    func holeBeforeTheEnd() async throws {
        for (silence, causes) in [(300, ["stalled"]), (120, [])] {
            let camera = RigCamera("camera", at: origin)
            let rig = try rig(camera)
            rig.run(1_000)
            camera.isPlugged = false
            rig.run(silence)
            rig.recorder.requestStop()
            camera.isPlugged = true
            let report = await rig.finished()
            #expect(report.tracks[0].gaps.map(\.cause) == causes)
        }
    }

    @Test(
        "a camera that is slower than it says is not reported for waiting for its next frame",
        arguments: [66, 200, 400, 1_000])
    func slowCamera(milliseconds: Int) async throws {
        for phase in stride(from: 0, to: milliseconds, by: max(10, milliseconds / 200 * 50)) {
            let camera = RigCamera("camera", at: origin, period: Int64(milliseconds) * ms)
            let rig = try rig(camera)
            rig.run(4_000 + phase)
            let report = await rig.stop()
            #expect(report.tracks[0].gaps.isEmpty, "stopped \(phase) ms later")
        }
    }

    @Test("frames that are late by less than the drain's limit are taken, and nothing is missing")
    func lateFrames() async throws {
        for (latency, isMissing) in [(400, false), (900, true)] {
            let camera = RigCamera("camera", at: origin)
            let rig = try rig(camera)
            rig.run(2_000)
            camera.latency = Int64(latency) * ms
            rig.run(30)
            let report = await rig.stop()
            #expect(report.tracks[0].gaps.isEmpty != isMissing, "\(report.tracks[0].gaps)")
            #expect((report.verdict == .good) != isMissing, "\(report.reasons)")
            #expect(rig.writer.stamps(0).count == (isMissing ? 50 : 51))
        }
    }

    @Test(
        "a stop that waits for nothing leaves out what is on its way, and reports a silent camera")
    func fastStop() async throws {
        for (silence, causes) in [(0, []), (100, []), (300, ["stalled"])] {
            let camera = RigCamera("camera", at: origin)
            let rig = try rig(camera)
            rig.run(1_000)
            camera.isPlugged = false
            rig.run(silence)
            rig.recorder.requestStop(fast: true)
            rig.recorder.tick()
            let report = await rig.finished()
            #expect(report.tracks[0].gaps.map(\.cause) == causes)
        }
    }

    @Test("a camera's silence in a pause is missing nowhere")
    func silentInAPause() async throws {
        let camera = RigCamera("camera", at: origin)
        let rig = try rig(camera)
        rig.run(1_000)
        #expect(rig.recorder.pause())
        rig.run(200)
        camera.isPlugged = false
        rig.run(300)
        let report = await rig.stop()
        #expect(report.tracks[0].gaps.isEmpty)
        #expect(report.tracks[0].gapsInPauses == 1)
        #expect(report.verdict == .good, "\(report.reasons)")
    }
}

@Suite("silence at the end")
struct EndSilenceTests {
    private let last = origin

    private func lacks(_ period: Int64?, end: Int64, until: Int64) -> Bool {
        EndSilence(last: last, period: period.map { $0 * ms })
            .lacksFrames(before: last + end * ms, silentUntil: last + until * ms)
    }

    @Test("a frame was due before the end, and the silence is longer than five frames")
    func fastCamera() {
        #expect(!lacks(40, end: 60, until: 900))
        #expect(lacks(40, end: 61, until: 900))
        #expect(!lacks(40, end: 61, until: 200))
        #expect(lacks(40, end: 61, until: 201))
        // of 240 frames a second a tenth of a second is tolerated
        #expect(!lacks(4, end: 90, until: 100))
        #expect(lacks(4, end: 90, until: 101))
    }

    @Test("a slow camera has half a second, or two of its frames")
    func slowCamera() {
        #expect(!lacks(200, end: 400, until: 500))
        #expect(lacks(200, end: 400, until: 501))
        #expect(!lacks(1_000, end: 1_600, until: 2_000))
        #expect(lacks(1_000, end: 1_600, until: 2_001))
    }

    @Test("a camera whose rate nobody knows has half a second before the end")
    func unknownRate() {
        #expect(!lacks(nil, end: 500, until: 2_000))
        #expect(lacks(nil, end: 501, until: 2_000))
    }
}
