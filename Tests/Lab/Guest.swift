import Foundation
import TestSupport

/// One boot of the guest that ran one scenario.
struct Guest: Sendable {
    /// The writable folder guest and host share.
    let share: URL

    /// Boots the guest and runs a scenario in it; one that fails is an error with all it said.
    /// - Parameters:
    ///   - scenario: a script of `Tests/Lab/scenarios`, without `.sh`.
    ///   - share: prepared by the caller; the scenario leaves its results there.
    ///   - loggedDisks: as `disks`, after them; all they are given goes to a log beside each.
    ///   - powerCut: the guest loses power when this file appears in the share.
    ///   - screen: of the guest, such as `640x480`; nil: it has none.
    ///   - freeze: the guest stands still for a copy of a disk when this file appears in the share.
    static func run(
        _ scenario: String, _ arguments: [String] = [], share: URL, disks: [URL] = [],
        loggedDisks: [URL] = [], powerCut: String? = nil, freeze: String? = nil,
        screen: String? = nil, timeout seconds: Int = 180
    ) throws -> Guest {
        var options = ["--share", share.path, "--timeout", "\(seconds)"]
        for disk in disks { options += ["--disk", disk.path] }
        for disk in loggedDisks { options += ["--logged-disk", disk.path] }
        if let powerCut { options += ["--power-cut-when", powerCut] }
        if let screen { options += ["--screen", screen] }
        if let freeze { options += ["--freeze-when", freeze] }
        let runner = Program(path: Installation.folder.appending(path: "guest/run").path)
        let ran = try runner.run(options + ["--"] + command(scenario, arguments))
        return try Guest(share: share).checked(scenario, status: ran.status, said: ran.errorText)
    }

    static func command(_ scenario: String, _ arguments: [String]) -> [String] {
        let script = Installation.folder.appending(path: "scenarios/\(scenario).sh").path
        return ["bash", script] + arguments
    }

    /// The guest itself, when its scenario went well.
    func checked(_ scenario: String, status: Int32, said: String) throws -> Guest {
        guard status == 0 else {
            throw Installation.Failure(
                description: "scenario \(scenario) ended with status \(status)\n\(said)"
                    + "\(text("stdout"))\n\(text("stderr"))")
        }
        return self
    }

    /// A file of the share as text; empty when it is not there.
    func text(_ name: String) -> String {
        (try? String(contentsOf: share.appending(path: name), encoding: .utf8)) ?? ""
    }

    func number(_ name: String) throws -> Double {
        guard let number = Double(text(name).trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Installation.Failure(description: "\(name) in \(share.path) holds no number")
        }
        return number
    }

    /// An empty folder for a scenario's results.
    static func emptyShare(_ name: String) throws -> URL {
        let share = Installation.results.appending(path: name)
        try? FileManager.default.removeItem(at: share)
        try FileManager.default.createDirectory(at: share, withIntermediateDirectories: true)
        return share
    }

    /// The size of a guest's disks (MiB): well above what vcap leaves free.
    static let diskMegabytes = 256

    /// An ext4 file system for one guest.
    static func makeDisk(_ url: URL) throws {
        try? FileManager.default.removeItem(at: url)
        try Installation.tool("truncate", ["-s", "\(diskMegabytes)M", url.path])
        try Installation.tool("mkfs.ext4", ["-q", url.path])
    }
}
