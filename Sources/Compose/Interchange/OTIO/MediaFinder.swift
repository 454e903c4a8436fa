internal import Glibc
internal import Media
internal import Reading

/// Finds media that a project of another machine names where it is not, by its file's name, below folders that were
/// given for it. Looks once, when it is first asked. Thread-bound.
final class MediaFinder {
    /// Entries of folders that are looked at, and folders in folders.
    static let (most, deepest) = (200_000, 16)

    private let folders: [String]
    /// Canonical paths by the file's name.
    private lazy var files: [String: [String]] = index()
    /// Whether there was more than it looks at.
    private(set) var isIncomplete = false

    /// - Parameter folders: canonical.
    init(below folders: [String]) { self.folders = folders }

    /// Files of a path's name, in order, each once.
    func candidates(for path: String) -> [String] {
        let name = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
        return files[name] ?? []
    }

    private func index() -> [String: [String]] {
        var found: [String: Set<String>] = [:]
        var left = Self.most
        var waiting = folders.map { (path: $0, depth: 0) }
        while let (folder, depth) = waiting.popLast() {
            guard let stream = opendir(folder) else { continue }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                        String(validatingCString: $0)
                    }
                }
                guard let name, !name.hasPrefix(".") else { continue }
                guard left > 0 else {
                    isIncomplete = true
                    return found.mapValues { $0.sorted() }
                }
                left -= 1
                let path = folder + (folder.hasSuffix("/") ? "" : "/") + name
                var info = stat()
                // no link is followed: it may lead anywhere
                guard lstat(path, &info) == 0 else { continue }
                switch info.st_mode & S_IFMT {
                case S_IFREG: found[name, default: []].insert(path)
                case S_IFDIR where depth < Self.deepest: waiting.append((path, depth + 1))
                case S_IFDIR: isIncomplete = true
                default: break
                }
            }
        }
        return found.mapValues { $0.sorted() }
    }
}

extension MediaFinder {
    /// The one file that a clip can mean.
    enum Match {
        case none
        case one(String)
        /// Several of its name, which its length does not distinguish.
        case several([String])
    }

    /// - Parameters:
    ///   - path: as it is named.
    ///   - length: of the media, as it is stated; nil: it is not.
    func match(_ path: String, lasting length: MediaTime?) -> Match {
        let all = candidates(for: path)
        if all.count < 2 { return all.first.map { .one($0) } ?? .none }
        guard let length else { return .several(all) }
        // a rate that is rounded may make it half of a frame longer or shorter
        let tolerance = MediaTime.milliseconds(50)
        let fitting = all.filter { path in
            guard let own = try? Asset.load(path).duration else { return false }
            return own - length < tolerance && length - own < tolerance
        }
        return fitting.count == 1 ? .one(fitting[0]) : .several(fitting.isEmpty ? all : fitting)
    }
}
