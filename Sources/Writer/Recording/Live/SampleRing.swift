internal import Media

/// The newest samples of one source, from a sync sample on, so that every stretch of them can be decoded. A pure value.
///
/// Bounded in seconds and in bytes; whole groups (a sync sample and what builds on it) go, the oldest first. Samples
/// come in the order in which they are shown.
struct SampleRing: Sendable {
    private struct Group: Sendable {
        var samples: [SampleBuffer]
        var bytes: Int
        var start: MediaTime { samples[0].presentationTime }
    }

    /// What is kept at least behind the newest sample (seconds), as far as the bytes allow.
    let length: MediaTime
    /// Most that is kept (bytes).
    let byteLimit: Int
    private var groups: [Group] = []
    private(set) var bytes = 0

    init(length: MediaTime, byteLimit: Int) {
        self.length = length
        self.byteLimit = byteLimit
    }

    /// When the oldest and the newest sample begin.
    var start: MediaTime? { groups.first?.start }
    var newest: MediaTime? { groups.last?.samples.last?.presentationTime }

    /// Takes the next sample; one that builds on what is not there is left out.
    mutating func append(_ sample: SampleBuffer) {
        let size = sample.block?.count ?? 0
        if sample.isSync {
            groups.append(Group(samples: [sample], bytes: size))
        } else if groups.isEmpty {
            return
        } else {
            groups[groups.count - 1].samples.append(sample)
            groups[groups.count - 1].bytes += size
        }
        bytes += size
        trim(newest: sample.presentationTime)
    }

    private mutating func trim(newest: MediaTime) {
        var count = 0
        while count + 1 < groups.count,
            groups[count + 1].start <= newest - length || bytes > byteLimit
        {
            bytes -= groups[count].bytes
            count += 1
        }
        groups.removeFirst(count)
        // a sync sample that never comes must not cost all memory
        if bytes > byteLimit { (groups, bytes) = ([], 0) }
    }

    /// What it takes to show a stretch: from the last sync sample at or before `start`, or the oldest one, to the last
    /// sample before `end`.
    func samples(from start: MediaTime, to end: MediaTime) -> [SampleBuffer] {
        let first = groups.lastIndex { $0.start <= start } ?? 0
        return groups[min(first, groups.count)...].flatMap(\.samples)
            .filter { $0.presentationTime < end }
    }
}
