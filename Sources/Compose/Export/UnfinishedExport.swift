internal import Glibc
internal import LibAV
internal import Media
internal import Movie
internal import Reading
internal import Writing

/// What an earlier run of the same export left: its whole groups of pictures are taken over. Lives
/// under a name of its own until the new run has copied them.
struct UnfinishedExport: Sendable {
    private var path: String
    private let timescale: Int32
    private let frameDuration: MediaTime
    /// Whole groups of pictures (count of pictures).
    let frames: Int64
    /// Keeps others from taking it too.
    private var lock: FileLock?

    /// Looks for what can be gone on with, and removes what cannot.
    /// - Throws: `in-use` when another export is writing there.
    static func take(
        over output: TemporaryOutput, plan: ExportPlan
    ) throws(MediaError) -> UnfinishedExport? {
        let earlier = output.earlierPath
        var locks: [String: FileLock] = [:]
        for path in [output.temporaryPath, earlier] { locks[path] = try output.lockLeft(path) }
        let found = locks.keys.compactMap { read($0, plan) }
        let best = found.filter { $0.frames > 0 }.max { $0.frames < $1.frames }
        for (path, lock) in locks where path != best?.path {
            NameChange.remove(path, of: lock.identity)
        }
        guard var best else { return nil }
        best.lock = locks[best.path]
        if best.path != earlier {
            guard rename(best.path, earlier) == 0 else {
                best.discard()
                return nil
            }
            best.path = earlier
        }
        return best
    }

    func discard() {
        if let lock { NameChange.remove(path, of: lock.identity) }
    }

    /// Appends the taken pictures' samples.
    func copy(into video: SampleBufferReceiver) throws(MediaError) {
        let demuxer = try Demuxer(path: path)
        var left = frames
        while left > 0, case .sample(let index, let sample) = try demuxer.next() {
            guard demuxer.tracks[index].format.mediaType == .video else { continue }
            try video.appendBlocking(sample)
            left -= 1
        }
    }

    /// Counts the pictures before the last sync sample; nil unless the file is this plan's.
    private static func read(_ path: String, _ plan: ExportPlan) -> UnfinishedExport? {
        guard plan.canBeResumed, let asset = try? Asset.load(path),
            asset.metadata.values[ExportInputs.digestKey] == plan.digest,
            let demuxer = try? Demuxer(path: path),
            let track = demuxer.tracks.first(where: { $0.format.mediaType == .video })
        else { return nil }
        var count: Int64 = 0
        var whole: Int64 = 0
        // a torn end is what a crash leaves: what can be read counts
        while case .sample(let index, let sample) = try? demuxer.next() {
            guard index == track.index else { continue }
            if sample.isSync {
                let expected = (plan.frameDuration * count)
                    .ticks(per: track.timescale, rounding: .nearest)
                let found = sample.presentationTime.ticks(
                    per: track.timescale, rounding: .nearest)
                guard expected == found else { break }
                whole = count
            }
            count += 1
        }
        return UnfinishedExport(
            path: path, timescale: track.timescale, frameDuration: plan.frameDuration,
            frames: whole)
    }
}
