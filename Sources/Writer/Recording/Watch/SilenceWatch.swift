/// Says which of a microphone's blocks are worth a word about silence: those that change it, and now and then
/// one of a long silence.
///
/// A pure value. Times are host nanoseconds.
struct SilenceWatch: Sendable {
    /// −60 dBFS.
    private static let threshold: Float = 0.001
    private static let interval: Int64 = 250_000_000

    private var isSilent: Bool?
    private var reported = Int64.min / 2

    /// - Parameter peak: of a block (1 is full scale).
    /// - Returns: whether the block is silent; `nil` where nothing new is to be said.
    mutating func news(peak: Float, at time: Int64) -> Bool? {
        let isSilent = peak <= Self.threshold
        guard isSilent != self.isSilent || (isSilent && time - reported >= Self.interval) else {
            return nil
        }
        self.isSilent = isSilent
        reported = time
        return isSilent
    }
}
