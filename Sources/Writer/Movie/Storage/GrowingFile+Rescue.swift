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
            let saved = try withOpen { _, io, _ throws(IOFailure) in
                try SavedFile.save(io, of: path, from: startFolder, roomFor: ending)
            }
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
}
