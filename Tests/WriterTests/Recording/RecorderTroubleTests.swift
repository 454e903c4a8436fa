import Media
import TestSupport
import Testing

@testable import Recording

private let origin = RecorderRig.origin
private let ms: Int64 = 1_000_000

private func rig(
    _ change: (inout RecordingSettings) -> Void = { _ in }
) throws -> (rig: RecorderRig, camera: RigCamera, microphone: RigMicrophone) {
    let camera = RigCamera("camera", at: origin)
    // heard before the first frame: the movie begins at `origin`
    let microphone = RigMicrophone("microphone", at: origin - 50 * ms)
    return (try RecorderRig([camera, microphone], change: change), camera, microphone)
}

/// Frames that are neither silent nor where the host's count has them.
private func misplaced(_ audio: [Int16], from start: Int64) -> [Int] {
    let first = (start * 48_000 + 500_000_000) / 1_000_000_000
    return audio.indices.filter { index in
        let wanted = Int16((first + Int64(index)) % 30_000 + 1)
        return audio[index] != wanted && audio[index] != 0
    }
}

struct RecorderTroubleTests {
    @Test("an unplugged camera: audio continues, the last frame holds, a sync sample follows")
    func cameraUnplugged() async throws {
        let (rig, camera, _) = try rig()
        try rig.recorder.start()
        rig.run(2_000)
        camera.unplug(at: rig.now)
        rig.run(5_000)
        #expect(rig.recorder.status().tracks[0].isInterrupted)
        camera.replug(at: rig.now)
        rig.run(4_000)
        #expect(!rig.recorder.status().tracks[0].isInterrupted)
        let report = await rig.stop()

        let stamps = rig.writer.stamps(0)
        #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0.0 < $0.1 })
        let longest = zip(stamps, stamps.dropFirst()).map { $0.1 - $0.0 }.max() ?? 0
        #expect(longest < 1_500 * ms)
        #expect(report.tracks[0].filledFrames == 4)
        let samples = rig.writer.samples(0)
        let forced = samples.filter { $0.attachments.forcesSync }
        #expect(forced.map { $0.presentationTime } == [.nanoseconds(origin + 7_000 * ms)])
        let gap = try #require(report.tracks[0].gaps.first)
        #expect(gap.hostTime == TakeTime(nanoseconds: origin + 2_000 * ms))
        #expect(gap.length == TakeTime(nanoseconds: 5_000 * ms))
        #expect(gap.cause == "device-gone")
        #expect(report.verdict == .degraded)
        #expect(misplaced(rig.writer.sound(1), from: origin).isEmpty)
        let kinds = await rig.events().map(\.kind)
        #expect(kinds == ["started", "interrupted", "back", "finished"])
    }

    @Test("a held frame is the last one, in memory of its own")
    func heldFrame() async throws {
        let (rig, camera, _) = try rig()
        try rig.recorder.start()
        rig.run(1_000)
        camera.unplug(at: rig.now)
        rig.run(3_000)
        _ = await rig.stop()
        let frames = rig.writer.samples(0).compactMap(\.pixelBuffer)
        let lumas = frames.map { $0.withPlane(0) { $0.row(0)[0] } }
        #expect(lumas.suffix(3) == [40, 40, 40])
    }

