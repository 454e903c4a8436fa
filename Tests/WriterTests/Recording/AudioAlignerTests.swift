import Media
import Testing

@testable import Recording

/// The session begins so long after the device's first frame (s).
private let lead = 0.0437

/// Runs buffers through an aligner whose session begins `lead` after the device's frame 0.
private struct Bench {
    var device: SimulatedDevice
    var aligner: AudioAligner
    var track = AlignedTrack()

    init(_ device: SimulatedDevice) {
        self.device = device
        let start = Int64(((device.origin + lead) * 1e9).rounded())
        aligner = AudioAligner(format: device.format, start: start)
    }

    /// Frame of the host's grid at which the session begins.
    var startFrame: Int64 { Int64(((device.origin + lead) * Double(device.rate)).rounded()) }

    mutating func run(_ buffers: Int, of count: Int = 480, lost: Int = 0) throws {
        for index in 0..<buffers {
            let (block, stamp) = device.next(count)
            track.take(
                try aligner.push(
                    block, format: device.format, at: stamp, lost: index == 0 ? lost : 0),
                device.format)
        }
    }

    mutating func interrupt() throws {
        track.take(try aligner.interrupt(cause: "device-gone"), device.format)
    }

    mutating func fill(untilSeconds seconds: Double) {
        let time = Int64(((device.origin + seconds) * 1e9).rounded())
        track.take(aligner.fill(until: time), device.format)
    }

    mutating func finish() throws { track.take(try aligner.finish(), device.format) }

    /// Where the track says another host frame than its place: silence and fades not counted.
    var misplaced: [Int] {
        track.integers.indices.filter { index in
            let wanted = Int16((startFrame + Int64(index)) % 30_000 + 1)
            return track.integers[index] != wanted && !isQuiet(index, wanted)
        }
    }

    private func isQuiet(_ index: Int, _ wanted: Int16) -> Bool {
        track.gaps.contains { gap in
            let (first, end) = (Int(gap.firstFrame), Int(gap.firstFrame + gap.frames))
            if (first..<end).contains(index) { return track.integers[index] == 0 }
            let isInFade =
                (first - 144..<first).contains(index) || (end..<end + 144).contains(index)
            return isInFade && track.integers[index].magnitude < wanted.magnitude
        }
    }
}

struct AudioAlignerTests {
    @Test(
        "audio of a device on the host's clock passes bit-exactly, cut to the session's first frame"
    )
    func passesBitExactly() throws {
        var bench = Bench(SimulatedDevice(content: .count))
        try bench.run(1_000)
        try bench.finish()
        #expect(bench.track.isUnbroken)
        #expect(bench.track.gaps.isEmpty)
        #expect(!bench.aligner.isSteering)
        #expect(bench.track.integers.count == 480_000 - Int((lead * 48_000).rounded()))
        #expect(bench.misplaced.first == nil)
    }

    @Test("1.5 ms of jitter and wild stamps leave a device on the host's clock untouched")
    func jitterIsNotTouched() throws {
        var device = SimulatedDevice(content: .count)
        device.jitter = 0.001_5
        device.outlierEvery = 17
        var bench = Bench(device)
        try bench.run(3_000)
        try bench.finish()
        #expect(bench.track.isUnbroken)
        #expect(bench.track.gaps.isEmpty)
        #expect(!bench.aligner.isSteering)
        // the first stamps' jitter may misplace the whole by less than the steering's tolerance
        let shift = Int(bench.track.integers[0]) - Int(bench.startFrame % 30_000 + 1)
        #expect(abs(shift) < 72)
        let steps = zip(bench.track.integers, bench.track.integers.dropFirst())
        #expect(steps.allSatisfy { $0.1 == $0.0 % 30_000 + 1 })
    }

    @Test(
        "an announced loss becomes silence of exactly its length",
        arguments: [1, 100, 4_800, 96_000])
    func announcedLoss(lost: Int) throws {
        var bench = Bench(SimulatedDevice(content: .count))
        try bench.run(100)
        bench.device.lose(Int64(lost))
        try bench.run(100, lost: lost)
        try bench.finish()
        #expect(bench.track.isUnbroken)
        #expect(bench.track.gaps.map(\.frames) == [Int64(lost)])
        #expect(bench.track.gaps.first?.cause == "overrun")
        #expect(bench.track.filled == lost)
        #expect(bench.misplaced.first == nil)
    }

