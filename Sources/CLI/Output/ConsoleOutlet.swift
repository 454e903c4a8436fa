internal import Glibc
import Media

/// Writes to a terminal, pipe or file on a thread of its own, so that a reader that is slow, or stopped
/// by Ctrl-S, holds nobody but this thread. Thread-safe.
///
/// What waits is bounded: past it messages are left out and counted, but for documents that are larger by themselves.
/// Of status lines only the newest waits.
final class ConsoleOutlet: Sendable {
    private struct State {
        var messages: [[UInt8]] = []
        /// Without the documents.
        var bytes = 0
        var line: [UInt8]?
        var isBusy = false
        /// Letters and lines written so far (count).
        var written = 0
        var missed = 0
        /// Those among the messages, with the one that is being written, that are larger than the limit (count).
        var documents = 0
        /// The system's answer to the first write that failed, or 0.
        var failure: Int32 = 0

        var isIdle: Bool { messages.isEmpty && line == nil && missed == 0 && !isBusy }

        mutating func next() -> [UInt8]? {
            if !messages.isEmpty {
                let message = messages.removeFirst()
                if message.count <= ConsoleOutlet.limit { bytes -= message.count }
                return message
            }
            if missed > 0 {
                defer { missed = 0 }
                return Array("\r\u{1B}[Kvcap: \(missed) messages were not shown\n".utf8)
            }
            defer { line = nil }
            return line
        }
    }

    /// Most text waiting (bytes).
    private static let limit = 64 << 10
    private let state = BlockingLock(State())

    init(_ descriptor: Int32, name: String) {
        let state = state
        NamedThread(name: name) {
            while true {
                let bytes = state.wait { state -> [UInt8]? in
                    let next = state.next()
                    state.isBusy = next != nil
                    return next
                }
                let error = Console.write(bytes, to: descriptor)
                state.withLock { state in
                    if state.failure == 0 { state.failure = error }
                    state.written += 1
                    state.isBusy = false
                    if bytes.count > Self.limit { state.documents -= 1 }
                }
            }
        }.detach()
    }

    /// Why something could not be written (`errno`), or 0.
    var failure: Int32 { state.read { $0.failure } }

    func post(_ text: String) {
        let bytes = Array(text.utf8)
        state.withLock { state in
            // a document of its own is larger than that, and is whole or worth nothing
            guard bytes.count > Self.limit || state.bytes + bytes.count <= Self.limit else {
                state.missed += 1
                return
            }
            state.messages.append(bytes)
            if bytes.count > Self.limit {
                state.documents += 1
            } else {
                state.bytes += bytes.count
            }
        }
    }

    /// Takes the place of a status line that waits.
    func show(_ line: String) { state.withLock { $0.line = Array(line.utf8) } }

    /// Waits until everything is written, as long as something moves each `timeout` nanoseconds. For a document it
    /// waits as long as its reader lets it, as other programs do: half of it would be taken for the whole.
    func flush(timeout: Int64 = 1_000_000_000) {
        var known = state.read { $0.written }
        while true {
            let moved = state.wait(nanoseconds: timeout) { state -> Int?? in
                if state.isIdle { return .some(nil) }
                return state.written == known ? nil : .some(state.written)
            }
            guard let moved else {
                if state.read({ $0.documents > 0 }) { continue }
                return
            }
            guard let written = moved else { return }
            known = written
        }
    }
}
