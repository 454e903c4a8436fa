internal import Glibc
package import Media

/// Copies a finished movie into another file with its index in front of its samples, so that a player
/// that reads it over a network can begin with the first bytes. Blocks; reentrant.
///
/// What is between the samples of the first file (headers of fragments) is copied with them and, as
/// there, nothing points at it. Memory is the index and one block.
///
/// Source: ISO/IEC 14496-12, 8.2.1, 8.7.5.
package enum NetworkLayout {
    /// Copied at once (bytes).
    private static let block: Int64 = 1 << 20

    /// Containers whose index can go in front.
    package static func applies(to container: OutputContainer) -> Bool {
        container.hasEditLists
    }

    /// - Parameters:
    ///   - path: a movie with one index behind its samples.
    ///   - target: a new file; one of this name that is there is replaced. Complete and on the disk when this
    ///     returns, gone when it throws.
    /// - Returns: its size (bytes), and its lock.
    package static func copy(
        _ path: String, to target: String
    ) throws(MediaError) -> (size: Int64, lock: FileLock?) {
        let source = try open(path) { () throws(IOFailure) in
            try SystemFileIO(opening: path, writable: false)
        }
        defer { source.close() }
        let output = try open(target) { () throws(IOFailure) in
            try SystemFileIO(creating: target, existing: .replace)
        }
        defer { output.close() }
        do throws(MediaError) {
            return (try write(source, path, output, target), output.keepLock())
        } catch {
            unlink(target)
            throw error
        }
    }

    private static func write(
        _ source: SystemFileIO, _ path: String, _ output: SystemFileIO, _ target: String
    ) throws(MediaError) -> Int64 {
        let limits = MovieLimits()
        let scanner = try BoxScanner(source, file: path, limits: limits)
        let roots = scanner.entries
        guard let index = roots.first(where: { $0.type == "moov" }), roots.first?.type == "ftyp",
            !roots.contains(where: { $0.type == "moof" }), scanner.damage.isEmpty
        else {
            throw MediaError(
                code: .unsupported, subject: path,
                message: "Cannot put the index of \(path) in front: it is no finished movie.")
        }
        // the type first, then the index, then everything else as it was
        let rest = roots.filter { $0.type != "ftyp" && $0.type != "moov" }
        let head = roots.filter { $0.type == "ftyp" }
        let start = head.reduce(Int64(0)) { $0 + $1.size }
        let body = try scanner.body(of: index, limit: limits.movieBox)
        let moved = try MovedIndex(body, rest, from: start)
        var place: Int64 = 0
        for entry in head { try copy(entry, source, path, output, target, to: &place) }
        try call("write to \(target)", target) { () throws(IOFailure) in
            try output.writeAll(moved.bytes, at: place)
        }
        place += Int64(moved.bytes.count)
        for entry in rest { try copy(entry, source, path, output, target, to: &place) }
        try call("make \(target) durable", target) { () throws(IOFailure) in
            try output.synchronize()
        }
        return place
    }

    private static func copy(
        _ entry: BoxScanner.Entry, _ source: SystemFileIO, _ path: String, _ output: SystemFileIO,
        _ target: String, to place: inout Int64
    ) throws(MediaError) {
        var offset = entry.offset
        while offset < entry.end {
            let wanted = Int(min(block, entry.end - offset))
            var bytes: [UInt8] = []
            try call("read \(path)", path) { () throws(IOFailure) in
                bytes = try source.readAll(wanted, at: offset)
            }
            guard bytes.count == wanted else {
                throw MediaError(
                    code: .ioError, subject: path,
                    message: "Cannot read on in \(path): it has become shorter; somebody else "
                        + "writes to it.")
            }
            let at = place
            try call("write to \(target)", target) { () throws(IOFailure) in
                try output.writeAll(bytes, at: at)
            }
            offset += Int64(wanted)
            place += Int64(wanted)
        }
    }

    private static func open(
        _ path: String, _ body: () throws(IOFailure) -> SystemFileIO
    ) throws(MediaError) -> SystemFileIO {
        do throws(IOFailure) { return try body() } catch {
            throw MediaError(error, attempt: "open \(path)", subject: path)
        }
    }

    private static func call(
        _ attempt: String, _ subject: String, _ body: () throws(IOFailure) -> Void
    ) throws(MediaError) {
        do throws(IOFailure) { try body() } catch {
            throw MediaError(error, attempt: attempt, subject: subject)
        }
    }
}
