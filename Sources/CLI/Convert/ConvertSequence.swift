import Compose
import Media
import Reading

/// What is shown where the numbers of a sequence have a hole.
typealias SequenceGaps = ImageSequence.Gaps

/// Picture files that become one movie, in the order of their names.
struct ConvertSequence {
    /// Endings of pictures that have no length of their own.
    private static let endings: Set<String> = [
        "png", "jpg", "jpeg", "webp", "tif", "tiff", "avif", "heic", "heif",
    ]

    let paths: [String]
    let gaps: SequenceGaps
    let timing: SequenceTiming

    /// Endings of animations, of which those of one picture are pictures.
    private static let animatedEndings: Set<String> = ["gif", "apng"]

    /// Whether inputs are pictures only, more than one. Blocks.
    static func isSequence(_ inputs: [String]) -> Bool {
        let animated = inputs.filter { animatedEndings.contains(OutputPath.ending(of: $0)) }
        let known = inputs.filter { endings.contains(OutputPath.ending(of: $0)) }
        guard inputs.count > 1, known.count + animated.count == inputs.count else { return false }
        return animated.allSatisfy { path in
            (try? Asset.load(path))?.tracks.allSatisfy(\.isStill) ?? false
        }
    }

    /// The pictures with their lengths. Blocks.
    /// - Throws: no input where numbers are missing and that is not to be overlooked; bad data where times
    ///   are wanted of pictures or a list that do not state them.
    func pictures() throws -> [SequencePicture] {
        switch timing {
        case .even(let length): try even(length)
        case .exif(let last): try ExifTiming(paths, last: last).pictures
        case .list(let path): try TimingList(path).pictures(of: paths)
        }
    }

    private func even(_ length: MediaTime) throws(CommandFailure) -> [SequencePicture] {
        var frames: [SequencePicture] = []
        var before: NumberedName?
        for path in paths {
            let name = NumberedName(path)
            if gaps != .ignore, let before, let name, name.isOf(before) {
                let missing = name.number - before.number - 1
                if missing > 0 { try fill(missing, behind: before, length, &frames) }
            }
            before = name
            frames.append(SequencePicture(path, duration: length))
        }
        return frames
    }

    private func fill(
        _ missing: Int, behind before: NumberedName, _ length: MediaTime,
        _ frames: inout [SequencePicture]
    ) throws(CommandFailure) {
        let first = before.path(before.number + 1)
        let what = MissingPictures.sentence(
            missing, from: first, to: before.path(before.number + missing))
        guard missing <= ImageSequence.widestGap else {
            throw CommandFailure(
                .noInput,
                "\(what): these are not pictures of one sequence; give --gaps ignore to show "
                    + "them one after the other")
        }
        switch gaps {
        case .error:
            throw CommandFailure(
                .noInput,
                "\(what): give --gaps hold to show the one before for as long, --gaps black, or "
                    + "--gaps ignore")
        case .hold:
            let last = frames.count - 1
            frames[last].duration = length * Int64(missing + 1)
        case .black: frames.append(SequencePicture(nil, duration: length * Int64(missing)))
        case .ignore: break
        }
    }
}

/// A file's name with its last number taken out: `shots/a12b.png` is 12 between `shots/a` and `b.png`.
struct NumberedName {
    let number: Int
    private let before: String
    private let after: String
    private let ending: String
    private let digits: Int

    init?(_ path: String) {
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let name = path[start...]
        let end = name.lastIndex(of: ".") ?? name.endIndex
        guard let last = name[..<end].lastIndex(where: { ("0"..."9").contains($0) }) else {
            return nil
        }
        let head = name[...last]
        let first = head.lastIndex { !("0"..."9").contains($0) }.map(head.index(after:)) ?? start
        guard let number = Int(name[first...last]) else { return nil }
        self.number = number
        before = String(path[..<first])
        after = String(name[name.index(after: last)..<end])
        ending = String(name[end...])
        digits = name[first...last].count
    }

    /// Whether the two are numbered alike, this one later; they may be of different kinds.
    func isOf(_ other: NumberedName) -> Bool {
        before == other.before && after == other.after && number > other.number
    }

    /// The name with another number.
    func path(_ number: Int) -> String {
        let text = String(number)
        return before + String(repeating: "0", count: max(0, digits - text.count)) + text + after
            + ending
    }
}
