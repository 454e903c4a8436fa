import Media
import Movie
import Reading

/// A movie's time code.
extension AssetListing {
    /// Where it begins, and how it counts.
    static func text(_ code: MovieTimeCode) -> String {
        let rate = code.start.rate
        return "\(code.start), \(Amounts.decimal(rate.frameRate.approximate, 3)) fps"
            + (rate.isDropFrame ? ", drop frame" : "")
    }

    static func timeCode(_ code: MovieTimeCode) -> JSONValue {
        .members([
            "start": .string(code.start.description),
            "rate": .string(code.start.rate.frameRate.description),
            "drop_frame": .bool(code.start.rate.isDropFrame),
            "frame": .integer(code.start.frame),
            "jumps": .array(
                code.jumps.map {
                    .members(["time": time($0.time), "to": .string($0.timeCode.description)])
                }),
        ])
    }
}
