import Media
import Reading
import TestSupport
import Testing

@testable import Writing

private let second: Int64 = 1_000_000_000

struct MovieLengthTests {
    @Test("a pause and resume within one frame leave the movie's clock running")
    func undonePause() {
        var gate = PauseGate(start: 0, hasLead: true, stallLimit: 10 * second)
        gate.leadFrame(at: 0)
        _ = gate.pause(at: second / 100, notBefore: 0)
        _ = gate.resume(at: second / 50, notBefore: 0)
        #expect(gate.length(at: second) == second / 100)
        gate.leadFrame(at: second / 25)
        #expect(gate.cuts.isEmpty)
        #expect(gate.phase == .running)
        #expect(gate.length(at: second) == second)
    }

    @Test("the movie's length stands still from the pause that is asked for until it runs again")
    func standsStill() {
        var gate = PauseGate(start: 10 * second, hasLead: true, stallLimit: 10 * second)
        #expect(gate.length(at: 9 * second) == 0)
        gate.leadFrame(at: 12 * second)
        _ = gate.pause(at: 13 * second, notBefore: 0)
        #expect(gate.length(at: 20 * second) == 3 * second)
        #expect(gate.heldTime(at: 20 * second) == 0)
        gate.leadFrame(at: 13 * second)
        #expect(gate.length(at: 20 * second) == 3 * second)
        #expect(gate.heldTime(at: 20 * second) == 7 * second)
        _ = gate.resume(at: 30 * second, notBefore: 0)
        #expect(gate.length(at: 31 * second) == 3 * second)
        gate.leadFrame(at: 30 * second)
        #expect(gate.length(at: 31 * second) == 4 * second)
        #expect(gate.heldTime(at: 31 * second) == 17 * second)
        #expect(gate.length(at: 12 * second) == 2 * second)
    }

    @Test("the expected end is unknown in a pause and while one is asked for before it")
    func expectedEnd() {
        var gate = PauseGate(
            start: 100 * second, hasLead: true, stallLimit: second, limit: 5 * second)
        #expect(gate.expectedEnd == 105 * second)
        gate.leadFrame(at: 101 * second)
        _ = gate.pause(at: 102 * second, notBefore: 0)
        #expect(gate.expectedEnd == nil)
        gate.leadFrame(at: 102 * second)
        #expect(gate.expectedEnd == nil)
        _ = gate.resume(at: 110 * second, notBefore: 0)
        gate.leadFrame(at: 110 * second)
        #expect(gate.expectedEnd == 113 * second)
        gate.endSession(at: 112 * second)
        #expect(gate.expectedEnd == 112 * second)
    }

    @Test("a session that ends before frames that are in the movie ends with the last of them")
    func endsBehindFrames() async throws {
        let folder = try TemporaryFolder()
        let take = SyntheticTake(seconds: 1)
        // the second one is the control: behind the last frame's start the wanted end counts
        for (wanted, length) in [(500, 1000), (980, 980), (3000, 3000)] {
            let path = folder.file("\(wanted).mp4")
            let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
            let video = try writer.inputReceiver(
                for: VideoOutputSettings(codec: .h264, preset: "ultrafast"),
                sourceFormat: take.videoFormat)
            try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
            for frame in 0..<take.frameCount {
                var sample = take.frameSample(frame)
                sample.presentationTime = .nanoseconds(
                    SyntheticTake.start + Int64(frame) * 1_000_000_000 / 30)
                try await video.append(sample)
            }
            try writer.endSession(
                atSourceTime: .nanoseconds(SyntheticTake.start + Int64(wanted) * 1_000_000))
            let result = try await writer.finish()
            #expect(result.duration.ticks(per: 1000, rounding: .nearest) == Int64(length))
            let asset = try Asset.load(path)
            #expect(asset.duration.ticks(per: 1000, rounding: .nearest) == Int64(length))
            #expect(asset.tracks[0].sampleCount == 30)
        }
    }
}
