internal import Glibc

/// Names for complete files that cannot have their own: `film.saved.mp4`, then `film.saved-2.mp4`. Nobody takes them
/// for what a killed run has left.
package enum SavedFile {
    /// Renames a file in its folder.
    /// - Parameter name: that it was to have, of which the new one is made.
    /// - Returns: where it lies.
    package static func keep(_ file: String, as name: String) throws(IOFailure) -> String {
        let folder = String(TemporaryName.split(file).folder)
        var number = 1
        while true {
            let saved = folder + self.name(of: name, number, "")
            number += 1
            do throws(IOFailure) {
                try NameChange.give(file, newName: saved)
                return saved
            } catch {
                if error.errno != EEXIST { throw error }
            }
        }
    }

    /// Gives an open file that has no name one in a folder, or the nearest above that is there: by a link, and by a
    /// copy where the system links no file without a name. Blocks.
    /// - Parameters:
    ///   - path: the name that it had.
    ///   - start: the folder, with its slash, that a relative one begins from; empty: not known.
    ///   - ending: what comes behind the name in those of files beside it.
    static func save(
        _ io: SystemFileIO, of path: String, from start: String = "", roomFor ending: String = ""
    ) throws(IOFailure) -> String {
        var folder = String(TemporaryName.split(path).folder)
        // the working folder may be gone, and with it what relative names begin from
        var start = start
        while true {
            do throws(IOFailure) { return try save(io, of: path, in: folder, ending) } catch {
                let isPlace = [ENOENT, ENOTDIR, EACCES, EPERM, EROFS].contains(error.errno)
                guard isPlace else { throw error }
                if let parent = parent(of: folder) {
                    folder = parent
                } else if !start.isEmpty {
                    (folder, start) = (start, "")
                } else {
                    throw error
                }
            }
        }
    }

    private static func save(
        _ io: SystemFileIO, of path: String, in folder: String, _ ending: String
    ) throws(IOFailure) -> String {
        var number = 1
        while true {
            let saved = folder + name(of: path, number, ending)
            number += 1
            if linkat(AT_FDCWD, io.processPath, AT_FDCWD, saved, AT_SYMLINK_FOLLOW) == 0 {
                return saved
            }
            if errno == EEXIST { continue }
            let copy: SystemFileIO
            do throws(IOFailure) {
                copy = try SystemFileIO(creating: saved, existing: .refuse)
            } catch {
                if error.errno == EEXIST { continue }
                throw error
            }
            defer { copy.close() }
            do throws(IOFailure) {
                try io.copyContent(to: copy)
                try copy.synchronize()
            } catch {
                unlink(saved)
                throw error
            }
            return saved
        }
    }

    /// The next folder up, with its slash; `nil` above the root.
    private static func parent(of folder: String) -> String? {
        guard !folder.isEmpty, folder != "/" else { return nil }
        return String(TemporaryName.split(String(folder.dropLast())).folder)
    }

    private static func name(of path: String, _ number: Int, _ further: String) -> String {
        let name = TemporaryName.split(path).name
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
        let ending = name[(dot ?? name.endIndex)...]
        let rest = ".saved" + (number > 1 ? "-\(number)" : "") + ending
        let room = TemporaryName.longest - rest.utf8.count - further.utf8.count
        return TemporaryName.cut(name[..<(dot ?? name.endIndex)], to: room) + rest
    }
}
