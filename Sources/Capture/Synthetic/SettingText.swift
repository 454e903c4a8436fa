internal import Media

/// Reads the values of a test device's parameters; `nil` when the text is not one.
enum SettingText {
    static func integer(_ text: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = Int(text), range.contains(value) else { return nil }
        return value
    }

    /// `640x360`, both even (pixels).
    static func size(_ text: String) -> PixelSize? {
        let sides = text.split(separator: "x").compactMap { integer(String($0), in: 1...8192) }
        guard sides.count == 2 else { return nil }
        let size = PixelSize(sides[0], sides[1])
        return TestPattern.canDraw(size) ? size : nil
    }

    /// `30` or `30000/1001`.
    static func frameRate(_ text: String) -> FrameRate? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            .compactMap { Int32($0) }
        guard (1...2).contains(parts.count), parts.allSatisfy({ $0 > 0 }),
            parts.count == text.split(separator: "/", omittingEmptySubsequences: false).count
        else { return nil }
        let rate = FrameRate(parts[0], per: parts.count == 2 ? parts[1] : 1)
        return rate <= FrameRate(1000) ? rate : nil
    }

    /// A decimal number of units, in parts of it: `1.5` s is 1,500,000,000 ns.
    static func nanoseconds(_ text: String, unit: Int64) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Int64(parts[0]), (0...1_000_000).contains(whole) else { return nil }
        guard parts.count == 2 else { return whole * unit }
        guard (1...9).contains(parts[1].utf8.count), let digits = Int64(parts[1]), digits >= 0,
            !parts[1].hasPrefix("+")
        else { return nil }
        let scale = (0..<parts[1].utf8.count).reduce(Int64(1)) { power, _ in power * 10 }
        return whole * unit + digits * unit / scale
    }

    /// `2+0.5`: half a second from second 2 of device time (ns).
    static func span(_ text: String) -> FaultScript.Span? {
        let parts = text.split(separator: "+", omittingEmptySubsequences: false)
            .compactMap { nanoseconds(String($0), unit: 1_000_000_000) }
        guard parts.count == 2, parts[1] > 0 else { return nil }
        return parts[0]..<(parts[0] + parts[1])
    }

    /// `30` or `30-33`: numbers of units.
    static func units(_ text: String) -> ClosedRange<Int64>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
            .compactMap { Int64($0) }
        guard (1...2).contains(ends.count), let first = ends.first, let last = ends.last,
            0 <= first, first <= last
        else { return nil }
        return first...last
    }
}
