internal import Media

/// Cuts the torn end off a transport stream that a crash left. Such a stream needs no index: all
/// that is wrong with it is its last packet and the frame or audio that this was a part of, so
/// it is cut in place, which a kill cannot tear. Blocks.
struct TransportRepair {
    /// What is looked at from the end (bytes): more than any frame with what lies between.
    private static let window: Int64 = 32 << 20

    static func repair(_ path: String, _ io: any FileIO) throws(MediaError) -> RepairReport {
        let (start, tail, size) = try look(path, io)
        guard start > 0 || tail.end > 0 else {
            throw MediaError(
                code: .damagedFile, subject: path,
                message: "Cannot repair \(path): nothing in it can be played; it was left as it is."
            )
        }
        let end = start + Int64(tail.end)
        let lost = size - end
        if lost > 0 {
            do throws(IOFailure) {
                try io.truncate(to: end)
                try io.synchronize()
            } catch { throw MediaError(error, attempt: "repair \(path)", subject: path) }
        }
        let movie = try MovieContents(path: path)
        return RepairReport(
            path: path, outcome: lost > 0 ? .endCut : .alreadyOrdinary, duration: movie.duration,
            sampleCounts: movie.tracks.map(\.sampleCount),
            losses: lost > 0 ? [.cutEnd(bytes: lost)] : [], isTake: nil)
    }

    private static func look(
        _ path: String, _ io: any FileIO
    ) throws(MediaError) -> (start: Int64, tail: TransportTail, size: Int64) {
        do throws(IOFailure) {
            let size = try io.size()
            let packet = Int64(TransportTail.packetSize)
            let start = max(0, size - window) / packet * packet
            return (start, TransportTail(try io.readAll(Int(size - start), at: start)), size)
        } catch { throw MediaError(error, attempt: "read \(path)", subject: path) }
    }
}
