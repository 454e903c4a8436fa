package import Media

/// One opened and configured device. It owns one named thread from `start` to `stop`.
///
/// Life: opened by a provider, `start` at most once, `stop` once or more; not reused after that.
/// Events come from one thread at a time, samples in their order, every loss as
/// `SourceEvent.dropped` before the next sample. A stream that sends `.interrupted` or `.ended`
/// sends nothing after it: the session stops it and opens the device again when it is back.
package protocol CaptureStream: AnyObject, Sendable {
    /// The granted format; fixed.
    var format: FormatDescription { get }

    /// What was chosen of what the device has, and why, in one sentence for a person.
    var explanation: String { get }

    /// The controls of a camera while it is open; what is set through them is not reported to `watchControls`. `nil` where the
    /// device is opened anew for them.
    var controls: (any DeviceControlAccess)? { get }

    /// Reports what others change of its controls while it runs, where the driver announces that, from any thread. Called
    /// at most once, before `start`.
    func watchControls(_ handler: @escaping @Sendable (ControlChange) -> Void)

    /// Begins delivery on the stream's thread; returns once the device runs.
    func start(handler: @escaping @Sendable (SourceEvent) -> Void) throws(MediaError)

    /// Ends delivery and closes the device. After it returned, the handler is not called any more.
    /// Never called from the handler. Thread-safe; blocks until the thread has ended.
    func stop()
}

extension CaptureStream {
    package var controls: (any DeviceControlAccess)? { nil }
    package func watchControls(_ handler: @escaping @Sendable (ControlChange) -> Void) {}
}
