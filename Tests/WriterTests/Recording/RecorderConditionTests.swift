import Media
import Testing

@testable import Recording

private let origin = RecorderRig.origin
private let ms: Int64 = 1_000_000

private func rig(
    _ change: (inout RecordingSettings) -> Void = { _ in }
) throws -> (rig: RecorderRig, camera: RigCamera, microphone: RigMicrophone) {
    let camera = RigCamera("camera", at: origin)
    let microphone = RigMicrophone("microphone", at: origin)
    return (try RecorderRig([camera, microphone], change: change), camera, microphone)
}

private func isNear(_ time: TakeTime, _ milliseconds: Int64, within: Int64 = 520) -> Bool {
    abs(time.nanoseconds - milliseconds * ms) <= within * ms
}

/// A recorder's word for a source that delivers nothing worth recording.
struct RecorderConditionTests {
    private struct Reported: Equatable {
        var track: Int
        var condition: TrackCondition
        var isOver: Bool
    }

    private func reported(_ rig: RecorderRig) async -> [Reported] {
        await rig.events().compactMap { event in
            guard case .condition(let track, let condition, _, _, let isOver) = event else {
                return nil
            }
            return Reported(track: track, condition: condition, isOver: isOver)
        }
    }

    @Test("a covered lens is reported while recording, and its span is in the report")
    func black() async throws {
        let (rig, camera, _) = try rig()
        try rig.recorder.start()
        rig.run(4_000)
        camera.luma = 20
        rig.run(1_500)
        #expect(rig.recorder.status().tracks[0].condition == nil)
        rig.run(1_500)
        #expect(rig.recorder.status().tracks[0].condition?.kind == .black)
        camera.luma = nil
        rig.run(3_000)
        #expect(rig.recorder.status().tracks[0].condition == nil)
        let report = await rig.stop()
        let found = try #require(report.tracks[0].conditions)
        #expect(found.map(\.kind) == [.black])
        #expect(found[0].count == 1)
        #expect(isNear(found[0].total, 3_000))
        #expect(isNear(found[0].spans[0].movieTime, 4_000))
        #expect(report.tracks[1].conditions == nil)
        // worth a word, and no fault of the recording
        #expect(report.verdict == .good)
        #expect(
            await reported(rig) == [
                Reported(track: 0, condition: .black, isOver: false),
                Reported(track: 0, condition: .black, isOver: true),
            ])
    }

    @Test("a frame that stands still and a muted microphone are reported after five seconds")
    func frozenAndSilent() async throws {
        let (rig, camera, microphone) = try rig()
        try rig.recorder.start()
        rig.run(2_000)
        camera.luma = 120
        microphone.isMuted = true
        rig.run(4_500)
        #expect(rig.recorder.status().tracks.allSatisfy { $0.condition == nil })
        rig.run(1_500)
        #expect(rig.recorder.status().tracks.map { $0.condition?.kind } == [.frozen, .silent])
        microphone.isMuted = false
        camera.luma = nil
        rig.run(2_000)
        let report = await rig.stop()
        #expect(report.tracks.map { $0.conditions?.map(\.kind) } == [[.frozen], [.silent]])
        for track in report.tracks {
            let span = try #require(track.conditions?.first?.spans.first)
            #expect(isNear(span.movieTime, 2_000))
            #expect(isNear(span.length, 6_000))
        }
        // a level is known to the buffer
        let silence = try #require(report.tracks[1].conditions?.first?.spans.first)
        #expect(isNear(silence.length, 6_000, within: 11))
        #expect(await reported(rig).count == 4)
    }

    @Test(
        "what is black or silent throughout makes the take degraded, which a shorter span does not")
    func throughout() async throws {
        let (rig, camera, microphone) = try rig()
        camera.luma = 16
        microphone.isMuted = true
        try rig.recorder.start()
        rig.run(6_000)
        let report = await rig.stop()
        #expect(report.verdict == .degraded)
        #expect(
            report.reasons == ["camera was black throughout.", "microphone was silent throughout."])
    }

    @Test("only what is in the movie counts: a lens covered in a pause is not black in the movie")
    func pauses() async throws {
        let (rig, camera, microphone) = try rig()
        try rig.recorder.start()
        rig.run(4_000)
        rig.recorder.pause()
        rig.run(100)
        camera.luma = 16
        microphone.isMuted = true
        rig.run(20_000)
        camera.luma = nil
        microphone.isMuted = false
        rig.run(600)
        rig.recorder.resume()
        rig.run(2_000)
        #expect(rig.recorder.status().tracks.allSatisfy { $0.condition == nil })
        let report = await rig.stop()
        #expect(report.tracks.allSatisfy { $0.conditions == nil })
        #expect(await reported(rig).isEmpty)
    }

    @Test("a span that a pause cuts through counts with its part in the movie")
    func cutThrough() async throws {
        let (rig, camera, _) = try rig()
        try rig.recorder.start()
        rig.run(4_000)
        camera.luma = 16
        rig.run(2_000)
        rig.recorder.pause()
        rig.run(30_000)
        rig.recorder.resume()
        rig.run(2_000)
        camera.luma = nil
        rig.run(2_000)
        let report = await rig.stop()
        let found = try #require(report.tracks[0].conditions?.first)
        #expect(isNear(found.total, 4_000))
        #expect(isNear(found.spans[0].movieTime, 4_000))
    }

    @Test("the held frame of a camera that is gone is a gap, and not frozen")
    func gone() async throws {
        let (rig, camera, _) = try rig()
        try rig.recorder.start()
        rig.run(3_000)
        camera.luma = 100
        rig.run(1_000)
        camera.unplug(at: rig.now)
        rig.run(20_000)
        camera.replug(at: rig.now)
        rig.run(1_000)
        camera.luma = nil
        rig.run(1_000)
        let report = await rig.stop()
        #expect(report.tracks[0].gaps.count == 1)
        #expect(report.tracks[0].conditions == nil)
    }

    @Test("what is not to be looked for is not found")
    func unwatched() async throws {
        let (rig, camera, microphone) = try rig { $0.watchedConditions = [.silent] }
        camera.luma = 16
        microphone.isMuted = true
        try rig.recorder.start()
        rig.run(8_000)
        let report = await rig.stop()
        #expect(report.tracks[0].conditions == nil)
        #expect(report.tracks[1].conditions?.map(\.kind) == [.silent])
    }
}
