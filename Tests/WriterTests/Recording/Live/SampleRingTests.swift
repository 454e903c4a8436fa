import Media
import TestSupport
import Testing

@testable import Recording

@Suite("The ring of coded samples")
struct SampleRingTests {
    private func sample(_ index: Int, isSync: Bool, bytes: Int = 100) -> SampleBuffer {
        SampleBuffer(
            payload: .coded(BlockBuffer([UInt8](repeating: 0, count: bytes))),
            format: .video(VideoFormat(coding: .coded(.h264), width: 16, height: 16)),
            presentationTime: .milliseconds(Int64(index) * 100), isSync: isSync)
    }

    private func times(_ samples: [SampleBuffer]) -> [Int] {
        samples.map { Int($0.presentationTime.ticks(per: 10, rounding: .nearest)) }
    }

    @Test("a stretch begins at the sync sample before it, and groups older than the ring go")
    func cuts() {
        var ring = SampleRing(length: .seconds(2), byteLimit: 1 << 20)
        for index in 0..<60 { ring.append(sample(index, isSync: index % 5 == 0)) }
        // the newest begins at 5.9 s: what begins at 3.9 s must be decodable
        #expect(ring.start == .milliseconds(3500))
        #expect(
            times(ring.samples(from: .milliseconds(4200), to: .milliseconds(4600))) == [
                40, 41, 42, 43, 44, 45,
            ])
        #expect(times(ring.samples(from: .milliseconds(4000), to: .milliseconds(4100))) == [40])
        // what is no longer there
        #expect(times(ring.samples(from: .zero, to: .milliseconds(3700))) == [35, 36])
        // the last frame is shown until another comes
        #expect(times(ring.samples(from: .seconds(20), to: .seconds(30))) == [55, 56, 57, 58, 59])
    }

    @Test("whatever is coded, the ring holds no more bytes than it may")
    func bytes() {
        var random = SplitMix(seed: 11)
        var ring = SampleRing(length: .seconds(100), byteLimit: 10_000)
        for index in 0..<2000 {
            let bytes = Int.random(in: 1...3000, using: &random)
            ring.append(
                sample(index, isSync: Int.random(in: 0..<6, using: &random) == 0, bytes: bytes))
            #expect(ring.bytes <= 10_000)
            let held = ring.samples(from: .zero, to: .seconds(1000))
            #expect(held.reduce(0) { $0 + ($1.block?.count ?? 0) } == ring.bytes)
            #expect(held.first?.isSync ?? true)
        }
    }

    @Test("what builds on a sample that is not there is left out")
    func noBeginning() {
        var ring = SampleRing(length: .seconds(2), byteLimit: 250)
        ring.append(sample(0, isSync: false))
        #expect(ring.start == nil)
        // one group alone is too large: nothing of it is decodable without its beginning
        for index in 1..<6 { ring.append(sample(index, isSync: index == 1)) }
        #expect(ring.start == nil)
        ring.append(sample(6, isSync: true))
        #expect(times(ring.samples(from: .zero, to: .seconds(9))) == [6])
    }
}
