package import Media

extension MovieFile {
    private static let firstBoxes: Set<FourCC> = [
        "ftyp", "styp", "moov", "mdat", "moof", "free", "skip", "wide", "pnot", "emsg", "sidx",
    ]

    /// Whether a file begins as MP4 and QuickTime do, whatever its name says.
    package static func looksLikeOne(_ path: String) throws(MediaError) -> Bool {
        let io: SystemFileIO
        do throws(IOFailure) { io = try SystemFileIO(opening: path, writable: false) } catch {
            throw MediaError(error, attempt: "open \(path)", subject: path)
        }
        defer { io.close() }
        return try looksLikeOne(io, name: path)
    }

    /// An empty file counts as one: it is what a take leaves that was killed at once.
    static func looksLikeOne(_ io: any FileIO, name: String) throws(MediaError) -> Bool {
        let head: [UInt8]
        do throws(IOFailure) { head = try io.readAll(8, at: 0) } catch {
            throw MediaError(error, attempt: "read \(name)", subject: name)
        }
        guard head.count == 8 else { return head.isEmpty }
        return firstBoxes.contains(FourCC(code: head[4...].reduce(0) { $0 << 8 | UInt32($1) }))
    }
}
