internal import LibAV
public import Media
public import Movie
public import Reading
public import Writing

/// What a conversion will do, before it does it: each track of the source, and why it is not simply copied.
public struct ConversionPlan: Sendable, Hashable {
    /// What becomes of a track.
    public enum Treatment: Sendable, Hashable {
        /// Its coded samples are taken over as they are.
        case copy
        case encodeVideo(VideoOutputSettings, size: PixelSize?, frameRate: FrameRate?)
        /// Of so many frames some are copied, and those are encoded that need others outside of the range.
        case join(VideoOutputSettings, frames: Int64, copied: Int64)
        case encodeAudio(AudioOutputSettings, sampleRate: Int, channels: Int)
        /// Subtitles, written as the container has them.
        case carryText
        /// Metadata, written as the container has it.
        case carryMetadata
        case leaveOut
    }

    public struct Track: Sendable, Hashable {
        /// The source's track.
        public let source: AssetTrack
        public let treatment: Treatment
        /// Why it is not copied, one half-sentence each.
        public let reasons: [String]
        /// Of the new movie.
        public let range: MediaTimeRange
        /// Whether encoded pictures stay as transparent as they are.
        public var keepsTransparency = false
        /// Of the source's pictures and of those that are encoded; nil where that is not known or no question.
        var pixels: PixelChange?
        /// Whether the source's frames have two fields.
        var isInterlaced = false
        /// A preset that was asked for and that the chosen codec's encoder does not have.
        var unusedPreset: String?
        /// Of frames that are joined.
        var joint: ConversionJoint?

        struct PixelChange: Sendable, Hashable {
            var source: PixelFormat
            var written: PixelFormat
        }
    }

    public let container: OutputContainer
    /// Of the source (movie time).
    public let range: MediaTimeRange
    /// In the order of the source.
    public let tracks: [Track]
    /// What besides tracks is left out and why; one sentence each.
    public let losses: [String]

    /// Whether nothing is decoded.
    public var isCopied: Bool {
        written.allSatisfy { $0.treatment == .copy }
    }

    /// Pictures and sound that are written.
    var written: [Track] {
        tracks.filter {
            $0.treatment != .leaveOut && $0.treatment != .carryText
                && $0.treatment != .carryMetadata
        }
    }
}

extension ConversionPlan.Track {
    /// One sentence for what is left out, nil for what is not.
    var loss: String? { absence.map { "The \($0)." } }

    /// What is left out and why, to stand in a sentence; nil for what is not.
    var absence: String? {
        guard treatment == .leaveOut else { return nil }
        let (kind, verb) =
            switch source.mediaType {
            case .video: ("video", "is")
            case .audio: ("audio", "is")
            case .text: ("subtitles", "are")
            case .metadata: ("metadata", "is")
            }
        return "\(kind) of track \(source.id) \(verb) left out, because "
            + reasons.joined(separator: " and ")
    }
}

extension ConversionPlan.Track {
    /// Whether coded frames of the source are in the new movie.
    private var keepsFrames: Bool {
        if case .join = treatment { true } else { treatment == .copy }
    }

    /// What is written as others may not expect it, one sentence each.
    func cautions(in container: OutputContainer) -> [String] {
        var sentences: [String] = []
        if case .encodeVideo(let output, _, _) = treatment,
            let name = source.format?.video?.color.rangeName,
            output.codec.encodableFormat(for: source.isDeep ? .yuv420p10le : .yuv420p).bitDepth < 10
        {
            sentences.append(
                "The frames of track \(source.id) are \(name) and are written with 8 bits, in "
                    + "which soft gradients show steps"
                    + (source.isDeep ? ": hevc keeps 10." : "."))
        }
        if case .encodeVideo(let output, _, _) = treatment, let unusedPreset {
            sentences.append(
                "The preset \(unusedPreset) is left out of track \(source.id): its frames are written as "
                    + "\(output.codec.rawValue), which has no presets.")
        }
        if let pixels, source.format?.video?.color.rangeName == nil,
            let loss = pixels.loss
        {
            sentences.append(
                "The frames of track \(source.id) (\(pixels.source.rawValue)) are written as "
                    + "\(pixels.written.rawValue), with \(loss).")
        }
        if case .encodeVideo(_, _, let rate) = treatment, isInterlaced {
            sentences.append(source.interlacedCaution(at: rate))
        }
        if source.hasUnreadOpacity, treatment != .leaveOut {
            sentences.append(
                "The frames of track \(source.id) are transparent in part, which is not read of "
                    + "\(source.codecTag): they are written opaque.")
        }
        if case .encodeAudio(let output, _, _) = treatment,
            let loss = source.lostBits(in: output.codec)
        {
            sentences.append("The audio of track \(source.id) \(loss).")
        }
        if keepsFrames, !container.holdsCleanAperture, let loss = source.apertureLoss {
            sentences.append(loss)
        }
        let isKept = treatment == .copy && container.holdsDolbyVision
        if !source.dolbyVision.isEmpty, treatment != .leaveOut, !isKept {
            sentences.append(
                "The Dolby Vision configuration of track \(source.id) is not carried over: players "
                    + "show the frames without it.")
        }
        if source.hasHDR10Plus, case .encodeVideo = treatment {
            sentences.append(
                "The HDR10+ metadata of track \(source.id) is not carried over: players show the "
                    + "frames without it.")
        }
        return sentences
    }
}

