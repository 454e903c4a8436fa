import Media

/// The options of `vcap depth`, as declared.
enum StereoOptions {
    static let left = Option<String>(
        nil, "left", .path("MOVIE"),
        "what the left camera recorded, rectified; the depth is as it sees it")
    static let right = Option<String>(
        nil, "right", .path("MOVIE"),
        "what the right camera recorded, rectified, at the same times; the same movie again: its second video track"
    )
    static let baseline = Option<Double>(
        nil, "baseline", .length, "distance of the two cameras from each other (mm, cm, m)")
    static let focalLength = Option<Double>(
        nil, "focal", .pixelCount,
        "focal length of both after they were rectified (pixels of the frames)")
    static let maximum = Option<Int>(
        nil, "max-disparity", .integer("N", in: 16...512),
        "how far a near point is shifted between the two frames at most (pixels; a multiple of 16)",
        default: .value("64"))
    static let block = Option<Int>(
        nil, "block", .integer("N", in: 3...11),
        "side of what is compared (pixels; odd): a small one shows edges, a large one stands noise",
        default: .value("5"))
    static let unit = Option<DepthUnit>(
        nil, "unit", .depthUnit, "what a step of the values is to be",
        default: .described("1/16px, as it is computed; of a photo as it is"))
    static let output = Option<String>(
        "o", "output", .path(),
        "the movie with the depth track (mkv); of a photo the depth map (png)")
    static let replace = Switch("y", "yes", "replace the output if it is there")

    static let groups: [Command.Group] = [
        .init(
            title: "The pair", options: [left.spec, right.spec, baseline.spec, focalLength.spec]),
        .init(title: "Matching", options: [maximum.spec, block.spec]),
        .init(title: "Output", options: [output.spec, unit.spec, replace.spec]),
        .init(title: "Reporting", options: StandardOptions.messages),
    ]
}

extension ValueKind where Value == Double {
    static var pixelCount: ValueKind {
        ValueKind("PIXELS", expected: "pixels such as 700px or 702.5px") { DepthWords.pixels($0) }
    }
}

extension ValueKind where Value == DepthUnit {
    static var depthUnit: ValueKind {
        ValueKind(
            "UNIT", expected: "a step such as 1mm, 0.01/m or 1/16px",
            completion: .words(["1mm", "1/16px"])
        ) { DepthWords.unit($0) }
    }
}
