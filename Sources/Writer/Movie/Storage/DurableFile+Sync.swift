internal import Glibc
package import Media

extension DurableFile {
    /// The sync thread: makes the name durable, then syncs by the policy until `close`.
    func runSync() {
        guard case .every(let interval) = policy else { return runName() }
        runName()
        let period = max(interval.nanoseconds(), 1_000_000)
        var begun = clock.now().nanoseconds()
        while !state.read({ $0.isStopping }) {
            // from beginning to beginning, so that a slow disk's syncs do not add to the period;
            // a quarter of it is left to other programs even by a disk that cannot keep up
            let now = clock.now().nanoseconds()
            let deadline = MediaTime.nanoseconds(max(begun + period, now + period / 4))
            if clock.wait(until: deadline, orSignal: wake) == .signalled { wake.lower() }
            if state.read({ $0.isStopping || $0.failure != nil || $0.held.isEmpty }) {
                continue
            }
            begun = clock.now().nanoseconds()
            try? synchronize()  // a failure has been reported to the handler
        }
    }

    private func runName() {
        guard policy != .never else { return }
        do throws(IOFailure) { try io.synchronizeName() } catch {
            // folders of some network file systems cannot be synced (EINVAL); anything else is reported
            if error.errno != EINVAL && error.errno != EBADF {
                _ = fail(error, attempt: "make the name of \(name) durable")
            }
        }
    }

    /// Makes everything written before the call durable; bytes the disk lost are written again.
    package func synchronize() throws(MediaError) {
        let covered = state.read { $0.nextSequence }
        do throws(IOFailure) { try io.synchronize() } catch {
            let outcome = state.withLock { state -> IOFailure? in
                do throws(IOFailure) {
                    try recover(&state, after: error)
                    return nil
                } catch { return error }
            }
            if let outcome {
                throw fail(outcome, attempt: "make \(name) durable")
            }
            return
        }
        state.withLock { $0.release(before: covered) }
    }

    /// Writes every held byte again: in place, else behind the end.
    func recover(_ state: inout State, after failure: IOFailure) throws(IOFailure) {
        guard failure.errno == EIO, !state.held.isEmpty else { throw failure }
        if (try? rewriteInPlace(&state)) == nil {
            guard let gapHeader, state.heldIsTail else { throw failure }
            try relocate(&state, gapHeader)
        }
        state.held = []
        state.heldBytes = 0
        state.recoveries += 1
    }

    private func rewriteInPlace(_ state: inout State) throws(IOFailure) {
        for held in state.held { try io.writeAll(held.bytes, at: held.offset) }
        try io.synchronize()
    }

    /// First the copies, durable, then the gap: a cut between the two leaves every byte twice.
    private func relocate(_ state: inout State, _ gapHeader: GapHeader) throws(IOFailure) {
        guard let start = state.held.first?.offset else { return }
        let distance = state.end - start
        for index in state.held.indices {
            state.held[index].offset += distance
            try io.writeAll(state.held[index].bytes, at: state.held[index].offset)
        }
        try io.synchronize()
        try io.writeAll(gapHeader(distance), at: start)
        try io.synchronize()
        let moved = state.relocations.reduce(0) { $0 + $1.distance }
        state.relocations.append(Relocation(logicalStart: start - moved, distance: distance))
        state.end += distance
    }
}

extension DurableFile.State {
    mutating func release(before sequence: UInt64) {
        let covered = held.prefix { $0.sequence < sequence }
        heldBytes -= covered.reduce(0) { $0 + $1.bytes.count }
        held.removeFirst(covered.count)
    }

    /// Whether what is held is one run of appends up to the end of the file.
    var heldIsTail: Bool {
        guard var offset = held.first?.offset else { return false }
        for write in held {
            guard write.offset == offset else { return false }
            offset += Int64(write.bytes.count)
        }
        return offset == end
    }
}
