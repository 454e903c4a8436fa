import Compose
import Media

/// How the cameras of a take share the frame, as it is typed: `pip:top-left:0.25`, `side`, `grid`, `speaker:3s`.
enum LayoutValue: Sendable, Equatable {
    case angles(AngleLayout)
    case speaker(SpeakerSwitch)

    /// Whether one camera fills the frame after the other.
    var isOneAtATime: Bool { if case .speaker = self { true } else { false } }
}

extension ValueKind where Value == LayoutValue {
    static var layout: ValueKind {
        ValueKind(
            "LAYOUT",
            expected: "pip, pip:top-left, pip:top-left:0.25, side, grid, speaker or speaker:3s",
            completion: .words(["pip", "side", "grid", "speaker"])
        ) { text in
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(
                String.init)
            switch (parts[0], parts.count) {
            case ("side", 1): return .angles(.sideBySide)
            case ("grid", 1): return .angles(.grid)
            case ("speaker", 1): return .speaker(SpeakerSwitch())
            case ("speaker", 2):
                guard let length = MediaTime(typed: parts[1]),
                    length >= .milliseconds(200), length <= .seconds(3600)
                else { return nil }
                return .speaker(SpeakerSwitch(shortestShot: length))
            case ("pip", 1...3):
                var place = ClipPlace()
                if parts.count > 1 {
                    guard let anchor = Watermark.Anchor(rawValue: parts[1]) else { return nil }
                    place.anchor = anchor
                }
                if parts.count > 2 {
                    guard let width = Double(parts[2]), (0.01...1).contains(width) else {
                        return nil
                    }
                    place.width = width
                }
                return .angles(.pictureInPicture(place))
            default: return nil
            }
        }
    }
}

extension ValueKind where Value == [Int] {
    /// `1,3`.
    static var trackNumbers: ValueKind {
        ValueKind("TRACK,…", expected: "numbers of tracks such as 1 or 2,1") { text in
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
                .map { Int($0) ?? 0 }
            guard numbers.allSatisfy({ (1...Int(Int32.max)).contains($0) }),
                Set(numbers).count == numbers.count
            else { return nil }
            return numbers
        }
    }

    /// `3,4`, `none`.
    static var trackNumbersOrNone: ValueKind {
        ValueKind(
            "TRACK,…|none", expected: "numbers of tracks such as 3 or 3,4, or none",
            completion: .words(["none"])
        ) { text in text == "none" ? [] : trackNumbers.parse(text) }
    }
}
