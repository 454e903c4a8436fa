import Media
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
    /// Takes a photo of this moment.
    /// - Parameters:
    ///   - path: the file; `nil`: beside the movie, counted.
    ///   - completion: called once, with the file when it is on the disk, on another thread.
    func takePhoto(
        _ path: String?, completion: @escaping @Sendable (Result<String, CommandFailure>) -> Void)
}

/// Steers a recorder and its cameras.
final class TakeSteering: RecordingCommands {
    private let recorder: Recorder
    private let photos: TakePhotos

    init(_ recorder: Recorder, photos: TakePhotos) {
        self.recorder = recorder
        self.photos = photos
    }

    func pause() -> Bool { recorder.pause() }
    func resume() -> Bool { recorder.resume() }
    func toggle() -> Bool { recorder.toggle() }
    func mark(_ text: String?) -> Bool { recorder.mark(text) }
    func requestStop(fast: Bool) { recorder.requestStop(fast: fast) }
    func status() -> RecorderStatus { recorder.status() }
    func takePhoto(
        _ path: String?, completion: @escaping @Sendable (Result<String, CommandFailure>) -> Void
    ) {
        photos.take(path, completion: completion)
    }

    /// Waits until the photos that were taken are on the disk.
    func finishPhotos() { photos.finish() }
}
