package import Media

/// Movies as cameras and microphones: `file:clip.mp4`, looped in real time. Frames come as they
/// are coded in the file, so that nothing is decoded that need not be.
package final class FileProvider: DeviceProvider {
    package static let standard = FileProvider()

    package let prefix = "file"
    /// When each movie began to play (host clock, ns): its frame and audio share it.
    private let origins = Lock<[String: Int64]>([:])

    package init() {}

    /// Movies are not listed: every file could be one.
    package func devices(of kind: MediaType) throws(MediaError) -> [CaptureDevice] { [] }

    package func device(
        named name: String, kind: MediaType
    ) throws(MediaError) -> CaptureDevice? {
        let clip = try FileClip(path: name)
        let format: CaptureDeviceFormat
        switch kind {
        case .video:
            guard let video = clip.video?.format else { throw Self.lacks("video", name) }
            let duration = video.nominalRate.map {
                VideoCaptureSize.FrameDurations.discrete($0.frameDuration)
            }
            format = .video(
                VideoCaptureFormat(
                    coding: video.coding, name: video.codec?.rawValue ?? "raw",
                    sizes: [
                        VideoCaptureSize(
                            extent: .discrete(PixelSize(video.width, video.height)),
                            frameDurations: duration.map { [$0] } ?? [])
                    ], depth: video.depth))
        case .audio:
            guard let audio = clip.audio?.format, let raw = audio.sampleFormat else {
                throw Self.lacks("audio", name)
            }
            format = .audio(
                AudioCaptureFormat(
                    sampleFormat: raw, sampleRates: [audio.sampleRate...audio.sampleRate],
                    channels: audio.channels...audio.channels))
        case .text, .metadata: return nil
        }
        let title = name.split(separator: "/").last.map(String.init) ?? name
        return CaptureDevice(
            id: "file:\(name)", name: title, kind: kind, driver: "file", node: name,
            formats: [format])
    }

    package func openVideo(
        _ device: CaptureDevice, settings: VideoInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream {
        let path = Self.path(of: device)
        let clip = try FileClip(path: path)
        guard let video = clip.video else { throw Self.lacks("video", path) }
        var format = video.format
        _ = try settings.controlPlan(among: [], of: device)
        if case .named(let word) = settings.inputFormat,
            FormatNames.canonical(word) != format.codec?.rawValue
        {
            throw MediaError(
                code: .unsupportedFormat, subject: device.id,
                message: "\(device.name) does not have the format \(word); "
                    + "it has \(format.codec?.rawValue ?? "raw frames").")
        }
        if let depth = settings.depth(of: format.coding, stated: format.depth) {
            try clip.requireDepth()
            (format.depth, format.color) = (depth, .unspecified)
        }
        return FileCamera(
            device: device, clip: clip, track: video.track, format: format,
            asked: settings, clock: clock, begin: { [self] in origin(of: path, $0) })
    }

    package func openAudio(
        _ device: CaptureDevice, settings: AudioInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream {
        let path = Self.path(of: device)
        let clip = try FileClip(path: path)
        guard let (track, format) = clip.audio else { throw Self.lacks("audio", path) }
        return FileMicrophone(
            device: device, clip: clip, track: track, format: format, clock: clock,
            begin: { [self] in origin(of: path, $0) })
    }

    /// Whether a movie's frames are shown in another order than they are coded in, so that they cannot be
    /// recorded as they are, one after the other. Reads the file; blocks.
    package static func isReordered(_ path: String) throws(MediaError) -> Bool {
        try FileClip.isReordered(path)
    }

    /// The first of a movie's streams to start sets when it began.
    private func origin(of path: String, _ now: MediaTime) -> Int64 {
        origins.withLock { origins in
            let origin = origins[path] ?? now.nanoseconds()
            origins[path] = origin
            return origin
        }
    }

    private static func path(of device: CaptureDevice) -> String {
        String(device.id.dropFirst("file:".utf8.count))
    }

    private static func lacks(_ what: String, _ path: String) -> MediaError {
        MediaError(
            code: .unsupportedFormat, subject: "file:\(path)",
            message: "Cannot use \(path): it holds no \(what); take another file.")
    }
}
