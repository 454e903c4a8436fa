internal import Media

extension DurableFile {
    /// First bytes that are kept (bytes): any header of a movie, without which nothing of it plays.
    private static let headLimit = 64 << 10

    /// From now on looks, before each append, whether another program has cut the file: behind it the
    /// hole would look like a part of the file. Costs one call of the system and `headLimit` bytes.
    package func guardContent() { state.withLock { $0.guardsHead = true } }

    /// How short another program has cut the file (bytes); `nil` while it is whole.
    var cutEnd: Int64? {
        state.withLock { state in
            // a closed file's descriptor may be another file's
            if !state.isStopping { noteCut(&state) }
            return state.cutEnd
        }
    }

    /// The first bytes as they must be on the disk; `nil` where nothing can be said: they are not kept, or a
    /// failing disk has had them written elsewhere.
    var knownHead: [UInt8]? {
        state.read { state in
            let isSure = state.relocations.isEmpty && state.recoveries == 0 && state.failure == nil
            return state.guardsHead && isSure ? state.head : nil
        }
    }

    /// Makes what is written durable, unless that is done already or never wanted.
    func synchronizeIfOpen() throws(MediaError) {
        if policy != .never, !state.read({ $0.isStopping }) { try synchronize() }
    }

    /// Writes again what another program has cut off or written over, as far as it is in memory: the head, and
    /// what no sync has covered yet.
    func restore(isOverwritten: Bool) throws(IOFailure) {
        let failure = state.withLock { state -> IOFailure? in
            guard let cut = isOverwritten ? 0 : state.cutEnd else { return nil }
            do throws(IOFailure) {
                if cut < Int64(state.head.count) {
                    try io.writeAll(Array(state.head[Int(cut)...]), at: cut)
                }
                for held in state.held where held.offset + Int64(held.bytes.count) > cut {
                    try io.writeAll(held.bytes, at: held.offset)
                }
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
    }

    func noteCut(_ state: inout State) {
        guard state.guardsHead, let size = try? io.size(), size < state.end else { return }
        state.cutEnd = min(state.cutEnd ?? .max, size)
    }

    /// Follows what is written over the first bytes.
    func renewHead(_ bytes: [UInt8], at offset: Int64, _ state: inout State) {
        guard state.guardsHead, offset < Int64(state.head.count) else { return }
        let start = Int(offset)
        let count = min(bytes.count, state.head.count - start)
        state.head.replaceSubrange(start..<start + count, with: bytes[..<count])
    }

    func keepHead(_ bytes: GatheredBytes, at offset: Int64, _ state: inout State) {
        guard state.guardsHead, offset == Int64(state.head.count) else { return }
        state.head += bytes.prefix(max(0, Self.headLimit - state.head.count))
    }
}
