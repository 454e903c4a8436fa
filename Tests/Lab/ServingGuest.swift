import Foundation
import Media
import TestSupport

/// A guest that runs one scenario after another, booted when the first is asked for. Each has a share
/// of its own and loads its drivers anew; what needs a disk or loses power has a guest for itself.
final class ServingGuest: Sendable {
    static let shared = ServingGuest(share: Installation.results)

    private let runner = BlockingLock<RunningProgram?>(nil)
    private let share: URL

    /// - Parameter share: a folder of its own, in which those of the scenarios lie.
    init(share: URL) { self.share = share }

    /// Runs a scenario; one that fails is an error with all it said.
    func run(
        _ scenario: String, _ arguments: [String], in folder: URL, timeout seconds: Int
    ) throws -> Guest {
        let command = Guest.command(scenario, arguments)
        let (status, said) = try serve(command, in: folder, timeout: seconds)
        return try Guest(share: folder).checked(scenario, status: status, said: said)
    }

    /// Runs a command that leaves its results in a folder of the guest's share.
    /// - Returns: the command's status, and what the guest said if it did not outlive it.
    func serve(
        _ command: [String], in folder: URL, timeout seconds: Int
    ) throws -> (status: Int32, said: String) {
        try runner.withLock { runner in
            let guest = try runner ?? boot()
            runner = guest
            try write(command, to: folder)
            try folder.lastPathComponent.write(
                to: share.appending(path: "next"), atomically: true, encoding: .utf8)
            waitUntil(atMost: Int64(seconds)) { !guest.isRunning || answer(in: folder) != nil }
            let status = answer(in: folder)
            // a guest in which something is left, and one that does not answer, is the last one's
            let isUnclean = FileManager.default.fileExists(
                atPath: share.appending(path: "unclean").path)
            guard let status, !isUnclean else {
                let threads = status == nil && guest.isRunning ? self.threads(in: folder) : ""
                // whatever else is sent may be blocked in it, as it is in threads of the test's pool; the
                // guest dies with it
                guest.signal(SIGKILL)
                runner = nil
                let said = guest.wait().errorText
                return (
                    status ?? 124,
                    status == nil ? "no answer within \(seconds) s\n\(said)\(threads)" : ""
                )
            }
            return (status, "")
        }
    }

    /// Switches the guest off.
    func end() {
        runner.withLock { runner in
            runner?.end()
            runner = nil
        }
    }

    private func boot() throws -> RunningProgram {
        for name in ["next", "unclean"] {
            try? FileManager.default.removeItem(at: share.appending(path: name))
        }
        let guest = Installation.folder.appending(path: "guest")
        return try Program(path: guest.appending(path: "run").path).start([
            "--share", share.path, "--owner", "\(getpid())", "--timeout", "7200", "--",
            guest.appending(path: "serve").path,
        ])
    }

    private func write(_ command: [String], to folder: URL) throws {
        let words = ([FileManager.default.currentDirectoryPath] + command).map {
            "'\($0.replacingOccurrences(of: "'", with: "'\\''"))'"
        }
        try "cd \(words[0])\nexec \(words.dropFirst().joined(separator: " "))\n".write(
            to: folder.appending(path: "command"), atomically: true, encoding: .utf8)
    }

    /// What each thread of a guest that does not answer waits for, as it says itself.
    private func threads(in folder: URL) -> String {
        let path = folder.appending(path: "stuck").path
        guard FileManager.default.createFile(atPath: path, contents: nil) else { return "" }
        let guest = Guest(share: folder)
        waitUntil(atMost: 60) { !guest.text("threads").isEmpty }
        return guest.text("threads")
    }

    private func answer(in folder: URL) -> Int32? {
        let text = Guest(share: folder).text("status")
        return Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
