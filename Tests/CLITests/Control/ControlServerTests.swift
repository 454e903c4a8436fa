import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("The control socket")
struct ControlServerTests {
    let temporary: TemporaryFolder
    let folder: SessionFolder
    let recording = FakeRecording()

    init() throws {
        temporary = try TemporaryFolder(in: "/tmp")
        folder = SessionFolder(path: temporary.file("vcap"))
    }

    private func serve(
        _ session: String = "take", limits: ControlServer.Limits = .init()
    ) throws -> ControlServer {
        try ControlServer(session: session, in: folder, limits: limits, recording: recording)
    }

    /// A connection of the test's own, that can misbehave.
    private func connect(_ server: ControlServer) throws -> FileHandle {
        let socket = try UnixSocket()
        try socket.connect(to: server.path)
        return FileHandle(fileDescriptor: dup(socket.descriptor), closeOnDealloc: true)
    }

    /// What comes next; empty at the end of the connection, however it ended.
    private func receive(_ handle: FileHandle) -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(handle.fileDescriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private func permissions(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
    }

    @Test("sockets of killed recordings are removed, and no others")
    func abandoned() throws {
        try folder.prepare()
        let gone = try Program(path: "/bin/true").start([])
        _ = gone.wait()
        let names = [
            SessionFolder.standardName(of: gone.pid), SessionFolder.standardName(of: getpid()),
            "stage", "take-0", "take-x",
        ]
        for name in names {
            // bound, and nobody listens: as a killed recording leaves it, or one that is beginning
            try UnixSocket().bind(to: folder.socketPath(of: name))
        }
        let server = try serve("other")
        defer { server.stop() }
        let left = names.filter {
            FileManager.default.fileExists(atPath: folder.socketPath(of: $0))
        }
        #expect(left == Array(names.dropFirst()))
    }

    @Test("a photo is asked for with its form, and answered with all of its files")
    func livePhotos() throws {
        let server = try serve()
        defer { server.stop() }
        let client = ControlClient(folder: folder)
        recording.photo.withLock { $0 = .success(PhotoAnswer(paths: ["/a.jpg", "/a.mov"])) }
        for (live, ok) in [
            (JSONValue.null, true), (.bool(false), true), (.bool(true), true),
            (.string("apple"), true), (.string("heic"), false), (.integer(1), false),
        ] {
            let answer = try client.ask(
                .members(["command": "photo", "live": live]), session: "take")
            #expect(answer["ok"]?.boolean == ok, "\(live)")
            guard ok else { continue }
            #expect(answer["path"]?.text == "/a.jpg")
            #expect(answer["paths"]?.elements?.compactMap(\.text) == ["/a.jpg", "/a.mov"])
        }
        #expect(
            recording.asked == [
                "photo -", "photo -", "photo - live ofRecording",
                "photo - live form(vcap.LivePhotoForm.apple)",
            ])
    }

    @Test("each command reaches the recording and is answered with its state")
    func commands() throws {
        let server = try serve()
        defer { server.stop() }
        let client = ControlClient(folder: folder)
        #expect(try client.session(named: nil) == "take")
        let pause = try client.ask(.members(["command": "pause"]), session: "take")
        #expect(pause["ok"]?.boolean == true)
        #expect(pause["changed"]?.boolean == true)
        #expect(pause["status"]?["state"]?.text == "paused")
        let again = try client.ask(.members(["command": "pause"]), session: "take")
        #expect(again["ok"]?.boolean == true)
        #expect(again["changed"]?.boolean == false)
        for command in ["resume", "toggle", "status", "stop"] {
            let answer = try client.ask(.members(["command": .string(command)]), session: "take")
            #expect(answer["ok"]?.boolean == true)
            #expect(answer["schema"]?.text == "vcap.ctl/1")
        }
        _ = try client.ask(.members(["command": "mark", "text": "Akt é 2"]), session: "take")
        #expect(recording.asked == ["pause", "pause", "resume", "toggle", "stop", "mark Akt é 2"])
    }

    @Test("a camera of several is asked for by words; what are no words is refused with 64")
    func cameras() throws {
        let server = try serve()
        defer { server.stop() }
        let client = ControlClient(folder: folder)
        for (camera, ok) in [
            (JSONValue.null, true), (.string("Logitech"), true), (.integer(1), false),
        ] {
            let answer = try client.ask(
                .members([
                    "command": "set", "camera": camera, "settings": .array(["gain=2"]),
                ]), session: "take")
            #expect(answer["ok"]?.boolean == ok, "\(camera)")
            #expect(answer[ok ? "id" : "exit_code"] == (ok ? "test:" : .integer(64)))
        }
        #expect(recording.asked == ["set gain=2", "set gain=2 of Logitech"])
    }

