import Foundation
import Glibc
import Media
import TestSupport
import Testing

/// A repair that makes a copy must never be what loses the take.
@Suite(
    "A repair of Matroska and MPEG-TS that is killed or finds no room", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct KilledRepairTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A take that was killed while it was recorded.
    private func killedTake(_ name: String) throws -> (path: String, frames: [Int]) {
        let path = folder.file(name)
        let recorder = try Program.vcap.start(KilledTake.arguments(output: path))
        for _ in 0..<1000 where (try? size(path)) ?? 0 < 40_000 {
            Thread.sleep(forTimeInterval: 0.01)
        }
        recorder.signal(SIGKILL)
        #expect(recorder.wait().status == -SIGKILL)
        let frames = try MovieOracle(path).frameNumbers()
        #expect(frames.count > 10)
        #expect(frames == Array(frames[0]...frames[0] + frames.count - 1))
        return (path, frames)
    }

    private func size(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    /// The name under which a copy grows.
    private func temporary(_ path: String) -> String {
        let url = URL(fileURLWithPath: path)
        return url.deletingLastPathComponent()
            .appendingPathComponent(".\(url.lastPathComponent).vcap-repair").path
    }

    @Test(
        "killed at each of its writes, syncs and renames, the take is whole and can be repaired",
        arguments: [("pwrite64", 3), ("fchmod", 1), ("fdatasync", 1), ("rename", 1), ("fsync", 1)])
    func everyCall(calls: String, atLeast: Int) throws {
        let (original, frames) = try killedTake("original.mkv")
        var call = 1
        while true {
            let copy = folder.file("copy.mkv")
            try? FileManager.default.removeItem(atPath: copy)
            try FileManager.default.copyItem(atPath: original, toPath: copy)
            let result = try Strace.run(
                killAtCall: call, among: calls, of: [temporary(copy), folder.path],
                [Program.vcap.path, "repair", copy])
            #expect(try MovieOracle(copy).frameNumbers() == frames)
            let again = try Program.vcap.run(["repair", copy])
            #expect(again.status == 0, "\(again.errorText)")
            #expect(try MovieOracle(copy).frameNumbers() == frames)
            #expect(try Program.vcap.run(["probe", copy]).outputText.contains(", ordinary"))
            #expect(!FileManager.default.fileExists(atPath: temporary(copy)))
            if result.status == 0 { break }
            #expect(result.status == -SIGKILL)
            call += 1
            try #require(call < 100, "a repair of a short take has few calls")
        }
        #expect(call > atLeast, "every call of the repair was met")
    }

    @Test(
        "a disk that fails or is full leaves the take as it was, and says so",
        arguments: [
            ("pwrite64:error=ENOSPC:when=2+", "No space left"),
            ("fdatasync:error=EIO", "Input/output error"), ("rename:error=EIO", "Input/output"),
        ])
    func failingDisk(fault: String, answer: String) throws {
        let (path, _) = try killedTake("take.mkv")
        let before = FileManager.default.contents(atPath: path)
        let result = try Strace.run(
            inject: fault, of: [temporary(path), folder.path],
            [Program.vcap.path, "repair", path])
        #expect(result.status == 74, "\(result.errorText)")
        #expect(result.errorText.contains(answer), "\(result.errorText)")
        #expect(FileManager.default.contents(atPath: path) == before)
        #expect(!FileManager.default.fileExists(atPath: temporary(path)))
    }

    @Test("the copy is on the disk before it takes the name, and the name after")
    func orderOfCalls() throws {
        let (path, _) = try killedTake("take.mkv")
        // closing the take's report comes after it, with a rename of its own
        try FileManager.default.removeItem(atPath: folder.file("take.vcap.json"))
        let calls = try Strace.calls(
            "pwrite64,fdatasync,rename,fsync", of: [temporary(path), folder.path],
            [Program.vcap.path, "repair", path])
        #expect(calls.last == "fsync")
        #expect(calls.dropLast().last == "rename")
        #expect(calls.dropLast(2).last == "fdatasync")
        #expect(calls.dropLast(3).allSatisfy { $0 == "pwrite64" } && calls.count > 5)
    }

    @Test("a transport stream is cut in place; killed at the cut or its sync it can be cut again")
    func transportStream() throws {
        let (original, _) = try killedTake("original.ts")
        // as a power cut tears a packet
        let content = try #require(FileManager.default.contents(atPath: original))
        let torn = content[..<(content.count / 188 * 188 - 288)]
        var frames: [Int]?
        for call in ["ftruncate", "fdatasync"] {
            let copy = folder.file("copy-\(call).ts")
            try torn.write(to: URL(fileURLWithPath: copy))
            let result = try Strace.run(
                killAtCall: 1, among: call, of: [copy],
                [Program.vcap.path, "repair", copy])
            #expect(result.status == -SIGKILL)
            #expect(try Program.vcap.run(["repair", copy]).status == 0)
            let found = try MovieOracle(copy).frameNumbers()
            #expect(frames == nil || frames == found)
            frames = found
            #expect(try size(copy) % 188 == 0)
        }
        #expect((frames ?? []).count > 10)
    }
}
