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

    /// With numbered pictures that follow one another as a shell lists them, where 10 comes before 2, by their numbers; what
    /// is typed in another order stays so.
    static func ordered(_ paths: [String]) -> [String] {
        var ordered: [String] = []
        var run: [(path: String, name: NumberedName)] = []
        func end() {
            let numbers = run.map(\.path)
            ordered +=
                isListed(numbers)
                ? run.sorted { $0.name.number < $1.name.number }.map(\.path) : numbers
            run = []
        }
        for path in paths {
            guard let name = NumberedName(path) else {
                end()
                ordered.append(path)
                continue
            }
            if let last = run.last, !name.isNumberedAs(last.name) { end() }
            run.append((path, name))
        }
        end()
        return ordered
    }

    /// Whether texts are in the order of their bytes, or of their letters and digits alone, as languages have it.
    private static func isListed(_ paths: [String]) -> Bool {
        let letters = paths.map { path in path.lowercased().filter { $0.isLetter || $0.isNumber } }
        func isAscending(_ texts: [String]) -> Bool {
            zip(texts, texts.dropFirst()).allSatisfy {
                $0 == $1 || $0.utf8.lexicographicallyPrecedes($1.utf8)
            }
        }
        return isAscending(letters) || isAscending(paths)
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
                if missing > 0, !name.isTime { try fill(missing, behind: before, length, &frames) }
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
        isNumberedAs(other) && number > other.number
    }

    func isNumberedAs(_ other: NumberedName) -> Bool {
        before == other.before && after == other.after
    }

    /// Whether it ends in a date or time, which count nothing: `IMG_20240501_101530`, `2024-05-01 at 10.15.30`.
    var isTime: Bool {
        let text = String(number)
        let name = before + String(repeating: "0", count: max(0, digits - text.count)) + text
        let stamp =
            #/(?:^|[^0-9])(?:19|20)[0-9]{2}[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12][0-9]|3[01])(?:(?: at |[-_. T])?[0-2][0-9][-_.h]?[0-5][0-9][-_.m]?[0-5][0-9](?:[-_.]?[0-9]{3})?)?$/#
        return name.firstMatch(of: stamp) != nil
    }

    /// The name with another number.
    func path(_ number: Int) -> String {
        let text = String(number)
        return before + String(repeating: "0", count: max(0, digits - text.count)) + text + after
            + ending
    }
}
