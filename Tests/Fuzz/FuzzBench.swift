import Foundation
import TestSupport

/// Where damaged files of one kind are tried. One thread at a time.
final class FuzzBench {
    /// All of it instead of a part: what `make fuzz` asks for.
    static var isFull: Bool { ProcessInfo.processInfo.environment["VCAP_FUZZ"] == "all" }

    /// The kinds that are tried: all, or the one that `VCAP_FUZZ_KIND` names.
    static let kinds: [FuzzKind] = {
        let name = ProcessInfo.processInfo.environment["VCAP_FUZZ_KIND"] ?? ""
        return FuzzKind.allCases.filter { name.isEmpty || $0.rawValue == name }
    }()

    /// Whether the tools that make the files are here.
    static var isPossible: Bool { SmallFiles.isPossible && Program.tool("time") != nil }

    /// What a run may cost: memory (bytes), time (s).
    private static let (mostMemory, mostSeconds) = (600_000_000, 10)

    let seed: FuzzSeed
    private let folder: TemporaryFolder
    private let input: String
    private let kept: [String]
    /// Files of which the last step made something, and those of which it did not.
    private(set) var (read, refused) = (0, 0)

    init(_ kind: FuzzKind) throws {
        seed = try FuzzSeed(kind)
        folder = try TemporaryFolder(in: "/tmp")
        for (name, bytes) in seed.companions {
            try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
        }
        let ending = kind.rawValue.drop { $0 != "." }
        input = "in\(ending)"
        kept = (seed.companions.keys + [input]).sorted()
    }

    /// Takes a file through all steps.
    /// - Returns: what is wrong with what happened, nil for nothing.
    func complaint(of bytes: [UInt8]) throws -> String? {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(input)))
        var status: Int32 = 0
        for words in seed.kind.steps(folder.file(input), in: folder) {
            var run = try run(words)
            // a machine that was busy with something else is not twice
            if run.tookTooLong { run = try self.run(words) }
            status = run.status
            if let fault = run.fault {
                try keep(bytes, fault)
                return "vcap \(words.joined(separator: " ")): \(fault): \(run.description)"
            }
            let left = folder.contents.filter { !kept.contains($0) }
            if status != 0, !left.isEmpty { return "\(words) failed and left \(left)" }
            for name in left {
                try FileManager.default.removeItem(atPath: folder.file(name))
            }
        }
        if status == 0 { read += 1 } else { refused += 1 }
        return nil
    }

    /// A file that should not have done that is kept where `VCAP_FUZZ_KEEP` says.
    private func keep(_ bytes: [UInt8], _ fault: String) throws {
        let place = ProcessInfo.processInfo.environment["VCAP_FUZZ_KEEP"] ?? ""
        guard !place.isEmpty else { return }
        let name = "\(UUID().uuidString.prefix(8))-\(seed.kind.rawValue)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: "\(place)/\(name)"))
    }

    // MARK: One run

    private struct Run {
        let status: Int32
        let lines: [String]
        let peakMemory: Int

        var description: String { "\(status), \(peakMemory >> 20) MiB, \(lines)" }

        /// As `timeout` says.
        var tookTooLong: Bool { status == 124 || status == 137 }

        /// What is wrong with it.
        var fault: String? {
            if tookTooLong { return "it took more than 10 s" }
            if status < 0 || status > 128 { return "it died by a signal" }
            if peakMemory > mostMemory { return "it took too much memory" }
            guard [0, 1, 64, 65, 66].contains(status) else {
                return "the exit code is none for this"
            }
            if lines.contains(where: { !$0.hasPrefix("vcap: ") }) { return "a line is not its own" }
            if lines.contains(where: { $0.unicodeScalars.contains { $0.properties.isControl } }) {
                return "it writes control characters"
            }
            let errors = lines.filter { $0.hasPrefix("vcap: error: ") }
            guard status != 0 else { return errors.isEmpty ? nil : "it is done with an error" }
            guard errors.count == 1, let sentence = errors.first else {
                return "it does not say why in one sentence"
            }
            let others = lines.filter { !$0.hasPrefix("vcap: warning: ") }
            guard others.count == 1 else { return "it says more than why" }
            return sentence.dropLast().contains(". ") || sentence.contains(" @ 0x")
                ? "what it says is not one sentence for people" : nil
        }
    }

    private func run(_ words: [String]) throws -> Run {
        guard let time = Program.tool("time"), let timeout = Program.tool("timeout") else {
            throw MovieOracle.Failure(description: "time or timeout is not installed")
        }
        // a program's own peak begins with that of the one who starts it, so a small one does
        let costs = try TemporaryFolder(in: "/tmp")
        let result = try time.run(
            ["-q", "-f", "%M", "-o", costs.file("costs"), timeout.path, "-k", "1"]
                + ["\(Self.mostSeconds)", Program.vcap.path] + words,
            environment: ["HOME": costs.path], in: costs.path)
        let text = try String(contentsOfFile: costs.file("costs"), encoding: .utf8)
        let kilobytes = text.split(whereSeparator: \.isNewline).last.flatMap { Int($0) } ?? 0
        return Run(
            status: result.status,
            lines: result.errorText.split(whereSeparator: \.isNewline).map(String.init),
            peakMemory: kilobytes * 1024)
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool { generalCategory == .control }
}
