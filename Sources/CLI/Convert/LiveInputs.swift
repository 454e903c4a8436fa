import Media
import Reading

/// Live photos among what is converted: a photo and its film, in one file or two.
enum LiveInputs {
    private static let photoEndings: Set = ["jpg", "jpeg", "heic", "heif"]
    private static let movieEndings: Set = ["mov", "mp4", "m4v"]

    /// What a file is converted from: the film of a live photo with the photo's moment as a marker, or
    /// whatever else it is. Blocks.
    /// - Parameters:
    ///   - delays: of animations.
    ///   - showsStill: whether a photo is to be shown for a time, its film left alone.
    static func asset(
        of path: String, delays: DelayRule, showsStill: Bool
    ) throws(MediaError) -> Asset {
        guard !showsStill else { return try Asset.load(path, delays: delays) }
        if let live = try LivePhoto.find(path) { return live.markedMovie }
        return try Asset.load(path, delays: delays)
    }

    /// What becomes of the depth in a photo that is converted; `nil` for a file without any. Blocks.
    static func depthNote(of path: String) -> String? {
        // one that cannot be read is not lost either
        guard photoEndings.contains(OutputPath.ending(of: path)),
            (try? EmbeddedDepth.find(path)) ?? nil != nil
        else { return nil }
        return "the depth in \(path) is not converted: vcap depth takes it out"
    }

    /// Two inputs that are the halves of a pair become one, its movie; so does a photo whose movie is
    /// among the inputs. Blocks.
    /// - Parameter isOneOutput: whether all inputs become one file; a photo and a movie must be a pair
    ///   then.
    static func joined(_ inputs: [String], isOneOutput: Bool) throws(MediaError) -> [String] {
        if isOneOutput, inputs.count == 2,
            let movie = inputs.first(where: { movieEndings.contains(OutputPath.ending(of: $0)) }),
            inputs.contains(where: isPhoto)
        {
            _ = try LivePhoto.pair(inputs[0], inputs[1])
            return [movie]
        }
        let stems = Set(
            inputs.filter { movieEndings.contains(OutputPath.ending(of: $0)) }.map(stem))
        var joined: [String] = []
        for input in inputs {
            if isPhoto(input), stems.contains(stem(input)),
                let movie = (try? LivePhoto.find(input))?.movie.path, inputs.contains(movie)
            {
                continue
            }
            joined.append(input)
        }
        return joined
    }

    private static func isPhoto(_ path: String) -> Bool {
        photoEndings.contains(OutputPath.ending(of: path))
    }

    private static func stem(_ path: String) -> String {
        String(path.dropLast(OutputPath.ending(of: path).count + 1))
    }
}
