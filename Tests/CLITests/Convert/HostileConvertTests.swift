import Foundation
import TestSupport
import Testing

/// What strangers send, through the program: refused in a sentence with code 65, for little memory and
/// time, nothing else opened and nothing left behind.
@Suite(
    "Converting what strangers send", .serialized,
    .enabled(
        if: SmallFiles.isPossible && Program.tool("time") != nil,
        "needs ffmpeg, ImageMagick, the tools of WebP, AVIF, HEIC and animated PNG, and time"))
struct HostileConvertTests {
    private let folder: TemporaryFolder
    private let files: SmallFiles

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        files = try SmallFiles()
    }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
    }

    private func convert(_ name: String) throws -> MeasuredRun {
        try MeasuredRun.vcap(
            ["convert", name, "-t", "1s", "-o", "out.mp4", "--json"], in: folder)
    }

    /// Converts a file that must be refused.
    private func expectRefusal(
        _ bytes: [UInt8], _ name: String, _ what: String = "",
        _ place: SourceLocation = #_sourceLocation
    ) throws {
        try write(bytes, name)
        let run = try convert(name)
        #expect(run.isRefusal(of: name), "\(what): \(run.description)", sourceLocation: place)
        #expect(folder.contents == [name], "\(what)", sourceLocation: place)
        try FileManager.default.removeItem(atPath: folder.file(name))
        try? FileManager.default.removeItem(atPath: folder.file("out.mp4"))
    }

    /// Some 25 places to cut a file at: its beginning, its end and evenly between.
    private func places(in count: Int) -> [Int] {
        let between = (1..<19).map { count * $0 / 19 }
        return Set([0, 1, 3, 8, 12, count - 2, count - 1] + between).sorted()
    }

    @Test(
        "a picture or an animation that is cut off anywhere is refused",
        arguments: SmallFiles.Kind.allCases.filter { !$0.isMovie && $0 != .tiff })
    func cutOff(_ kind: SmallFiles.Kind) throws {
        let bytes = try files.bytes(of: kind)
        // behind its last picture a GIF lacks nothing that is seen
        for count in Sweep.part(10, of: places(in: bytes.count))
        where kind != .gif || count != bytes.count - 1 {
            try expectRefusal(Array(bytes[..<count]), kind.name, "\(count) of \(bytes.count)")
        }
    }

    @Test(
        "a TIFF is refused until all of its picture is there; what follows that says nothing of it")
    func cutOffTIFF() throws {
        let bytes = try files.bytes(of: .tiff)
        var taken: [Int] = []
        for count in places(in: bytes.count) {
            try write(Array(bytes[..<count]), "a.tif")
            let run = try convert("a.tif")
            if run.result.status == 0 {
                #expect(run.lines.count == 1 && run.isCheap, "\(count): \(run.description)")
                #expect(try MovieOracle(folder.file("out.mp4")).presentationTimes().count == 30)
                try FileManager.default.removeItem(atPath: folder.file("out.mp4"))
                taken.append(count)
            } else {
                #expect(run.isRefusal(of: "a.tif"), "\(count): \(run.description)")
                #expect(taken.isEmpty && folder.contents == ["a.tif"])
            }
        }
        // ImageMagick writes some values of its directory behind the picture
        #expect((taken.first ?? 0) > bytes.count - 80, "\(taken) of \(bytes.count)")
    }

    @Test(
        "a movie that is cut off is read as far as it goes, and that is said; else it is refused",
        arguments: SmallFiles.Kind.allCases.filter(\.isMovie))
    func cutOffMovie(_ kind: SmallFiles.Kind) throws {
        let bytes = try files.bytes(of: kind)
        var (read, reported) = (0, 0)
        for count in places(in: bytes.count) {
            try write(Array(bytes[..<count]), kind.name)
            let run = try convert(kind.name)
            guard run.result.status == 0 else {
                #expect(run.isRefusal(of: kind.name), "\(count): \(run.description)")
                #expect(folder.contents == [kind.name], "\(count)")
                continue
            }
            read += 1
            if run.result.errorText.contains("is cut off or damaged") { reported += 1 }
            let clip = MovieOracle(folder.file("out.mp4"))
            let found = try ["v:0", "a:0"].flatMap { try clip.presentationTimes(stream: $0) }
            #expect(!found.isEmpty && run.isCheap, "\(count): \(run.description)")
            try FileManager.default.removeItem(atPath: folder.file("out.mp4"))
        }
        switch kind {
        // its index comes last
        case .mov: #expect(read == 0)
        // one cut between two clusters or fragments lacks nothing that anybody could know of
        default: #expect(read > 8 && reported >= read - 2, "\(reported) of \(read)")
        }
    }

    @Test("sizes, counts and lengths that nobody can mean are refused before anything is decoded")
    func bombs() throws {
        for (name, bytes) in try Bombs(files).refused { try expectRefusal(bytes, name, name) }
    }

    @Test("an animation that claims more pictures than it holds shows what it holds")
    func falseCount() throws {
        try write(Bombs.apng(4, 4, count: 2, claimed: .max), "a.png")
        let run = try MeasuredRun.vcap(["convert", "a.png", "-o", "out.mp4"], in: folder)
        #expect(run.result.status == 0 && run.isCheap, "\(run.description)")
        #expect(try MovieOracle(folder.file("out.mp4")).presentationTimes().count == 2)
    }

    @Test(
        "a small picture in whose data hundreds of megabytes are packed costs what the picture does"
    )
    func packedZeros() throws {
        let name = "zeros.png"
        try write(Bombs.png(64, 64, packedZeros: 200 << 20), name)
        let run = try convert(name)
        #expect([0, 65].contains(run.result.status) && run.isCheap, "\(run.description)")
    }

    @Test("texts and profiles packed into a small PNG cost what the picture does")
    func packedTexts() throws {
        let zeros = Deflate.zeros(300 << 20)
        let plain = Bombs.png(4, 4, packedZeros: 20)
        let head = 8 + 25
        for (name, body) in [
            ("zTXt", [97, 0, 0]), ("iTXt", [97, 0, 1, 0, 0, 0]), ("iCCP", [97, 0, 0]),
        ] as [(String, [UInt8])] {
            let bytes = plain[..<head] + Bombs.chunk(name, body + zeros) + plain[head...]
            try write(Array(bytes), "notes.png")
            let run = try convert("notes.png")
            #expect(run.result.status == 0 && run.isCheap, "\(name): \(run.description)")
            try FileManager.default.removeItem(atPath: folder.file("out.mp4"))
        }
    }

    @Test(
        "what is no picture and no movie is refused whatever it is called, and opens nothing else")
    func disguises() throws {
        let others = try TemporaryFolder(in: "/tmp")
        let secret = others.file("secret.mp4")
        try Data(files.bytes(of: .mp4)).write(to: URL(fileURLWithPath: secret))
        for (what, bytes) in Disguises.texts(naming: secret) {
            for ending in ["gif", "mp4", "jpg"] {
                let name = "\(what).\(ending)"
                try write(bytes, name)
                let trace = try traced(name)
                #expect(trace.result.status == 65, "\(name): \(trace.result.errorText)")
                let lines = trace.result.errorText.split(whereSeparator: \.isNewline)
                #expect(lines.count == 1, "\(name): \(lines)")
                #expect(!trace.calls.contains("secret"), "\(name)")
                #expect(!trace.calls.contains("socket("), "\(name)")
                #expect(!trace.calls.contains("connect("), "\(name)")
                // control: what it may open is seen
                #expect(trace.calls.contains("\"\(name)\""), "\(name)")
                #expect(folder.contents == [name])
                try FileManager.default.removeItem(atPath: folder.file(name))
            }
        }
    }

    private func traced(_ name: String) throws -> (result: Program.Result, calls: String) {
        let strace = try #require(Program.tool("strace"))
        let log = try TemporaryFolder(in: "/tmp")
        let calls = "trace=openat,open,openat2,execve,socket,connect"
        let result = try strace.run(
            ["-f", "-qq", "-o", log.file("calls"), "-e", calls, Program.vcap.path, "convert"]
                + [name, "-t", "1s", "-o", "out.mp4"],
            environment: ["HOME": folder.path], in: folder.path)
        return (result, try String(contentsOfFile: log.file("calls"), encoding: .utf8))
    }

    @Test("a picture under another kind's name is what it is")
    func wrongEndings() throws {
        let cases: [(SmallFiles.Kind, String, Int)] = [
            (.jpeg, "a.gif", 30), (.png, "a.webp", 30), (.gif, "a.mp4", 3), (.webp, "a.tif", 30),
            (.heic, "a.mov", 30), (.avif, "a.png", 30), (.mp4, "a.jpg", 5), (.apng, "a.heic", 3),
        ]
        for (kind, name, count) in cases {
            try write(files.bytes(of: kind), name)
            let words = ["convert", name, "-o", "out.mp4", "-y"]
            let run = try MeasuredRun.vcap(
                words + (count == 30 ? ["-t", "1s"] : []), in: folder)
            #expect(run.result.status == 0, "\(name): \(run.description)")
            let times = try MovieOracle(folder.file("out.mp4")).presentationTimes()
            #expect(times.count == count, "\(name): \(times.count)")
        }
    }
}
