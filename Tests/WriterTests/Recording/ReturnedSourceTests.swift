import Media
import TestSupport
import Testing

@testable import Recording

private let origin = RecorderRig.origin
private let ms: Int64 = 1_000_000

@Suite("Sources that leave their session and come back, and frames that come late")
struct ReturnedSourceTests {
    /// Two seconds, one without the source, two more.
    private func leaves(
        _ rig: RecorderRig, _ device: any RigDevice, isBack: Bool, _ plug: (Bool) -> Void
    ) async throws -> TakeReport {
        try rig.recorder.start()
        rig.run(2_000)
        plug(false)
        device.source.send(.ended(at: .nanoseconds(rig.now)))
        rig.run(1_000)
        if isBack {
            plug(true)
            device.source.send(
                .resumed(at: .nanoseconds(rig.now), format: device.source.format))
        }
        rig.run(2_000)
        return await rig.stop()
    }

    @Test(
        "a microphone that is removed ends its track; one that is added again leaves a gap that is reported",
        arguments: [false, true])
    func microphone(isBack: Bool) async throws {
        let microphone = RigMicrophone("microphone", at: origin - 50 * ms)
        let rig = try RecorderRig([RigCamera("camera", at: origin), microphone])
        let report = try await leaves(rig, microphone, isBack: isBack) { microphone.isPlugged = $0 }
        let track = report.tracks[1]
        let kinds = await rig.events().map(\.kind)
        guard isBack else {
            #expect(track.gaps.isEmpty && report.verdict == .good, "\(report.reasons)")
            #expect(kinds == ["started", "finished"])
            return
        }
        #expect(track.gaps.map(\.cause) == ["ended"])
        #expect(track.gaps.map(\.length) == [TakeTime(nanoseconds: 1_000 * ms)])
        #expect(track.gaps.map(\.movieTime) == [TakeTime(nanoseconds: 2_000 * ms)])
        #expect(track.filledFrames == 48_000)
        #expect(report.verdict == .degraded)
        #expect(kinds == ["started", "back", "finished"])
        let audio = rig.writer.sound(1)
        #expect(audio[96_000..<144_000].allSatisfy { $0 == 0 })
        #expect(audio[144_200..<240_000].allSatisfy { $0 != 0 })
    }

    @Test("a camera that is removed and added again leaves a gap likewise")
    func camera() async throws {
        let camera = RigCamera("camera", at: origin)
        let rig = try RecorderRig([camera, RigMicrophone("microphone", at: origin - 50 * ms)])
        let report = try await leaves(rig, camera, isBack: true) { camera.isPlugged = $0 }
        #expect(report.tracks[0].gaps.map(\.cause) == ["ended"])
        #expect(report.verdict == .degraded)
        #expect(await rig.events().map(\.kind) == ["started", "back", "finished"])
    }

    @Test(
        "what a camera delivered is in the movie or a drop, each frame once, however late it comes and whatever is refused",
        arguments: [0, 30, 200])
    func everyFrameOnce(refused: Int) async throws {
        let camera = RigCamera("camera", at: origin, period: 200 * ms)
        let rig = try RecorderRig([camera])
        try rig.recorder.start()
        rig.run(1_000)
        // a machine that is overloaded: frames come two seconds late, and an encoder takes none
        camera.latency = 2_000 * ms
        rig.run(3_000)
        rig.writer.state.withLock { $0.refusals[0] = refused }
        rig.run(6_000)
        rig.writer.state.withLock { $0.refusals[0] = 0 }
        camera.latency = 5 * ms
        rig.run(1_000)
        let report = await rig.stop()
        let track = report.tracks[0]
        let end = try #require(report.clocks?.end).nanoseconds
        let captured = (0..<Int64(camera.count)).count { origin + $0 * 200 * ms < end }
        let written = track.frames - track.filledFrames
        #expect(Int(written) + track.drops.values.reduce(0, +) == captured, "\(track.drops)")
        #expect(track.drops["encoder-behind"] ?? 0 == min(refused, 30), "\(track.drops)")
        #expect(track.drops["out-of-order"] == nil)
        // frames that come late but steadily find their places: none is written twice meanwhile
        #expect(track.drops["late"] ?? 0 <= 5, "\(track.drops)")
    }
}
