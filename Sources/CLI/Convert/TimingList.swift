import Compose
import Media

/// A text file with a picture's name and length a line, in the order in which they show. `#` begins a
/// remark.
struct TimingList {
    private static let largest = 16 << 20

    private let path: String
    private let lines: [(number: Int, name: String, length: MediaTime)]

    /// - Throws: no input, or bad data with the line.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        let bytes: [UInt8]
        switch SmallFile.read(path, limit: Self.largest) {
        case .bytes(let read): bytes = read
        case .absent:
            throw CommandFailure(
                .noInput, "there is no list \(path): --timing takes exif, or a file that is there")
        case .unreadable(let why):
            throw CommandFailure(.noInput, "cannot read the list \(path): \(why)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badData, "cannot read the list \(path): it is no text (UTF-8)")
        }
        var lines: [(number: Int, name: String, length: MediaTime)] = []
        for (index, line) in text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() {
            let content = line.trimmed
            guard !content.isEmpty, !content.hasPrefix("#") else { continue }
            guard let blank = content.lastIndex(where: \.isWhitespace),
                let length = ValueKind.duration.parse(
                    String(content[content.index(after: blank)...]))
            else {
                throw CommandFailure(
                    .badData,
                    "\(path), line \(index + 1): expected a picture's name and how long it shows, such "
                        + "as \"a.png 2s\"")
            }
            lines.append((index + 1, String(content[..<blank].trimmed), length))
        }
        self.lines = lines
    }

    /// The listed pictures among the inputs, by name or path; a picture may be listed more than once.
    /// - Throws: bad data for a line whose picture is no input, or an input that is not listed.
    func pictures(of inputs: [String]) throws(CommandFailure) -> [SequencePicture] {
        var unused = Set(inputs)
        var pictures: [SequencePicture] = []
        for line in lines {
            let found = inputs.filter { $0 == line.name || Self.name(of: $0) == line.name }
            guard let input = found.first, found.count == 1 else {
                throw CommandFailure(
                    .badData,
                    "\(path), line \(line.number): "
                        + (found.isEmpty
                            ? "\(line.name) is none of the inputs"
                            : "several inputs are called \(line.name); write their paths"))
            }
            unused.remove(input)
            pictures.append(SequencePicture(input, duration: line.length))
        }
        guard let missing = inputs.first(where: unused.contains) else { return pictures }
        throw CommandFailure(
            .badData,
            "\(missing) is not in the list \(path)"
                + (unused.count > 1 ? ", and \(unused.count - 1) more are not" : "")
                + ": add a line with its name and length, or leave it out of the inputs")
    }

    private static func name(of path: String) -> Substring {
        path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    }
}

extension StringProtocol {
    /// Without white space around it.
    fileprivate var trimmed: SubSequence {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return self[endIndex...] }
        return self[first...last]
    }
}
