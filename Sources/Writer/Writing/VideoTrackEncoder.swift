internal import LibAV
internal import Media

/// Encodes raw pictures through LibAV.
final class VideoTrackEncoder: TrackEncoder {
    private let encoder: VideoEncoder

    /// - Parameter lowLatency: no B-pictures and little look-ahead (see `VideoEncoderSettings`).
    init(
        _ settings: VideoOutputSettings, source: VideoFormat, lowLatency: Bool
    ) throws(WriterError) {
        do throws(LibAVError) {
            encoder = try VideoEncoder(
                settings: VideoEncoderSettings(settings, lowLatency: lowLatency), input: source)
        } catch { throw WriterError(error) }
    }

    var format: FormatDescription { .video(encoder.format) }
    var fingerprint: String? { encoder.fingerprint }

    func encode(_ sample: SampleBuffer) throws(WriterError) -> [SampleBuffer] {
        do throws(LibAVError) { return try encoder.encode(sample) } catch {
            throw WriterError(error)
        }
    }

    func finish() throws(WriterError) -> [SampleBuffer] {
        do throws(LibAVError) { return try encoder.finish() } catch { throw WriterError(error) }
    }
}

extension VideoEncoderSettings {
    init(_ settings: VideoOutputSettings, lowLatency: Bool) {
        self.init(codec: settings.codec)
        switch settings.rate {
        case .quality(let value): rateControl = .quality(value)
        case .bitrate(let value): rateControl = .bitrate(value)
        case nil: break
        }
        if let preset = settings.preset { self.preset = preset }
        keyFrameInterval = settings.keyFrameInterval
        threads = settings.threads
        self.lowLatency = lowLatency
    }
}
