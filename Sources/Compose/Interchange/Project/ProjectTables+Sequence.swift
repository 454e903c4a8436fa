internal import Media
internal import Reading

/// The keys of a clip of numbered pictures.
extension ProjectTables {
    static let sequence: [ProjectField<VideoItem>] = [
        .optional(
            "fps", \.sequenceRate, .rate,
            "of numbered pictures: how many a second; file then stands for them, with %04d in the place of "
                + "four digits, or %d"),
        .optional(
            "first", \.firstPicture, number,
            "of numbered pictures: the first one's number (default: the lowest that is there)"),
        .optional(
            "last", \.lastPicture, number,
            "of numbered pictures: the last one's number (default: the highest that is there)"),
        .value(
            "step", \.pictureStep, .whole(1...ImageSequence.largestNumber),
            "of numbered pictures: from one that shows to the next one (default 1)"),
        .value(
            "gaps", \.pictureGaps, .choice,
            "of numbered pictures: what shows where numbers are missing; error: the clip is refused, "
                + "hold: the picture before, black, ignore: nothing, the pictures follow each other (default error)"
        ),
    ]

    /// The keys that mean something where there are pictures a second.
    static let sequenceKeys = [
        "first": "fps", "last": "fps", "step": "fps", "gaps": "fps",
    ]

    private static let number = ProjectForm<Int>.whole(0...ImageSequence.largestNumber)
}

/// A sequence's values, which are its usual ones where there is none.
extension VideoItem {
    fileprivate var sequenceRate: FrameRate? {
        get { sequence?.rate }
        set { sequence = newValue.map { ImageSequence(rate: $0) } }
    }

    fileprivate var firstPicture: Int? {
        get { sequence?.first }
        set { sequence?.first = newValue }
    }

    fileprivate var lastPicture: Int? {
        get { sequence?.last }
        set { sequence?.last = newValue }
    }

    fileprivate var pictureStep: Int {
        get { sequence?.step ?? 1 }
        set { sequence?.step = newValue }
    }

    fileprivate var pictureGaps: ImageSequence.Gaps {
        get { sequence?.gaps ?? .error }
        set { sequence?.gaps = newValue }
    }
}
