internal import Image
internal import Media

/// The picture files of a sequence, and which of them each frame shows. Read once; nothing is decoded.
struct SequenceFiles: Sendable {
    /// What a frame shows.
    enum Shown: Hashable {
        /// The file of a place in `numbers`.
        case picture(Int)
        case black
    }

    let path: NumberedPath
    let sequence: ImageSequence
    /// Of the files, rising.
    let numbers: [Int]
    /// The first frame's.
    let first: Int
    /// Frames (count).
    let count: Int
    /// The first file, whose size and orientation all others have.
    let lead: ImageFile
    /// Of each file.
    private(set) var states: [FileState?]

    /// Reads the folder, and the first picture's structure. Blocks.
    /// - Throws: `no-such-file` where there is none, or one is missing; what `ImageFile` throws.
    init(_ pattern: String, _ sequence: ImageSequence) throws(MediaError) {
        try sequence.validate(pattern, pattern)
        guard let path = NumberedPath(reading: pattern) else {
            throw MediaError(
                code: .invalidSetting, subject: pattern,
                message: "\(pattern) has no place for a number.")
        }
        let all = path.numbersOnDisk().filter { number in
            number <= ImageSequence.largestNumber && number >= sequence.first ?? 0
                && number <= sequence.last ?? .max
        }
        guard let lowest = all.first else {
            throw MediaError(
                code: .noSuchFile, subject: pattern,
                message: "There is no picture \(pattern)"
                    + (sequence.first.map { " from the number \($0) on" } ?? "") + ".")
        }
        let first = sequence.first ?? lowest
        let step = sequence.step
        let numbers = all.filter { ($0 - first) % step == 0 }
        guard let start = numbers.first, let end = numbers.last else {
            throw MediaError(
                code: .noSuchFile, subject: path.path(first),
                message: "\(path.path(first)) is missing, and each picture that counts \(step) on.")
        }
        (self.path, self.sequence, self.numbers, self.first) = (path, sequence, numbers, first)
        if sequence.gaps == .ignore {
            count = numbers.count
        } else {
            count = ((sequence.last ?? end) - first) / step + 1
        }
        lead = try Self.file(path.path(start))
        states = []
        try checkGaps()
        stamp()
    }

    /// A picture that is no animation.
    static func file(_ path: String) throws(MediaError) -> ImageFile {
        let file = try ImageFile(path: path)
        guard file.isStill else {
            throw MediaError(
                code: .unsupported, subject: path,
                message: "\(path) is an animation, which cannot be a picture of a sequence.")
        }
        return file
    }

    /// The files, in order.
    var files: [String] { numbers.map(path.path) }

    /// Notes in which state the files are now. Blocks.
    mutating func stamp() { states = files.map { FileState($0) } }

    /// What a frame shows.
    /// - Parameter index: of the frame, from 0.
    func shown(_ index: Int) -> Shown {
        guard sequence.gaps != .ignore else { return .picture(index) }
        let number = first + index * sequence.step
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] <= number { low = middle + 1 } else { high = middle }
        }
        guard low > 0, numbers[low - 1] == number || sequence.gaps == .hold else { return .black }
        return .picture(low - 1)
    }

    private func checkGaps() throws(MediaError) {
        guard sequence.gaps != .ignore else { return }
        let step = sequence.step
        var expected = first
        for number in numbers + [first + count * step] {
            let missing = (number - expected) / step
            if missing > 0 { try check(missing, from: expected) }
            expected = number + step
        }
    }

    private func check(_ missing: Int, from number: Int) throws(MediaError) {
        let name = path.path(number)
        let what = MissingPictures.sentence(
            missing, from: name, to: path.path(number + (missing - 1) * sequence.step))
        func refused(_ why: String) -> MediaError {
            MediaError(code: .noSuchFile, subject: name, message: what + why)
        }
        if missing > ImageSequence.widestGap {
            throw refused(
                ": these are not pictures of one sequence; gaps ignore shows them one after the other"
            )
        }
        if sequence.gaps == .error {
            throw refused(
                ": a project's clip can have gaps hold, which shows the one before for as long, gaps black, or "
                    + "gaps ignore")
        }
        if sequence.gaps == .hold, number == first {
            throw refused(", and there is none before that could be shown for as long")
        }
    }
}
