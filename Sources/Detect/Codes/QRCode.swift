public import Media

/// A QR code of a text, to be shown or printed.
public struct QRCode: Sendable, Hashable {
    public let text: String
    /// Modules of a row, and rows (count).
    public let side: Int
    /// Row by row: whether a module is dark.
    let dark: [Bool]

    /// Light around it without which readers do not find it (modules).
    public static let quiet = 4

    /// - Parameter text: what it is to say (a few hundred bytes are read well from a distance).
    /// - Throws: `invalidSetting` for text that no QR code holds; `unsupported` where libvcap-codes.so or zxing-cpp is
    ///   not installed.
    public init(_ text: String) throws(MediaError) {
        self.text = text
        (side, dark) = try CodeLibrary.shared().qr(text)
    }

    /// Whether a module is dark; what lies around the code is light.
    /// - Parameters:
    ///   - column: from the left (modules).
    ///   - row: from the top (modules).
    public func isDark(column: Int, row: Int) -> Bool {
        (0..<side).contains(column) && (0..<side).contains(row) && dark[row * side + column]
    }

    /// With the light around it (modules).
    private var outerSide: Int { side + 2 * Self.quiet }

    /// In characters, two rows a line, for terminals that write light on dark: what is light is drawn.
    public var terminalText: String {
        var text = ""
        for row in stride(from: -Self.quiet, to: side + Self.quiet, by: 2) {
            for column in -Self.quiet..<side + Self.quiet {
                let below = row + 1 < side + Self.quiet && !isDark(column: column, row: row + 1)
                switch (!isDark(column: column, row: row), below) {
                case (true, true): text += "█"
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (false, false): text += " "
                }
            }
            text += "\n"
        }
        return text
    }

    /// A drawing for printers, with a line of words below it.
    /// - Parameter words: what people read; empty: nothing.
    public func svg(words: String) -> String {
        var path = ""
        for row in 0..<side {
            for column in 0..<side where isDark(column: column, row: row) {
                path += "M\(column + Self.quiet) \(row + Self.quiet)h1v1h-1z"
            }
        }
        let height = outerSide + (words.isEmpty ? 0 : 4)
        // as wide as the code at most: letters are about half as wide as they are high
        let size = min(2.5, Double(side) * 1.8 / Double(max(words.count, 1)))
        let line =
            words.isEmpty
            ? ""
            : "<text x=\"\(Double(outerSide) / 2)\" y=\"\(outerSide)\" text-anchor=\"middle\" "
                + "font-family=\"sans-serif\" font-size=\"\((size * 100).rounded() / 100)\">"
                + "\(Self.escaped(words))</text>"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(outerSide) \(height)" \
            width="\(outerSide * 4)mm" height="\(height * 4)mm">\
            <rect width="100%" height="100%" fill="#fff"/><path d="\(path)"/>\(line)</svg>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.map { letter in
            switch letter {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: String(letter)
            }
        }.joined()
    }
}
