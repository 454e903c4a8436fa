import Testing

@testable import Recording

struct GapDetectorTests {
    @Test("stamps within 20 ms follow without a break")
    func withinThreshold() {
        var detector = GapDetector()
        for distance in [0, 0.019, -0.019, 0.020] {
            #expect(detector.judge(distance) == .continuous)
        }
    }

    @Test("one wild stamp holds a buffer back, and the next lets it go")
    func oneOutlier() {
        var detector = GapDetector()
        #expect(detector.judge(0.3) == .suspect)
        #expect(detector.isSuspecting)
        #expect(detector.judge(0.001) == .continuous)
        #expect(!detector.isSuspecting)
        #expect(detector.settle() == nil)
    }

    @Test("three stamps that agree are a hole of their median")
    func agreedHole() {
        var detector = GapDetector()
        #expect(detector.judge(0.100) == .suspect)
        #expect(detector.judge(0.103) == .suspect)
        #expect(detector.judge(0.101) == .displaced(0.101))
        #expect(!detector.isSuspecting)
    }

    @Test("late stamps that close up, as after a stalled thread, are no hole")
    func closingUp() {
        var detector = GapDetector()
        for distance in [0.09, 0.07, 0.05, 0.03] { #expect(detector.judge(distance) == .suspect) }
        #expect(detector.judge(0.01) == .continuous)
    }

    @Test("stamps that never agree are decided after 25 buffers")
    func neverAgreeing() {
        var detector = GapDetector()
        for index in 0..<24 {
            #expect(detector.judge(index % 2 == 0 ? 0.1 : 0.2) == .suspect)
        }
        #expect(detector.judge(0.1) == .displaced(0.1))
    }

    @Test("what is held at the end is decided by what is known")
    func settledAtEnd() {
        var detector = GapDetector()
        _ = detector.judge(-0.05)
        #expect(detector.settle() == -0.05)
    }
}
