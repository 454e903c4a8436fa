internal import LibAV
internal import Media

/// Makes a camera with MJPEG of the test camera. Used by the camera's thread.
final class TestFrameCoder: Sendable {
    /// What the coded samples are: JPEG's own colour.
    let format: VideoFormat
    private let encoder: VideoEncoder

    /// - Parameter pictures: raw, 8 bit, full range.
    init(_ frames: VideoFormat) throws(MediaError) {
        var settings = VideoEncoderSettings(codec: .mjpeg)
        settings.threads = 1  // a frame comes out when it went in
        do throws(MediaError) {
            encoder = try VideoEncoder(settings: settings, input: frames)
        } catch {
            throw error.describing(
                code: .unsupportedFormat, subject: "test:",
                message: "The test camera cannot make MJPEG: \(error.message)")
        }
        format = encoder.format
    }

    /// - Throws: `MediaError` when no frame came out.
    func encode(_ frame: SampleBuffer) throws(MediaError) -> SampleBuffer {
        do throws(MediaError) {
            if let coded = try encoder.encode(frame).first { return coded }
        } catch {
            throw Self.failure(error.message)
        }
        throw Self.failure("the encoder kept the frame.")
    }

    private static func failure(_ reason: String) -> MediaError {
        MediaError(
            code: .deviceFailed, subject: "test:",
            message: "The test camera could not encode a frame: \(reason)")
    }
}
