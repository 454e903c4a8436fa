internal import Media

/// Where a track's text is on the frame: the lowest sixth of it (pixels).
struct TextBox: Sendable, Hashable {
    let width: Int
    let height: Int
    /// Of the frame above it.
    let top: Int
    /// Of the letters.
    let letterHeight: Int

    /// - Parameter frame: nil: nowhere in particular.
    init(_ frame: TextFormat.Frame?) {
        guard let frame else {
            (width, height, top, letterHeight) = (0, 0, 0, 16)
            return
        }
        width = frame.width
        height = max(1, frame.height / 6)
        top = frame.height - height
        letterHeight = max(8, frame.height / 20)
    }
}
