import Media
import TestSupport

@testable import Recording

/// A disk whose free space a test sets.
final class ScriptedDisk: DiskSpaceProvider {
    let free = Lock<Int64>(1 << 50)
    func freeBytes(forFileAt path: String) -> Int64? { free.withLock { $0 } }
}

/// A recorder with simulated devices on a clock that only the test moves. Steps of 10 ms.
final class RecorderRig {
    /// Host time at which everything begins (ns).
    static let origin: Int64 = 1_000_000_000_000
    let clock = ManualClock(at: .nanoseconds(RecorderRig.origin))
    let disk = ScriptedDisk()
    let recorder: Recorder
    let devices: [any RigDevice]
    /// What the recorder follows; a test calls its `tick`.
    let monitor: PressureMonitor?
    private let made: MadeWriter
    private var sinceTick = 0

    private final class MadeWriter: Sendable {
        let writer = Lock<ScriptedWriter?>(nil)
    }

    init(
        _ devices: [any RigDevice], change: (inout RecordingSettings) -> Void = { _ in },
        storeReport: ReportKeeper.Store? = nil,
        pressure: ((ManualClock) -> PressureMonitor)? = nil
    ) throws {
        self.devices = devices
        var settings = RecordingSettings(outputPath: "/nowhere/take.mp4")
        settings.writesReport = false
        change(&settings)
        let made = MadeWriter()
        self.made = made
        let monitor = pressure?(clock)
        self.monitor = monitor
        recorder = try Recorder(
            sources: devices.map(\.source), settings: settings, clock: clock, space: disk,
            makeWriter: { settings, plans, handler throws(MediaError) in
                let writer = ScriptedWriter(
                    plans: plans, limit: settings.duration?.nanoseconds(), handler: handler)
                made.writer.withLock { $0 = writer }
                return writer
            }, ownsThread: false, storeReport: storeReport, pressure: monitor)
    }

    var writer: ScriptedWriter {
        made.writer.withLock { $0 } ?? ScriptedWriter(plans: [], handler: { _ in })
    }

    var now: Int64 { clock.now().nanoseconds() }

    /// Lets so many milliseconds pass.
    func run(_ milliseconds: Int) {
        for _ in 0..<milliseconds / 10 {
            clock.advance(by: .milliseconds(10))
            for device in devices.reversed() { device.advance(to: now) }
            sinceTick += 1
            if sinceTick.isMultiple(of: 10) { recorder.tick() }
        }
    }

    /// Stops, lets time pass until the file is closed, and gives the report.
    func stop(fast: Bool = false) async -> TakeReport {
        recorder.requestStop(fast: fast)
        return await finished()
    }

    func finished() async -> TakeReport {
        while !recorder.status().state.isOver {
            run(100)
            await Task.yield()
        }
        return await recorder.ending.wait()
    }

    /// All events of a recording that is over.
    func events() async -> [RecorderEvent] {
        var all: [RecorderEvent] = []
        for await event in recorder.events { all.append(event) }
        return all
    }
}

extension RecorderEvent {
    /// The case's name.
    var kind: String {
        let text = "\(self)"
        return String(text.prefix { $0 != "(" })
    }
}
