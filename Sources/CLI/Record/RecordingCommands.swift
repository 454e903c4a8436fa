import Recording

/// What keys, signals and the control socket can ask of a recording. Thread-safe; none of them blocks.
protocol RecordingCommands: AnyObject, Sendable {
    /// Asks for a pause from now on; answers whether that changes anything.
    @discardableResult func pause() -> Bool
    @discardableResult func resume() -> Bool
    /// - Returns: whether anything changed.
    @discardableResult func toggle() -> Bool
    /// - Returns: whether the marker is set; there is none before the movie begins and after its end.
    @discardableResult func mark(_ text: String?) -> Bool
    /// Finishes the file. A fast stop gives up what is still on its way to the encoder.
    func requestStop(fast: Bool)
    func status() -> RecorderStatus
}

extension Recorder: RecordingCommands {}
