internal import Glibc
internal import Media

/// The folders that a project may take media from: its own, and those it was given.
///
/// A path of a project is relative to the project's folder, or absolute inside another root. Where it
/// really leads, links followed, must be inside a root as well.
struct MediaRoots {
    /// The project's own folder first; canonical.
    let folders: [String]
    private var folder: String { folders[0] }

    /// - Throws: `no-such-file` when a folder is not there.
    init(project folder: String, allowing others: [String]) throws(MediaError) {
        var roots: [String] = []
        for root in [folder] + others {
            guard let path = Self.canonical(root) else {
                throw MediaError(
                    code: .noSuchFile, function: "realpath", subject: root, errno: errno,
                    message: "the folder \(root) for media cannot be used: "
                        + String(cString: strerror(errno)))
            }
            roots.append(path)
        }
        folders = roots
    }

    /// The canonical path of a file that a project names.
    func resolve(_ path: String, _ position: TextPosition) throws(JSONFailure) -> String {
        func refused(_ why: String) -> JSONFailure {
            JSONFailure(
                position: position,
                message: "the path \(JSONWriter.quoted(String(path.prefix(200)))) \(why)")
        }
        guard path.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw refused("holds a control character")
        }
        guard path.utf8.count < 4096 else { throw refused("is longer than 4095 bytes") }
        let full = Self.normalized(path.hasPrefix("/") ? path : folder + "/" + path)
        guard isInside(full) else {
            throw refused(
                "leads out of the project's folder; put the file there or allow its folder")
        }
        guard let real = Self.canonical(full) else {
            // what is not there is reported when it is opened
            return full
        }
        guard isInside(real) else {
            throw refused(
                "is a link out of the project's folder; put the file there or allow its folder")
        }
        return real
    }

    private func isInside(_ path: String) -> Bool {
        folders.contains { root in root == "/" || path.hasPrefix(root + "/") }
    }

    /// Without `.`, `..` and doubled slashes.
    static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Links followed; nil when there is no such file.
    static func canonical(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
