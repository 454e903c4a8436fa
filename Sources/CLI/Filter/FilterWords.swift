import Media

/// What is said of filters.
enum FilterWords {
    /// Of what one did: "mosaic-faces: 60 frames, 58 faces covered".
    static func line(_ counts: FilterCounts) -> String {
        var words = "\(counts.name): \(frames(counts.processed))"
        if ["mosaic-faces", "sticker"].contains(counts.name) {
            words += ", \(counts.covered) \(counts.covered == 1 ? "face" : "faces") covered"
        }
        if counts.unprocessed > 0 {
            words += ", \(frames(counts.unprocessed)) \(shown(counts.fallback))"
        }
        if counts.failed > 0, let failure = counts.failure { words += ": \(failure)" }
        return words
    }

    static func shown(_ fallback: FrameFallback) -> String {
        fallback == .black ? "black" : "as they came"
    }

    /// When frames begin to be replaced, and when they no longer are.
    static func line(
        _ trouble: FilteredSource.Trouble, _ filter: any FrameProcessor, of camera: String
    ) -> String {
        switch trouble {
        case .late:
            "\(camera): the filter \(filter.name) does not keep up: frames that it does not reach are "
                + shown(filter.fallback)
        case .failed(let reason):
            "\(camera): the filter \(filter.name) failed, and frames are \(shown(filter.fallback)): "
                + reason
        case .over: "\(camera): the filter \(filter.name) keeps up again"
        }
    }

    private static func frames(_ count: Int) -> String {
        count == 1 ? "1 frame" : "\(count) frames"
    }
}

extension FilterCounts {
    /// For programs.
    var json: JSONValue {
        .members([
            "name": .string(name), "processed": .integer(Int64(processed)),
            "covered": .integer(Int64(covered)), "late": .integer(Int64(late)),
            "failed": .integer(Int64(failed)), "fallback": .string(fallback.rawValue),
            "failure": failure.map { .string($0) },
        ])
    }
}
