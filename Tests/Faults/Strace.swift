import TestSupport

/// Faults injected into system calls that concern one file.
enum Strace {
    /// Kills the program as one of its threads enters its Nth call of a kind on `file`.
    static func run(
        killAtCall number: Int, among calls: String, of file: String, _ command: [String]
    ) throws -> Program.Result {
        try run(inject: "\(calls):signal=SIGKILL:when=\(number)", file, command)
    }

    /// Makes the Nth and every later call of each of some kinds answer "disk full".
    static func run(
        diskFullFromCall number: Int, among calls: String, of file: String, _ command: [String]
    ) throws -> Program.Result {
        try run(inject: "\(calls):error=ENOSPC:when=\(number)+", file, command)
    }

    /// The same, of several files.
    static func run(
        killAtCall number: Int, among calls: String, of files: [String], _ command: [String]
    ) throws -> Program.Result {
        try run(inject: "\(calls):signal=SIGKILL:when=\(number)", of: files, command)
    }

    private static func run(
        inject: String, _ file: String, _ command: [String]
    ) throws -> Program.Result {
        try run(inject: inject, of: [file], command)
    }

    /// The names of the calls a program makes on files, in order.
    static func calls(_ calls: String, of files: [String], _ command: [String]) throws -> [String] {
        let folder = try TemporaryFolder()
        let log = folder.file("calls")
        let options = ["-f", "-qq", "-o", log, "-e", "trace=\(calls)"]
        let result = try tool().run(options + files.flatMap { ["-P", $0] } + command)
        guard result.status == 0 else {
            throw MovieOracle.Failure(description: "\(command): \(result.errorText)")
        }
        let text = try String(contentsOfFile: log, encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            // "PID name(…) = …"
            line.split(separator: " ").dropFirst().first?.split(separator: "(").first
                .map(String.init)
        }
    }

    /// - Parameter inject: as strace's `inject` expects it.
    static func run(
        inject: String, of files: [String], _ command: [String]
    ) throws -> Program.Result {
        let calls = inject.prefix { $0 != ":" }
        // without --seccomp-bpf: strace 6.1 injects no signals with it
        let options = ["-f", "-qq", "-o", "/dev/null"]
        let trace = ["-e", "trace=\(calls)", "-e", "inject=\(inject)"]
        return try tool().run(options + files.flatMap { ["-P", $0] } + trace + command)
    }

    private static func tool() throws -> Program {
        guard let strace = Program.tool("strace") else {
            throw MovieOracle.Failure(description: "strace is not installed")
        }
        return strace
    }
}