    @Test(
        "a stop and a photo in one write are both answered, also to a client that has closed its end",
        arguments: [false, true])
    func oneWrite(_ closes: Bool) throws {
        let server = try serve()
        defer { server.stop() }
        let client = try connect(server)
        try client.write(
            contentsOf: Data("{\"command\":\"stop\"}\n{\"command\":\"photo\"}\n".utf8))
        if closes { shutdown(client.fileDescriptor, Int32(SHUT_WR)) }
        var answers = ""
        while answers.filter({ $0 == "\n" }).count < 2 {
            let more = receive(client)
            if more.isEmpty { break }
            answers += more
        }
        let lines = answers.split(separator: "\n")
        #expect(lines.count == 2 && lines.last?.contains("/photo.jpg") == true, "\(answers)")
        // and then it is let go
        if closes { #expect(receive(client).isEmpty) }
    }

    @Test("a client that goes away while its photo is taken is let go")
    func gone() throws {
        recording.photo.withLock { $0 = nil }
        let server = try serve(limits: .init(clients: 1))
        defer { server.stop() }
        do {
            let client = try connect(server)
            try client.write(contentsOf: Data("{\"command\":\"photo\"}\n".utf8))
            #expect(waitUntil { recording.asked == ["photo -"] })
            try client.close()
        }
        #expect(
            waitUntil {
                (try? ControlClient(folder: folder).ask(
                    .members(["command": "status"]), session: "take"))?["ok"]?.boolean == true
            })
    }

    @Test("a pause before there is a movie is no pause, and the answer says so")
    func early() throws {
        let server = try serve()
        defer { server.stop() }
        recording.start()
        for command in ["pause", "toggle"] {
            let answer = try ControlClient(folder: folder).ask(
                .members(["command": .string(command)]), session: "take")
            #expect(answer["ok"]?.boolean == false)
            #expect(answer["error"]?.text == "nothing is recorded yet: the pause has no effect")
        }
    }

    @Test("what is no request is answered with an error and harms nothing")
    func nonsense() throws {
        let server = try serve()
        defer { server.stop() }
        let client = ControlClient(folder: folder)
        for request in [
            JSONValue.string("pause"), .members(["command": "explode"]), .members(["a": .null]),
            .members([
                "command": "mark", "text": .string(String(repeating: "x", count: 5000)),
            ]),
        ] {
            let answer = try client.ask(request, session: "take")
            #expect(answer["ok"]?.boolean == false)
            #expect(answer["error"]?.text?.isEmpty == false)
        }
        #expect(recording.asked.isEmpty)
    }

    @Test("the socket is for its user alone, in a folder for its user alone")
    func modes() throws {
        let server = try serve()
        #expect(try permissions(server.path) == 0o600)
        #expect(try permissions(folder.path) == 0o700)
        server.stop()
        #expect(!FileManager.default.fileExists(atPath: server.path))
    }

