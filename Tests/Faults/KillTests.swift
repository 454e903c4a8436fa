import Foundation
import Media
import TestSupport
import Testing

/// SIGKILL leaves no time for anything: what is on the disk must already be a movie.
@Suite(
    "A recorder that is killed", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct KillTests {
    static let atOnce = 4

    @Test("kills at random moments each leave a movie that lacks at most 0.6 s and can be repaired")
    func randomMoments() async throws {
        var random = SplitMix(seed: 20_251)
        let moments = (0..<100).map { _ in Double(random.next() % 2500) / 1000 }
        let delays = Sweep.part(40, of: moments)
        let began = try await sideBySide(delays, atMost: Self.atOnce) { try Self.kill(after: $0) }
        let started = began.count { $0 }
        // a kill before the first fragment leaves no movie; almost all come later
        #expect(started >= delays.count * 9 / 10)
    }

    /// - Returns: whether the take had begun.
    private static func kill(after delay: Double) throws -> Bool {
        // what a machine that stood still did not write is not the recorder's loss
        let killed = try HostWatch.untilUndisturbed(times: 3, limit: .milliseconds(100)) { _ in
            try killOnce(after: delay)
        }
        try killed.result?.check(lostAtMost: 0.6)
        return killed.result != nil
    }

    /// - Returns: the take that it left; `nil` when it had not begun.
    private static func killOnce(after delay: Double) throws -> KilledTake? {
        let folder = try TemporaryFolder()
        let movie = folder.file("take.mp4")
        let recorder = try Program.vcap.start(KilledTake.arguments(output: movie))
        let waited = waitForGrowth(of: movie, recorder)
        Thread.sleep(forTimeInterval: delay)
        let killTime = HostClock().now()
        recorder.signal(SIGKILL)
        #expect(recorder.wait().status == -SIGKILL)
        return waited ? KilledTake(folder: folder, movie: movie, killTime: killTime) : nil
    }

    @Test(
        "a kill at each single write and sync of a take leaves a movie that can be repaired",
        arguments: [("pwrite64", 2), ("pwritev", 5), ("fdatasync", 2), ("fallocate,ftruncate", 1)])
    func everyCall(calls: String, atLeast: Int) async throws {
        var call = 1
        var isDone = false
        var kills = 0
        while !isDone {
            let ends = try await sideBySide(Array(call..<call + Self.atOnce)) {
                try Self.killAt(call: $0, among: calls)
            }
            kills += ends.count { !$0 }
            isDone = ends.contains(true)
            call += Self.atOnce
            try #require(call < 400, "a short take has few calls")
        }
        #expect(kills >= atLeast, "every call of the take was met")
    }

    @Test(
        "a repair that is killed at each of its writes and syncs can be done again",
        arguments: [("pwrite64", 2), ("fdatasync", 2)])
    func everyCallOfRepair(calls: String, atLeast: Int) throws {
        let folder = try TemporaryFolder()
        let original = folder.file("original.mp4")
        let recorder = try Program.vcap.start(KilledTake.arguments(output: original))
        #expect(Self.waitForGrowth(of: original, recorder))
        Thread.sleep(forTimeInterval: 1.2)
        recorder.signal(SIGKILL)
        _ = recorder.wait()
        let frames = try MovieOracle(original).frameNumbers()
        #expect(frames.count > 10)
        var call = 1
        while true {
            let copy = folder.file("copy-\(call).mp4")
            try FileManager.default.copyItem(atPath: original, toPath: copy)
            let result = try Strace.run(
                killAtCall: call, among: calls, of: copy, [Program.vcap.path, "repair", copy])
            #expect(try MovieOracle(copy).frameNumbers() == frames)
            #expect(try Program.vcap.run(["repair", copy]).status == 0)
            #expect(try MovieOracle(copy).frameNumbers() == frames)
            #expect(try TopLevelBoxes(copy).isOrdinary)
            try FileManager.default.removeItem(atPath: copy)
            if result.status == 0 { break }
            #expect(result.status == -SIGKILL)
            call += 1
            try #require(call < 50, "a repair has few calls")
        }
        #expect(call > atLeast, "append, barrier, overwrite, sync")
    }

    /// - Returns: whether the take ended before that call came.
    private static func killAt(call: Int, among calls: String) throws -> Bool {
        let folder = try TemporaryFolder()
        let movie = folder.file("take.mp4")
        let result = try Strace.run(
            killAtCall: call, among: calls, of: movie,
            [Program.vcap.path] + KilledTake.arguments(output: movie, seconds: "1.5"))
        if result.status == 0 { return true }
        #expect(result.status == -SIGKILL, "\(result.errorText)")
        // killed before the header was whole: nothing was recorded yet, and nothing may pretend to be a movie
        if try isHeaderless(movie) { return false }
        try KilledTake(folder: folder, movie: movie, killTime: nil).check(lostAtMost: nil)
        return false
    }

    /// Whether the file has no sample yet.
    private static func isHeaderless(_ movie: String) throws -> Bool {
        guard FileManager.default.fileExists(atPath: movie) else { return true }
        let types = try TopLevelBoxes(movie).types
        return !types.contains("moof") && !types.contains("mdat")
    }

    /// Waits until the first fragment is on the disk.
    private static func waitForGrowth(of movie: String, _ recorder: RunningProgram) -> Bool {
        for _ in 0..<1000 where recorder.isRunning {
            if let boxes = try? TopLevelBoxes(movie), boxes.types.contains("moof") { return true }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return false
    }
}
