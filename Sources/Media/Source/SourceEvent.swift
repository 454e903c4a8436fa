/// What a source reports to its listener. Times are on the host clock.
public enum SourceEvent: Sendable {
    case sample(SampleBuffer)
    /// Samples that will never come.
    case dropped(SampleDrop)
    /// The device went away or stopped; samples pause until `resumed`.
    case interrupted(SourceInterruption)
    /// Samples come again, in this format.
    case resumed(at: MediaTime, format: FormatDescription)
    /// No samples will come any more: the device has no more, or it left its session or the session was stopped.
    case ended(at: MediaTime)
}

/// Samples lost, why and when: every one is reported and counted.
public struct SampleDrop: Sendable, Hashable {
    public enum Cause: String, Sendable, Hashable, Codable, CaseIterable {
        /// The driver's sequence number jumped: the device or bus lost them.
        case driverGap = "driver-gap"
        /// The driver marked the buffer as damaged.
        case damaged
        /// A sound card's ring overran before it was read.
        case overrun
        /// Nobody took the sample in time and the queue was full; or it came so late that the frame before it
        /// stands in its place.
        case late
        /// The encoder could not keep up.
        case encoderBehind = "encoder-behind"
        /// The disk could not keep up.
        case diskBehind = "disk-behind"
        /// The stamp was not after the one before.
        case outOfOrder = "out-of-order"
        /// The sample could not be decoded or converted.
        case undecodable
    }

    public var cause: Cause
    /// Video frames or audio frames lost (frames; positive).
    public var count: Int
    /// When the first of them would have been (host clock).
    public var time: MediaTime

    public init(cause: Cause, count: Int, time: MediaTime) {
        self.cause = cause
        self.count = count
        self.time = time
    }
}

/// Why a source fell silent.
public struct SourceInterruption: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, Codable {
        case deviceGone = "device-gone"
        case deviceStalled = "device-stalled"
        case deviceFailed = "device-failed"
        case noSignal = "no-signal"
        case serverGone = "server-gone"
        case formatChanged = "format-changed"
        /// The listener's output was disabled (`setEnabled`), by intent.
        case disabled
    }

    public var reason: Reason
    /// When the last sample before it ended, as well as can be known (host clock).
    public var time: MediaTime
    /// One sentence for a person.
    public var message: String
    /// What is wrong with the source itself, a file that is damaged for example; `nil` for a device.
    public var failure: MediaError.Code?

    public init(reason: Reason, time: MediaTime, message: String) {
        self.reason = reason
        self.time = time
        self.message = message
    }
}
