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
        if environment("TERM") == "dumb" {
            throw CommandFailure(
                .noDevice,
                "this terminal cannot show a preview: it takes no colours and no places (TERM=dumb)"
            )
        }
        return .terminal(terminal)
    }

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