    @Test("a folder that is open to others is closed; a link in its place is refused")
    func folderModes() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755])
        try serve().stop()
        #expect(try permissions(folder.path) == 0o700)
        try FileManager.default.removeItem(atPath: folder.path)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path, withDestinationPath: temporary.path)
        #expect(throws: CommandFailure.self) { try serve() }
    }

    @Test("a socket left by a dead recorder is replaced, a living one's is not")
    func stale() throws {
        try folder.prepare()
        do {
            let dead = try UnixSocket()
            try dead.bind(to: folder.socketPath(of: "take"))
        }
        #expect(FileManager.default.fileExists(atPath: folder.socketPath(of: "take")))
        #expect(folder.running().isEmpty)
        let server = try serve()
        defer { server.stop() }
        #expect(folder.running() == ["take"])
        #expect {
            try serve()
        } throws: { error in
            (error as? CommandFailure)?.code == .cannotCreate
                && "\(error)".contains("--session")
        }
        #expect(folder.running() == ["take"])
    }

    @Test("without a name the only recording is meant; none and several are errors")
    func choice() throws {
        let client = ControlClient(folder: folder)
        #expect(
            throws: CommandFailure(
                .noDevice, "no recording of yours is running; start one with vcap record")
        ) {
            try client.session(named: nil)
        }
        let first = try serve("a")
        defer { first.stop() }
        #expect(try client.session(named: nil) == "a")
        let second = try serve("b")
        defer { second.stop() }
        #expect(
            throws: CommandFailure(
                .usage, "several recordings are running: choose one with --session a, b")
        ) { try client.session(named: nil) }
        #expect(throws: CommandFailure.self) {
            try client.ask(.members(["command": "status"]), session: "c")
        }
    }

    @Test("a request may come in pieces, and several in one piece")
    func framing() throws {
        let server = try serve()
        defer { server.stop() }
        let handle = try connect(server)
        try handle.write(contentsOf: Data("{\"command\":".utf8))
        usleep(20_000)
        try handle.write(contentsOf: Data("\"pause\"}\n\n{\"command\":\"resume\"}\n".utf8))
        var text = ""
        while text.filter({ $0 == "\n" }).count < 2 {
            text += receive(handle)
        }
        #expect(recording.asked == ["pause", "resume"])
    }

    @Test("a request without end is cut off at its limit")
    func tooLong() throws {
        let server = try serve()
        defer { server.stop() }
        let handle = try connect(server)
        signal(SIGPIPE, SIG_IGN)
        try? handle.write(contentsOf: Data(repeating: 0x20, count: 70_000))
        #expect(receive(handle).contains("at most 65536 bytes"))
        #expect(receive(handle).isEmpty)
    }

    @Test("a client that asks and never reads is cut off; others are served meanwhile")
    func slowReader() throws {
        let server = try serve()
        defer { server.stop() }
        let greedy = try connect(server)
        _ = fcntl(greedy.fileDescriptor, F_SETFL, O_NONBLOCK)
        signal(SIGPIPE, SIG_IGN)
        let line = Data("{\"command\":\"status\"}\n".utf8)
        var isCutOff = false
        for _ in 0..<100_000 where !isCutOff {
            let result = line.withUnsafeBytes {
                write(greedy.fileDescriptor, $0.baseAddress, $0.count)
            }
            if result < 0, errno == EPIPE || errno == ECONNRESET { isCutOff = true }
            if result < 0, errno == EAGAIN {
                let answer = try ControlClient(folder: folder)
                    .ask(.members(["command": "status"]), session: "take")
                #expect(answer["ok"]?.boolean == true)
                break
            }
        }
        let answer = try ControlClient(folder: folder)
            .ask(.members(["command": "status"]), session: "take")
        #expect(answer["ok"]?.boolean == true)
    }

    @Test("a silent client is cut off when its time is over")
    func deadline() throws {
        let server = try serve(limits: .init(clients: 16, timeout: 100_000_000))
        defer { server.stop() }
        let handle = try connect(server)
        #expect(receive(handle).isEmpty)  // returns at the end of the connection
    }

    @Test("more clients than the bound are refused with a reason, and the bound frees again")
    func bound() throws {
        let server = try serve(limits: .init(clients: 2, timeout: 30_000_000_000))
        defer { server.stop() }
        let first = try connect(server)
        let second = try connect(server)
        let third = try connect(server)
        #expect(receive(third).contains("too many clients"))
        try first.close()
        try second.close()
        usleep(50_000)
        let answer = try ControlClient(folder: folder)
            .ask(.members(["command": "status"]), session: "take")
        #expect(answer["ok"]?.boolean == true)
    }

    @Test("a client that is refused reads why, however the two meet")
    func refusedClient() throws {
        let server = try serve(limits: .init(clients: 1, timeout: 30_000_000_000))
        defer { server.stop() }
        let first = try connect(server)
        defer { try? first.close() }
        let client = ControlClient(folder: folder)
        for _ in 0..<200 {
            let answer = try client.ask(.members(["command": "status"]), session: "take")
            #expect(answer["ok"]?.boolean == false)
            #expect(answer["error"]?.text == "too many clients at once")
        }
    }

    @Test("a marker that is not set is not said to be")
    func refusedMarker() throws {
        let recording = FakeRecording()
        recording.takesMarkers.withLock { $0 = false }
        let line = Array("{\"command\":\"mark\"}".utf8)
        let answer = ControlProtocol.answer(line, recording) { _ in }
        #expect(answer?["ok"] == .bool(false))
        #expect(answer?["error"]?.text?.contains("the marker is not set") == true)
    }

    @Test("a marker's text that is no text is refused and sets no marker")
    func textThatIsNone() throws {
        let server = try serve()
        defer { server.stop() }
        let client = ControlClient(folder: folder)
        for text in [JSONValue.integer(42), .null, .array([]), .bool(true), "a\u{FFFD}b", "a\0b"] {
            let answer = try client.ask(
                .members(["command": "mark", "text": text]), session: "take")
            #expect(answer["ok"]?.boolean == false, "\(text)")
        }
        let handle = try connect(server)
        let bytes = Array("{\"command\":\"mark\",\"text\":\"".utf8) + [0xFF, 0xFE]
        try handle.write(contentsOf: Data(bytes + Array("\"}\n".utf8)))
        #expect(receive(handle).contains("UTF-8"))
        #expect(recording.asked.isEmpty)
    }
}
