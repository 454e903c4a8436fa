import Testing

@testable import Writing

private let ms: Int64 = 1_000_000

/// A camera of 25 frames a second and metadata, which leads nothing.
private struct CameraWithMetadata {
    private var session = SessionGate<String>(
        tracks: [.video(needsSync: false), .metadata], start: 0, stallLimit: 500 * ms, fade: 3 * ms,
        heldLimit: 1000)
    private(set) var released: [String] = []
    private(set) var cuts: [PauseGate.Cut] = []

    var end: Int64? { session.gate.end }

    mutating func shoot(_ frames: ClosedRange<Int64>) {
        for frame in frames { session.append("f\(frame)", track: 0, at: frame * 40 * ms) }
        drain()
    }

    mutating func note(_ word: String, at time: Int64, weight: Int = 1) {
        session.append(word, track: 1, at: time, weight: weight)
        drain()
    }

    mutating func pause(at time: Int64) { _ = session.pause(at: time) }
    mutating func resume(at time: Int64) { _ = session.resume(at: time) }
    mutating func end(at time: Int64) { session.endSession(at: time) }
    mutating func finish() {
        session.finish()
        drain()
    }

    private mutating func drain() {
        for output in session.drain() {
            switch output {
            case .picture(1, let sample):
                released.append("\(sample.element)@\(sample.movieTime / ms)")
            case .paused(let cut): cuts.append(cut)
            default: break
            }
        }
    }
}

@Suite("Metadata stamped ahead of the camera")
struct SilentTrackTests {
    @Test("it waits for the camera, and lies at its own time")
    func waits() {
        var take = CameraWithMetadata()
        take.shoot(0...2)
        take.note("ahead", at: 500 * ms)
        take.shoot(3...12)
        #expect(take.released.isEmpty)
        take.shoot(13...13)
        #expect(take.released == ["ahead@500"])
    }

    @Test("a pause is at the camera's frame, and the sample where the movie is at its time")
    func pauses() {
        var take = CameraWithMetadata()
        take.shoot(0...2)
        take.note("in the pause", at: 300 * ms)
        take.note("behind it", at: 500 * ms)
        take.pause(at: 100 * ms)
        take.shoot(3...9)
        #expect(take.cuts.map(\.start) == [120 * ms])
        take.resume(at: 380 * ms)
        take.shoot(10...13)
        #expect(take.released == ["behind it@220"])
    }

    @Test("the movie ends where it is asked to, and a sample after that is left out")
    func ends() {
        var take = CameraWithMetadata()
        take.shoot(0...2)
        take.note("late", at: 30_000 * ms)
        take.end(at: 100 * ms)
        take.finish()
        #expect(take.end == 100 * ms)
        #expect(take.released.isEmpty)
    }

    @Test("what waits is bounded: past the limit it is passed on")
    func bounded() {
        var take = CameraWithMetadata()
        take.shoot(0...0)
        for step in 1...10 { take.note("n\(step)", at: Int64(step) * 1_000 * ms, weight: 100) }
        #expect(take.released.isEmpty)
        take.note("n11", at: 11_000 * ms, weight: 100)
        #expect(take.released.count == 11)
    }
}
