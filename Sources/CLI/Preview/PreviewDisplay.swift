internal import Glibc
import Media

/// Where a preview is to be shown, as words say it.
enum PreviewWish: String, CaseIterable, Sendable {
    /// Where there is a place for it.
    case automatic = "auto"
    case terminal
    /// Nowhere.
    case none
}

/// A place for a preview.
enum PreviewDisplay: Sendable, Equatable {
    case terminal(Int32)
    case none

    /// - Throws: `.noDevice` where there is none.
    static func find(
        _ wish: PreviewWish, environment: (String) -> String? = PreviewDisplay.variable
    ) throws(CommandFailure) -> PreviewDisplay {
        if wish == .none { return .none }
        guard let terminal = [STDERR_FILENO, STDOUT_FILENO].first(where: { isatty($0) == 1 })
        else {
            throw CommandFailure(
                .noDevice,
                "there is no place for a preview: neither standard error nor standard output is a terminal"
            )
        }
        let kind = environment("TERM") ?? ""
        if Self.withoutColors.contains(kind) {
            throw CommandFailure(
                .noDevice, "this terminal cannot show a preview: it takes no colours (TERM=\(kind))"
            )
        }
        return .terminal(terminal)
    }

    /// Terminals of these kinds show no colours.
    private static let withoutColors: Set<String> = [
        "dumb", "unknown", "vt52", "vt100", "vt102", "vt220", "vt320", "xterm-mono",
    ]

    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

extension ValueKind where Value == PreviewWish {
    static var preview: ValueKind {
        let words = PreviewWish.allCases.map(\.rawValue)
        return ValueKind(
            words.joined(separator: "|"), expected: "one of " + words.joined(separator: ", "),
            completion: .words(words), parse: PreviewWish.init(rawValue:))
    }
}
