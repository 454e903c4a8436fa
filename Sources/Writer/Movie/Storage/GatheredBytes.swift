package import Media

/// Bytes written one behind the other in one call: ours, and behind them what encoders made, from where it is.
/// Making and copying the value copies no bytes.
package struct GatheredBytes: Sendable {
    /// Headers, or all there is.
    package let head: [UInt8]
    package private(set) var blocks: [BlockBuffer] = []
    /// Bytes of all of them.
    package private(set) var count: Int

    package init(_ head: [UInt8] = []) {
        self.head = head
        count = head.count
    }

    /// One more block, which shares its memory.
    package mutating func append(_ block: BlockBuffer) {
        guard block.count > 0 else { return }
        blocks.append(block)
        count += block.count
    }

    /// Lends the pieces in their order, none of them empty; the pointers are valid only inside the closure.
    package func withUnsafePieces<Result, Failure: Error>(
        _ body: ([UnsafeRawBufferPointer]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outcome = head.withUnsafeBytes { head -> Swift.Result<Result, Failure> in
            do throws(Failure) {
                let result = try BlockBuffer.withUnsafeBytes(of: blocks) {
                    blocks throws(Failure) in
                    try body((head.isEmpty ? [] : [head]) + blocks)
                }
                return .success(result)
            } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// A copy of the first bytes (at most `limit`).
    package func prefix(_ limit: Int) -> [UInt8] {
        var first = Array(head.prefix(limit))
        for block in blocks where first.count < limit {
            block.withUnsafeBytes { first += $0.prefix(limit - first.count) }
        }
        return first
    }
}
