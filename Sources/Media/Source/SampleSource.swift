/// Where samples come from: a camera's or microphone's output, or anything else that stamps
/// samples on the host clock. The one protocol at which capturing and recording meet.
///
/// A source runs before, during and after a recording; the recorder chooses what to keep.
/// It calls its handler from one thread of its own at a time, in the order of the samples.
/// The handler must not block: a source never waits for its listener.
public protocol SampleSource: AnyObject, Sendable {
    /// What the samples come from, for reports.
    var origin: SourceOrigin { get }

    /// The granted format. Fixed once the source is configured.
    var format: FormatDescription { get }

    /// Throws `invalidState`, with what to call first, while `origin` and `format` are not known yet (default: they
    /// always are).
    func requireFormat() throws(MediaError)

    /// Sets who receives the events; `nil` removes it. Events without a handler are discarded by
    /// intent, not counted as drops.
    func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?)
}

extension SampleSource {
    public func requireFormat() throws(MediaError) {}
}

/// The identity of a source's device.
public struct SourceOrigin: Sendable, Hashable, Codable {
    /// Stable identity across reboots (`v4l2:by-id:…`, `alsa:hw:CARD=…`, `test:`).
    public var identifier: String
    /// What a person calls it.
    public var name: String
    /// The driver or interface behind it.
    public var driver: String

    public init(identifier: String, name: String, driver: String) {
        self.identifier = identifier
        self.name = name
        self.driver = driver
    }
}
