import TestSupport

/// Faults injected into system calls that concern one file.
enum Strace {
    /// The calls that change a file or wait for the disk.
    static let calls = "pwrite64,write,pwritev,fdatasync,fsync,fallocate,ftruncate"

    /// Kills the program as one of its threads enters its Nth call of a kind on `file`.
    static func run(
        killAtCall number: Int, among calls: String, of file: String, _ command: [String]
    ) throws -> Program.Result {
        try run(inject: "\(calls):signal=SIGKILL:when=\(number)", file, command)
    }

    /// Makes the Nth and every later call that takes space answer "disk full".
    static func run(
        diskFullFromCall number: Int, of file: String, _ command: [String]
    ) throws -> Program.Result {
        try run(
            inject: "pwrite64,pwritev,write,fallocate:error=ENOSPC:when=\(number)+", file, command)
    }

    private static func run(
        inject: String, _ file: String, _ command: [String]
    ) throws -> Program.Result {
        guard let strace = Program.tool("strace") else {
            throw MovieOracle.Failure(description: "strace is not installed")
        }
        // without --seccomp-bpf: strace 6.1 injects no signals with it
        let options = ["-f", "-qq", "-o", "/dev/null"]
        let trace = ["-P", file, "-e", "trace=\(calls)", "-e", "inject=\(inject)"]
        return try strace.run(options + trace + command)
    }
}
