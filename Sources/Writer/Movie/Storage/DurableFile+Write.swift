internal import Glibc
package import Media

extension DurableFile {
    /// Room asked of the file system in one go beyond what is needed (bytes).
    static let allocationStep: Int64 = 8 << 20

    /// Writes bytes behind the end.
    ///
    /// A full disk leaves the file as it was before the call; the reserved room is untouched.
    /// - Parameter usingReserve: whether the reserved room may be used (finishing).
    /// - Returns: their logical offset.
    @discardableResult
    package func append(
        _ bytes: [UInt8], usingReserve: Bool = false
    ) throws(MediaError) -> Int64 {
        try append(GatheredBytes(bytes), usingReserve: usingReserve)
    }

    /// As `append(_:usingReserve:)`, of bytes that are not copied: they stay in memory until they are durable.
    @discardableResult
    package func append(
        _ bytes: GatheredBytes, usingReserve: Bool = false
    ) throws(MediaError) -> Int64 {
        if !usingReserve { try throwFailure() }
        waitForRoom(bytes.count)
        let outcome = state.withLock { state -> Result<Int64, IOFailure> in
            do throws(IOFailure) {
                let needed = Int64(bytes.count) + (usingReserve ? 0 : state.reserve)
                try allocate(needed, &state)
                let moved = state.relocations.reduce(0) { $0 + $1.distance }
                let logical = state.end - moved
                let offset = state.end
                noteCut(&state)
                try writeHeld(bytes, at: offset, &state)
                keepHead(bytes, at: offset, &state)
                state.end = max(state.end, offset + Int64(bytes.count))
                return .success(logical)
            } catch { return .failure(error) }
        }
        switch outcome {
        case .success(let logical):
            try afterWrite()
            return logical
        case .failure(let failure):
            throw fail(failure, attempt: "write to \(name)")
        }
    }

    /// Overwrites bytes that are there (physical offset).
    package func overwrite(_ bytes: [UInt8], at offset: Int64) throws(MediaError) {
        let outcome = state.withLock { state -> IOFailure? in
            do throws(IOFailure) {
                try writeHeld(GatheredBytes(bytes), at: offset, &state)
                renewHead(bytes, at: offset, &state)
                state.end = max(state.end, offset + Int64(bytes.count))
                return nil
            } catch { return error }
        }
        if let outcome { throw fail(outcome, attempt: "write to \(name)") }
        try afterWrite()
    }

    private func throwFailure() throws(MediaError) {
        if let failure = failure { throw failure }
    }

    private func afterWrite() throws(MediaError) {
        switch policy {
        case .everyWrite: try synchronize()
        case .every: if heldBytes > heldLimit / 2 { wake.raise() }
        case .never: break
        }
    }

    /// Waits while the disk cannot keep up with what must be held.
    private func waitForRoom(_ count: Int) {
        guard policy != .never else { return }
        _ = state.wait { state -> Bool? in
            let hasRoom = state.heldBytes == 0 || state.heldBytes + count <= heldLimit
            if hasRoom || state.failure != nil || state.isStopping { return true }
            wake.raise()
            return nil
        }
    }

    /// Makes sure `needed` bytes behind the end have blocks, where the file system can promise it.
    private func allocate(_ needed: Int64, _ state: inout State) throws(IOFailure) {
        let wanted = state.end + needed
        guard state.canAllocate, wanted > state.allocatedEnd else { return }
        let start = max(state.allocatedEnd, state.end)
        for end in [wanted + DurableFile.allocationStep, wanted] {
            do throws(IOFailure) {
                try io.allocate(from: start, to: end)
                state.allocatedEnd = end
                return
            } catch {
                switch error.errno {
                case EOPNOTSUPP, ENOSYS, EINVAL:
                    state.canAllocate = false
                    return
                case ENOSPC where end > wanted, EDQUOT where end > wanted: continue
                default: throw error
                }
            }
        }
    }

    /// Writes and holds; a write the disk refuses with EIO is tried again elsewhere at once.
    private func writeHeld(
        _ bytes: GatheredBytes, at offset: Int64, _ state: inout State
    ) throws(IOFailure) {
        let isAppend = offset == state.end
        do throws(IOFailure) {
            try io.writeAll(bytes, at: offset)
        } catch {
            guard error.errno == EIO, policy != .never else {
                // a part may be there: the file must still end with a whole fragment
                if isAppend { try? io.truncate(to: state.end) }
                if isAppend { state.allocatedEnd = state.end }
                throw error
            }
            hold(bytes, at: offset, &state)
            state.end = max(state.end, offset + Int64(bytes.count))
            try recover(&state, after: error)
            return
        }
        if policy != .never { hold(bytes, at: offset, &state) }
    }

    private func hold(_ bytes: GatheredBytes, at offset: Int64, _ state: inout State) {
        state.held.append(Held(offset: offset, bytes: bytes, sequence: state.nextSequence))
        state.nextSequence += 1
        state.heldBytes += bytes.count
    }
}
