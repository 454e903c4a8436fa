public import Media

/// What is wanted of a microphone. `nil` leaves the choice to the device.
public struct AudioInputSettings: Sendable, Hashable {
    /// Frames per second (Hz; 8,000…384,000; 48,000 where the device has it).
    public var sampleRate: Int?
    /// Channels (count; 1…64; the device's own up to 2).
    public var channels: Int?

    public init(sampleRate: Int? = nil, channels: Int? = nil) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// Refuses values no device can have.
    /// - Throws: `MediaError` with `invalidSetting`, naming the field.
    public func validate() throws(MediaError) {
        if let sampleRate, !(8000...384_000).contains(sampleRate) {
            throw MediaError(
                code: .invalidSetting, subject: "sampleRate",
                message: "The sample rate \(sampleRate) Hz is not possible; "
                    + "it must be 8000 to 384000 Hz.")
        }
        if let channels, !(1...64).contains(channels) {
            throw MediaError(
                code: .invalidSetting, subject: "channels",
                message: "\(channels) channels are not possible; it must be 1 to 64.")
        }
    }
}