    @Test(
        "a hole nobody announced becomes silence of exactly its length", arguments: [1_000, 48_000])
    func unannouncedHole(lost: Int) throws {
        var bench = Bench(SimulatedDevice(content: .count))
        try bench.run(100)
        bench.device.lose(Int64(lost))
        try bench.run(100)
        try bench.finish()
        #expect(bench.track.isUnbroken)
        #expect(
            bench.track.gaps == [
                AudioAligner.Gap(
                    firstFrame: 48_000 - Int64((lead * 48_000).rounded()), frames: Int64(lost),
                    cause: "gap")
            ])
        #expect(bench.misplaced.first == nil)
    }

    @Test("time that comes twice is trimmed")
    func overlapIsTrimmed() throws {
        var bench = Bench(SimulatedDevice(content: .count))
        try bench.run(100)
        bench.device.rewind(2_400)
        try bench.run(100)
        try bench.finish()
        #expect(bench.track.isUnbroken)
        #expect(bench.track.gaps.isEmpty)
        #expect(bench.misplaced.first == nil)
        #expect(bench.track.integers.count == 200 * 480 - 2_400 - Int((lead * 48_000).rounded()))
    }

    @Test(
        "a device whose clock was set continues by its count, at once and unsteered",
        arguments: [-30.0, -10.5, 7_200])
    func clockWasSet(seconds: Double) throws {
        var bench = Bench(SimulatedDevice(content: .count))
        try bench.run(500)
        // what it counts repeats after 0.625 s
        bench.device.origin += seconds
        try bench.run(3_000)
        try bench.finish()
        #expect(bench.track.isUnbroken)
        #expect(bench.track.gaps.isEmpty)
        #expect(!bench.aligner.isSteering)
        #expect(bench.aligner.largestError < 0.002)
        #expect(bench.track.clockSteps.map { ($0 * 1e3).rounded() / 1e3 } == [seconds])
        let steps = zip(bench.track.integers, bench.track.integers.dropFirst())
        #expect(steps.filter { $0.1 != $0.0 % 30_000 + 1 }.count <= 1)
        #expect(bench.track.integers.count == 3_500 * 480 - Int((lead * 48_000).rounded()))
    }

    @Test("an unplugged microphone leaves silence of exactly the time it was away")
    func unpluggedAndBack() throws {
        var bench = Bench(SimulatedDevice(content: .count))
        try bench.run(100)
        try bench.interrupt()
        #expect(!bench.aligner.isStreaming)
        bench.fill(untilSeconds: 1.7)
        bench.fill(untilSeconds: 1.2)
        bench.fill(untilSeconds: 2.9)
        #expect(bench.track.gaps.isEmpty)
        bench.device.lose(48_000 * 2 + 77)
        try bench.run(100)
        try bench.finish()
        #expect(bench.track.isUnbroken)
        #expect(
            bench.track.gaps == [
                AudioAligner.Gap(
                    firstFrame: 48_000 - Int64((lead * 48_000).rounded()), frames: 48_000 * 2 + 77,
                    cause: "device-gone")
            ])
        #expect(bench.misplaced.first == nil)
    }

    @Test("a microphone that comes back within what was filled already is trimmed, not shifted")
    func backBeforeTheFilling() throws {
        var bench = Bench(SimulatedDevice(content: .count))
        try bench.run(100)
        try bench.interrupt()
        bench.fill(untilSeconds: 1.5)
        bench.device.lose(9_600)
        try bench.run(100)
        try bench.finish()
        #expect(bench.track.isUnbroken)
        #expect(bench.misplaced.first == nil)
        #expect(bench.track.gaps.map(\.frames) == [24_000])
    }

    @Test("a microphone that comes back at another rate and format is converted and in place")
    func backAtAnotherRate() throws {
        var bench = Bench(SimulatedDevice())
        try bench.run(200)
        try bench.interrupt()
        var other = SimulatedDevice(rate: 44_100)
        other.origin = bench.device.origin + 3.000_01
        for _ in 0..<300 {
            let (block, stamp) = other.next(441)
            bench.track.take(
                try bench.aligner.push(block, format: other.format, at: stamp), bench.device.format)
        }
        try bench.finish()
        #expect(bench.track.isUnbroken)
        #expect(abs((bench.track.gaps.first?.frames ?? 0) - 48_000) <= 1)
        #expect(bench.aligner.format.sampleRate == 48_000)
        // what the samples say about their time, in the middle of a second
        let index = Int((4.5 - lead) * 48_000)
        #expect(abs(Double(bench.track.floats[index]) - 0.5) < 0.000_05)
    }

    @Test("frames held for a doubtful stamp are not lost when audio ends")
    func suspectsAtTheEnd() throws {
        var bench = Bench(SimulatedDevice(content: .count))
        try bench.run(100)
        bench.device.lose(4_800)
        try bench.run(2)
        try bench.finish()
        #expect(bench.track.isUnbroken)
        #expect(bench.track.gaps.map(\.frames) == [4_800])
        #expect(bench.misplaced.first == nil)
    }

    @Test("any mix of losses, holes, doubled time and unplugging keeps every frame in its place")
    func randomTroubles() throws {
        var noise = Noise(seed: 2_024)
        for round in 0..<20 {
            var bench = Bench(SimulatedDevice(content: .count))
            try bench.run(30)
            for _ in 0..<12 {
                let size = Int64(1_500 + abs(noise.next()) * 20_000)
                switch Int(abs(noise.next()) * 4) {
                case 0:
                    bench.device.lose(size)
                    try bench.run(1, lost: Int(size))
                case 1: bench.device.lose(size)
                case 2: bench.device.rewind(size)
                default:
                    try bench.interrupt()
                    bench.device.lose(size)
                }
                try bench.run(50 + Int(abs(noise.next()) * 40))
            }
            try bench.finish()
            #expect(bench.track.isUnbroken, "round \(round)")
            let misplaced = bench.misplaced.count
            #expect(misplaced == 0, "round \(round): first at \(bench.misplaced.first ?? -1)")
        }
    }
}
