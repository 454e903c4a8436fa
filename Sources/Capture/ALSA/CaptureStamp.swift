/// When the oldest frame waiting in a driver's buffer was captured.
///
/// The driver notes in one step where its pointer is (`avail` frames past what was read) and when
/// it looked (`hardware`, CLOCK_MONOTONIC). The oldest frame is `avail` frames older than that:
///
///     stamp = hardware − avail / rate
///
/// Nothing is smoothed here; what is left is the coarseness of the card's pointer (a USB packet, or
/// a tick of snd-aloop's timer), which a line fitted through the stamps averages away.
enum CaptureStamp {
    /// - Parameters:
    ///   - hardware: the driver's stamp (ns), or `nil` when it gave none.
    ///   - now: the host clock just after the driver was asked (ns).
    /// - Returns: the stamp of the oldest waiting frame (host clock, ns).
    static func oldest(hardware: Int64?, now: Int64, avail: Int, rate: Int) -> Int64 {
        let length = AudioTiming.nanoseconds(of: avail, rate: rate)
        // a plugin without stamps gives 0, one that ignores the clock's type the wall clock
        guard let hardware, abs(hardware - now) < 1_000_000_000 else { return now - length }
        return hardware - length
    }
}
