import Foundation

/// A text written down beside the tests; rewritten only with VCAP_UPDATE_GOLDEN=1.
package struct GoldenText {
    private let url: URL

    /// - Parameters:
    ///   - name: in the folder `Goldens` of the tests' room.
    ///   - file: a test's source file, two levels below the room's folder at most.
    package init(_ name: String, beside file: StaticString = #filePath) {
        var folder = URL(fileURLWithPath: "\(file)").deletingLastPathComponent()
        while folder.path != "/",
            !folder.deletingLastPathComponent().path.hasSuffix("/Tests")
        {
            folder = folder.deletingLastPathComponent()
        }
        url = folder.appendingPathComponent("Goldens/\(name)")
    }

    /// The first line that differs, said in words; nil when the texts agree.
    package func difference(from text: String) throws -> String? {
        if ProcessInfo.processInfo.environment["VCAP_UPDATE_GOLDEN"] == "1" {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: url, atomically: true, encoding: .utf8)
            return nil
        }
        let known = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        if known == text { return nil }
        let (old, new) = (known.split(separator: "\n"), text.split(separator: "\n"))
        let line = zip(old, new).firstIndex { $0 != $1 } ?? min(old.count, new.count)
        return "\(url.lastPathComponent), line \(line + 1): "
            + "known \(line < old.count ? old[line] : "(end)"), "
            + "now \(line < new.count ? new[line] : "(end)")"
    }
}

extension Sequence {
    fileprivate func firstIndex(where matches: (Element) -> Bool) -> Int? {
        for (index, element) in enumerated() where matches(element) { return index }
        return nil
    }
}
