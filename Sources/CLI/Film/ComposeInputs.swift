import Compose
internal import Glibc
import Media
import Reading

/// The clips that are meant by what was typed: files, folders and patterns, each perhaps with a part.
enum ComposeInputs {
    /// - Throws: no input where a file is not there, or a folder or pattern holds none.
    static func clips(_ operands: [String]) throws -> [ClipValue] {
        var clips: [ClipValue] = []
        for operand in operands {
            if let generated = try ClipValue.generated(operand, whole: operand) {
                clips.append(generated)
                continue
            }
            let isWhole = access(operand, F_OK) == 0
            if !isWhole, let (path, part) = ClipValue.mistaken(operand), access(path, F_OK) == 0 {
                throw CommandFailure(
                    .usage,
                    "the part \(part) of \(path) does not end after it begins: a part is FROM..TO, and "
                        + "@reverse behind it plays it backwards")
            }
            let clip = isWhole ? ClipValue(path: operand) : ClipValue(operand)
            if let (path, rest) = ClipValue.misspelt(clip.path, isThere: { access($0, F_OK) == 0 })
            {
                throw CommandFailure(
                    .usage,
                    "\"\(rest)\" behind \(path) is no part of it: a part is @FROM..TO such as @2s..9s, and "
                        + "@reverse behind it, or alone, plays it backwards")
            }
            if let rate = clip.sequenceRate {
                guard NumberedPath(reading: clip.path) != nil else {
                    throw CommandFailure(
                        .usage,
                        "\(clip.path) has no place for a number: \(rate) pictures a second are those of a sequence "
                            + "such as shots/a%04d.png")
                }
                clips.append(clip)
                continue
            }
            guard access(clip.path, F_OK) == 0 || !ClipValue.isPattern(clip.path) else {
                throw CommandFailure(
                    .usage,
                    "\(clip.path) stands for numbered pictures: say how many a second, such as "
                        + "\(clip.path)@24fps")
            }
            let paths = try ConvertInputs.expanded([clip.path])
            // the halves of a live photo are one clip, its film
            let joined = paths.count > 1 ? try LiveInputs.joined(paths, isOneOutput: false) : paths
            clips += joined.map { path in
                var one = clip
                one.path = path
                return one
            }
        }
        return clips
    }
}
