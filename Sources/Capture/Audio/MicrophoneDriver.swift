internal import Media

/// What a family does for an open microphone; the threads and the way to the listener are
/// `MicrophoneStream`'s.
///
/// Owned by one thread at a time: the one that opened it, the driver's thread while `run` lasts,
/// then the one that joined that thread.
protocol MicrophoneDriver: AnyObject, Sendable {
    /// The family's word, for the threads' names.
    static var family: String { get }
    /// The granted rate and channels, and the driver's layout of samples.
    var rate: Int { get }
    var channels: Int { get }
    var layout: DeviceSampleLayout { get }
    /// What was chosen of what the device has, in one sentence.
    var explanation: String { get }

    /// Sets the device going.
    func start() throws(MediaError)

    /// Brings frames to the feed until `stop` is raised or the device fails, then closes it. Answers
    /// what happened, `nil` when it was asked to stop.
    func run(into feed: AudioFeed, until stop: WakeSignal) -> AudioFeed.Interruption?

    /// Closes without having run; does nothing when it is closed.
    func close()
}
