import Media
import TestSupport
import Testing

@Suite("the monitor of pressure")
struct PressureMonitorTests {
    private final class Machine: PressureReader {
        func read() -> PressureReading { PressureReading() }
    }

    private final class Follower: PressureFollower {
        let own = Lock<[PressureCause: Double]>([:])
        let reported = Lock<[String]>([])
        private let speeds: Bool

        init(speeds: Bool) { self.speeds = speeds }

        func measure(into reading: inout PressureReading) {
            for (cause, value) in own.withLock({ $0 }) { reading.note(value, of: cause) }
        }
        func canFollow(_ measure: PressureMeasure) -> Bool {
            if case .encodingSpeed = measure { speeds } else { !speeds }
        }
        func pressureChanged(to state: PressureState, at time: MediaTime) {
            reported.withLock { $0.append(state.level.rawValue) }
        }
        func follow(_ step: PressureStep) { reported.withLock { $0.append(step.measure.name) } }
    }

    @Test("what one follower measures, every follower learns, and each step that one can follow")
    func followers() {
        let (machine, clock) = (Machine(), ManualClock())
        let monitor = PressureMonitor(.standard, machine, clock)
        let (recorder, session) = (Follower(speeds: true), Follower(speeds: false))
        monitor.add(recorder)
        monitor.add(session)
        recorder.own.withLock { $0 = [.encoder: 0.8] }
        for _ in 0..<6 {
            monitor.tick()
            clock.advance(by: .seconds(1))
        }
        let expected = [
            "critical", "spare-frames/2", "spare-frames/4", "encoding-faster",
        ]
        #expect(recorder.reported.withLock { $0 } == expected)
        #expect(session.reported.withLock { $0 } == expected)
        #expect(monitor.state.causesInOrder == [.encoder])
        #expect(monitor.relief.frameDivisor == 4 && monitor.relief.speed == .faster)
    }

    @Test("a follower that is gone is forgotten, and what it measured with it")
    func gone() {
        let (machine, clock) = (Machine(), ManualClock())
        let monitor = PressureMonitor(.standard, machine, clock)
        do {
            let recorder = Follower(speeds: true)
            monitor.add(recorder)
            recorder.own.withLock { $0 = [.encoder: 0.8] }
            monitor.tick()
            #expect(monitor.state.level == .critical)
        }
        monitor.tick()
        #expect(monitor.state.level == .nominal)
    }

    @Test("it looks once a second, on a thread of its own that ends with it")
    func thread() {
        let (clock, looks, isOver) = (ManualClock(), BlockingLock(0), BlockingLock(false))
        var monitor: PressureMonitor? = PressureMonitor(
            reader: Witness(looks: looks, isOver: isOver), clock: clock)
        // the thread reads the clock when it likes: a second is over in ten steps, or a few more
        for count in 1...5 {
            var steps = 0
            while looks.wait(nanoseconds: 20_000_000, { $0 >= count ? true : nil }) == nil,
                steps < 500
            {
                clock.advance(by: .milliseconds(100))
                steps += 1
            }
            #expect(looks.read { $0 } >= count)
        }
        #expect(clock.now() >= .seconds(4))
        #expect(monitor?.state.level == .nominal && !isOver.read { $0 })
        monitor = nil
        #expect(isOver.wait(nanoseconds: 60_000_000_000) { $0 ? true : nil } == true)
    }

    /// Held by the monitor and its thread alone.
    private final class Witness: PressureReader {
        let looks: BlockingLock<Int>
        let isOver: BlockingLock<Bool>

        init(looks: BlockingLock<Int>, isOver: BlockingLock<Bool>) {
            self.looks = looks
            self.isOver = isOver
        }

        deinit { isOver.withLock { $0 = true } }

        func read() -> PressureReading {
            looks.withLock { $0 += 1 }
            return PressureReading()
        }
    }
}
