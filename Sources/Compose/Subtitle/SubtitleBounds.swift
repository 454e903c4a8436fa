/// What of a stranger's texts is drawn: libass has no bound of its own, and would draw for hours, or take gigabytes.
enum SubtitleBounds {
    /// Bytes of a line of text.
    private static let longestText = 16 << 10
    /// Bytes of one with a drawing.
    private static let longestDrawing = 256 << 10
    /// Of sizes, borders and blurs (pixels of the script's grid), and scales (per cent).
    private static let largestSize = 2000.0
    /// Of the places that a drawing goes to.
    private static let farthestPlace = 20_000.0

    /// Texts that are drawn at one instant.
    private static let mostAtOnce = 400

    /// Overrides of sizes.
    private static let sizes = [
        "fscx", "fscy", "fsp", "fs", "xbord", "ybord", "bord", "xshad", "yshad", "shad", "blur",
        "be",
    ]

    /// Whether an event is drawn.
    /// - Parameter line: as Matroska has it.
    static func allow(_ line: [UInt8]) -> Bool {
        guard line.count > 256 || line.contains(UInt8(ascii: "{")) else { return true }
        let text = String(decoding: line, as: UTF8.self)
        // and not "\pos" or "\pbo"
        let isDrawing = text.split(separator: "\\p", omittingEmptySubsequences: false).dropFirst()
            .contains { $0.first?.isNumber ?? false }
        guard line.count <= (isDrawing ? longestDrawing : longestText) else { return false }
        var (plain, rest) = ("", text[...])
        while let open = rest.firstIndex(of: "{") {
            plain += rest[..<open]
            let close = rest[open...].firstIndex(of: "}") ?? rest.endIndex
            guard haveBounds(rest[open..<close]) else { return false }
            rest = close < rest.endIndex ? rest[rest.index(after: close)...] : ""
        }
        plain += rest
        return !isDrawing
            || plain.split(whereSeparator: { !"0123456789.-+eE".contains($0) })
                .allSatisfy { (Double($0) ?? 0).magnitude <= farthestPlace }
    }

    /// Whether no override asks for more than is drawn.
    private static func haveBounds(_ overrides: Substring) -> Bool {
        for part in overrides.split(separator: "\\") {
            guard let tag = sizes.first(where: { part.hasPrefix($0) }) else { continue }
            let number = part.dropFirst(tag.count).prefix { "0123456789.-+eE".contains($0) }
            if (Double(number) ?? 0).magnitude > largestSize { return false }
        }
        return true
    }

    /// Which of some texts are drawn: those that begin while fewer than the most are on show.
    /// - Parameter ranges: when each is on show, in order of their beginnings (milliseconds).
    /// - Returns: their indices, in order.
    static func drawn(_ ranges: [Range<Int64>]) -> [Int] {
        // the ends of those on show, the earliest last
        var ends: [Int64] = []
        return ranges.indices.filter { index in
            let range = ranges[index]
            while let end = ends.last, end <= range.lowerBound { ends.removeLast() }
            guard ends.count < mostAtOnce else { return false }
            ends.insert(
                range.upperBound, at: ends.partitioningIndex { $0 <= range.upperBound })
            return true
        }
    }

    /// A style's value within bounds.
    static func size(_ value: Double) -> Double {
        value.isFinite ? min(max(value, -largestSize), largestSize) : 0
    }
}
