/// How a recording follows slates.
struct SlateWish: Sendable, Equatable {
    /// What slates may ask for.
    let allowed: Set<SlateAction>
    /// Whether the movie's title was typed, and stays.
    let keepsTitle: Bool

    /// `nil` where slates are not followed.
    init?(_ arguments: Arguments) throws(CommandFailure) {
        guard arguments.isOn(RecordOptions.slate) else { return nil }
        allowed = try arguments(RecordOptions.slateAllow) ?? []
        keepsTitle = try arguments(RecordOptions.title) != nil
    }
}

/// What a slate can ask of a recording, once it is allowed.
enum SlateAction: String, Sendable, CaseIterable {
    case pause, resume, stop, photo
}

extension ValueKind where Value == Set<SlateAction> {
    /// `stop`, `pause,resume`.
    static var slateActions: ValueKind {
        let words = SlateAction.allCases.map(\.rawValue)
        return ValueKind(
            "WHAT", expected: "some of \(words.joined(separator: ", ")) with commas between",
            completion: .words(words)
        ) { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let actions = parts.compactMap { SlateAction(rawValue: String($0)) }
            return actions.count == parts.count ? Set(actions) : nil
        }
    }
}
