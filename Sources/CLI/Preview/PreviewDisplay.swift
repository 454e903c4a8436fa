internal import Glibc
import Media

/// Where a preview is to be shown, as words say it.
enum PreviewWish: String, CaseIterable, Sendable {
    /// Where there is a place for it.
    case automatic = "auto"
    case window, terminal
    /// The whole screen of a machine without a desktop.
    case kms
    /// Nowhere.
    case none
}

/// A place for a preview.
enum PreviewDisplay: Sendable, Equatable {
    case window(WindowProgram)
    case terminal(Int32)
    case none

    var isWindow: Bool { if case .window = self { true } else { false } }

    /// - Throws: `.noDevice` where there is none.
    static func find(
        _ wish: PreviewWish, environment: (String) -> String? = PreviewDisplay.variable
    ) throws(CommandFailure) -> PreviewDisplay {
        var refusal: String?
        switch wish {
        case .none: return .none
        case .window: return try window(isScreen: false)
        case .kms: return try window(isScreen: true)
        case .automatic:
            // of a desktop that is not there, or not ours, the terminal is left
            if hasDesktop(environment) {
                do throws(CommandFailure) {
                    return try window(isScreen: false)
                } catch { refusal = error.message }
            }
        case .terminal: break
        }
        guard let terminal = [STDERR_FILENO, STDOUT_FILENO].first(where: { isatty($0) == 1 })
        else {
            let window = refusal.map { "\($0), and " } ?? ""
            throw CommandFailure(
                .noDevice,
                "there is no place for a preview: \(window)neither standard error nor standard output is a terminal"
            )
        }
        if let refusal { Console.shared.detail("\(refusal); the terminal is taken") }
        let kind = environment("TERM") ?? ""
        if Self.withoutColors.contains(kind) {
            throw CommandFailure(
                .noDevice, "this terminal cannot show a preview: it takes no colours (TERM=\(kind))"
            )
        }
        return .terminal(terminal)
    }

    /// Whether a desktop is named; it may not answer.
    static func hasDesktop(
        _ environment: (String) -> String? = PreviewDisplay.variable
    ) -> Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment($0) ?? "").isEmpty }
    }

    /// - Throws: `.noDevice` where no window can be shown.
    private static func window(isScreen: Bool) throws(CommandFailure) -> PreviewDisplay {
        guard let path = WindowProcess.find() else {
            throw CommandFailure(
                .noDevice,
                "\(isScreen ? "a screen" : "a window") needs \(WindowProcess.program) and SDL: install Debian's \(WindowProcess.package) and keep "
                    + "\(WindowProcess.program) beside vcap, as make install does")
        }
        let program = WindowProgram(path: path, isScreen: isScreen)
        if let why = WindowProcess.refusal(program) {
            let what = isScreen ? "nothing can be shown on the screen" : "no window can be shown"
            throw CommandFailure(.noDevice, "\(what): \(why)")
        }
        return .window(program)
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
