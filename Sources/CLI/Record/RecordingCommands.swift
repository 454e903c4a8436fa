import Capture
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
    /// - Parameter completion: called once, with the files when they are on the disk, the photo first, on another
    ///   thread.
    func takePhoto(
        _ request: PhotoRequest,
        completion: @escaping @Sendable (Result<PhotoAnswer, CommandFailure>) -> Void)
    /// Sets a camera; no settings ask what it is set to.
    /// - Parameters:
    ///   - selector: words for a camera of the recording; `nil` for its first.
    ///   - completion: called once, when the camera has answered, on another thread.
    func setCamera(
        _ settings: [CameraSetting], of selector: String?,
        completion: @escaping @Sendable (Result<TakeCameras.Answer, CommandFailure>) -> Void)
}

/// A photo that was taken of a recording.
struct PhotoAnswer: Sendable {
    /// Its files, the photo first.
    let paths: [String]
    /// Of a live photo.
    var movie: LivePhotoMovie?
    /// The photo, where the depth of its moment was asked for.
    var photo: CapturedPhoto?
}

/// A photo that is asked of a recording.
struct PhotoRequest: Sendable, Equatable {
    enum Live: Sendable, Equatable {
        /// In the form that the recording was given.
        case ofRecording
        case form(LivePhotoForm)
    }

    /// The file; `nil`: beside the movie, counted.
    var path: String?
    /// `nil`: without a movie of its own.
    var live: Live?
    /// Whether the depth of its moment is to be in it.
    var hasDepth = false
    /// Whether nobody but the terminal gets the answer: a refusal is then reported there.
    var isByKey = false
}

/// Steers a recorder and its cameras.
final class TakeSteering: RecordingCommands {
    private let recorder: Recorder
    private let photos: TakePhotos
    private let cameras: TakeCameras

    init(_ recorder: Recorder, photos: TakePhotos, cameras: TakeCameras) {
        self.recorder = recorder
        self.photos = photos
        self.cameras = cameras
    }

    func pause() -> Bool { recorder.pause() }
    func resume() -> Bool { recorder.resume() }
    func toggle() -> Bool { recorder.toggle() }
    func mark(_ text: String?) -> Bool { recorder.mark(text) }
    func requestStop(fast: Bool) { recorder.requestStop(fast: fast) }
    func status() -> RecorderStatus { recorder.status() }
    func takePhoto(
        _ request: PhotoRequest,
        completion: @escaping @Sendable (Result<PhotoAnswer, CommandFailure>) -> Void
    ) {
        guard !isEnding else {
            return completion(
                .failure(
                    CommandFailure(.failedRunning, "the recording is ending: no photo is taken")))
        }
        photos.take(request, completion: completion)
    }

    func setCamera(
        _ settings: [CameraSetting], of selector: String?,
        completion: @escaping @Sendable (Result<TakeCameras.Answer, CommandFailure>) -> Void
    ) {
        guard !isEnding || settings.isEmpty else {
            return completion(
                .failure(CommandFailure(.failedRunning, "the recording is ending: nothing is set"))
            )
        }
        cameras.set(settings, of: selector, completion: completion)
    }

    /// Whether what comes now would be no part of the movie.
    private var isEnding: Bool {
        switch recorder.status().state {
        case .finishing, .finished: true
        default: false
        }
    }

    /// Reports what others set of the cameras, until it is cancelled.
    func followOthers() -> Task<Void, Never> { Task { await cameras.followOthers() } }

    /// Waits until the photos that were taken are on the disk.
    func finishPhotos() { photos.finish() }
}
