import Media
import TestSupport
import Testing

@testable import Recording

/// Errors of audio against its place, read from the audio itself (seconds).
private struct DriftRun {
    var worst = 0.0
    var worstLate = 0.0
    var last = 0.0
    var isUnbroken = true
    var frames: Int64 = 0
    var ppm: Double?
}

/// Runs a drifting device through an aligner and compares, in the middle of each tenth of a second,
/// when a sample was heard with where it is.
private func run(
    ppm: Double, seconds: Int, rate: Int = 16_000, jitter: Double = 0.001, steers: Bool = true
) throws -> DriftRun {
    var device = SimulatedDevice(rate: rate, ppm: ppm)
    device.jitter = jitter
    device.outlierEvery = 251
    let start = Int64((device.origin + 0.5) * 1e9)
    var aligner = AudioAligner(format: device.format, start: start)
    var result = DriftRun()
    var next: Int64 = 0
    let block = rate / 25
    for _ in 0..<seconds * 25 {
        let (samples, stamp) = device.next(block)
        let output = try aligner.push(samples, format: device.format, at: stamp)
        for run in output.runs {
            if run.firstFrame != next { result.isUnbroken = false }
            let count = run.block.count / 4
            next = run.firstFrame + Int64(count)
            guard count > 0 else { continue }
            let heard = run.block.withUnsafeBytes { Double($0.load(as: Float.self)) }
            let place = 0.5 + Double(run.firstFrame) / Double(rate)
            let second = place - place.rounded(.down)
            // where the level wraps from 1 to 0 the filter rings: nothing can be read there
            guard second > 0.1, second < 0.9 else { continue }
            let error = second - heard
            result.last = error
            result.worst = max(result.worst, abs(error))
            if place > 60 { result.worstLate = max(result.worstLate, abs(error)) }
        }
    }
    result.frames = next
    result.ppm = aligner.driftPPM
    return result
}

struct AudioDriftTests {
    @Test("an hour at ±500 ppm stays within 10 ms throughout", arguments: [500.0, -500])
    func hourOfDrift(ppm: Double) throws {
        let result = try run(ppm: ppm, seconds: 3_600)
        #expect(result.isUnbroken)
        #expect(result.worst < 0.010)
        #expect(result.worstLate < 0.001)
        #expect(abs(try #require(result.ppm) - ppm) < 10)
    }

    @Test("without steering an hour at 500 ppm would be far off", arguments: [500.0])
    func hourWithoutSteering(ppm: Double) {
        // the control: the same device placed by counting alone
        let device = SimulatedDevice(rate: 16_000, ppm: ppm)
        let counted = Double(3_600 * 16_000) / 16_000
        #expect(abs(device.hostTime(3_600 * 16_000) - device.origin - counted) > 1.7)
    }

    @Test("drift within a sound card's usual 50 ppm is corrected to a millisecond")
    func usualDrift() throws {
        let result = try run(ppm: 50, seconds: 300, jitter: 0.000_2)
        #expect(result.worst < 0.003)
        #expect(abs(result.last) < 0.001)
    }

    /// The largest departure of three neighbouring samples from a pure tone (full scale 1).
    private func roughness(_ samples: ArraySlice<Float>, frequency: Double, rate: Double) -> Double
    {
        let cosine = 2 * Double(Sine.value(cycles: frequency / rate + 0.25))
        var worst = 0.0
        for index in samples.indices.dropFirst().dropLast() {
            let middle = Double(samples[index])
            let sum = Double(samples[index - 1]) + Double(samples[index + 1])
            worst = max(worst, abs(sum - cosine * middle))
        }
        return worst
    }

    @Test("steering a tone makes no step above -60 dB, where it begins and everywhere")
    func noAudibleSteps() throws {
        var device = SimulatedDevice(ppm: 500, content: .sine(1_000))
        device.jitter = 0.000_5
        var aligner = AudioAligner(format: device.format, start: Int64(device.origin * 1e9))
        var track = AlignedTrack()
        for _ in 0..<3_000 {
            let (block, stamp) = device.next(480)
            track.take(try aligner.push(block, format: device.format, at: stamp), device.format)
        }
        #expect(aligner.isSteering)
        #expect(track.isUnbroken)
        // the first stamp is late by its jitter: silence, and the fade out of it
        #expect(roughness(track.floats[480...], frequency: 1_000, rate: 48_000) < 0.001)
        // the control: one frame left out is far above the bound
        var broken = Array(track.floats[48_000..<48_480])
        broken.remove(at: 240)
        #expect(roughness(broken[...], frequency: 1_000, rate: 48_000) > 0.01)
    }

    @Test(
        "a host that stands still for 12 s while audio is lost does not look like drift",
        arguments: [0.006, -0.006])
    func hostStall(error: Double) throws {
        var device = SimulatedDevice(rate: 16_000, ppm: 100)
        device.jitter = 0.000_5
        var aligner = AudioAligner(
            format: device.format, start: Int64((device.origin + 0.5) * 1e9))
        var reported: [Double] = []
        for block in 0..<2_000 {
            var lost = 0
            if block == 1_000 {
                // the driver guesses what its ring overran
                device.lose(Int64(12 * 16_000))
                lost = Int((12 + error) * 16_000)
            }
            let (samples, stamp) = device.next(640)
            _ = try aligner.push(samples, format: device.format, at: stamp, lost: lost)
            if block > 800, let ppm = aligner.driftPPM { reported.append(ppm) }
        }
        #expect(reported.count > 1_000)
        #expect(
            reported.allSatisfy { abs($0 - 100) < 40 },
            "\(reported.max() ?? 0) \(reported.min() ?? 0)")
    }
}
