internal import Glibc

/// Files in the same folder with the same name but another ending.
enum Neighbours {
    /// - Parameter endings: without the dot, lower case; case in names does not count.
    /// - Returns: in the order of the endings.
    static func of(_ path: String, endings: [String]) -> [String] {
        let slash = path.utf8.lastIndex(of: 0x2F).map { path.utf8.index(after: $0) }
        let folder = String(path[..<(slash ?? path.startIndex)])
        let stem = stem(String(path[(slash ?? path.startIndex)...]))
        guard let listing = opendir(folder.isEmpty ? "." : folder) else { return [] }
        defer { closedir(listing) }
        var found: [(rank: Int, name: String)] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard Self.stem(name) == stem, name.count > stem.count,
                let rank = endings.firstIndex(of: name.dropFirst(stem.count + 1).lowercased())
            else { continue }
            found.append((rank, name))
        }
        return found.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.map { folder + $0.name }
    }

    private static func stem(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }
}
