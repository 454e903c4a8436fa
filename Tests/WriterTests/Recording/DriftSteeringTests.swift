import Testing

@testable import Recording

struct DriftSteeringTests {
    @Test("an error within the tolerance is never touched")
    func steeringTolerance() {
        var steering = DriftSteering()
        for _ in 0..<100 {
            let (late, early) = (
                steering.step(error: 0.001_9, ppm: 3), steering.step(error: -0.001_9, ppm: -3)
            )
            #expect(late == nil && early == nil)
        }
        #expect(!steering.isEngaged)
    }

    @Test("the stretch changes by at most 50 ppm a step and stays within 1,000 ppm")
    func steeringIsSlow() throws {
        var steering = DriftSteering()
        var last = 0.0
        for _ in 0..<100 {
            let answer = steering.step(error: 0.5, ppm: 800)
            let stretch = try #require(answer)
            #expect(abs(stretch - last) <= 50.000_1)
            #expect(abs(stretch) <= 1_000)
            last = stretch
        }
        #expect(last == -1_000)
    }

    @Test("once engaged the steering settles at the opposite of the drift")
    func steeringSettles() {
        var steering = DriftSteering()
        var error = 0.003
        for _ in 0..<400 {
            let stretch = steering.step(error: error, ppm: 250) ?? 0
            error += 0.5 * (250 + stretch) * 1e-6
        }
        #expect(abs(steering.stretch + 250) < 1)
        #expect(abs(error) < 0.000_1)
    }
}
