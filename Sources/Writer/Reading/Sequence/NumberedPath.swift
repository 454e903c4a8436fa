internal import Glibc

/// A path with a place for a number, such as `frames/%06d.png`.
public struct NumberedPath: Sendable, Hashable {
    public let pattern: String
    /// What stands before the number, its place as typed, and what stands behind it.
    public let head: String
    public let place: String
    public let tail: String
    /// Fewest digits of a number (count).
    package var leastDigits: Int { digits }
    private let digits: Int

    /// Nil where the file's name holds no `%0Nd` (N from 1 to 9) or more than one.
    public init?(_ pattern: String) {
        self.init(pattern, takesAnyLength: false)
    }

    /// Of pictures that are read: `%d`, for numbers without zeros in front, is a place as well, and `%%` stands for
    /// a per cent sign. Nil where the file's name holds no place, or more than one.
    public init?(reading pattern: String) {
        self.init(pattern, takesAnyLength: true)
    }

    private init?(_ pattern: String, takesAnyLength: Bool) {
        let name = pattern.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        var places: [(range: Range<String.Index>, digits: Int)] = []
        var index = name.startIndex
        while index < name.endIndex {
            if takesAnyLength, name[index...].hasPrefix("%%") {
                index = name.index(index, offsetBy: 2)
            } else if let place = Self.place(in: name, at: index, takesAnyLength) {
                places.append(place)
                index = place.range.upperBound
            } else {
                index = name.index(after: index)
            }
        }
        guard places.count == 1, let place = places.first else { return nil }
        func literal(_ text: Substring) -> String {
            takesAnyLength ? String(text).replacing("%%", with: "%") : String(text)
        }
        self.pattern = pattern
        // the folder's name is no pattern
        head = pattern[..<name.startIndex] + literal(name[..<place.range.lowerBound])
        self.place = String(pattern[place.range])
        tail = literal(name[place.range.upperBound...])
        digits = place.digits
    }

    private static func place(
        in name: Substring, at start: String.Index, _ takesAnyLength: Bool
    ) -> (range: Range<String.Index>, digits: Int)? {
        let rest = name[start...]
        if takesAnyLength, rest.hasPrefix("%d") {
            return (start..<name.index(start, offsetBy: 2), 1)
        }
        guard rest.hasPrefix("%0"),
            let digit = name.index(start, offsetBy: 2, limitedBy: name.endIndex),
            digit < name.endIndex, let digits = name[digit].wholeNumberValue, digits > 0,
            name[digit].isASCII
        else { return nil }
        let letter = name.index(after: digit)
        guard letter < name.endIndex, name[letter] == "d" else { return nil }
        return (start..<name.index(after: letter), digits)
    }

    /// The path of a picture.
    /// - Parameter number: from 0; more digits than there are places make the name longer.
    public func path(_ number: Int) -> String {
        let text = String(number)
        return head + String(repeating: "0", count: max(0, digits - text.count)) + text + tail
    }

    /// The number of a path of this kind; nil for any other.
    package func number(of path: String) -> Int? {
        guard path.hasPrefix(head), path.hasSuffix(tail),
            path.utf8.count > head.utf8.count + tail.utf8.count
        else { return nil }
        let text = path.utf8.dropFirst(head.utf8.count).dropLast(tail.utf8.count)
        guard text.count >= digits, text.count <= 18,
            text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            text.count == digits || text.first != UInt8(ascii: "0")
        else { return nil }
        return Int(String(Substring(text)))
    }

    /// The folder of all pictures, as it is typed before their names.
    package var folder: String { head.lastIndex(of: "/").map { String(head[...$0]) } ?? "" }

    /// The numbers of the files of this kind that are there, rising. Blocks.
    package func numbersOnDisk() -> [Int] {
        guard let listing = opendir(folder.isEmpty ? "." : folder) else { return [] }
        defer { closedir(listing) }
        var numbers: [Int] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = number(of: folder + name) { numbers.append(number) }
        }
        return numbers.sorted()
    }
}
