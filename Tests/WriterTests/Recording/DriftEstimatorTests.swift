import Testing

@testable import Writer

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
