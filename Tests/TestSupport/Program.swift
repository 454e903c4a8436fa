import Foundation
import Media

/// A program run by a test: the built `vcap`, or a tool such as ffprobe.
package struct Program: Sendable {
    /// Where the program is.
    package let path: String

    package init(path: String) { self.path = path }

    /// The `vcap` that was built together with the running tests.
    package static let vcap: Program = {
        // the tests run from the folder that holds the products
        let bundle =
            CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        let folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
        return Program(path: folder.appendingPathComponent("vcap").path)
    }()

    /// A tool on the PATH; `nil` when it is not installed.
    package static func tool(_ name: String) -> Program? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        for folder in folders + ["/usr/sbin", "/sbin"] {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return Program(path: path) }
        }
        return nil
    }

    /// A Python with a package of PyPI: the one that scripts/install-deps makes, or anybody's; nil: none has it.
    package static func python(importing package: String) -> Program? {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let own = Program(path: root.appendingPathComponent(".build/oracles/bin/python3").path)
        return [own, tool("python3")].compactMap(\.self).first { python in
            (try? python.run(["-c", "import \(package)"]))?.status == 0
        }
    }

    package struct Result: Sendable {
        /// Exit status, or minus the signal that ended it.
        package let status: Int32
        package let output: [UInt8]
        package let errorText: String
        package var outputText: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs to the end.
    package func run(
        _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil
    ) throws -> Result {
        try start(arguments, environment: environment, in: folder).wait()
    }

    /// Runs to the end, or until it is killed because it takes too long.
    /// - Parameter seconds: so long it may take.
    package func run(
        _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil,
        atMost seconds: Int64
    ) throws -> Result {
        let running = try start(arguments, environment: environment, in: folder)
        if !waitUntil(atMost: seconds, { !running.isRunning }) { running.signal(SIGKILL) }
        return running.wait()
    }

    /// Starts and continues.
    package func start(
        _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil
    ) throws -> RunningProgram {
        try RunningProgram(
            path: path, arguments: arguments, environment: environment, folder: folder)
    }
}

/// A program that is running, its output collected by threads of its own.
package final class RunningProgram: Sendable {
    /// Process id; with `ownGroup` also the group's.
    package var pid: Int32 { process.processIdentifier }
    private let process = Process()
    private let output: Collector
    private let errors: Collector

    fileprivate init(
        path: String, arguments: [String], environment: [String: String], folder: String?
    ) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        process.standardInput = FileHandle.nullDevice
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        try process.run()
        output = Collector(out, name: "test-stdout")
        errors = Collector(err, name: "test-stderr")
    }

    package func signal(_ number: Int32) { kill(pid, number) }

    /// Kills it and waits until it is gone.
    package func end() {
        signal(SIGKILL)
        _ = wait()
    }

    package var isRunning: Bool { process.isRunning }

    /// Whether a signal has stopped it, as Ctrl-Z does.
    package var isStopped: Bool {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        return status.contains("State:\tT")
    }

    /// What has come on standard error so far.
    package var errorTextSoFar: String { String(decoding: errors.bytes, as: UTF8.self) }

    /// What has come on standard output so far.
    package var outputTextSoFar: String { String(decoding: output.bytes, as: UTF8.self) }

    /// Waits for the end.
    package func wait() -> Program.Result {
        process.waitUntilExit()
        let status =
            process.terminationReason == .exit
            ? process.terminationStatus : -process.terminationStatus
        return Program.Result(
            status: status, output: output.finish(),
            errorText: String(decoding: errors.finish(), as: UTF8.self))
    }
}

/// Reads a pipe to its end on a thread.
private final class Collector: Sendable {
    private let state: BlockingLock<(bytes: [UInt8], isDone: Bool)>

    init(_ pipe: Pipe, name: String) {
        let state = BlockingLock((bytes: [UInt8](), isDone: false))
        self.state = state
        let handle = pipe.fileHandleForReading
        // a thread that nobody lets go is kept by the system when it has ended: 16,000 programs were too many
        NamedThread(name: name) {
            while true {
                let chunk = handle.availableData
                if chunk.isEmpty { break }
                state.withLock { $0.bytes.append(contentsOf: chunk) }
            }
            state.withLock { $0.isDone = true }
        }.detach()
    }

    var bytes: [UInt8] { state.withLock { $0.bytes } }

    func finish() -> [UInt8] { state.wait { $0.isDone ? $0.bytes : nil } }
}
