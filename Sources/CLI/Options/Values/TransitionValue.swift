import Compose
import Media

extension ValueKind where Value == Transition {
    private static let kinds = ["cut", "dissolve", "push", "wipe", "fade"]

    /// `dissolve:1s`, `push-left:0.5s`, `wipe-up`, `fade`, `cut`; a length that is not given is 1 s.
    static var transition: ValueKind {
        ValueKind(
            "KIND[:LENGTH]",
            expected:
                "a transition such as dissolve:1s, push-left:0.5s, wipe-up:1s, fade:1s or cut",
            completion: .words(["cut", "dissolve:1s", "push-left:1s", "wipe-left:1s", "fade:1s"])
        ) { text in
            let parts = text.split(separator: ":", maxSplits: 1)
            guard let first = parts.first else { return nil }
            let words = first.split(separator: "-", omittingEmptySubsequences: false)
            var direction: Transition.Direction?
            if words.count == 2 {
                guard let named = Transition.Direction(rawValue: String(words[1])) else {
                    return nil
                }
                direction = named
            }
            guard words.count <= 2,
                let length = parts.count == 2 ? MediaTime(typed: parts[1]) : .seconds(1)
            else { return nil }
            return transition(String(words[0]), direction, length, isTimed: parts.count == 2)
        }
    }

    private static func transition(
        _ kind: String, _ direction: Transition.Direction?, _ length: MediaTime, isTimed: Bool
    ) -> Transition? {
        switch kind {
        case "cut": return direction == nil && !isTimed ? .cut : nil
        case _ where length == .zero: return nil
        case "dissolve": return direction == nil ? .dissolve(length) : nil
        case "fade": return direction == nil ? .fade(length) : nil
        case "push": return .push(direction ?? .left, length)
        case "wipe": return .wipe(direction ?? .left, length)
        default: return nil
        }
    }
}