extension AssetTrack {
    /// One sentence of what becomes of frames that are interlaced.
    /// - Parameter rate: of the new ones; nil: as many as there are.
    func interlacedCaution(at rate: FrameRate?) -> String {
        "The frames of track \(id) are interlaced and are " + interlacedTreatment(at: rate)
    }

    private func interlacedTreatment(at rate: FrameRate?) -> String {
        if format?.video?.codec == .hevc {
            return "written as they are: what moves may show combs."
        }
        guard Deinterlacer.isAvailable else {
            return
                "written as they are, because libavfilter is not installed (Debian's libavfilter8): what moves "
                + "may show combs."
        }
        if let rate, rate.approximate > 1.5 * FrameRate.usual(of: self).approximate {
            return "made whole."
        }
        // times that count frames have none for second fields
        return "made whole, each of its first field"
            + (timescale >= 600 ? ": twice the frame rate keeps both." : ".")
    }
}

extension ConversionPlan {
    /// As `Track.cautions`, of all tracks.
    public var cautions: [String] { tracks.flatMap { $0.cautions(in: container) } + flagCautions }

    /// Of flags of tracks that have no place.
    private var flagCautions: [String] {
        let carried = tracks.filter { $0.treatment != .leaveOut }
        var sentences: [String] = []
        for track in carried {
            let (source, kind) = (track.source, track.source.mediaType)
            let isDone = [.copy, .carryText, .carryMetadata].contains(track.treatment)
            if source.isForced, !(isDone && container.holdsForcedTracks(of: kind)) {
                sentences.append(
                    "The forced flag of track \(source.id) is not carried over: players show the track "
                        + "only where it is asked for.")
            }
            let isOneOfSeveral = carried.contains {
                $0.source.mediaType == kind && $0.source.isDefault
            }
            if !source.isDefault, isOneOfSeveral, !container.holdsDefaultTracks {
                sentences.append(
                    "Track \(source.id) is not played by default, which is not carried over: players may "
                        + "take it without being asked.")
            }
        }
        return sentences
    }
}

extension ConversionPlan.Track.PixelChange {
    /// What is lost from one to the other, in a few words; nil for nothing.
    fileprivate var loss: String? {
        guard !source.isRGB else { return nil }
        var lost: [String] = []
        if written.bitDepth < source.bitDepth {
            lost.append("\(written.bitDepth) bits instead of \(source.bitDepth)")
        }
        if written.colorShare > source.colorShare { lost.append("less detail in its colours") }
        return lost.isEmpty ? nil : lost.joined(separator: " and ")
    }
}

extension PixelFormat {
    /// Pixels that share a sample of colour (1, 2 or 4); 4 where there is no colour.
    fileprivate var colorShare: Int {
        let planes = layout.planes
        if isRGB { return 1 }
        if planes.count > 1 { return planes[1].pixelsPerGroup * planes[1].rowsPerRow }
        return planes[0].pixelsPerGroup == 2 ? 2 : 4
    }
}

extension AssetTrack {
    /// Where samples that are kept exactly lose some of their width; nil elsewhere.
    fileprivate func lostBits(in codec: AudioCodec) -> String? {
        guard let own = format?.audio?.significantBits, let most = codec.sampleBits, most < own
        else { return nil }
        return "has samples of \(own) bits and is written with \(most)"
    }
}

extension AssetTrack {
    /// One sentence for a movie without the clean aperture of these frames; nil: they have none.
    var apertureLoss: String? {
        guard let aperture = format?.video?.cleanAperture else { return nil }
        return
            "The clean aperture of track \(id) (\(aperture.width)x\(aperture.height)) is not carried "
            + "over: players show the whole of each frame."
    }
}

extension AudioCodec {
    /// Widest samples that come back as they were (bits); nil for codecs with losses.
    fileprivate var sampleBits: Int? {
        switch self {
        case .flac, .alac, .pcm24: 24
        case .pcm16: 16
        default: nil
        }
    }
}
