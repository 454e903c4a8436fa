import Foundation
import TestSupport

/// What the lab stands on: the project's folders and the programs it calls.
enum Installation {
    /// The project's root.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let folder = root.appending(path: "Tests/Lab")

    /// Where scenarios leave what they recorded, kept until the next run.
    static let results = root.appending(path: ".lab/results")

    /// The built tests, whose parts that need a driver run inside the guest.
    static var testBundle: String {
        URL(fileURLWithPath: Program.vcap.path).deletingLastPathComponent()
            .appending(path: "vcapPackageTests.xctest").path
    }

    static let isComplete: Bool = {
        let programs = ["qemu-system-x86_64", "busybox", "v4l2-ctl", "aplay", "strace", "ffprobe"]
        let kernel = Program(path: folder.appending(path: "guest/kernel").path)
        return programs.allSatisfy { Program.tool($0) != nil }
            && (try? kernel.run([]))?.status == 0
    }()

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a tool that must succeed.
    @discardableResult
    static func tool(_ name: String, _ arguments: [String]) throws -> Program.Result {
        guard let program = Program.tool(name) else {
            throw Failure(description: "\(name) is not installed")
        }
        let result = try program.run(arguments)
        guard result.status == 0 else {
            throw Failure(description: "\(name) \(arguments): \(result.errorText)")
        }
        return result
    }
}
