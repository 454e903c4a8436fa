internal import Glibc

/// A path with strftime patterns and `%v`, a counter.
struct PathPattern: Sendable, Equatable {
    let pattern: String

    init(_ pattern: String) {
        self.pattern = pattern
    }

    var hasCounter: Bool { parts.count > 1 }

    /// The path at a moment (seconds since 1970, shown in local time). The counter becomes the first
    /// number, of at least three digits, for which `isTaken` answers no.
    func path(at moment: Int, isTaken: (String) -> Bool) -> String {
        let texts = parts.map { PathPattern.expand($0, at: moment) }
        guard texts.count > 1 else { return texts.joined() }
        var number = 1
        while true {
            let digits = String(number)
            let counter = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
            let path = texts.joined(separator: counter)
            if !isTaken(path) { return path }
            number += 1
        }
    }

    /// The pattern cut at each `%v`; `%%v` is no counter.
    private var parts: [String] {
        var parts = [""]
        var isEscaped = false
        for character in pattern {
            if isEscaped, character == "v" {
                parts[parts.count - 1].removeLast()
                parts.append("")
                isEscaped = false
                continue
            }
            parts[parts.count - 1].append(character)
            isEscaped = character == "%" && !isEscaped
        }
        return parts
    }

    private static func expand(_ pattern: String, at moment: Int) -> String {
        guard pattern.contains("%") else { return pattern }
        var seconds = time_t(moment)
        var local = tm()
        localtime_r(&seconds, &local)
        // the mark makes an empty result different from a buffer that is too small
        var buffer = [CChar](repeating: 0, count: 8192)
        let count = strftime(&buffer, buffer.count, pattern + "|", &local)
        guard count > 0 else { return pattern }
        return String(
            decoding: buffer.prefix(count - 1).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
