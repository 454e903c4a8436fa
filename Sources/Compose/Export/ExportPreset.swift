public import Media
package import Movie
public import Writing

/// What an export makes of a film: a size, codecs and their quality. Frames of a high dynamic range (PQ, HLG) become HEVC of
/// 10 bits instead of the H.264 of the presets here, as good as that, in containers that hold it.
public struct ExportPreset: Sendable, Hashable {
    /// As `--preset` names it.
    public let name: String
    /// Greatest size of the frame, for a film lying; a standing film's sides change places, a smaller film stays as
    /// it is (nil: the film's own).
    public let largestSize: PixelSize?
    /// How frames are coded (nil: no frame).
    public let video: VideoOutputSettings?
    /// How audio is coded.
    public let audio: AudioOutputSettings
    /// Whether the sources' coded samples are copied instead.
    public let isPassthrough: Bool

    /// One of your own.
    /// - Parameters:
    ///   - name: for messages and plans.
    ///   - largestSize: of the frame (nil: the film's own).
    ///   - video: how frames are coded (nil: no frame).
    ///   - audio: how audio is coded.
    public init(
        name: String, largestSize: PixelSize? = nil, video: VideoOutputSettings?,
        audio: AudioOutputSettings = AudioOutputSettings(codec: .aac, bitrate: 192_000)
    ) {
        self.init(name, largestSize, video: video, audio: audio)
    }

    private init(
        _ name: String, _ size: PixelSize? = nil, video: VideoOutputSettings?,
        audio: AudioOutputSettings = AudioOutputSettings(codec: .aac, bitrate: 192_000),
        isPassthrough: Bool = false
    ) {
        self.isPassthrough = isPassthrough
        self.name = name
        largestSize = size
        self.video = video
        self.audio = audio
    }

    /// The film's own size, H.264, CRF 18.
    public static let highest = ExportPreset(
        "highest", video: h264(crf: 18), audio: AudioOutputSettings(codec: .aac, bitrate: 256_000))
    /// At most 3840x2160, H.264, CRF 20.
    public static let p2160 = ExportPreset(
        "2160p", PixelSize(width: 3840, height: 2160), video: h264(crf: 20))
    /// At most 1920x1080, H.264, CRF 20.
    public static let p1080 = ExportPreset(
        "1080p", PixelSize(width: 1920, height: 1080), video: h264(crf: 20))
    /// At most 1280x720, H.264, CRF 20.
    public static let p720 = ExportPreset(
        "720p", PixelSize(width: 1280, height: 720), video: h264(crf: 20))
    /// At most 960x540, H.264, CRF 21.
    public static let p540 = ExportPreset(
        "540p", PixelSize(width: 960, height: 540), video: h264(crf: 21))
    /// At most 1920x1080, HEVC, CRF 23.
    public static let hevc1080 = ExportPreset(
        "hevc-1080p", PixelSize(width: 1920, height: 1080),
        video: VideoOutputSettings(
            codec: .hevc, rate: .quality(23), preset: "veryfast", keyFrameInterval: .seconds(2)))
    /// Audio alone, AAC, in containers that hold none (WebM) in their usual codec.
    public static let audioOnly = ExportPreset("audio", video: nil)

    /// Nothing is decoded: coded frames and audio of the sources are copied, and edit lists cut them to
    /// the exact times (MP4 and QuickTime). What would have to be rendered is refused.
    public static let passthrough = ExportPreset("passthrough", video: nil, isPassthrough: true)

    /// Every preset, the default first.
    public static let all = [
        highest, p2160, p1080, p720, p540, hevc1080, audioOnly, passthrough,
    ]

    public static func named(_ name: String) -> ExportPreset? { all.first { $0.name == name } }

    private static func h264(crf: Double) -> VideoOutputSettings {
        VideoOutputSettings(
            codec: .h264, rate: .quality(crf), preset: "veryfast", keyFrameInterval: .seconds(2))
    }

    /// The same in the film's own size, coded as quickly as its codec can: for a look at a film.
    public var quickest: ExportPreset {
        guard !isPassthrough else { return self }
        var video = video
        if video?.codec.isPredictive ?? false { video?.preset = "ultrafast" }
        return ExportPreset(name, video: video, audio: audio)
    }

    /// The same with the codecs that are usual for a container and for a film's frames, where the preset's are not: of
    /// frames only those of `all`, whose codec nobody chose.
    /// - Parameters:
    ///   - container: nil: not known.
    ///   - color: of the frames; nil: not known.
    package func fitted(
        to container: OutputContainer?, _ color: ColorDescription?
    ) -> ExportPreset {
        guard !isPassthrough else { return self }
        var video = video
        if ExportPreset.all.contains(self) {
            if let container, video?.codec.isHeld(by: container) == false {
                video = container.usualVideoCodec.map { video?.coded(as: $0) } ?? video
            }
            if video?.codec == .h264, color?.rangeName != nil,
                container.map(VideoCodec.hevc.isHeld) ?? true
            {
                video = video?.coded(as: .hevc)
            }
        }
        return ExportPreset(
            name, largestSize, video: video,
            audio: container.map(audio.fitted) ?? audio)
    }

    /// Whether nobody chose how frames are coded, but perhaps in which codec.
    package var hasUsualVideo: Bool {
        guard let video else { return true }
        return ExportPreset.all.contains { preset in
            guard let own = preset.video else { return false }
            var usual = own
            // as good as the codec is usually
            (usual.codec, usual.rate) = (video.codec, nil)
            return [own, own.coded(as: video.codec), usual].contains(video)
        }
    }

    /// Whether nobody chose how audio is coded, and it is AAC.
    var hasUsualAudio: Bool {
        audio.codec == .aac && ExportPreset.all.contains { $0.audio == audio } && hasUsualVideo
    }

    /// The size a film of `size` gets: never larger, its shape kept, both sides even.
    public func size(for size: PixelSize) -> PixelSize {
        guard let largest = largestSize else { return size.even(scale: 1) }
        let isStanding = size.height > size.width
        let width = Double(isStanding ? largest.height : largest.width)
        let height = Double(isStanding ? largest.width : largest.height)
        return size.even(scale: min(1, width / Double(size.width), height / Double(size.height)))
    }
}

extension VideoCodec {
    fileprivate func isHeld(by container: OutputContainer) -> Bool {
        container.videoCodecs.contains(self)
    }
}

extension VideoOutputSettings {
    /// In another codec. The quality is that codec's usual one, better or worse by as much as this one's was.
    fileprivate func coded(as other: VideoCodec) -> VideoOutputSettings {
        var settings = self
        settings.codec = other
        if case .quality(let value) = rate, let usual = codec.usualQuality,
            let base = other.usualQuality, let range = other.qualities
        {
            settings.rate = .quality(
                min(range.upperBound, max(range.lowerBound, base + value - usual)))
        }
        return settings
    }
}

extension AudioOutputSettings {
    fileprivate func fitted(to container: OutputContainer) -> AudioOutputSettings {
        guard !container.audioCodecs.contains(codec) else { return self }
        let codec = container.usualAudioCodec
        return AudioOutputSettings(
            codec: codec, bitrate: [.aac, .opus, .mp3].contains(codec) ? bitrate : nil)
    }
}

extension PixelSize {
    /// Scaled and rounded to even sides, at least two pixels each.
    fileprivate func even(scale: Double) -> PixelSize {
        func side(_ length: Int) -> Int { max(2, Int((Double(length) * scale / 2).rounded()) * 2) }
        return PixelSize(width: side(width), height: side(height))
    }
}
