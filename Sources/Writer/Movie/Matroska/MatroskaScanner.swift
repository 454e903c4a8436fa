internal import Media

/// The outline of a Matroska or WebM file: whether it was finished, what is torn or damaged, and
/// the annotations between its clusters. Samples are read only where they are checked.
package struct MatroskaScanner {
    /// A cluster that is not what was written.
    struct Damage: Sendable, Hashable {
        let bytes: Range<Int64>
        /// When the cluster begins (container time), if it says.
        let time: MediaTime?
    }

    /// `matroska` or `webm`.
    package private(set) var docType = ""
    /// Whether the muxer came to its end: the segment says how long it is, and it is all there.
    package private(set) var isFinished = false
    private(set) var annotations: [MovieAnnotation] = []
    /// Clusters that are all there (count).
    private(set) var clusters = 0
    /// Spans in the middle that are no elements, or whose checksum is wrong.
    private(set) var damage: [Damage] = []
    /// What the end of the file cuts (bytes; empty when it cuts nothing).
    private(set) var tornEnd: Range<Int64>
    /// Whether the file was cut off before its first whole block.
    private(set) var holdsNothing = true
    let fileSize: Int64

    private let io: any FileIO
    private let name: String
    private var tick = MediaTime.milliseconds(1)

    /// Whether a file begins as Matroska does.
    static func looksLikeOne(_ io: any FileIO, name: String) throws(MediaError) -> Bool {
        try head(io, 4, at: 0, name) == [0x1A, 0x45, 0xDF, 0xA3]
    }

    init(_ io: any FileIO, name: String) throws(MediaError) {
        self.io = io
        self.name = name
        do throws(IOFailure) { fileSize = try io.size() } catch {
            throw MediaError(error, attempt: "read \(name)", subject: name)
        }
        tornEnd = fileSize..<fileSize
        try scan()
    }

    /// - Parameter attempt: what cannot be done with such a file.
    /// - Throws: `damaged-file` when it holds nothing.
    func requireBlocks(to attempt: String) throws(MediaError) {
        guard holdsNothing else { return }
        throw MediaError(
            code: .damagedFile, subject: name,
            message: "Cannot \(attempt) \(name): nothing was recorded in it; it was cut off before "
                + "its first frame and audio, and can be deleted.")
    }

    /// Everything that is to be left out.
    package var lostBytes: [Range<Int64>] {
        damage.map(\.bytes) + (tornEnd.isEmpty ? [] : [tornEnd])
    }

    private mutating func scan() throws(MediaError) {
        guard let header = try element(at: 0), header.id == MatroskaID.header,
            let start = header.end, header.size ?? 0 <= 4096
        else { throw damaged("it does not begin as Matroska") }
        for child in try children(of: header) where child.id == MatroskaID.docType {
            docType = String(decoding: try body(of: child).prefix { $0 != 0 }, as: UTF8.self)
        }
        var offset = start
        while let void = try element(at: offset), void.id == MatroskaID.void, let end = void.end {
            offset = end
        }
        guard let segment = try element(at: offset), segment.id == MatroskaID.segment else {
            throw damaged("it has no segment; nothing in it can be played")
        }
        let isWhole = segment.end.map { $0 <= fileSize } ?? false
        try scanSegment(
            from: segment.bodyStart, to: isWhole ? segment.end ?? fileSize : fileSize,
            checks: !isWhole)
        isFinished = isWhole && lostBytes.isEmpty
        if isFinished || clusters > 0 || !damage.isEmpty { holdsNothing = false }
    }

    /// - Parameter checks: whether clusters are looked into.
    private mutating func scanSegment(
        from start: Int64, to limit: Int64, checks: Bool
    ) throws(MediaError) {
        var offset = start
        while offset < limit {
            guard let found = try element(at: offset), MatroskaID.inSegment.contains(found.id)
            else {
                let next = try nextCluster(after: offset, before: limit)
                guard let next else {
                    tornEnd = offset..<limit
                    return
                }
                damage.append(Damage(bytes: offset..<next, time: nil))
                offset = next
                continue
            }
            let isCluster = found.id == MatroskaID.cluster
            var end = found.end ?? limit
            if found.size == nil, isCluster { end = try endOfOpenCluster(found, limit) }
            guard end <= limit else {
                let whole = isCluster ? try endOfWholeBlocks(found, limit) : offset
                if whole > offset { holdsNothing = false }
                tornEnd = whole..<limit
                return
            }
            if isCluster {
                try noteCluster(found, end, checks: checks)
            } else {
                try read(found)
            }
            offset = end
        }
    }

    private mutating func read(_ element: EBMLElement) throws(MediaError) {
        switch element.id {
        case MatroskaID.tags where element.size ?? .max <= MatroskaAnnotations.sizeLimit:
            annotations += MatroskaAnnotations.read(try body(of: element))
        case MatroskaID.info where element.size ?? .max <= MatroskaAnnotations.sizeLimit:
            for child in try children(of: element) where child.id == MatroskaID.timestampScale {
                let scale = try number(child)
                if scale > 0, scale <= 1_000_000_000 { tick = .nanoseconds(scale) }
            }
        default: break
        }
    }

    // MARK: clusters

    private mutating func noteCluster(
        _ cluster: EBMLElement, _ end: Int64, checks: Bool
    ) throws(MediaError) {
        guard checks, try !isAudio(cluster, end) else {
            clusters += 1
            return
        }
        var time: MediaTime?
        for child in try children(of: cluster, to: end).prefix(3)
        where child.id == MatroskaID.timestamp {
            let (value, overflow) = try number(child).multipliedReportingOverflow(by: tick.value)
            if !overflow { time = .nanoseconds(value) }
        }
        damage.append(Damage(bytes: cluster.offset..<end, time: time))
    }

    /// Whether a cluster's children fill it, and its checksum, where it has one, is right.
    private func isAudio(_ cluster: EBMLElement, _ end: Int64) throws(MediaError) -> Bool {
        let children = try children(of: cluster, to: end)
        guard let last = children.last, last.end == end,
            children.allSatisfy({ MatroskaID.inCluster.contains($0.id) })
        else { return false }
        guard let first = children.first, first.id == MatroskaID.crc32, let start = first.end,
            first.size == 4
        else { return true }
        let wanted = try body(of: first).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var checksum = CRC32()
        var offset = start
        while offset < end {
            let bytes = try read(Int(min(end - offset, 1 << 20)), at: offset)
            guard !bytes.isEmpty else { return false }
            checksum.add(bytes)
            offset += Int64(bytes.count)
        }
        return checksum.value == wanted
    }

    private func endOfOpenCluster(
        _ cluster: EBMLElement, _ limit: Int64
    ) throws(MediaError) -> Int64 {
        var offset = cluster.bodyStart
        while offset < limit, let child = try element(at: offset),
            MatroskaID.inCluster.contains(child.id), let end = child.end
        {
            if end > limit { return end }
            offset = end
        }
        return offset
    }

    /// Where the last child ends that is all there.
    private func endOfWholeBlocks(
        _ cluster: EBMLElement, _ limit: Int64
    ) throws(MediaError) -> Int64 {
        let children = try children(of: cluster, to: limit)
        let blocks = children.prefix { MatroskaID.inCluster.contains($0.id) }
        let hasBlock = blocks.contains { $0.id == 0xA3 || $0.id == 0xA0 }
        return hasBlock ? blocks.last?.end ?? cluster.offset : cluster.offset
    }

    /// Where a cluster begins behind damage.
    private func nextCluster(
        after offset: Int64, before limit: Int64
    ) throws(MediaError) -> Int64? {
        let mark: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
        let window = 1 << 20
        var start = offset + 1
        while start + 4 <= limit {
            let bytes = try read(Int(min(Int64(window), limit - start)), at: start)
            for index in bytes.indices.dropLast(3) where bytes[index] == mark[0] {
                guard bytes[index..<index + 4].elementsEqual(mark),
                    let cluster = try element(at: start + Int64(index)),
                    let child = try element(at: cluster.bodyStart),
                    child.id == MatroskaID.crc32 || child.id == MatroskaID.timestamp
                else { continue }
                return cluster.offset
            }
            guard bytes.count == window else { return nil }
            start += Int64(window - 3)
        }
        return nil
    }

    // MARK: reading

    private func children(
        of parent: EBMLElement, to end: Int64? = nil
    ) throws(MediaError) -> [EBMLElement] {
        var children: [EBMLElement] = []
        var offset = parent.bodyStart
        let limit = min(end ?? parent.end ?? parent.bodyStart, fileSize)
        while offset < limit, let child = try element(at: offset), let end = child.end, end <= limit
        {
            children.append(child)
            offset = end
        }
        return children
    }

    private func element(at offset: Int64) throws(MediaError) -> EBMLElement? {
        EBMLElement(try read(EBMLElement.headerLimit, at: offset)[...], at: offset)
    }

    private func body(of element: EBMLElement) throws(MediaError) -> [UInt8] {
        try read(Int(min(element.size ?? 0, MatroskaAnnotations.sizeLimit)), at: element.bodyStart)
    }

    private func number(_ element: EBMLElement) throws(MediaError) -> Int64 {
        Int64(clamping: try body(of: element).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private func read(_ count: Int, at offset: Int64) throws(MediaError) -> [UInt8] {
        try MatroskaScanner.head(io, count, at: offset, name)
    }

    private static func head(
        _ io: any FileIO, _ count: Int, at offset: Int64, _ name: String
    ) throws(MediaError) -> [UInt8] {
        do throws(IOFailure) { return try io.readAll(count, at: offset) } catch {
            throw MediaError(error, attempt: "read \(name)", subject: name)
        }
    }

    private func damaged(_ what: String) -> MediaError {
        MediaError(
            code: .damagedFile, subject: name, message: "Cannot read \(name): \(what).")
    }
}
