import Foundation
import Testing

/// A text written down beside the tests; rewritten only with VCAP_UPDATE_GOLDEN=1.
struct Golden {
    private let url: URL

    init(_ name: String) {
        url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Goldens/\(name)")
    }

    func check(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if ProcessInfo.processInfo.environment["VCAP_UPDATE_GOLDEN"] == "1" {
            try text.write(to: url, atomically: true, encoding: .utf8)
            return
        }
        let known = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        #expect(text == known, "\(url.lastPathComponent)", sourceLocation: sourceLocation)
    }
}
