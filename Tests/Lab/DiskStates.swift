import Foundation
import TestSupport

/// The states a disk can be in when power goes, made from its log: one large image holds them
/// side by side, so that one boot of the guest can mount them all.
struct DiskStates {
    let image: URL
    let count: Int
    private static let size = Guest.diskMegabytes << 20
    private static let chunk = 64 << 10

    /// - Parameters:
    ///   - original: the image before the guest had it.
    ///   - last: how many of the log's last entries to take as moments of the power cut; each
    ///     gives two states, one with all the disk was given and one without some of what it held
    ///     in its cache.
    init(original: URL, log: WriteLog, last: Int, seed: UInt64, into image: URL) throws {
        self.image = image
        var random = SplitMix(seed: seed)
        var states: [[Int]] = []
        func add(_ survivors: [Int]) {
            if !states.contains(survivors) { states.append(survivors) }
        }
        for moment in max(log.entries.count - last, 0)...log.entries.count {
            add(log.survivors(after: moment) { _ in true })
            if log.isPending(after: moment) {
                add(log.survivors(after: moment) { _ in random.next() % 2 == 0 })
            }
        }
        count = states.count
        try Installation.tool("truncate", ["-s", "\(states.count * Self.size)", image.path])
        let file = try FileHandle(forWritingTo: image)
        defer { try? file.close() }
        let chunks = try Self.written(of: original)
        for (index, survivors) in states.enumerated() {
            for (offset, data) in chunks {
                try file.seek(toOffset: UInt64(index * Self.size + offset))
                try file.write(contentsOf: data)
            }
            try log.replay(survivors, into: file, at: index * Self.size)
        }
    }

    /// The parts of an image that are not all zeros: the states' image stays sparse.
    private static func written(of original: URL) throws -> [(offset: Int, data: Data)] {
        let image = try Data(contentsOf: original, options: .alwaysMapped)
        return stride(from: 0, to: image.count, by: chunk)
            .map { ($0, image[$0..<min($0 + chunk, image.count)]) }
            .filter { part in part.1.withUnsafeBytes { bytes in bytes.contains { $0 != 0 } } }
    }

    /// Mounts every state in one guest and copies its files to folders of the share, which are
    /// returned.
    func recover(into share: URL) throws -> [URL] {
        _ = try Guest.run(
            "recover-states", ["\(count)", "\(Self.size)"], share: share, disks: [image],
            timeout: 300)
        try FileManager.default.removeItem(at: image)
        return (0..<count).map { share.appending(path: "\($0)") }
    }
}
