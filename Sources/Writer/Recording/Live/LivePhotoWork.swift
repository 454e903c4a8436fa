internal import LibAV
internal import Media

/// What the thread of a recorder of live photos does: encodes each frame, keeps it for a while, and answers shots.
struct LivePhotoWork: Sendable {
    /// The longer side of a movie's frames at most (pixels): a second encoder beside a recording's has to be small.
    private static let longestSide = 1280

    // owned by the thread
    private let converter: FrameConverter
    private let settings: VideoEncoderSettings
    private var encoder: VideoEncoder
    private var shots: LivePhotoShots
    private var failure: MediaError?

    /// - Parameters:
    ///   - camera: raw frames.
    ///   - microphone: raw; nil without one.
    /// - Throws: `unsupported` for coded frames; what the encoder refuses.
    init(camera: VideoFormat, microphone: AudioFormat?) throws(MediaError) {
        guard camera.pixelFormat != nil else {
            throw MediaError(
                code: .unsupported, subject: "live photo",
                message: "Live photos are made of raw frames: want yuv420p of the camera's output.")
        }
        let target = FrameTarget(pixelFormat: .yuv420p, size: Self.size(of: camera))
        let format = try target.format(of: camera)
        converter = FrameConverter(to: format, limit: 16, exhaustion: .allocates)
        var settings = VideoEncoderSettings(codec: .h264)
        settings.rateControl = .quality(22)
        settings.preset = "superfast"
        settings.keyFrameInterval = .milliseconds(500)
        settings.threads = 1
        self.settings = settings
        encoder = try VideoEncoder(settings: settings, input: format)
        shots = LivePhotoShots(video: encoder.format, audio: microphone)
    }

    /// Even sides that fit; nil: those of the camera do.
    static func size(of format: VideoFormat) -> PixelSize? {
        let longest = max(format.width, format.height)
        let isEven = format.width % 2 == 0 && format.height % 2 == 0
        if longest <= longestSide, isEven { return nil }
        let limit = min(longest, longestSide)
        func side(_ length: Int) -> Int { max(2, (length * limit / longest + 1) / 2 * 2) }
        return PixelSize(side(format.width), side(format.height))
    }

    /// When the oldest frame that is held begins (host clock).
    var start: MediaTime? { shots.start }

    mutating func take(_ input: LivePhotoInput) {
        switch input {
        case .frame(let sample): encode(sample)
        case .audio(let block): shots.take(audio: block)
        case .lost(let count, let time): shots.lose(count, at: time)
        case .microphoneGone: shots.loseMicrophone()
        case .cameraGone: endFrames()
        case .shot(let shot):
            if let failure { return shot.body(.failure(failure)) }
            shots.ask(shot)
        case .forgotten(let number): shots.forget(number)
        }
        answer(shots.ready())
    }

    /// Nothing comes any more: what waits gets what there is.
    mutating func finish() { endFrames() }

    /// No frame comes for now: what the encoder still has belongs to what waits. Frames that come all the same get an
    /// encoder like it.
    private mutating func endFrames() {
        if failure == nil {
            do throws(MediaError) {
                for coded in try encoder.finish() { shots.take(frame: coded) }
                encoder = try VideoEncoder(settings: settings, input: converter.output)
            } catch { failure = error }
        }
        answer(shots.end())
    }

    private mutating func encode(_ sample: SampleBuffer) {
        guard failure == nil else { return }
        guard let frame = sample.pixelBuffer, let format = sample.format.video else {
            return shots.lose(1, at: sample.presentationTime)
        }
        var raw = sample
        do throws(FrameConverter.Failure) {
            raw.payload = .pixels(try converter.convert(frame, format))
            raw.format = .video(converter.output)
        } catch { return shots.lose(1, at: sample.presentationTime) }
        do throws(MediaError) {
            for coded in try encoder.encode(raw) { shots.take(frame: coded) }
        } catch {
            // a frame that is not after the one before is lost alone
            if error.code == .outOfOrder { return shots.lose(1, at: sample.presentationTime) }
            failure = error
            for (shot, _) in shots.end() { shot.body(.failure(error)) }
        }
    }

    private func answer(_ ready: [(LivePhotoShot, Result<LivePhotoMovie, MediaError>)]) {
        for (shot, movie) in ready { shot.body(movie) }
    }
}
