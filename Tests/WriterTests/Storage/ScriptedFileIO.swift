import Glibc
import Media

@testable import Movie

/// A disk in memory that does what a script says, and remembers every call so that any crash can
/// be played: a kill after a call, or a power cut that keeps some of what was not synced.
final class ScriptedFileIO: FileIO {
    enum Call: Equatable {
        case write(offset: Int64, bytes: [UInt8])
        case truncate(Int64)
        case synchronize
        case synchronizeName
        case allocate(from: Int64, to: Int64)
    }

    /// Answers the error a call is to fail with; the call's number counts all calls from 0.
    typealias Script = @Sendable (_ number: Int, _ call: Call) -> Int32?

    struct State {
        var content: [UInt8] = []
        var calls: [Call] = []
        var isClosed = false
        /// Bytes the disk has for this file, kept ones included (nil = no end).
        var capacity: Int64?
        var kept: Int64 = 0
        /// Writes are accepted up to this size at a time (short writes).
        var longestWrite = Int.max
    }

    let state: BlockingLock<State>
    private let script: Script

    init(
        content: [UInt8] = [], capacity: Int64? = nil, longestWrite: Int = .max,
        script: @escaping Script = { _, _ in nil }
    ) {
        state = BlockingLock(
            State(
                content: content, capacity: capacity, kept: Int64(content.count),
                longestWrite: longestWrite))
        self.script = script
    }

    var content: [UInt8] { state.withLock { $0.content } }
    var calls: [Call] { state.withLock { $0.calls } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    private func note(_ call: Call, _ function: String, in state: inout State) throws(IOFailure) {
        let number = state.calls.count
        state.calls.append(call)
        if let number = script(number, call) {
            throw IOFailure(function: function, errno: number)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(IOFailure) -> Int {
        let all = Array(bytes)
        return try state.withLock { state throws(IOFailure) in
            let part = Array(all.prefix(state.longestWrite))
            try note(.write(offset: offset, bytes: part), "pwrite", in: &state)
            let end = offset + Int64(part.count)
            if let capacity = state.capacity, end > max(capacity, state.kept) {
                throw IOFailure(function: "pwrite", errno: ENOSPC)
            }
            state.kept = max(state.kept, end)
            DiskReplay.apply(.write(offset: offset, bytes: part), to: &state.content)
            return part.count
        }
    }

    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(IOFailure) -> Int
    {
        state.withLock { state in
            let start = min(Int(offset), state.content.count)
            let count = min(bytes.count, state.content.count - start)
            bytes.copyBytes(from: state.content[start..<start + count])
            return count
        }
    }

    func synchronize() throws(IOFailure) {
        try state.withLock { state throws(IOFailure) in
            try note(.synchronize, "fdatasync", in: &state)
        }
    }

    func synchronizeName() throws(IOFailure) {
        try state.withLock { state throws(IOFailure) in
            try note(.synchronizeName, "fsync", in: &state)
        }
    }

    func allocate(from start: Int64, to end: Int64) throws(IOFailure) {
        try state.withLock { state throws(IOFailure) in
            try note(.allocate(from: start, to: end), "fallocate", in: &state)
            if let capacity = state.capacity, end > capacity {
                throw IOFailure(function: "fallocate", errno: ENOSPC)
            }
            state.kept = max(state.kept, end)
        }
    }

    func truncate(to size: Int64) throws(IOFailure) {
        try state.withLock { state throws(IOFailure) in
            try note(.truncate(size), "ftruncate", in: &state)
            state.kept = size
            DiskReplay.apply(.truncate(size), to: &state.content)
        }
    }

    func size() throws(IOFailure) -> Int64 { state.withLock { Int64($0.content.count) } }

    func close() { state.withLock { $0.isClosed = true } }
}

/// What a disk holds after some calls.
enum DiskReplay {
    static func apply(_ call: ScriptedFileIO.Call, to content: inout [UInt8]) {
        switch call {
        case .write(let offset, let bytes):
            let (start, end) = (Int(offset), Int(offset) + bytes.count)
            if content.count < end {
                content.append(contentsOf: repeatElement(0, count: end - content.count))
            }
            content.replaceSubrange(start..<end, with: bytes)
        case .truncate(let size):
            content = Array(content.prefix(Int(size)))
            if content.count < Int(size) {
                content.append(contentsOf: repeatElement(0, count: Int(size) - content.count))
            }
        case .synchronize, .synchronizeName, .allocate: break
        }
    }

    static func content(
        _ initial: [UInt8] = [], after calls: some Sequence<ScriptedFileIO.Call>
    ) -> [UInt8] {
        var content = initial
        for call in calls { apply(call, to: &content) }
        return content
    }

    /// The states a power cut after `calls` may leave: everything before the last finished sync,
    /// and of the calls since then the ones `survives` picks (by their number since the sync).
    static func afterPowerCut(
        _ initial: [UInt8] = [], calls: [ScriptedFileIO.Call], survives: (Int) -> Bool
    ) -> [UInt8] {
        let synced = (calls.lastIndex(of: .synchronize) ?? -1) + 1
        let kept = calls[synced...].enumerated().filter { survives($0.offset) }.map(\.element)
        return content(initial, after: Array(calls[..<synced]) + kept)
    }

    static func unsynced(_ calls: [ScriptedFileIO.Call]) -> Int {
        calls.count - (calls.lastIndex(of: .synchronize) ?? -1) - 1
    }
}
