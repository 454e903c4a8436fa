import Media
import TestSupport
import Testing

@testable import Recording
@testable import Writing

private let origin = RecorderRig.origin
private let ms: Int64 = 1_000_000

private func rig(
    _ change: (inout RecordingSettings) -> Void = { _ in }
) throws -> (rig: RecorderRig, camera: RigCamera, microphone: RigMicrophone) {
    let camera = RigCamera("camera", at: origin + 200 * ms)
    let microphone = RigMicrophone("microphone", at: origin + 7 * ms)
    return (try RecorderRig([camera, microphone], change: change), camera, microphone)
}

/// Whether the audio's frames count on, from the session's start, without a break.
private func isUnbroken(_ audio: [Int16], from start: Int64) -> Bool {
    let first = (start * 48_000 + 500_000_000) / 1_000_000_000
    return audio.indices.allSatisfy { audio[$0] == Int16((first + Int64($0)) % 30_000 + 1) }
}

extension RecorderStatus {
    fileprivate func frames(of track: Int) -> Int64 { tracks[track].frames }
}

struct RecorderTests {
    @Test(
        "the movie begins at the first frame after all have delivered, the audio at that very frame"
    )
    func beginsTogether() async throws {
        let (rig, _, _) = try rig()
        #expect(rig.recorder.status().state == .idle)
        try rig.recorder.start()
        rig.run(150)
        #expect(rig.recorder.status().state == .starting)
        #expect(!rig.recorder.pause())
        rig.run(2_000)
        let status = rig.recorder.status()
        #expect(status.state == .recording)
        let start = try #require(rig.writer.state.withLock { $0.start })
        #expect(start == origin + 200 * ms)
        #expect(rig.writer.stamps(0).first == start)
        #expect(rig.writer.stamps(1).first == start)
        #expect(status.elapsed == .nanoseconds(rig.now - start))
        let report = await rig.stop()
        #expect(isUnbroken(rig.writer.sound(1), from: start))
        #expect(report.verdict == .good)
        #expect(report.reasons.isEmpty)
        #expect(report.state == .finished)
        #expect(report.tracks[0].measuredRate == 25)
        #expect(report.tracks.map(\.gaps.count) == [0, 0])
        #expect(abs(report.tracks[1].driftPPM ?? 100) < 0.1)
        #expect(rig.devices.allSatisfy { !$0.source.hasListener })
        let kinds = await rig.events().map(\.kind)
        #expect(kinds == ["started", "finished"])
    }

    @Test("the status counts frames, rates, drops and levels by track")
    func statusNumbers() async throws {
        let (rig, camera, _) = try rig()
        camera.loses = { $0 % 10 == 5 }
        try rig.recorder.start()
        rig.run(4_000)
        let status = rig.recorder.status()
        #expect(status.tracks[0].name == "camera")
        #expect(status.tracks[0].nominalRate == FrameRate(25))
        #expect(abs((status.tracks[0].measuredRate ?? 0) - 22.5) < 0.6)
        #expect(status.tracks[0].drops == [.driverGap: 9])
        #expect(status.tracks[0].audioPeak == nil)
        #expect(status.tracks[1].driftPPM != nil)
        // 30,000 of 32,768
        #expect(abs((status.tracks[1].audioPeak ?? 0) + 0.767) < 0.01)
        #expect(rig.recorder.status() == status)
        #expect(status.freeBytes == 1 << 50)
        let report = await rig.stop()
        #expect(report.verdict == .degraded)
        #expect(report.reasons.first == "camera lost 9 frames (driver-gap).")
        let reported = await rig.events().compactMap { event in
            if case .drop(0, .driverGap, let count, false) = event { count } else { nil }
        }
        // summed up: about one event a second
        #expect(reported.count <= 5)
        #expect(reported.reduce(0, +) == 9)
        // the tenth would have been behind the movie's end
        #expect(report.tracks[0].dropsInPauses == nil)
    }

