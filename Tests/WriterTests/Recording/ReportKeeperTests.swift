import Glibc
import Media
import TestSupport
import Testing

@testable import Recording

/// A disk that takes a report only when it is allowed to.
private final class SlowDisk: Sendable {
    private let state = BlockingLock((isOpen: false, stored: [Int64]()))

    var store: ReportKeeper.Store {
        { report throws(MediaError) in
            self.state.wait { $0.isOpen ? () : nil }
            self.state.withLock { $0.stored.append(report.bytes) }
        }
    }

    var stored: [Int64] { state.withLock { $0.stored } }

    func open() { state.withLock { $0.isOpen = true } }
}

private func report(_ bytes: Int64) -> TakeReport {
    var report = TakeReport(movie: "take.mp4", container: "mp4")
    report.bytes = bytes
    return report
}

struct ReportKeeperTests {
    @Test("of versions that wait for the disk the newest is written, and the last one always")
    func newestWins() {
        let disk = SlowDisk()
        let keeper = ReportKeeper(store: disk.store, onFailure: { _ in })
        for version in Int64(1)...50 { keeper.save(report(version)) }
        disk.open()
        keeper.settle()
        #expect(disk.stored.last == 50)
        // the first may be taken before the others came
        #expect(disk.stored.count <= 2)
        keeper.save(report(51))
        keeper.finish(with: report(52))
        #expect(disk.stored.last == 52)
    }

    @Test("a disk that syncs for long holds neither pauses nor the wanted end nor the closing")
    func slowDisk() async throws {
        let origin = RecorderRig.origin
        let disk = SlowDisk()
        let devices: [any RigDevice] = [
            RigMicrophone("mic", at: origin - 50_000_000), RigCamera("camera", at: origin),
        ]
        let rig = try RecorderRig(
            devices,
            change: {
                $0.writesReport = true
                $0.duration = .seconds(2)
            }, storeReport: disk.store)
        try rig.recorder.start()
        rig.run(1_000)
        #expect(rig.recorder.pause())
        rig.run(500)
        #expect(rig.recorder.resume())
        // every tick returns although the first report is still on its way; the one that closes may wait for
        // the last report already, so that another thread lets the disk continue
        let recorder = rig.recorder
        let early = BlockingLock<Int?>(nil)
        NamedThread(name: "test-disk") {
            while !recorder.work.isClosing { usleep(1_000) }
            early.withLock { $0 = disk.stored.count }
            disk.open()
        }.detach()
        while !recorder.work.isClosing { rig.run(100) }
        #expect(early.wait { $0 } == 0)
        #expect(rig.now - origin < 3_000_000_000)
        let report = await rig.finished()
        #expect(report.duration == TakeTime(nanoseconds: 2_000_000_000))
        #expect(report.pauses.count == 1)
        #expect(disk.stored.count >= 2)
    }

    @Test("what the disk refuses is reported")
    func refusal() {
        let failures = BlockingLock(0)
        let keeper = ReportKeeper(
            store: { _ throws(MediaError) in
                throw MediaError(code: .ioError, subject: "x", message: "The disk refuses.")
            }, onFailure: { _ in failures.withLock { $0 += 1 } })
        keeper.save(report(1))
        keeper.settle()
        keeper.finish(with: report(2))
        #expect(failures.withLock { $0 } == 2)
    }
}
