import Media

/// What was said last, for a picture that has a line for it.
struct NewestMessage: Sendable {
    /// How long it is shown.
    private static let shownTime = MediaTime.seconds(8)

    let text: String
    /// When it was said (host time).
    let time: MediaTime

    /// It, for as long as it takes to be read (`now`: host time).
    func text(at now: MediaTime) -> String? { now - time < Self.shownTime ? text : nil }
}
