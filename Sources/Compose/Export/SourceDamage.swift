/// What of a source could not be decoded whole.
struct SourceDamage: Sendable, Equatable {
    /// Coded frames and pieces of audio (counts).
    var pictures = 0
    var sound = 0
    /// Whether the source is one frame.
    var isStill = false
    /// The damaged picture files of a sequence.
    var files: [String] = []

    static func + (one: SourceDamage, other: SourceDamage) -> SourceDamage {
        let isStill = one.isStill || other.isStill
        let frames = one.pictures + other.pictures
        return SourceDamage(
            // one frame, however often it shows
            pictures: isStill ? min(1, frames) : frames, sound: one.sound + other.sound,
            isStill: isStill, files: one.files + other.files.filter { !one.files.contains($0) })
    }

    /// One sentence for a person; nil where all is whole.
    func sentence(of path: String) -> String? {
        if let first = files.first { return Self.sentence(of: first, more: files.count - 1) }
        if isStill, pictures > 0 { return Self.sentence(of: path) }
        let parts = [
            pictures > 0
                ? "\(pictures) of its coded frames could not be decoded whole (what could be, or the "
                    + "one before, shows)" : nil,
            sound > 0
                ? "\(sound) of its coded pieces of audio could not be decoded (silence is heard)"
                : nil,
        ].compactMap { $0 }
        guard !parts.isEmpty else { return nil }
        return "\(path) is damaged: \(parts.joined(separator: " and "))."
    }

    /// One sentence about a damaged picture file, and how many more there are.
    static func sentence(of picture: String, more: Int = 0) -> String {
        let what =
            switch more {
            case 0: "\(picture) is damaged: its picture"
            case 1: "\(picture) and one more picture are damaged: they"
            default: "\(picture) and \(more) more pictures are damaged: they"
            }
        return what + " could not be decoded whole (what could be shows)."
    }
}
