import Testing

@testable import Recording

/// A reproducible series of numbers in -1…1.
struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493 }

    mutating func next() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(Int64(bitPattern: state) >> 11) / Double(1 << 52)
    }
}

/// Feeds `seconds` of 10 ms buffers from a device that is `ppm` fast.
private func estimate(
    ppm: Double, seconds: Int, jitter: Double = 0, outlierEvery: Int? = nil
) -> DriftEstimator {
    var estimator = DriftEstimator(rate: 48_000)
    var noise = Noise(seed: 7)
    for buffer in 0..<seconds * 100 {
        let frame = Int64(buffer * 480)
        let nominal = Double(frame) / 48_000
        var offset = nominal / (1 + ppm * 1e-6) - nominal + noise.next() * jitter
        if let outlierEvery, buffer % outlierEvery == 3 { offset += 0.045 }
        estimator.add(frame: frame, offset: offset)
    }
    return estimator
}

struct DriftEstimatorTests {
    @Test(
        "a device's rate is measured to a tenth of a ppm from clean stamps",
        arguments: [-500.0, 0, 37, 500])
    func cleanDrift(ppm: Double) throws {
        let measured = try #require(estimate(ppm: ppm, seconds: 10).ppm)
        #expect(abs(measured - ppm) < 0.1)
    }

    @Test("a millisecond of jitter costs less than 10 ppm and 0.2 ms after twenty seconds")
    func jitteryDrift() throws {
        let estimator = estimate(ppm: 300, seconds: 30, jitter: 0.001)
        #expect(abs(try #require(estimator.ppm) - 300) < 10)
        let truth = 30 / (1 + 300e-6) - 30
        #expect(abs(try #require(estimator.offset(at: 30 * 48_000)) - truth) < 0.000_2)
    }

    @Test("every eleventh stamp being 45 ms late changes nothing")
    func outliersAreIgnored() throws {
        let estimator = estimate(ppm: -200, seconds: 20, jitter: 0.000_2, outlierEvery: 11)
        #expect(abs(try #require(estimator.ppm) + 200) < 5)
    }

    @Test("no rate is claimed before two seconds, but a place is")
    func tooEarly() {
        let estimator = estimate(ppm: 500, seconds: 1)
        #expect(estimator.ppm == nil)
        #expect(estimator.offset(at: 48_000) != nil)
        #expect(DriftEstimator(rate: 48_000).offset(at: 0) == nil)
    }

    /// What one straight line through everything would say.
    private func plainLine(_ points: [(x: Double, y: Double)]) -> Double {
        let count = Double(points.count)
        let center = points.reduce(0) { $0 + $1.x } / count
        let mean = points.reduce(0) { $0 + $1.y } / count
        let xy = points.reduce(0) { $0 + ($1.x - center) * ($1.y - mean) }
        let xx = points.reduce(0) { $0 + ($1.x - center) * ($1.x - center) }
        return -xy / xx * 1e6
    }

    @Test(
        "a machine that stood still for 12 s does not change the rate, reported or not, to the ms or not",
        arguments: [
            (lost: 12.0, step: 0.006, reported: true), (0, 0.015, false), (0, -0.004, false),
            (12, -0.015, false),
        ])
    func standstill(lost: Double, step: Double, reported: Bool) throws {
        var estimator = DriftEstimator(rate: 48_000)
        var noise = Noise(seed: 11)
        var frame: Int64 = 0
        var points: [(x: Double, y: Double)] = []
        var worst = 0.0
        var worstPlain = 0.0
        for buffer in 0..<5_000 {
            if buffer == 2_500 {
                frame += Int64(lost * 48_000)
                if reported { estimator.breakOff() }
            }
            let nominal = Double(frame) / 48_000
            var offset = nominal / (1 + 100e-6) - nominal
            offset += noise.next() * 0.000_3
            if buffer >= 2_500 { offset += step }
            estimator.add(frame: frame, offset: offset)
            points.append((nominal, offset))
            frame += 480
            guard buffer > 1_000, buffer % 10 == 0 else { continue }
            let reported = try #require(estimator.ppm)
            worst = max(worst, abs(reported - 100))
            let window = points.suffix(2_000)
            worstPlain = max(worstPlain, abs(plainLine(Array(window)) - 100))
            // the place is where the stamps say, at the latest half a second after the step
            let place = try #require(estimator.offset(at: frame))
            let isSettled = !(2_500..<2_620).contains(buffer)
            #expect(!isSettled || abs(place - offset) < 0.001, "\(buffer)")
        }
        #expect(worst < 100)
        #expect(abs(try #require(estimator.ppm) - 100) < 5)
        // the control: one line through all is wrong by hundreds
        #expect(worstPlain > 200)
    }

    @Test("parts of a line share their slope and nothing else")
    func brokenLine() {
        var points: [(x: Double, y: Double, part: Int)] = []
        for index in 0..<20 {
            let part = index < 9 ? 0 : 1
            points.append((x: Double(index), y: Double(index * 2 + part * 100), part: part))
        }
        let line = BrokenLine(points)
        #expect(abs(line.slope - 2) < 1e-12)
        #expect(line.span == 18)
        #expect(line.lastPart == 1)
        #expect(abs(line.offset(at: 30, 2) - 160) < 1e-9)
        #expect(abs(line.error(x: 3, y: 7, part: 0) - 1) < 1e-9)
        #expect(BrokenLine([]).slope == 0)
    }

    @Test("a rate that changes is followed within the window")
    func changingDrift() throws {
        var estimator = DriftEstimator(rate: 48_000)
        var offset = 0.0
        for buffer in 0..<6_000 {
            let ppm = buffer < 3_000 ? 400.0 : -100.0
            estimator.add(frame: Int64(buffer * 480), offset: offset)
            offset -= 0.01 * ppm * 1e-6
        }
        #expect(abs(try #require(estimator.ppm) + 100) < 1)
    }
}
