import Capture

/// In which form a live photo is written.
enum LivePhotoForm: String, Sendable, CaseIterable {
    /// One file: a JPEG with the movie (MP4) behind it.
    case google
    /// Two files that share a name of their own: a JPEG or HEIC, and a QuickTime movie.
    case apple
    /// The pair, and the one file besides.
    case both

    private static let words = allCases.map(\.rawValue)
    private static let expected = "google, apple or both"
    private static let summary =
        "with the 1.5 s before and after it as a movie: google one file, apple a jpg or heic and a mov, both all three"

    /// The endings that its photo may have.
    var endings: [String] { self == .google ? ["jpg", "jpeg"] : ["jpg", "jpeg", "heic", "heif"] }

    /// - Throws: the reason why its photo cannot have this name.
    func check(_ path: String) throws(CommandFailure) {
        switch PhotoFileType(path: path) {
        case .jpeg: return
        case .heic where self != .google: return
        case .heic:
            throw CommandFailure(
                .usage,
                "a motion photo (--live=google) is a JPEG: use .jpg for \(path), or --live=apple")
        default:
            throw CommandFailure(
                .usage, "a live photo is a JPEG or a HEIC: use .jpg or .heic for \(path)")
        }
    }

    /// Of verbs that take live photos.
    static let option = Option<String>(
        nil, "live", .choice(words), "take live photos, \(summary)",
        bare: LivePhotoForm.google.rawValue
    )

    /// Of a verb that makes live photos possible.
    static let arming = Option<String>(
        nil, "live", .choice(words),
        "hold the last seconds, so that ctl photo --live and the key l take live photos, \(summary); "
            + "costs a second, small encoder",
        bare: LivePhotoForm.google.rawValue)

    /// Of a verb that asks a recording for one.
    static let request = Option<String>(
        nil, "live",
        ValueKind(words.joined(separator: "|"), expected: expected, completion: .words(words)) {
            $0.isEmpty || words.contains($0) ? $0 : nil
        }, "take a live photo, in the form that the recording has or in this one", bare: "")
}
