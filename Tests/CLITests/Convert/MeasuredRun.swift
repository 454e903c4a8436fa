import Foundation
import Media
import TestSupport

/// What a run of `vcap` cost.
struct MeasuredRun {
    let result: Program.Result
    /// Most memory of its own at any time (bytes).
    let peakMemory: Int
    let elapsed: MediaTime

    /// What it said, a line each, without the program's name.
    var lines: [String] {
        result.errorText.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// Runs `vcap` to its end, at most for half a minute.
    static func vcap(_ words: [String], in folder: TemporaryFolder) throws -> MeasuredRun {
        guard let time = Program.tool("time"), let timeout = Program.tool("timeout") else {
            throw MovieOracle.Failure(description: "time or timeout is not installed")
        }
        // a program's own peak begins with that of the one who starts it, so a small one does
        let costs = folder.file("costs-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(atPath: costs) }
        let clock = HostClock()
        let start = clock.now()
        let result = try time.run(
            ["-q", "-f", "%M", "-o", costs, timeout.path, "30", Program.vcap.path] + words,
            environment: ["HOME": folder.path], in: folder.path)
        let elapsed = clock.now() - start
        let text = try String(contentsOfFile: costs, encoding: .utf8)
        let kilobytes =
            text.split(whereSeparator: \.isNewline).last.flatMap { Int($0) } ?? Int.max / 1024
        return MeasuredRun(result: result, peakMemory: kilobytes * 1024, elapsed: elapsed)
    }

    /// Whether it refused bad data as it should: one sentence about the file, little memory and time.
    func isRefusal(of name: String) -> Bool {
        let sentence = lines.first ?? ""
        return result.status == 65 && lines.count == 1 && sentence.hasPrefix("vcap: error: ")
            && sentence.contains(name) && sentence.hasSuffix(".")
            && !sentence.dropLast().contains(". ") && !sentence.contains(" 0x") && isCheap
    }

    /// Less than 200 MB, less than 5 s.
    var isCheap: Bool { peakMemory < 200_000_000 && elapsed < .seconds(5) }

    var description: String {
        "\(result.status), \(peakMemory >> 20) MiB, \(elapsed.approximateSeconds) s: \(lines)"
    }
}
