internal import LibAV
public import Media
package import Movie

/// One track of an asset.
public struct AssetTrack: Sendable, Hashable {
    /// One span of the edit list: what is shown when.
    public struct Edit: Sendable, Hashable {
        /// When, in movie time; nil length = to the end of a growing movie.
        public let start: MediaTime
        public let duration: MediaTime?
        /// What is shown, in track time; nil shows nothing.
        public let mediaTime: MediaTime?
        /// Whether one frame is held for the whole span.
        public var isHeld = false
    }

    /// The container's number of the track.
    public let id: Int
    public let mediaType: MediaType
    /// Nil when its samples cannot be read: `obstacle` says why.
    public let format: FormatDescription?
    /// The container's name for the codec, such as "avc1".
    public let codecTag: String
    /// Ticks per second of the track's times (1/s).
    public let timescale: Int32
    /// From movie time zero to the end (seconds).
    public let duration: MediaTime
    /// Coded samples (count; PCM: chunks).
    public let sampleCount: Int
    public let syncSampleCount: Int
    /// Bytes of samples.
    public let bytes: Int64
    /// Empty: track time is movie time.
    public let edits: [Edit]
    /// Frames per second on average (1/s; nil for audio and for fewer than two frames).
    public let averageRate: Double?
    /// The shortest and longest time between two frames (seconds; nil as for `averageRate`).
    public let frameDurations: ClosedRange<MediaTime>?
    /// BCP 47 (nil = undetermined).
    public let language: String?
    public let name: String?
    public let isEnabled: Bool
    /// Whether players take it without being asked, one of its kind (MP4 and QuickTime: it is enabled; Matroska and
    /// WebM: its default flag; true where the container has none).
    public package(set) var isDefault = true
    /// Whether players show it even where nobody asks for subtitles: those of what is spoken in a foreign language.
    public package(set) var isForced = false
    /// First instant something is shown (movie time).
    public package(set) var start = MediaTime.zero
    /// Whether it is one frame without a length (a picture file): it shows for as long as one likes.
    public package(set) var isStill = false
    /// Whether its pictures move without being a movie (GIF, animated WebP and PNG): each is shown for a time of
    /// its own.
    public package(set) var isAnimation = false
    /// Whether its frames are numbered pictures, each a file of its own.
    public package(set) var isSequence = false
    /// The commonest time between two frames, and those within a tenth of it, on average: what a variable rate
    /// goes by (seconds; nil as for `averageRate`, and where fewer than a quarter are alike).
    public package(set) var commonestFrameDuration: MediaTime?
    /// How often an animation is to be shown (count; nil = for ever); 1 for everything else.
    public package(set) var loops: Int? = 1
    /// Whether frames may be transparent in part, by what the file states before it is decoded (picture files,
    /// animations, ProRes in QuickTime); nil where only decoding would show (other movies).
    public package(set) var hasAlpha: Bool?
    /// Whether its frames are transparent in part, which is not read (VP8 and VP9 in Matroska).
    package var hasUnreadOpacity = false
    /// Why its samples cannot be read, a half-sentence ("it is encrypted"); nil where they can.
    public package(set) var obstacle: String?
    /// Whether frames have two fields, as the stream's headers state, or, of codecs that have no place for it, the
    /// container; single frames may be others.
    public package(set) var isInterlaced = false
    /// Dolby Vision's configuration, a box of MP4; empty: the file has none.
    package var dolbyVision: [UInt8] = []
    /// Whether the metadata of HDR10+ goes with the frames (HEVC).
    public package(set) var hasHDR10Plus = false

    /// Which of Dolby Vision's profiles the frames are of; nil: the file does not say that they are.
    public var dolbyVisionProfile: Int? {
        // behind the box's head and two numbers of the version
        dolbyVision.count > 10 ? Int(dolbyVision[10] >> 1) : nil
    }

    /// For messages about a track without a format.
    package var reasonUnread: String {
        obstacle ?? "its codec \"\(codecTag)\" is none that vcap knows"
    }
}

extension AssetTrack {
    package init(_ track: MovieTrack, movieTimescale: Int32) {
        id = Int(track.id)
        mediaType = track.header.mediaType
        format = track.format
        codecTag = "\(track.code)"
        timescale = track.timescale
        duration = track.duration(movieTimescale: movieTimescale)
        sampleCount = track.samples.count
        syncSampleCount = track.samples.reduce(0) { $0 + ($1.isSync ? 1 : 0) }
        bytes = track.samples.reduce(0) { $0 + Int64($1.size) }
        edits = AssetTrack.edits(of: track, movieTimescale: movieTimescale)
        let steps = track.samples.dropLast().map(\.duration)
        if track.header.mediaType == .video, let least = steps.min(), let most = steps.max() {
            let total = steps.reduce(Int64(0)) { $0 + Int64($1) }
            averageRate =
                total > 0 ? Double(steps.count) * Double(track.timescale) / Double(total) : nil
            frameDurations =
                MediaTime(
                    value: Int64(least), timescale: track.timescale)...MediaTime(
                    value: Int64(most), timescale: track.timescale)
            var counts = StepCounts()
            for step in steps { counts.add(Int64(step)) }
            commonestFrameDuration = counts.commonest(timescale: track.timescale)
        } else {
            averageRate = nil
            frameDurations = nil
        }
        language = track.header.language
        name = track.header.name
        isEnabled = track.isEnabled
        isDefault = track.isEnabled
        isForced = track.header.isForced
        if track.format?.video?.codec == .prores {
            hasAlpha = track.format?.video.flatMap { ProResKind($0.codecConfiguration)?.hasAlpha }
        }
        start = AssetTrack.start(of: track, edits: edits)
        obstacle = track.obstacle
        dolbyVision = track.dolbyVision
        state(nil)
    }

    /// What there is of a track that is not read.
    init(unread track: MovieFile.UnreadTrack, id: Int) {
        self.init(
            id: id, mediaType: track.mediaType ?? .video, format: nil,
            codecTag: track.code.map { "\($0)" } ?? "",
            timescale: 1, duration: .zero, sampleCount: 0, syncSampleCount: 0, bytes: 0, edits: [],
            averageRate: nil, frameDurations: nil, language: nil, name: nil, isEnabled: false)
        obstacle = track.obstacle
    }

    /// Where the first span that shows something begins, and its first sample in it.
    private static func start(of track: MovieTrack, edits: [Edit]) -> MediaTime {
        let shown = edits.first { $0.mediaTime != nil }
        let first = track.samples.prefix(64).map(\.presentationTime).min() ?? 0
        let late = MediaTime(
            value: max(0, first - (shown?.mediaTime?.value ?? 0)), timescale: track.timescale)
        guard let begin = shown?.start, begin > .zero else { return late }
        return (try? begin.adding(late)) ?? begin
    }

    private static func edits(of track: MovieTrack, movieTimescale: Int32) -> [Edit] {
        var start: Int64 = 0
        return track.edits.map { edit in
            let length = Int64(clamping: edit.duration)
            let isOpen = length == 0 && edit.mediaTime != nil
            defer { start = start.addingReportingOverflow(length).partialValue }
            return Edit(
                start: MediaTime(value: start, timescale: movieTimescale),
                duration: isOpen ? nil : MediaTime(value: length, timescale: movieTimescale),
                mediaTime: edit.mediaTime.map { MediaTime(value: $0, timescale: track.timescale) },
                isHeld: edit.rate == 0 && edit.mediaTime != nil)
        }
    }
}
