import Capture
import Media
import Recording

/// A camera's and a microphone's further outputs, from which live photos get their movies.
enum LivePhotoInputs {
    /// How long a camera may take to deliver what is before the first photo, beyond that time itself (seconds).
    private static let timeout = MediaTime.seconds(5)

    /// Adds the outputs to a session.
    /// - Parameters:
    ///   - camera: as the session has it, or will have it.
    ///   - microphone: `nil` for movies without audio.
    static func add(
        to session: CaptureSession, _ camera: CaptureDeviceInput, _ connection: CaptureConnection,
        microphone: CaptureDevice?
    ) async throws -> LivePhotoRecorder {
        let frames = VideoDataOutput(
            wantedFormat: .yuv420p, rotationPolicy: .format, queueLimit: 24)
        let sound = microphone.map { (device: $0, output: AudioDataOutput()) }
        try await session.configure { configuration in
            try configuration.add(camera, frames, connection)
            if let sound {
                try configuration.add(CaptureDeviceInput(microphone: sound.device), sound.output)
            }
        }
        return LivePhotoRecorder(camera: frames, microphone: sound?.output)
    }

    /// Waits until what is before a photo is held; a camera that delivers nothing is not waited for for ever.
    static func wait(for live: LivePhotoRecorder, _ clock: HostClock) async throws {
        let limit = clock.now() + LivePhotoRecorder.span + timeout
        while clock.now() < limit {
            let now = clock.now()
            if let beginning = live.beginning, now - beginning >= LivePhotoRecorder.span { return }
            try await Task.sleep(nanoseconds: 10_000_000)
        }
    }
}
