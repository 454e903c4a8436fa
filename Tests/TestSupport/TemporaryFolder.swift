import Foundation

/// A folder of a test's own, removed when the value goes.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// - Parameter parent: where to make it; the system's temporary folder by default.
    package init(in parent: String = NSTemporaryDirectory()) throws {
        let parent = parent.hasSuffix("/") ? String(parent.dropLast()) : parent
        path = "\(parent)/vcap-test-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Names inside, sorted.
    package var contents: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
