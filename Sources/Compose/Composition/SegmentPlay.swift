/// How a segment runs through its source.
struct SegmentPlay: Sendable, Hashable {
    /// From its end to its start.
    var isReversed = false
    /// Frames are mixed where they are not the film's.
    var blendsFrames = false
    /// Nil: at one speed.
    var course: SourceCourse?

    /// The same on another course.
    func along(_ course: SourceCourse?) -> SegmentPlay {
        SegmentPlay(isReversed: isReversed, blendsFrames: blendsFrames, course: course)
    }
}