    @Test("a frame on a driver's memory is copied before it is held")
    func driverMemory() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 6 * 4, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 77, count: 24)
        let address = UInt(bitPattern: memory)
        let storage = PixelStorage(
            planes: [PixelPlane(base: UnsafeRawPointer(memory), bytesPerRow: 6, rows: 4)],
            holdLimit: .milliseconds(50)
        ) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
        let frame = PixelBuffer(width: 4, height: 4, format: .gray, storage: storage)
        let sample = SampleBuffer(
            payload: .pixels(frame),
            format: .video(VideoFormat(coding: .raw(.gray), width: 4, height: 4)),
            presentationTime: .zero)
        let own = try #require(sample.onOwnMemory().pixelBuffer)
        #expect(own.holdLimit == nil)
        #expect(own.withPlane(0) { plane in (0..<4).allSatisfy { plane.row($0)[3] == 77 } })
    }

    @Test("a camera that comes back with another size is handed to the writer as it comes")
    func otherSize() async throws {
        let (rig, camera, _) = try rig()
        try rig.recorder.start()
        rig.run(1_000)
        camera.unplug(at: rig.now)
        rig.run(1_000)
        camera.replug(at: rig.now, width: 64, height: 48)
        rig.run(1_000)
        let report = await rig.stop()
        let frames = rig.writer.samples(0).compactMap(\.pixelBuffer)
        #expect(frames.count > 45)
        #expect(frames.contains { $0.width == 32 && $0.height == 16 })
        #expect(frames.last.map { $0.width == 64 && $0.height == 48 } == true)
        #expect(report.tracks[0].drops.isEmpty)
        // a flat frame stays what it was
        let last = try #require(rig.writer.samples(0).last)
        let count = Int((last.presentationTime.nanoseconds() - origin) / (40 * ms))
        let luma = last.pixelBuffer?.withPlane(0) { Int($0.row(8)[16]) }
        #expect(abs((luma ?? 0) - count % 200 - 16) <= 1)
    }

    @Test("while the lead camera is gone a pause cuts at the very instant")
    func pauseWithoutLead() async throws {
        let (rig, camera, _) = try rig()
        try rig.recorder.start()
        rig.run(2_000)
        camera.unplug(at: rig.now)
        rig.run(1_230)
        #expect(rig.recorder.pause())
        let paused = rig.now
        rig.run(1_780)
        #expect(rig.recorder.resume())
        let resumed = rig.now
        rig.run(1_000)
        let report = await rig.stop()
        #expect(report.pauses.map(\.start) == [TakeTime(nanoseconds: paused)])
        #expect(report.pauses.map(\.end) == [TakeTime(nanoseconds: resumed)])
    }

    @Test("a pause just before the lead camera is back cuts at its instant, and loses no frame")
    func pauseBeforeReturn() async throws {
        let (rig, camera, _) = try rig()
        try rig.recorder.start()
        rig.run(2_000)
        camera.unplug(at: rig.now)
        rig.run(1_230)
        #expect(rig.recorder.pause())
        let paused = rig.now
        rig.run(10)
        #expect(rig.recorder.status().state == .paused)
        rig.run(200)
        camera.replug(at: rig.now)
        rig.run(813)
        #expect(rig.recorder.resume())
        let resumed = rig.now
        rig.run(1_000)
        let report = await rig.stop()
        #expect(report.pauses.map(\.start) == [TakeTime(nanoseconds: paused)])
        let end = try #require(report.pauses.first?.end)
        // the camera is there again: the next frame
        #expect(end >= TakeTime(nanoseconds: resumed))
        #expect(end <= TakeTime(nanoseconds: resumed + 40 * ms))
        #expect(report.tracks[0].drops.isEmpty, "\(report.tracks[0].drops)")
    }

    @Test("an unplugged microphone leaves silence of exactly the time it was away")
    func microphoneUnplugged() async throws {
        let (rig, _, microphone) = try rig()
        try rig.recorder.start()
        rig.run(2_000)
        microphone.unplug(at: rig.now)
        rig.run(3_000)
        // silence follows half a second behind, so that players and the disk are not kept waiting
        let reach = try #require(rig.writer.samples(1).last)
        #expect(reach.presentationTime.nanoseconds() > rig.now - 700 * ms)
        microphone.replug(at: rig.now)
        rig.run(1_000)
        let report = await rig.stop()
        let audio = rig.writer.sound(1)
        let gap = try #require(report.tracks[1].gaps.first)
        #expect(report.tracks[1].gaps.count == 1)
        #expect(gap.hostTime == TakeTime(nanoseconds: origin + 2_000 * ms))
        #expect(gap.length == TakeTime(nanoseconds: 3_000 * ms))
        #expect(audio[96_000..<240_000].allSatisfy { $0 == 0 })
        #expect(report.tracks[1].filledFrames == 144_000)
        let faded = Set(95_856..<96_000).union(240_000..<240_144)
        #expect(misplaced(audio, from: origin).allSatisfy { faded.contains($0) })
        #expect(audio.count == Int(report.duration.nanoseconds * 48 / ms))
    }

    @Test("an announced overrun is silence of exactly the lost frames, counted and reported")
    func overrun() async throws {
        let (rig, _, microphone) = try rig()
        try rig.recorder.start()
        rig.run(1_000)
        microphone.overrun(2_400)
        rig.run(1_000)
        let report = await rig.stop()
        #expect(report.tracks[1].drops == ["overrun": 2_400])
        #expect(report.tracks[1].gaps.map(\.length) == [TakeTime(nanoseconds: 50 * ms)])
        #expect(report.tracks[1].gaps.map(\.cause) == ["overrun"])
        #expect(rig.writer.sound(1)[48_000..<50_400].allSatisfy { $0 == 0 })
    }

    @Test("a microphone that falls silent without a word is filled after the stall limit")
    func silentStall() async throws {
        let (rig, _, microphone) = try rig()
        try rig.recorder.start()
        rig.run(1_000)
        microphone.isPlugged = false
        rig.run(1_900)
        #expect(!rig.recorder.status().tracks[1].isInterrupted)
        rig.run(1_100)
        #expect(rig.recorder.status().tracks[1].isInterrupted)
        microphone.isPlugged = true
        rig.run(1_000)
        let report = await rig.stop()
        #expect(report.tracks[1].gaps.map(\.cause) == ["stalled"])
        #expect(report.tracks[1].gaps.map(\.length) == [TakeTime(nanoseconds: 3_000 * ms)])
    }

    @Test(
        "a microphone that falls silent just before the stop is filled to the end, and reported",
        arguments: [700, 30])
    func silentEnd(silence: Int) async throws {
        let (rig, _, microphone) = try rig()
        try rig.recorder.start()
        rig.run(1_000)
        microphone.isPlugged = false
        rig.run(silence)
        let report = await rig.stop()
        let audio = rig.writer.sound(1)
        #expect(audio.count == Int(report.duration.nanoseconds * 48 / ms))
        #expect(audio[48_000...].allSatisfy { $0 == 0 })
        let gap = try #require(report.tracks[1].gaps.first)
        #expect(report.tracks[1].gaps.count == 1)
        #expect(gap.cause == "stalled")
        #expect(gap.hostTime == TakeTime(nanoseconds: origin + 1_000 * ms))
        #expect(gap.length.nanoseconds == report.duration.nanoseconds - 1_000 * ms)
        #expect(report.verdict == .degraded)
    }

    @Test("both devices gone and back again and again: everything stays in place")
    func plugStorm() async throws {
        let (rig, camera, microphone) = try rig()
        try rig.recorder.start()
        rig.run(1_000)
        var noise = Noise(seed: 11)
        for round in 0..<30 {
            let length = 10 * (5 + Int(abs(noise.next()) * 200))
            switch round % 3 {
            case 0:
                camera.unplug(at: rig.now)
                rig.run(length)
                camera.replug(at: rig.now)
            case 1:
                microphone.unplug(at: rig.now)
                rig.run(length)
                microphone.replug(at: rig.now)
            default:
                rig.recorder.toggle()
                rig.run(length)
                rig.recorder.toggle()
            }
            rig.run(10 * Int(abs(noise.next()) * 60))
        }
        let report = await rig.stop()
        #expect(report.state == .finished)
        let stamps = rig.writer.stamps(0)
        #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0.0 < $0.1 })
        let audio = rig.writer.sound(1)
        let fades = report.tracks[1].gaps.count * 288
        #expect(misplaced(audio, from: origin).count <= fades)
        #expect(report.tracks[0].gaps.count == 10)
    }

    @Test("a camera that dies before its first frame keeps nobody waiting, and joins when back")
    func deadBeforeStart() async throws {
        let lead = RigCamera("lead", at: origin)
        let second = RigCamera("second", at: origin)
        let microphone = RigMicrophone("microphone", at: origin - 50 * ms)
        let rig = try RecorderRig([lead, second, microphone])
        try rig.recorder.start()
        lead.unplug(at: rig.now)
        rig.run(2_000)
        let status = rig.recorder.status()
        #expect(status.state == .recording)
        #expect(status.tracks.map(\.isInterrupted) == [true, false, false])
        lead.replug(at: rig.now)
        rig.run(3_000)
        let report = await rig.stop()
        #expect(rig.writer.stamps(1).count > 115)
        let start = try #require(report.clocks).start.nanoseconds
        #expect(misplaced(rig.writer.sound(2), from: start).isEmpty)
        #expect((70...76).contains(rig.writer.stamps(0).count))
        let gap = try #require(report.tracks[0].gaps.first)
        #expect(abs(gap.length.nanoseconds - 1_800 * ms) < 200 * ms)
        #expect(report.verdict == .degraded)
        let kinds = await rig.events().map(\.kind)
        #expect(kinds == ["interrupted", "interrupted", "started", "back", "finished"])
    }

    @Test("sources that are there and slow to begin are waited for", arguments: [true, false])
    func slowStart(isCamera: Bool) async throws {
        let (rig, camera, microphone) = try rig()
        camera.isPlugged = !isCamera
        microphone.isPlugged = isCamera
        try rig.recorder.start()
        rig.run(2_000)
        let slow: ScriptedSource = isCamera ? camera.source : microphone.source
        slow.send(
            .interrupted(
                SourceInterruption(
                    reason: .deviceStalled, time: .nanoseconds(rig.now),
                    message: "It delivers nothing.")))
        rig.run(4_000)
        #expect(rig.recorder.status().state == .starting)
        camera.isPlugged = true
        microphone.isPlugged = true
        slow.send(.resumed(at: .nanoseconds(rig.now), format: slow.format))
        rig.run(2_000)
        #expect(rig.recorder.status().state == .recording)
        let report = await rig.stop()
        #expect(report.tracks.allSatisfy { $0.gaps.isEmpty }, "\(report.reasons)")
        #expect(report.verdict == .good, "\(report.reasons)")
    }

    @Test("a microphone that never says a word is silence, and the verdict is bad")
    func silentFromTheStart() async throws {
        let (rig, _, microphone) = try rig()
        microphone.isPlugged = false
        try rig.recorder.start()
        rig.run(9_900)
        #expect(rig.recorder.status().state == .starting)
        rig.run(2_300)
        #expect(rig.recorder.status().state == .recording)
        let report = await rig.stop()
        #expect(report.verdict == .bad)
        #expect(report.reasons.contains("microphone delivered nothing."))
        let audio = rig.writer.sound(1)
        #expect(!audio.isEmpty && audio.allSatisfy { $0 == 0 })
        let length = Double(report.duration.nanoseconds) / 1e9
        #expect(abs(Double(audio.count) / 48_000 - length) < 0.001)
        #expect(report.tracks[1].gaps.map(\.cause) == ["absent"])
    }

    @Test("a source that ended before its first sample is left out at once; alone it is a failure")
    func endedBeforeStart() async throws {
        let (rig, camera, microphone) = try rig()
        camera.isPlugged = false
        try rig.recorder.start()
        camera.source.send(.ended(at: .nanoseconds(rig.now)))
        rig.run(1_000)
        #expect(rig.recorder.status().state == .recording)
        let report = await rig.stop()
        #expect(report.reasons.contains("camera delivered nothing."))
        #expect(!rig.writer.sound(1).isEmpty)
        #expect(microphone.isPlugged)

        let alone = RigCamera("alone", at: origin)
        alone.isPlugged = false
        let other = try RecorderRig([alone])
        try other.recorder.start()
        alone.source.send(.ended(at: .nanoseconds(other.now)))
        #expect(await other.finished().failure?.contains("ended without a sample") == true)
    }

    @Test("a disk below the reserve is refused before a file is made")
    func fullAtTheStart() async throws {
        let (rig, _, _) = try rig { $0.diskReserve = 1_000_000 }
        rig.disk.free.withLock { $0 = 1_000_000 }
        let error = #expect(throws: MediaError.self) { try rig.recorder.start() }
        #expect(error?.code == .diskFull)
        #expect(rig.recorder.status().state == .idle)
        rig.disk.free.withLock { $0 = 1_000_001 }
        try rig.recorder.start()
        _ = await rig.stop()
    }

    @Test(
        "a disk that fills up is reported at ten minutes and one, and the recording ends before it is full"
    )
    func diskFills() async throws {
        let (rig, _, _) = try rig { $0.diskReserve = 1_000_000 }
        try rig.recorder.start()
        // 25 frames and 100 buffers a second of 1,000 bytes each
        rig.disk.free.withLock { $0 = 1_000_000 + 125_000 * 500 }
        rig.run(4_000)
        rig.disk.free.withLock { $0 = 1_000_000 + 125_000 * 30 }
        rig.run(2_000)
        #expect(rig.recorder.status().secondsLeft == 30)
        rig.disk.free.withLock { $0 = 1_100_000 }
        rig.run(2_000)
        let report = await rig.finished()
        #expect(report.state == .failed)
        #expect(report.failure?.contains("nearly full") == true)
        let kinds = await rig.events().map(\.kind)
        #expect(kinds == ["started", "diskLow", "diskLow", "diskFull", "failed", "finished"])
    }

    @Test(
        "bytes that the disk lost and that were written again are reported, those of the closing as well"
    )
    func diskLosesBytes() async throws {
        let (rig, _, _) = try rig()
        try rig.recorder.start()
        rig.run(1_000)
        rig.writer.state.withLock { $0.recoveries = 1 }
        rig.run(2_000)
        rig.writer.state.withLock { $0.recoveriesAtClosing = 1 }
        let report = await rig.stop()
        #expect(report.state == .finished)
        #expect(report.diskLosses == 2)
        #expect(report.verdict == .degraded)
        #expect(
            report.reasons == [
                "The disk lost bytes of the movie 2 times, which were written again: it is failing; "
                    + "save what is on it and replace it."
            ])
        let times = await rig.events().compactMap { event in
            if case .diskLostBytes(let times) = event { times } else { nil }
        }
        #expect(times == [1, 2])
    }

    @Test("a microphone whose clock was set is recorded on, and reported")
    func clockWasSet() async throws {
        let (rig, _, microphone) = try rig()
        try rig.recorder.start()
        rig.run(3_000)
        microphone.clockStep = -30_000 * ms
        rig.run(3_000)
        let report = await rig.stop()
        #expect(report.tracks[1].clockSteps == 1)
        #expect(report.tracks[1].gaps.isEmpty)
        #expect(report.verdict == .degraded)
        #expect(report.reasons.count == 1)
        #expect(report.reasons.first?.contains("set its clock anew, once") == true)
        let steps = await rig.events().compactMap { event in
            if case .clockSet(1, let step) = event {
                step.approximateSeconds.rounded()
            } else {
                nil
            }
        }
        #expect(steps == [-30])
    }

    @Test("a writer that fails ends the recording within a second, with its reason")
    func writerFails() async throws {
        let (rig, _, _) = try rig()
        try rig.recorder.start()
        rig.run(1_000)
        rig.writer.state.withLock {
            $0.failure = MediaError(
                code: .diskFull, subject: "take.mp4", message: "The disk of take.mp4 is full.")
        }
        rig.run(40)
        let failed = rig.now
        let report = await rig.finished()
        #expect(rig.now - failed < 1_000 * ms)
        #expect(report.failure == "The disk of take.mp4 is full.")
        #expect(report.verdict == .bad)
        #expect(await rig.events().map(\.kind).suffix(2) == ["failed", "finished"])
    }

    @Test(
        "audio on its way when the writer fails is the movie's end, a silence before it a gap",
        arguments: [false, true])
    func failureIsNoGap(isSilent: Bool) async throws {
        let camera = RigCamera("camera", at: origin)
        // what it delivers ends some milliseconds before the present
        let microphone = RigMicrophone("microphone", at: origin - 56 * ms)
        let rig = try RecorderRig([camera, microphone])
        try rig.recorder.start()
        rig.run(1_000)
        microphone.isPlugged = !isSilent
        rig.run(1_000)
        rig.writer.state.withLock {
            $0.failure = MediaError(
                code: .diskFull, subject: "take.mp4", message: "The disk of take.mp4 is full.")
        }
        rig.run(40)
        let report = await rig.finished()
        #expect(report.state == .failed)
        #expect(report.tracks[1].gaps.isEmpty != isSilent, "\(report.tracks[1].gaps)")
        #expect(report.reasons.contains { $0.contains("had a gap") } == isSilent)
    }

    @Test("a fast stop does not wait for what is on its way")
    func fastStop() async throws {
        let (rig, camera, _) = try rig()
        try rig.recorder.start()
        rig.run(1_000)
        camera.isPlugged = false
        rig.recorder.requestStop()
        #expect(rig.recorder.status().state == .finishing)
        rig.recorder.tick()
        #expect(rig.devices.allSatisfy { $0.source.hasListener })
        rig.recorder.requestStop(fast: true)
        rig.recorder.tick()
        #expect(rig.devices.allSatisfy { !$0.source.hasListener })
        _ = await rig.finished()
    }

    @Test("a process that stood still takes what waited for it: no gap, no frame twice or lost")
    func standstill() async throws {
        let camera = RigCamera("camera", at: origin + 200 * ms)
        let microphone = RigMicrophone("microphone", at: origin + 7 * ms)
        let rig = try RecorderRig([camera, microphone])
        try rig.recorder.start()
        rig.run(2_000)
        // nobody runs for twelve seconds; then the recorder's thread happens to be first
        rig.clock.advance(by: .seconds(12))
        rig.recorder.tick()
        rig.run(3_000)
        let report = await rig.stop()
        #expect(report.verdict == .good, "\(report.reasons)")
        #expect(report.tracks.allSatisfy { $0.gaps.isEmpty && $0.drops.isEmpty })
        #expect(report.tracks.allSatisfy { $0.filledFrames == 0 })
        let stamps = rig.writer.stamps(0)
        #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0.1 - $0.0 == 40 * ms })
        #expect(abs(report.tracks[1].driftPPM ?? 100) < 1)
    }

    @Test(
        "the silence of twenty minutes in which the process was frozen comes in portions, then what was heard since",
        arguments: [300, 20_000])
    func frozen(milliseconds: Int) async throws {
        let microphone = RigMicrophone("microphone", at: origin + 7 * ms)
        let rig = try RecorderRig([microphone])
        try rig.recorder.start()
        rig.run(2_000)
        let before = frames(rig)
        rig.clock.advance(by: .seconds(1_200))
        microphone.overrun(1_200 * 48_000)
        rig.recorder.tick()
        rig.run(100)
        // 64 MiB of them, 699 s, end a take
        #expect(frames(rig) - before < 60 * 48_000)
        // a stop in the midst waits for it
        rig.run(milliseconds)
        let report = await rig.stop()
        #expect(report.state == .finished)
        #expect(report.tracks[0].gaps.map(\.length.nanoseconds) == [1_200_000 * ms])
        let start = try #require(rig.writer.state.withLock { $0.start })
        let end = try #require(rig.writer.state.withLock { $0.end })
        let length = MediaTime.nanoseconds(end - start)
        #expect(frames(rig) == length.ticks(per: 48_000, rounding: .nearest))
        let spans = rig.writer.samples(0).map { sample in
            let first = sample.presentationTime.nanoseconds()
            return (first, first + (sample.duration?.nanoseconds() ?? 0))
        }
        #expect(zip(spans, spans.dropFirst()).allSatisfy { abs($0.1 - $1.0) <= 1 })
    }

    @Test(
        "while an encoder is behind no more than a portion of silence comes, and the rest when it is not"
    )
    func frozenBehind() async throws {
        let microphone = RigMicrophone("microphone", at: origin + 7 * ms)
        let rig = try RecorderRig([microphone])
        try rig.recorder.start()
        rig.run(2_000)
        let before = frames(rig)
        rig.writer.state.withLock { $0.queuedBytes = 16 << 20 }
        rig.clock.advance(by: .seconds(60))
        microphone.overrun(60 * 48_000)
        rig.run(2_000)
        #expect(frames(rig) - before < 12 * 48_000)
        rig.writer.state.withLock { $0.queuedBytes = 0 }
        rig.run(2_000)
        #expect(frames(rig) - before > 63 * 48_000)
        #expect(await rig.stop().state == .finished)
    }

    /// Audio frames that the writer has.
    private func frames(_ rig: RecorderRig) -> Int64 {
        rig.writer.samples(0).reduce(0) { $0 + Int64(($1.block?.count ?? 0) / 2) }
    }

    @Test(
        "a process that stands still while it stops takes what was on its way",
        arguments: [600, 4_000])
    func standstillAtTheStop(milliseconds: Int) async throws {
        let (rig, _, _) = try rig()
        try rig.recorder.start()
        rig.run(2_000)
        // a moment's frames and audio are on their way when the stop is asked for
        rig.clock.advance(by: .milliseconds(90))
        rig.recorder.requestStop()
        let start = try #require(rig.writer.stamps(0).first)
        let length = rig.now - start
        rig.clock.advance(by: .milliseconds(Int64(milliseconds)))
        rig.recorder.tick()
        let report = await rig.finished()
        #expect(report.verdict == .good, "\(report.reasons)")
        #expect(report.tracks.allSatisfy { $0.gaps.isEmpty && $0.drops.isEmpty })
        #expect(report.tracks.allSatisfy { $0.filledFrames == 0 })
        let frames = rig.writer.stamps(0).count { $0 < start + length }
        #expect(Int64(frames) == (length + 40 * ms - 1) / (40 * ms))
        #expect(Int64(rig.writer.sound(1).count) >= length * 48 / ms)
    }

    @Test("what does not come within a second of a standstill is filled as ever")
    func standstillControl() async throws {
        let camera = RigCamera("camera", at: origin + 200 * ms)
        let microphone = RigMicrophone("microphone", at: origin + 7 * ms)
        let rig = try RecorderRig([camera, microphone])
        try rig.recorder.start()
        rig.run(2_000)
        rig.clock.advance(by: .seconds(12))
        rig.recorder.tick()
        for _ in 0..<9 {
            rig.clock.advance(by: .milliseconds(100))
            rig.recorder.tick()
            #expect(rig.recorder.status().tracks.allSatisfy { !$0.isInterrupted })
        }
        rig.clock.advance(by: .milliseconds(101))
        rig.recorder.tick()
        #expect(rig.recorder.status().tracks.allSatisfy { $0.isInterrupted })
        rig.run(1_000)
        let report = await rig.stop()
        #expect(report.tracks[1].gaps.map(\.cause) == ["stalled"])
        #expect(report.tracks[0].filledFrames > 0)
    }
}
