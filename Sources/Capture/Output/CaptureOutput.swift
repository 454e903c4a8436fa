internal import Media

/// The end of a connection: `VideoDataOutput` and `AudioDataOutput`. Everything but `receive` comes from
/// the session's thread.
protocol CaptureOutput: SampleSource {
    var kind: MediaType { get }

    /// The session that has it; `nil`: none. From any thread.
    var owner: SessionIdentity? { get }

    /// A session is about to serve it, before `connect`.
    /// - Throws: `invalidSetting` where another one does.
    func join(_ session: SessionIdentity) throws(MediaError)

    /// Gets ready for an input's samples; when it throws, nothing has changed. Not called while it delivers.
    func connect(
        to origin: SourceOrigin, _ format: FormatDescription, by connection: CaptureConnection
    ) throws(MediaError)

    /// From now on what is received reaches the handler, on a thread of the output's own.
    /// - Parameter pressure: gets what was dropped because the handler is slow.
    func begin(pressure: @escaping @Sendable (SampleDrop) -> Void)

    /// Called on the device's thread. Never waits for the handler.
    func receive(_ event: SourceEvent)

    /// Ends delivery: what waits is let go, a handler that runs is waited for, and gets `ended` last.
    func end()
}
