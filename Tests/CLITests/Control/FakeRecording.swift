import Capture
import Media
import Recording

@testable import vcap

/// A recording that only remembers what it was asked.
final class FakeRecording: RecordingCommands {
    struct State {
        var asked: [String] = []
        var isPaused = false
        var isStarting = false
        var reason = ""
    }

    private let state = Lock(State())

    var asked: [String] { state.withLock { $0.asked } }

    func pause() -> Bool { setPaused(true, "pause") }

    func resume() -> Bool { setPaused(false, "resume") }

    private func setPaused(_ isPaused: Bool, _ word: String) -> Bool {
        state.withLock { state in
            state.asked.append(word)
            if state.isStarting { return false }
            defer { state.isPaused = isPaused }
            return state.isPaused != isPaused
        }
    }

    func toggle() -> Bool {
        state.withLock { state in
            state.asked.append("toggle")
            if state.isStarting { return false }
            state.isPaused.toggle()
            return true
        }
    }

    /// There is no movie yet.
    func start() { state.withLock { $0.isStarting = true } }

    /// Whether there is a movie that can have markers.
    let takesMarkers = Lock(true)

    func mark(_ text: String?) -> Bool {
        state.withLock { $0.asked.append("mark \(text ?? "-")") }
        return takesMarkers.withLock { $0 }
    }

    /// What a photo ends with; `nil`: never.
    let photo = Lock<Result<PhotoAnswer, CommandFailure>?>(
        .success(PhotoAnswer(paths: ["/photo.jpg"])))

    func takePhoto(
        _ request: PhotoRequest,
        completion: @escaping @Sendable (Result<PhotoAnswer, CommandFailure>) -> Void
    ) {
        let live = request.live.map { " live \($0)" } ?? ""
        state.withLock { $0.asked.append("photo \(request.path ?? "-")\(live)") }
        guard let result = photo.withLock({ $0 }) else { return }
        NamedThread(name: "test-photo") { completion(result) }.detach()
    }

    func setCamera(
        _ settings: [CameraSetting], of selector: String?,
        completion: @escaping @Sendable (Result<TakeCameras.Answer, CommandFailure>) -> Void
    ) {
        let words = settings.map(\.description).joined(separator: " ")
        let camera = selector.map { " of \($0)" } ?? ""
        state.withLock { $0.asked.append((settings.isEmpty ? "get" : "set \(words)") + camera) }
        let granted = settings.map { GrantedCameraSetting(wanted: $0, granted: $0, controls: []) }
        completion(
            .success(
                TakeCameras.Answer(
                    camera: CaptureDevice(
                        id: "test:", name: "Camera", kind: .video, driver: "test"),
                    settings: granted, controls: .array([]))))
    }

    func requestStop(fast: Bool) { state.withLock { $0.asked.append(fast ? "fast stop" : "stop") } }

    func status() -> RecorderStatus {
        var status = RecorderStatus()
        status.state = state.withLock { state in
            state.isStarting ? .starting : state.isPaused ? .paused : .recording
        }
        var camera = RecorderStatus.Track(index: 0, mediaType: .video, name: "Camera")
        camera.frames = 42
        status.tracks = [camera]
        return status
    }
}
