internal import Glibc
package import Media

extension GrowingFile {
    /// Gives a finished movie that has lost its name one of its own, in the same folder or the nearest that
    /// is there: by a link, and by a copy where the system links no file without a name. Blocks.
    /// - Parameter ending: what comes behind the movie's name in those of files beside it.
    /// - Returns: where the movie lies.
    package func rescue(withRoomFor ending: String) throws(MediaError) -> String {
        switch look() {
        case .intact, .truncated, .overwritten: return path
        case .moved(let place): return place
        case .deleted, .folderDeleted, .replaced: break
        }
        do throws(IOFailure) {
            let saved = try withOpen { _, io, _ throws(IOFailure) in try save(io, ending) }
            guard let saved else { throw IOFailure(function: "open", errno: EBADF) }
            return saved
        } catch {
            throw MediaError(
                error, attempt: "save what was recorded of \(path)", subject: path)
        }
    }

    /// Writes again what was cut off or written over and is in memory still; what the disk refuses stays lost.
    package func restore(isOverwritten: Bool) {
        withOpen { _, _, content in try? content?.restore(isOverwritten: isOverwritten) }
    }

    /// Makes a movie of what is left of one that another program has cut or written into.
    /// - Returns: its length (seconds).
    package func repairRest() throws(MediaError) -> RepairReport? {
        try withOpen { name, io, _ throws(MediaError) in try MovieRepair.repair(name, io) }
    }

    private func save(_ io: SystemFileIO, _ ending: String) throws(IOFailure) -> String {
        var folder = String(TemporaryName.split(path).folder)
        // the working folder may be gone, and with it what relative names begin from
        var start = startFolder
        while true {
            do throws(IOFailure) { return try save(io, in: folder, ending) } catch {
                let isPlace = [ENOENT, ENOTDIR, EACCES, EPERM, EROFS].contains(error.errno)
                guard isPlace else { throw error }
                if let parent = Self.parent(of: folder) {
                    folder = parent
                } else if !start.isEmpty {
                    (folder, start) = (start, "")
                } else {
                    throw error
                }
            }
        }
    }

    private func save(
        _ io: SystemFileIO, in folder: String, _ ending: String
    ) throws(IOFailure) -> String {
        var number = 1
        while true {
            let name = folder + Self.savedName(of: path, number, ending)
            number += 1
            if linkat(AT_FDCWD, io.processPath, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 {
                return name
            }
            if errno == EEXIST { continue }
            let copy: SystemFileIO
            do throws(IOFailure) {
                copy = try SystemFileIO(creating: name, existing: .refuse)
            } catch {
                if error.errno == EEXIST { continue }
                throw error
            }
            defer { copy.close() }
            do throws(IOFailure) {
                try io.copyContent(to: copy)
                try copy.synchronize()
            } catch {
                unlink(name)
                throw error
            }
            return name
        }
    }

    /// The next folder up, with its slash; `nil` above the root.
    private static func parent(of folder: String) -> String? {
        guard !folder.isEmpty, folder != "/" else { return nil }
        return String(TemporaryName.split(String(folder.dropLast())).folder)
    }

    /// `take.saved.mp4`, then `take.saved-2.mp4`.
    private static func savedName(
        of path: String, _ number: Int, _ further: String
    ) -> String {
        let name = TemporaryName.split(path).name
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
        let ending = name[(dot ?? name.endIndex)...]
        let rest = ".saved" + (number > 1 ? "-\(number)" : "") + ending
        let room = TemporaryName.longest - rest.utf8.count - further.utf8.count
        return TemporaryName.cut(name[..<(dot ?? name.endIndex)], to: room) + rest
    }
}
