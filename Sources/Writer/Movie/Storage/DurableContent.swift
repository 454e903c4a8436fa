internal import Glibc

/// What is in a durable file and where it lies, what the disk has not confirmed yet, and what to do when the disk
/// refuses. Guarded by the lock of the file, which writes are made under.
struct DurableContent: Sendable {
    /// Room asked of the file system in one go beyond what is needed (bytes).
    private static let allocationStep: Int64 = 8 << 20
    /// What is synced but once, at its end, is on its way to the disk in portions of this (bytes): the system begins after
    /// 30 s, and a slow disk would have all of that left when the rest is done.
    private static let portion: Int64 = 1 << 20
    /// A multiple of every system's pages: one that is written and changed again is written twice (bytes).
    private static let page: Int64 = 1 << 16

    private struct Relocation: Sendable {
        let logicalStart: Int64
        let distance: Int64
    }

    // immutable
    private let io: any FileIO
    private let keepsUnsynced: Bool
    private let gapHeader: DurableFile.GapHeader?
    // guarded by the file's lock
    /// The physical size of the file.
    private(set) var end: Int64 = 0
    private(set) var held = HeldWrites()
    private(set) var guarded = ContentGuard()
    /// How often the disk lost bytes that were written again successfully.
    private(set) var recoveries = 0
    private var relocations: [Relocation] = []
    private var reserve: Int64 = 0
    private var allocatedEnd: Int64 = 0
    /// Up to where the system was asked to write.
    private var begunEnd: Int64 = 0
    private var canAllocate = true

    /// - Parameter keepsUnsynced: whether bytes stay in memory until a sync has covered them.
    init(_ io: any FileIO, keepsUnsynced: Bool, gapHeader: DurableFile.GapHeader?) {
        self.io = io
        self.keepsUnsynced = keepsUnsynced
        self.gapHeader = gapHeader
    }

    /// Where the next append goes (logical offset).
    var logicalEnd: Int64 { end - relocations.reduce(0) { $0 + $1.distance } }

    /// Whether blocks behind the end are reserved.
    var hasReservedRoom: Bool { allocatedEnd > end }

    /// The first bytes as they must be on the disk; `nil` where nothing can be said: they are not kept, or a
    /// failing disk has had them written elsewhere.
    var knownHead: [UInt8]? {
        relocations.isEmpty && recoveries == 0 ? guarded.knownHead : nil
    }

    func physicalOffset(ofLogical offset: Int64) -> Int64 {
        relocations.reduce(offset) { $1.logicalStart <= offset ? $0 + $1.distance : $0 }
    }

    mutating func setReserve(_ bytes: Int64) { reserve = bytes }

    mutating func guardHead() { guarded.begin() }

    mutating func lookForCut() { guarded.look({ try? io.size() }, wanted: end) }

    mutating func release(before sequence: UInt64) { held.release(before: sequence) }

    // MARK: Writing

    /// Writes bytes behind the end.
    /// - Returns: their logical offset.
    mutating func append(
        _ bytes: GatheredBytes, usingReserve: Bool
    ) throws(IOFailure) -> Int64 {
        try allocate(Int64(bytes.count) + (usingReserve ? 0 : reserve))
        let (logical, offset) = (logicalEnd, end)
        lookForCut()
        try write(bytes, at: offset)
        guarded.keep(bytes, at: offset)
        end = max(end, offset + Int64(bytes.count))
        return logical
    }

    /// What the system should begin to write now, whole pages of it.
    mutating func dueForWriting() -> Range<Int64>? {
        guard !keepsUnsynced, end - begunEnd >= Self.portion + Self.page else { return nil }
        let start = begunEnd
        begunEnd = end / Self.page * Self.page
        return start..<begunEnd
    }

    /// Overwrites bytes that are there (physical offset).
    mutating func overwrite(_ bytes: [UInt8], at offset: Int64) throws(IOFailure) {
        try write(GatheredBytes(bytes), at: offset)
        guarded.renew(bytes, at: offset)
        end = max(end, offset + Int64(bytes.count))
    }

    /// Writes again what another program has cut off or written over, as far as it is in memory: the head, and
    /// what no sync has covered yet.
    func restore(isOverwritten: Bool) throws(IOFailure) {
        guard let cut = isOverwritten ? 0 : guarded.cutEnd else { return }
        let head = guarded.head(from: cut)
        if !head.isEmpty { try io.writeAll(head, at: cut) }
        for write in held.writes where write.offset + Int64(write.bytes.count) > cut {
            try io.writeAll(write.bytes, at: write.offset)
        }
    }

    /// Makes sure `needed` bytes behind the end have blocks, where the file system can promise it.
    private mutating func allocate(_ needed: Int64) throws(IOFailure) {
        let wanted = end + needed
        guard canAllocate, wanted > allocatedEnd else { return }
        let start = max(allocatedEnd, end)
        for end in [wanted + Self.allocationStep, wanted] {
            do throws(IOFailure) {
                try io.allocate(from: start, to: end)
                allocatedEnd = end
                return
            } catch {
                switch error.errno {
                case EOPNOTSUPP, ENOSYS, EINVAL:
                    canAllocate = false
                    return
                case ENOSPC where end > wanted, EDQUOT where end > wanted: continue
                default: throw error
                }
            }
        }
    }

    /// Writes and holds; a write the disk refuses with EIO is tried again elsewhere at once.
    private mutating func write(_ bytes: GatheredBytes, at offset: Int64) throws(IOFailure) {
        let isAppend = offset == end
        do throws(IOFailure) {
            try io.writeAll(bytes, at: offset)
        } catch {
            guard error.errno == EIO, keepsUnsynced else {
                // a part may be there: the file must still end with a whole fragment
                if isAppend { try? io.truncate(to: end) }
                if isAppend { allocatedEnd = end }
                throw error
            }
            held.hold(bytes, at: offset)
            end = max(end, offset + Int64(bytes.count))
            return try recover(after: error)
        }
        if keepsUnsynced { held.hold(bytes, at: offset) }
    }

    // MARK: A disk that loses bytes

    /// Writes every held byte again: in place, else behind the end.
    mutating func recover(after failure: IOFailure) throws(IOFailure) {
        guard failure.errno == EIO, !held.isEmpty else { throw failure }
        if (try? rewriteInPlace()) == nil {
            guard let gapHeader, held.areTail(ofFileEndingAt: end) else { throw failure }
            try relocate(gapHeader)
        }
        held.releaseAll()
        recoveries += 1
    }

    private func rewriteInPlace() throws(IOFailure) {
        for write in held.writes { try io.writeAll(write.bytes, at: write.offset) }
        try io.synchronize()
    }

    /// First the copies, durable, then the gap: a cut between the two leaves every byte twice.
    private mutating func relocate(_ gapHeader: DurableFile.GapHeader) throws(IOFailure) {
        guard let start = held.writes.first?.offset else { return }
        let distance = end - start
        for index in held.writes.indices {
            held.move(index, by: distance)
            try io.writeAll(held.writes[index].bytes, at: held.writes[index].offset)
        }
        try io.synchronize()
        try io.writeAll(gapHeader(distance), at: start)
        try io.synchronize()
        let logicalStart = start - (end - logicalEnd)
        relocations.append(Relocation(logicalStart: logicalStart, distance: distance))
        end += distance
    }
}
