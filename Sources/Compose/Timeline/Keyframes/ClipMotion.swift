internal import Media

/// Slow pan and zoom over all of the time that a clip is shown. One with a motion covers the frame, or its place, unless
/// its fit says otherwise.
public enum ClipMotion: Sendable, Hashable {
    case none
    /// Along what does not fit into the frame; else into the picture and out of it in turn.
    case automatic
    case views(PictureMotion)

    /// - Parameters:
    ///   - turn: how many clips with such a motion were before.
    ///   - visible: of the clip (pixels).
    ///   - room: what it is shown in (pixels).
    ///   - fit: how it comes into that; only one that covers it has something to pan over.
    /// - Returns: nil: none.
    func motion(
        turn: Int, over visible: Size, in room: Size, _ fit: FitMode
    ) -> PictureMotion? {
        switch self {
        case .none: return nil
        case .views(let motion): return motion
        case .automatic:
            let isBack = turn % 2 == 1
            // how much wider than its room a picture of the same height is
            guard fit == .cover else { return isBack ? .outwards : .inwards }
            let shape = visible.width / visible.height / (room.width / room.height)
            if shape > Self.panned { return .pan(.init(x: 0), .init(x: 1), isBack: isBack) }
            if shape < 1 / Self.panned { return .pan(.init(y: 0), .init(y: 1), isBack: !isBack) }
            return isBack ? .outwards : .inwards
        }
    }

    /// From how much on there is enough to pan over (ratio of shapes): a fifth of the picture is not seen at once.
    private static let panned = 1.25
}

extension PictureMotion {
    fileprivate static func pan(_ from: View, _ to: View, isBack: Bool) -> PictureMotion {
        isBack ? PictureMotion(from: to, to: from) : PictureMotion(from: from, to: to)
    }
}