    @Test(
        "frames are those of the movie; what is lost in a pause is reported and does not degrade it"
    )
    func countsOfTheMovie() async throws {
        let (rig, camera, microphone) = try rig()
        try rig.recorder.start()
        rig.run(1_200)
        rig.recorder.pause()
        rig.run(1_000)
        camera.loses = { _ in true }
        rig.run(400)
        camera.loses = { _ in false }
        microphone.unplug(at: rig.now)
        rig.run(500)
        microphone.replug(at: rig.now)
        rig.run(1_100)
        rig.recorder.resume()
        rig.run(1_000)
        let status = rig.recorder.status()
        #expect(status.frames(of: 0) == Int64(rig.writer.movieTimes(0).count))
        #expect(status.pauses == 1)
        #expect(status.tracks[0].drops.isEmpty)
        #expect(status.tracks[0].dropsInPauses == [.driverGap: 10])
        let report = await rig.stop()
        #expect(report.duration == TakeTime(nanoseconds: 2_000 * ms))
        #expect(report.tracks[0].frames == 50)
        #expect(report.tracks[1].frames == 96_000)
        #expect(report.tracks[0].dropsInPauses == ["driver-gap": 10])
        #expect(report.tracks[1].gapsInPauses == 1)
        #expect(report.tracks[1].gaps.isEmpty)
        #expect(report.verdict == .good, "\(report.reasons)")
    }

    @Test("a pause and resume within one frame leave the status running")
    func undonePause() async throws {
        let (rig, _, _) = try rig()
        try rig.recorder.start()
        rig.run(1_210)
        #expect(rig.recorder.pause())
        #expect(rig.recorder.status().state == .pausing)
        #expect(rig.recorder.resume())
        rig.run(1_000)
        #expect(rig.recorder.status().state == .recording)
        #expect(rig.recorder.status().elapsed == .nanoseconds(rig.now - origin - 200 * ms))
        #expect(rig.recorder.pause())
        rig.run(100)
        #expect(rig.recorder.status().state == .paused)
        #expect(rig.recorder.resume())
        rig.run(100)
        let report = await rig.stop()
        #expect(report.pauses.count == 1)
    }

    @Test("an unplugged camera is gone in the status, for as long as it is, with no rate")
    func goneInStatus() async throws {
        let (rig, camera, _) = try rig()
        try rig.recorder.start()
        rig.run(2_000)
        #expect(rig.recorder.status().tracks[0].silence == nil)
        camera.unplug(at: rig.now)
        rig.run(3_000)
        let gone = rig.recorder.status().tracks[0]
        #expect(gone.silence == .seconds(3))
        #expect(gone.measuredRate == 0)
        #expect(gone.repeatedFrames == 2)
        camera.replug(at: rig.now)
        rig.run(2_000)
        #expect(rig.recorder.status().tracks[0].silence == nil)
        _ = await rig.stop()
    }

    @Test("a microphone that never comes back is not said to be back when the take ends")
    func neverBack() async throws {
        let (rig, _, microphone) = try rig()
        try rig.recorder.start()
        rig.run(2_000)
        microphone.unplug(at: rig.now)
        rig.run(3_800)
        let report = await rig.stop()
        #expect(report.tracks[1].gaps.count == 1)
        #expect(await rig.events().map(\.kind) == ["started", "interrupted", "finished"])
    }

