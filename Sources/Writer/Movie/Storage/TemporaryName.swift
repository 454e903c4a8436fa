/// Names under which files grow beside the names they are to get: hidden, ours to be seen, the same each
/// time, and as short as a file system takes them.
package enum TemporaryName {
    package enum Role: String, Sendable, CaseIterable {
        /// A film that an equal export continues with.
        case part = "vcap-part"
        /// The same while a new run copies what is in it.
        case earlier = "vcap-earlier"
        /// A finished film with its index in front.
        case front = "vcap-front"
        /// A file that nothing continues with.
        case new = "vcap-new"
        /// The first moments of a take that is to replace another.
        case take = "vcap-take"
        /// The copy that a repair makes.
        case repair = "vcap-repair"
        /// A file on its way out.
        case removed = "vcap-removed"
    }

    /// The longest name that file systems take (bytes).
    package static let longest = 255

    /// `.NAME.vcap-part.EXT` in the folder of `path`. A name that gets too long is cut, and distinguished from
    /// others that begin alike by a number made of it.
    package static func path(for path: String, _ role: Role) -> String {
        let (folder, name) = split(path)
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
        let (stem, ending) = (name[..<(dot ?? name.endIndex)], name[(dot ?? name.endIndex)...])
        let rest = ".\(role.rawValue)\(ending)"
        guard 1 + stem.utf8.count + rest.utf8.count > longest else {
            return "\(folder).\(stem)\(rest)"
        }
        let number = "~" + String(hash(name), radix: 36)
        let room = longest - 1 - rest.utf8.count - number.utf8.count
        return "\(folder).\(cut(stem, to: room))\(number)\(rest)"
    }

    /// The role a name shows; `nil` when it is none of ours.
    package static func role(of name: String) -> Role? {
        guard name.hasPrefix(".") else { return nil }
        return name.split(separator: ".").suffix(2).compactMap { Role(rawValue: String($0)) }.first
    }

    /// The folder with its slash, or nothing, and the name.
    package static func split(_ path: String) -> (folder: Substring, name: Substring) {
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        return (path[..<start], path[start...])
    }

    /// As much of a text as takes this many bytes.
    static func cut(_ text: Substring, to bytes: Int) -> Substring {
        var text = text
        while text.utf8.count > max(0, bytes) { text.removeLast() }
        return text
    }

    /// FNV-1a.
    private static func hash(_ text: Substring) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
