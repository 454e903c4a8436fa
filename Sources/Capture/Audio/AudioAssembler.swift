internal import Media

/// Makes pieces of even length from a ring's blocks: joins short ones, cuts long ones, and reports
/// what was lost before the frames that follow. The silence in its place is the listener's to make,
/// who also knows how to fade into it.
struct AudioAssembler {
    /// What the delivery thread hands on, in order.
    enum Piece: Equatable {
        case frames([UInt8], stamp: Int64)
        case drop(SampleDrop.Cause, frames: Int, stamp: Int64)
    }

    let bytesPerFrame: Int
    let rate: Int
    /// A piece is handed on once it has this many frames (10 ms) …
    let shortest: Int
    /// … and has at most this many (20 ms).
    let longest: Int

    private var pending: [UInt8] = []
    private var pendingStamp: Int64 = 0
    private(set) var end: Int64?

    init(bytesPerFrame: Int, rate: Int) {
        self.bytesPerFrame = bytesPerFrame
        self.rate = rate
        shortest = max(1, rate / 100)
        longest = max(1, rate / 50)
    }

    /// Takes one block; `hand` gets the pieces that are complete.
    mutating func take(
        _ block: AudioBlock, _ bytes: UnsafeRawBufferPointer, _ hand: (Piece) -> Void
    ) {
        if block.overrun > 0 || block.late > 0 {
            flush(hand)
            let lost = block.overrun + block.late
            // the loss begins where the last frame ended
            var stamp = end ?? block.stamp - AudioTiming.nanoseconds(of: lost, rate: rate)
            lose(.overrun, block.overrun, &stamp, hand)
            lose(.late, block.late, &stamp, hand)
            end = stamp
        }
        guard block.frames > 0 else { return }
        var offset = 0
        while offset < block.frames {
            if pending.isEmpty {
                pendingStamp = block.stamp + AudioTiming.nanoseconds(of: offset, rate: rate)
            }
            let held = pending.count / bytesPerFrame
            let count = min(longest - held, block.frames - offset)
            pending.append(
                contentsOf: bytes[offset * bytesPerFrame..<(offset + count) * bytesPerFrame])
            offset += count
            if held + count >= shortest { flush(hand) }
        }
    }

    /// Hands on what is left, however short.
    mutating func flush(_ hand: (Piece) -> Void) {
        guard !pending.isEmpty else { return }
        let frames = pending.count / bytesPerFrame
        hand(.frames(pending, stamp: pendingStamp))
        end = pendingStamp + AudioTiming.nanoseconds(of: frames, rate: rate)
        pending.removeAll(keepingCapacity: true)
    }

    private func lose(
        _ cause: SampleDrop.Cause, _ count: Int, _ stamp: inout Int64, _ hand: (Piece) -> Void
    ) {
        guard count > 0 else { return }
        hand(.drop(cause, frames: count, stamp: stamp))
        stamp += AudioTiming.nanoseconds(of: count, rate: rate)
    }
}
