import Foundation
import Media
import Movie
import Reading
import TestSupport
import Testing
import Writing

@testable import Compose

/// What films, movies and frames have in common from the check of their names on.
@Suite("Outputs of all kinds", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct OutputJobTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A clip, or of what becomes one frame a still one.
    private func source(_ kind: OutputKind, frames: Int = 60) async throws -> Asset {
        guard kind != .picture else {
            let path = folder.file("a.gif")
            try write("a.gif", PlainGIF.bytes(delays: [0], width: 64, height: 36))
            return try Asset.load(path)
        }
        return try await NumberedClip(frames: frames).write(to: folder.file("a.mp4"))
    }

    private func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
    }

    private func content(_ name: String) -> Data? {
        FileManager.default.contents(atPath: folder.file(name))
    }

    /// Bytes of all files that were made.
    private var madeBytes: Int {
        folder.contents.filter { $0.contains("out") }.reduce(0) { $0 + (content($1)?.count ?? 0) }
    }

    @Test(
        "the last state is of all of it, none goes back, and a session is for one output",
        arguments: OutputKind.allCases)
    func states(_ kind: OutputKind) async throws {
        let session = try OutputSession(kind, of: try await source(kind), in: folder)
        #expect(session.state == .pending)
        let states = session.states()
        let watching = Task {
            var seen: [ExportProgress] = []
            for await case .exporting(let progress) in states {
                seen.append(progress)
            }
            return seen
        }
        let report = try await session.run()
        let seen = await watching.value
        let last = try #require(session.progress)
        #expect(seen.last == last)
        #expect(last.fraction == 1 && last.time == last.duration && last.made == last.duration)
        #expect(last.frames == report.frames && report.frames == (kind == .picture ? 1 : 60))
        #expect(last.bytes == report.bytes && Int(report.bytes) == madeBytes)
        #expect(last.elapsed > .zero && report.elapsed >= last.elapsed)
        #expect(seen.map(\.time) == seen.map(\.time).sorted())
        #expect(seen.map(\.frames) == seen.map(\.frames).sorted())
        let made = folder.contents
        let again = await session.failure()
        #expect(again?.code == .invalidSetting && again?.message.contains("already") == true)
        #expect(folder.contents == made && !made.contains { $0.hasPrefix(".") })
    }

    @Test(
        "one that was cancelled before it began says that nothing is left, and nothing is",
        arguments: OutputKind.allCases)
    func cancelledBefore(_ kind: OutputKind) async throws {
        let source = try await source(kind)
        let session = try OutputSession(kind, of: source, in: folder)
        let before = folder.contents
        session.cancel()
        let failure = await session.failure()
        #expect(failure?.code == .cancelled)
        let left = kind == .pictures ? "pictures written before stay" : "nothing is left of it"
        #expect(failure?.message.contains(left) == true, "\(failure?.message ?? "")")
        #expect(folder.contents == before)
    }

    @Test(
        "one that is cancelled on the way says what is left of it",
        arguments: OutputKind.allCases.filter { $0 != .picture })
    func cancelledMeanwhile(_ kind: OutputKind) async throws {
        let clock = AskedClock()
        defer { clock.forget() }
        let session = try OutputSession(
            kind, of: try await source(kind, frames: 240), in: folder, clock: clock)
        clock.onAsk { _ in if session.progress.map({ $0.time > .zero }) == true { session.cancel() }
        }
        let failure = await session.failure()
        #expect(failure?.code == .cancelled)
        let words = failure?.message ?? ""
        let rest = folder.contents.filter { $0 != "a.mp4" }
        switch kind {
        case .film:
            #expect(words.contains("continues from where it was"), "\(words)")
            #expect(rest == [kind.temporaryName])
        case .pictures:
            #expect(words.contains("pictures written before stay"), "\(words)")
            #expect(rest.count < 240 && rest.allSatisfy { $0.hasPrefix("out-") }, "\(rest)")
        default:
            #expect(words.contains("nothing is left of it"), "\(words)")
            #expect(rest.isEmpty, "\(rest)")
        }
    }

    @Test(
        "a file that another program writes is refused, under its name or the one it grows under",
        arguments: OutputKind.allCases)
    func busy(_ kind: OutputKind) async throws {
        let source = try await source(kind)
        for name in [kind.firstName, kind.temporaryName] {
            try write(name, Array("growing".utf8))
            let lock = try FileLock(locking: folder.file(name))
            let before = folder.contents
            let session = try OutputSession(kind, of: source, in: folder, overwrites: true)
            let failure = await session.failure()
            #expect(failure?.code == .inUse, "\(name): \(failure?.message ?? "")")
            #expect(content(name) == Data("growing".utf8))
            // frames are several files, of which others may be whole
            #expect(folder.contents.starts(with: before) || kind == .pictures)
            withExtendedLifetime(lock) {}
            for made in folder.contents where made.contains("out") {
                try FileManager.default.removeItem(atPath: folder.file(made))
            }
        }
        // the control: nobody writes it
        try write(kind.firstName, Array("old".utf8))
        _ = try await OutputSession(kind, of: source, in: folder, overwrites: true).run()
        #expect(content(kind.firstName) != Data("old".utf8))
        #expect(!folder.contents.contains { $0.hasPrefix(".") })
    }

    @Test(
        "a name that another file has got meanwhile is left to it, and what was made is reported and stays",
        arguments: OutputKind.allCases.filter { $0 != .pictures && $0 != .picture })
    func takenMeanwhile(_ kind: OutputKind) async throws {
        let clock = AskedClock()
        defer { clock.forget() }
        let session = try OutputSession(kind, of: try await source(kind), in: folder, clock: clock)
        let path = folder.file(kind.name)
        clock.onAsk { _ in
            guard session.progress != nil else { return }
            _ = FileManager.default.createFile(atPath: path, contents: Data("theirs".utf8))
        }
        let failure = await session.failure()
        #expect(failure?.code == .alreadyExists)
        #expect(failure?.message.contains("complete as \(folder.file(kind.savedName))") == true)
        #expect(content(kind.name) == Data("theirs".utf8))
        // the next one's look for what killed runs left does not take it
        try TemporaryOutput(path: folder.file("next.txt"), overwrites: false).write([1])
        StaleParts.remove(besides: folder.file("next.txt"))
        let left = try Asset.load(folder.file(kind.savedName))
        #expect(abs(left.duration.approximateSeconds - 2) < 0.05)
    }

    @Test(
        "what is made in a folder that is moved or deleted meanwhile is complete, and found where it is said to be",
        arguments: OutputKind.allCases.filter { $0 != .pictures && $0 != .picture }, [true, false])
    func withoutFolder(_ kind: OutputKind, isMoved: Bool) async throws {
        let clock = AskedClock()
        defer { clock.forget() }
        let source = try await source(kind)
        try FileManager.default.createDirectory(
            atPath: folder.file("made"), withIntermediateDirectories: false)
        let session = try OutputSession(kind, of: source, in: folder, at: "made/", clock: clock)
        let (made, moved) = (folder.file("made"), folder.file("moved"))
        clock.onAsk { _ in
            guard session.progress != nil else { return }
            if isMoved {
                try? FileManager.default.moveItem(atPath: made, toPath: moved)
            } else {
                try? FileManager.default.removeItem(atPath: made)
            }
        }
        let failure = try #require(await session.failure())
        #expect(failure.code == .ioError, "\(failure.message)")
        let saved = folder.file((isMoved ? "moved/" : "") + kind.savedName)
        #expect(failure.message.contains("complete as \(saved)"), "\(failure.message)")
        let left = try Asset.load(saved)
        #expect(abs(left.duration.approximateSeconds - 2) < 0.05)
    }

    @Test("nothing is left of a file that is given up in a folder that was moved while it was made")
    func movedDraft() throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("made"), withIntermediateDirectories: false)
        let output = try TemporaryOutput(path: folder.file("made/out.png"), overwrites: false)
        let file = try DurableFile(
            creating: output.temporaryPath, existing: .replace, policy: .never)
        defer { file.close() }
        output.keep(file.keepLock())
        try FileManager.default.moveItem(
            atPath: folder.file("made"), toPath: folder.file("moved"))
        // another of that name has come there
        try FileManager.default.createDirectory(
            atPath: folder.file("made"), withIntermediateDirectories: false)
        try Data("theirs".utf8).write(to: URL(filePath: output.temporaryPath))
        output.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("moved")) == [])
        #expect(try Data(contentsOf: URL(filePath: output.temporaryPath)) == Data("theirs".utf8))
    }

    @Test("of a frame or a text file that cannot have its name nothing is left")
    func smallFile() throws {
        let output = try TemporaryOutput(path: folder.file("out.png"), overwrites: false)
        try write("out.png", Array("theirs".utf8))
        #expect {
            try output.write(Array("ours".utf8))
        } throws: {
            ($0 as? MediaError)?.code == .alreadyExists
        }
        #expect(content("out.png") == Data("theirs".utf8) && folder.contents == ["out.png"])
        try TemporaryOutput(path: folder.file("out.png"), overwrites: true)
            .write(Array("ours".utf8))
        #expect(content("out.png") == Data("ours".utf8) && folder.contents == ["out.png"])
    }

    @Test(
        "what is in the way is found before a frame is decoded, and killed runs' parts go afterwards",
        arguments: OutputKind.allCases)
    func inTheWay(_ kind: OutputKind) async throws {
        let source = try await source(kind)
        try write(kind.firstName, Array("precious".utf8))
        try write(".other.vcap-new.mp4", Array("torn".utf8))
        // what would be decoded is not there
        try FileManager.default.removeItem(atPath: source.path)
        let session: OutputSession
        do { session = try OutputSession(kind, of: source, in: folder) } catch {
            // a film's clips are looked at when it is made
            #expect(kind.isFilm)
            return
        }
        let failure = await session.failure()
        #expect(failure?.code == .alreadyExists, "\(failure?.message ?? "")")
        #expect(folder.contents == [".other.vcap-new.mp4", kind.firstName].sorted())
    }

    @Test(
        "a whole file that is cancelled before it has its name stays where the same run continues with it",
        arguments: [true, false])
    func cancelledAtTheEnd(isResumable: Bool) async throws {
        let job = OutputJob(.export, clock: HostClock())
        let output = try job.claim(
            folder.file("out.mp4"), reading: [], overwrites: false, role: .part)
        try write(".out.vcap-part.mp4", Array("whole".utf8))
        output.keep(try FileLock(locking: output.temporaryPath))
        var draft = OutputDraft(output)
        draft.isResumable = isResumable
        job.cancel()
        let failure = await #expect(throws: MediaError.self) { try await job.finish(draft) }
        #expect(failure?.code == .cancelled)
        #expect(failure?.message.contains("continues from where it was") == isResumable)
        #expect(folder.contents == (isResumable ? [".out.vcap-part.mp4"] : []))
    }
}