    @Test("pauses cut audio and video by the same time, as often as one likes")
    func pauses() async throws {
        let (rig, _, _) = try rig()
        try rig.recorder.start()
        rig.run(1_000)
        var noise = Noise(seed: 31)
        for _ in 0..<50 {
            #expect(rig.recorder.pause())
            #expect(!rig.recorder.pause())
            rig.run(Int(abs(noise.next()) * 40) * 10)
            #expect(rig.recorder.resume())
            #expect(!rig.recorder.resume())
            rig.run(Int(abs(noise.next()) * 40) * 10)
        }
        rig.run(500)
        let report = await rig.stop()
        let gate = try #require(rig.writer.state.withLock { $0.gate })
        #expect(report.pauses.count == gate.cuts.count)
        #expect(report.pauses.count > 30)
        let cut = report.pauses.reduce(0) { $0 + ($1.length?.nanoseconds ?? 0) }
        let clocks = try #require(report.clocks)
        let end = try #require(clocks.end)
        #expect(report.duration.nanoseconds == end.nanoseconds - clocks.start.nanoseconds - cut)
        #expect(isUnbroken(rig.writer.sound(1), from: clocks.start.nanoseconds))
        let times = rig.writer.movieTimes(0)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.1 - $0.0 == 40 * ms })
        let kinds = await rig.events().map(\.kind)
        #expect(kinds.filter { $0 == "paused" }.count == report.pauses.count)
        #expect(kinds.filter { $0 == "resumed" }.count == report.pauses.count)
    }

    @Test("a wanted length ends the recording by itself, to the frame, pauses not counted")
    func stopsAtLength() async throws {
        let (rig, _, _) = try rig { $0.duration = .seconds(2) }
        try rig.recorder.start()
        rig.run(1_000)
        #expect(rig.recorder.toggle())
        rig.run(3_000)
        #expect(rig.recorder.toggle())
        let report = await rig.finished()
        #expect(report.duration == TakeTime(nanoseconds: 2_000 * ms))
        #expect(report.state == .finished)
        #expect(rig.writer.movieTimes(0).count == 50)
        #expect(rig.writer.movieTimes(0).last == 1_960 * ms)
        // the audio that is in the movie: all but the pause, cut at the very frame
        let pause = try #require(report.pauses.first?.length)
        let cut = Int(pause.nanoseconds * 48 / ms)
        #expect(rig.writer.sound(1).count - cut == 96_000)
    }

    @Test("a pause just before the wanted end, or just after it, changes nothing of its length")
    func pausesNearTheEnd() async throws {
        for offset in [-45, -10, 0, 10, 45] {
            let (rig, _, _) = try rig { $0.duration = .seconds(2) }
            try rig.recorder.start()
            // the movie begins at 200 ms: its end would be at 2,200 ms
            rig.run(2_200 + offset / 10 * 10)
            rig.recorder.pause()
            rig.run(300)
            rig.recorder.resume()
            let report = await rig.finished()
            #expect(report.duration == TakeTime(nanoseconds: 2_000 * ms), "\(offset)")
            #expect(rig.writer.movieTimes(0).allSatisfy { $0 < 2_000 * ms })
            #expect(rig.writer.movieTimes(0).count == 50)
        }
    }

    @Test("time in which the process stood still is none in which a source did not deliver")
    func standsStillWhileStarting() async throws {
        let silent = RigMicrophone("headset", at: origin)
        silent.isPlugged = false
        let rig = try RecorderRig([silent])
        try rig.recorder.start()
        rig.run(4_900)
        // Ctrl-Z, and fg half a minute later
        rig.clock.advance(by: .seconds(30))
        rig.recorder.tick()
        #expect(rig.recorder.status().state == .starting)
        rig.run(4_900)
        #expect(rig.recorder.status().state == .starting)
        rig.run(600)
        let report = await rig.finished()
        #expect(report.failure?.contains("headset delivered nothing") == true)
    }

    @Test("a source that never delivers is named after ten seconds, and nothing is left behind")
    func neverDelivers() async throws {
        let silent = RigMicrophone("headset", at: origin)
        silent.isPlugged = false
        let rig = try RecorderRig([silent])
        try rig.recorder.start()
        rig.run(9_900)
        #expect(rig.recorder.status().state == .starting)
        rig.run(200)
        let report = await rig.finished()
        #expect(rig.recorder.status().state == .failed)
        #expect(report.state == .failed)
        #expect(report.verdict == .bad)
        #expect(report.failure?.contains("headset delivered nothing within 10.0 s") == true)
        #expect(rig.writer.state.withLock { $0.isCancelled })
        #expect(await rig.events().map(\.kind) == ["failed", "finished"])
    }

    @Test("a recording that is stopped before it began leaves no movie")
    func stoppedBeforeStart() async throws {
        let (rig, _, _) = try rig()
        try rig.recorder.start()
        rig.run(50)
        let report = await rig.stop()
        #expect(report.state == .finished)
        #expect(report.reasons == ["Nothing was recorded."])
        #expect(rig.writer.state.withLock { $0.isCancelled })
        #expect(throws: MediaError.self) { try rig.recorder.start() }
    }

    @Test("markers are placed in movie time, one in a pause at its cut")
    func markers() async throws {
        let (rig, _, _) = try rig()
        #expect(!rig.recorder.mark("too early"))
        try rig.recorder.start()
        rig.run(1_200)
        #expect(rig.recorder.mark("one"))
        let asked = rig.now
        rig.recorder.pause()
        rig.run(1_000)
        rig.recorder.mark("in the pause")
        rig.recorder.resume()
        rig.run(500)
        let report = await rig.stop()
        #expect(report.markers.map(\.text) == ["one", "in the pause"])
        #expect(report.markers[0].hostTime == TakeTime(nanoseconds: asked))
        #expect(report.markers[0].movieTime == TakeTime(nanoseconds: 1_000 * ms))
        #expect(report.markers[1].movieTime == report.pauses[0].movieTime)
        #expect(!rig.recorder.mark("too late"))
    }

    @Test("frames that the writer has no room for are counted; the audio loses nothing")
    func fullWriter() async throws {
        let (rig, _, _) = try rig()
        try rig.recorder.start()
        rig.run(1_000)
        rig.writer.state.withLock { $0.refusals[0] = 5 }
        rig.run(1_000)
        let report = await rig.stop()
        #expect(report.tracks[0].drops == ["encoder-behind": 5])
        #expect(report.tracks[1].drops.isEmpty)
        #expect(isUnbroken(rig.writer.sound(1), from: origin + 200 * ms))
    }

    @Test("two cameras and two microphones begin together and stay four tracks")
    func fourTracks() async throws {
        let devices: [any RigDevice] = [
            RigMicrophone("left", at: origin + 3 * ms), RigCamera("front", at: origin + 20 * ms),
            RigCamera("back", at: origin + 33 * ms), RigMicrophone("right", at: origin + 90 * ms),
        ]
        let rig = try RecorderRig(devices)
        try rig.recorder.start()
        rig.run(2_000)
        let report = await rig.stop()
        // the first frame of "front", the first camera, at or after 90 ms
        #expect(report.clocks?.start == TakeTime(nanoseconds: origin + 100 * ms))
        #expect(rig.writer.stamps(2).first == origin + 113 * ms)
        for track in [0, 3] {
            #expect(rig.writer.stamps(track).first == origin + 100 * ms)
            #expect(isUnbroken(rig.writer.sound(track), from: origin + 100 * ms))
        }
        #expect(report.tracks.map(\.origin.name) == ["left", "front", "back", "right"])
        #expect(report.verdict == .good)
    }

    @Test(
        "a recording of audio only begins when the last microphone begins and pauses at the instant"
    )
    func audioAlone() async throws {
        let microphone = RigMicrophone("only", at: origin + 5 * ms)
        let rig = try RecorderRig([microphone])
        try rig.recorder.start()
        rig.run(1_000)
        rig.recorder.pause()
        let asked = rig.now
        rig.run(500)
        rig.recorder.resume()
        rig.run(500)
        let report = await rig.stop()
        #expect(report.clocks?.start == TakeTime(nanoseconds: origin + 5 * ms))
        #expect(report.pauses.first?.start == TakeTime(nanoseconds: asked))
        #expect(report.pauses.first?.length == TakeTime(nanoseconds: 500 * ms))
    }

    @Test("when every source has ended the recording ends")
    func allEnded() async throws {
        let (rig, camera, microphone) = try rig()
        try rig.recorder.start()
        rig.run(1_000)
        for device in [camera as any RigDevice, microphone] {
            device.source.send(.ended(at: .nanoseconds(rig.now)))
        }
        camera.isPlugged = false
        microphone.isPlugged = false
        let report = await rig.finished()
        #expect(report.state == .finished)
        #expect(report.verdict == .good)
        #expect(report.duration.nanoseconds < 1_200 * ms)
    }

    @Test("sources and outputs that do not fit are refused by name")
    func refusals() throws {
        let camera = RigCamera("camera", at: 0)
        #expect(throws: MediaError.self) { try RecorderRig([]) }
        #expect {
            try RecorderRig([camera]) { $0.video = .copied }
        } throws: { "\($0)".contains("Cannot record camera") }
        #expect {
            try RecorderRig([camera]) { $0.duration = .zero }
        } throws: { ($0 as? MediaError)?.subject == "duration" }
        #expect {
            try RecorderRig([camera]) { $0.stallLimit = .seconds(100) }
        } throws: { ($0 as? MediaError)?.subject == "stallLimit" }
        let coded = ScriptedSource(
            "mjpeg", .video(VideoFormat(coding: .coded(.mjpeg), width: 32, height: 16)))
        #expect(throws: MediaError.self) {
            try Recorder(sources: [coded], settings: RecordingSettings(outputPath: "/tmp/a.mp4"))
        }
    }
}
