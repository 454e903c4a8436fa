import Media
import Play

/// What a terminal can show, as it answers. A pure value.
struct TerminalGraphics: Sendable, Equatable {
    enum Form: Sendable, Equatable {
        case cells, sixel, kitty
    }

    private(set) var colors: TerminalColors
    private var hasSixel = false
    private var hasKitty = false
    private var answeredCell: PixelSize?
    /// Whether it has answered the last question.
    private(set) var isKnown = false

    /// - Parameter environment: finds a variable of the environment.
    init(environment: (String) -> String?) {
        let kind = environment("TERM") ?? ""
        let says = ["truecolor", "24bit"].contains(environment("COLORTERM") ?? "")
        colors = says || kind.hasSuffix("-direct") ? .trueColor : .palette
    }

    mutating func take(_ answer: TerminalAnswer) {
        switch answer {
        case .attributes(let all):
            // it is the last question
            isKnown = true
            hasSixel = all.contains(4)
        case .kitty(let isThere): hasKitty = isThere
        case .cell(let width, let height): answeredCell = PixelSize(width, height)
        case .trueColor(let isThere): if isThere { colors = .trueColor }
        }
    }

    /// A cell's size (pixels).
    func cell(_ size: ScreenOutput.Size) -> PixelSize? { size.cell ?? answeredCell }

    /// - Parameter size: of the terminal as it is now.
    func form(_ size: ScreenOutput.Size) -> Form {
        guard isKnown else { return .cells }
        if hasKitty { return .kitty }
        // a picture that is too high would scroll the screen
        return hasSixel && cell(size) != nil ? .sixel : .cells
    }
}
