import Media
import TestSupport
import Testing

@testable import Recording
@testable import Writing

private let origin = RecorderRig.origin
private let ms: Int64 = 1_000_000

/// A rig of a camera and two microphones that hear the same count.
private func rig(
    _ change: (inout RecordingSettings) -> Void = { _ in }
) throws -> (rig: RecorderRig, first: RigMicrophone, second: RigMicrophone) {
    let camera = RigCamera("camera", at: origin + 200 * ms)
    let first = RigMicrophone("left", at: origin + 7 * ms)
    let second = RigMicrophone("right", at: origin + 63 * ms)
    let rig = try RecorderRig([first, camera, second]) {
        $0.microphones = .mixed
        change(&$0)
    }
    return (rig, first, second)
}

/// What the mix of so many microphones that hear the host's count must be.
private func expected(_ frame: Int64, heardBy count: Int) -> Float {
    SoftLimit.apply(Float(count) * (Float(frame % 30_000 + 1) / 32_768))
}

extension ScriptedWriter {
    /// All frames of a mixed track, one after another.
    fileprivate func floats(_ track: Int) -> [Float] {
        samples(track).flatMap { sample in
            sample.block?.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } ?? []
        }
    }
}

struct MixedTakeTests {
    @Test("two microphones become one track at the first one's place, every frame their sum")
    func oneTrack() async throws {
        let (rig, _, _) = try rig()
        try rig.recorder.start()
        rig.run(3_000)
        let report = await rig.stop()
        let start = try #require(rig.writer.state.withLock { $0.start })
        let first = (start * 48_000 + 500_000_000) / 1_000_000_000
        let audio = rig.writer.floats(0)
        #expect(audio.count > 130_000)
        #expect(audio.indices.allSatisfy { audio[$0] == expected(first + Int64($0), heardBy: 2) })
        #expect(rig.writer.state.withLock { $0.samples.count } == 2)
        #expect(rig.writer.stamps(1).first == start)
        #expect(report.verdict == .good, "\(report.reasons)")
        #expect(report.tracks.map(\.origin.name) == ["left", "camera", "right"])
        #expect(report.tracks.map(\.movieTrack) == [0, 1, 0])
        #expect(report.tracks[2].driftPPM != nil)
        #expect(abs(report.tracks[0].frames - report.tracks[2].frames) <= 480)
    }

    @Test("an unplugged microphone is silent in the mix and in the report, the other continues")
    func unplugged() async throws {
        let (rig, _, second) = try rig()
        try rig.recorder.start()
        rig.run(2_000)
        second.unplug(at: rig.now)
        let gone = rig.now
        rig.run(3_000)
        second.replug(at: rig.now)
        let back = rig.now
        rig.run(2_000)
        let report = await rig.stop()
        let start = try #require(rig.writer.state.withLock { $0.start })
        let first = (start * 48_000 + 500_000_000) / 1_000_000_000
        let audio = rig.writer.floats(0)
        func frame(_ time: Int64) -> Int { Int((time - start) * 48_000 / 1_000_000_000) }
        let alone = frame(gone + 20 * ms)..<frame(back - 20 * ms)
        #expect(alone.allSatisfy { audio[$0] == expected(first + Int64($0), heardBy: 1) })
        let both = frame(back + 40 * ms)..<frame(back + 1_500 * ms)
        #expect(both.allSatisfy { audio[$0] == expected(first + Int64($0), heardBy: 2) })
        #expect(report.tracks[0].gaps.isEmpty)
        #expect(report.tracks[2].gaps.map(\.cause) == ["device-gone"])
        #expect(abs(report.tracks[2].gaps[0].length.nanoseconds - 3_000 * ms) <= 20 * ms)
        #expect(report.verdict == .degraded)
    }

    @Test("a microphone that stalls without a word holds the mix no longer than the stall limit")
    func stalled() async throws {
        let (rig, _, second) = try rig()
        try rig.recorder.start()
        rig.run(2_000)
        second.isPlugged = false
        rig.run(6_000)
        let end = try #require(rig.writer.samples(0).last)
        let reach = end.presentationTime.nanoseconds() + (end.duration?.nanoseconds() ?? 0)
        #expect(rig.now - reach < 700 * ms)
        let report = await rig.stop()
        #expect(report.tracks[2].filledFrames > 200_000)
        #expect(report.tracks[0].filledFrames == 0)
    }

    @Test("pauses stay exact and a wanted length cuts the mix at the very frame")
    func pausesAndLength() async throws {
        let (rig, _, _) = try rig { $0.duration = .seconds(2) }
        try rig.recorder.start()
        rig.run(1_000)
        #expect(rig.recorder.pause())
        rig.run(1_500)
        #expect(rig.recorder.resume())
        rig.run(2_000)
        let report = await rig.finished()
        #expect(report.duration == TakeTime(nanoseconds: 2_000 * ms))
        let pause = try #require(report.pauses.first?.length)
        let cut = Int(pause.nanoseconds * 48 / ms)
        #expect(rig.writer.floats(0).count - cut == 96_000)
    }

    @Test("a single microphone stays as it is, and its own output cannot be mixed away")
    func planning() throws {
        let microphone = RigMicrophone("only", at: origin)
        let single = try RecorderRig([microphone]) { $0.microphones = .mixed }
        #expect(single.recorder.core.plan.mix == nil)
        let other = RigMicrophone("other", at: origin)
        let error = #expect(throws: MediaError.self) {
            try RecorderRig([microphone, other]) {
                $0.microphones = .mixed
                $0.audioOverrides = [1: AudioOutputSettings(codec: .flac)]
            }
        }
        #expect(error?.message.contains("other is mixed") == true)
    }

    @Test("the mix has the highest rate and most channels, 48 kHz where Opus needs it")
    func format() throws {
        func source(_ rate: Int, _ channels: Int) -> ScriptedSource {
            ScriptedSource(
                "\(rate)",
                .audio(
                    AudioFormat(coding: .raw(.int16), sampleRate: rate, channels: channels)))
        }
        var settings = RecordingSettings(outputPath: "a.mkv")
        settings.microphones = .mixed
        let sources = [source(44_100, 2), source(32_000, 1)]
        let mix = try #require(try settings.plan(for: sources).mix)
        #expect(mix.format.sampleRate == 44_100 && mix.format.channels == 2)
        #expect(mix.channels == [2, 1])
        settings.audio = AudioOutputSettings(codec: .opus)
        #expect(try settings.plan(for: sources).mix?.format.sampleRate == 48_000)
        #expect(try settings.plan(for: sources).tracks.map(\.origin.name) == ["44100 + 32000"])
    }
}
