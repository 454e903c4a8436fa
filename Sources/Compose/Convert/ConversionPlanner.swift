internal import Media
internal import Movie
internal import Reading
internal import Writing

/// Decides for each track of a source whether it is copied, encoded or left out. Opens tracks to see
/// whether they can be copied; blocks.
struct ConversionPlanner {
    let conversion: Conversion
    let container: OutputContainer
    var asset: Asset { conversion.asset }
    var settings: ConversionSettings { conversion.settings }

    func plan() throws(MediaError) -> ConversionPlan {
        try settings.validate()
        let range = try range()
        var tracks: [ConversionPlan.Track] = []
        let used = asset.tracks.filter { conversion.sequence == nil || $0.mediaType == .video }
        for track in used.prefix(conversion.sequence == nil ? used.count : 1) {
            if let leftOut = obstacle(track, behind: tracks) {
                tracks.append(leftOut)
            } else {
                tracks.append(try plan(track, in: range))
            }
        }
        try requireFrames()
        try requireOneFiltered(tracks)
        let plan = ConversionPlan(
            container: container, range: range, tracks: tracks,
            losses: losses(in: range) + filterNotes(tracks))
        guard !plan.written.isEmpty else {
            let absences = tracks.compactMap(\.absence).map { "the \($0)" }
            throw MediaError(
                code: .unsupported, subject: asset.path,
                message: "Nothing of \(asset.path) can be converted: "
                    + (absences.isEmpty
                        ? "it has no video and no audio."
                        : absences.joined(separator: "; ") + "."))
        }
        return plan
    }

    /// A movie whose frames cannot be read does not become one of audio without being asked.
    private func requireFrames() throws(MediaError) {
        guard !container.isAudioOnly, settings.video != .leaveOut, conversion.sequence == nil,
            let video = asset.tracks(of: .video).first(where: { $0.format == nil }),
            asset.tracks(of: .video).allSatisfy({ $0.format == nil })
        else { return }
        throw MediaError(
            code: .unsupported, subject: asset.path,
            message:
                "Cannot convert the frames of \(asset.path), because \(video.reasonUnread): bring them "
                + "into another codec first, or name a file of audio, such as .m4a, for the audio alone."
        )
    }

    private func losses(in range: MediaTimeRange) -> [String] {
        var losses: [String] = []
        let kind = "a .\(container.rawValue) file has no place for"
        let chapters = asset.chapters(in: range).count
        if chapters > 0, container.isAudioFile {
            losses.append(
                "The \(chapters == 1 ? "chapter" : "\(chapters) chapters") of \(asset.path) "
                    + "\(chapters == 1 ? "is" : "are") left out, because \(kind) them.")
        }
        let hasCover = asset.metadata.covers.contains { !container.holds($0) }
        if hasCover, conversion.filters.isEmpty {
            losses.append(
                "Cover art of \(asset.path) is left out, because \(kind) it.")
        }
        if let loss = timeCodeLoss(in: range) { losses.append(loss) }
        let attachments = asset.attachmentCount
        if attachments > 0 {
            losses.append(
                "\(attachments == 1 ? "A file that is" : "\(attachments) files that are") attached to \(asset.path) "
                    + "(fonts, texts) \(attachments == 1 ? "is" : "are") left out.")
        }
        return losses
    }

    // MARK: Range

    private var isStill: Bool { asset.tracks.contains(where: \.isStill) }

    func range() throws(MediaError) -> MediaTimeRange {
        var length =
            asset.tracks.filter { $0.mediaType.setsLength && !$0.isStill }
            .map(reach(of:)).max() ?? .zero
        if let pictures = conversion.sequence {
            length = pictures.reduce(MediaTime.zero) { $0.followed(by: $1.duration) }.onTimeline()
        } else if isStill {
            guard let shown = settings.duration else {
                throw .setting(
                    "duration",
                    "\(asset.path) is a still picture: say how long it is to show (-t 4s).")
            }
            length = shown.onTimeline()
        }
        guard length > .zero else {
            throw MediaError(
                code: .unsupported, subject: asset.path,
                message: "Cannot convert \(asset.path): it has no length.")
        }
        let whole = MediaTimeRange(start: .zero, duration: length)
        var wanted = whole
        if let range = settings.range {
            let onGrid = MediaTimeRange(
                start: range.start.onTimeline(), duration: range.duration.onTimeline())
            guard let part = whole.intersection(onGrid) else {
                throw .setting(
                    "range",
                    "The range to convert begins at \(range.start.spoken), but \(asset.path) ends at "
                        + "\(whole.end.spoken).")
            }
            wanted = part
        }
        if let most = settings.duration?.onTimeline(), most < wanted.duration {
            wanted = MediaTimeRange(start: wanted.start, duration: most)
        }
        return wanted
    }

    /// What of a track lies in the range, on the new movie's time line; nil: nothing.
    func part(_ track: AssetTrack, in range: MediaTimeRange) -> MediaTimeRange? {
        let end = min(range.end, reach(of: track))
        guard end > range.start, track.start < range.end else { return nil }
        return MediaTimeRange(start: .zero, duration: end - range.start)
    }

    private func reach(of track: AssetTrack) -> MediaTime {
        guard conversion.sequence == nil else { return .seconds(24 * 3600) }
        let once = track.reach.onTimeline()
        return track.isAnimation ? once * Int64(settings.loops) : once
    }

    private func isWhole(_ range: MediaTimeRange) -> Bool {
        !isStill && conversion.sequence == nil && range.start == .zero
            && range.duration >= asset.duration.onTimeline()
    }

    // MARK: Tracks

    /// The track left out, where the container has no place for it; nil: it may have one.
    private func obstacle(
        _ track: AssetTrack, behind others: [ConversionPlan.Track]
    ) -> ConversionPlan.Track? {
        guard container.isAudioOnly else { return nil }
        guard track.mediaType != .video else {
            return leftOut(track, "a .\(container.rawValue) file holds audio only")
        }
        let hasAudio = others.contains {
            $0.source.mediaType == .audio && $0.treatment != .leaveOut
        }
        guard container.isAudioFile, hasAudio, track.mediaType == .audio else { return nil }
        return leftOut(track, "a .\(container.rawValue) file holds one audio track")
    }

    private func plan(
        _ track: AssetTrack, in range: MediaTimeRange
    ) throws(MediaError) -> ConversionPlan.Track {
        if track.format == nil { return leftOut(track, track.reasonUnread) }
        guard track.sampleCount > 0 || conversion.sequence != nil else {
            return leftOut(track, "nothing of it is in the file")
        }
        guard let part = part(track, in: range) else {
            return leftOut(track, "nothing of it lies in the range")
        }
        guard let format = track.format else { return leftOut(track, track.reasonUnread) }
        switch format {
        case .video(let format): return try plan(track, format, range, part)
        case .audio(let format): return try plan(track, format, range, part)
        case .text: return planText(track, part)
        case .metadata: return planMetadata(track, part)
        }
    }

    private func planMetadata(
        _ track: AssetTrack, _ part: MediaTimeRange
    ) -> ConversionPlan.Track {
        guard container.holdsMetadataTracks else {
            return leftOut(
                track, "a .\(container.rawValue) file has no place for it; mp4 and mov have")
        }
        return ConversionPlan.Track(
            source: track, treatment: .carryMetadata, reasons: [], range: part)
    }

    private func leftOut(_ track: AssetTrack, _ reason: String) -> ConversionPlan.Track {
        ConversionPlan.Track(
            source: track, treatment: .leaveOut, reasons: [reason],
            range: MediaTimeRange(start: .zero, duration: .zero))
    }

    private func planText(_ track: AssetTrack, _ part: MediaTimeRange) -> ConversionPlan.Track {
        guard container.textCodec != nil else {
            return leftOut(track, "a .\(container.rawValue) file has no place for text")
        }
        guard settings.video != .leaveOut, asset.tracks.contains(where: { $0.mediaType == .video })
        else { return leftOut(track, "there is no video to show them on") }
        return ConversionPlan.Track(source: track, treatment: .carryText, reasons: [], range: part)
    }

    /// Whether the container takes no samples of the kind, or no part of a track: another one would.
    private func isRefused(_ format: FormatDescription, _ range: MediaTimeRange) -> Bool {
        !container.holdsCopy(of: format) || !(container.hasEditLists || isWhole(range))
    }

    var partReason: String {
        "a part cannot be cut out of coded samples in .\(container.rawValue)"
    }

    /// Why the samples as they are will not do, whatever the kind.
    private func obstacles(
        _ track: AssetTrack, _ format: FormatDescription, _ range: MediaTimeRange,
        _ part: MediaTimeRange
    ) -> [String] {
        if let sound = format.audio, sound.codec == .aac, sound.codecConfiguration.isEmpty {
            return ["its AAC states its form in each sample alone"]
        }
        guard container.holdsCopy(of: format) else {
            let name =
                format.video?.codec?.rawValue ?? format.audio?.codec?.rawValue ?? "raw samples"
            return ["\(name) is not written into .\(container.rawValue)"]
        }
        guard container.hasEditLists || isWhole(range) else {
            return [partReason]
        }
        return copied(track, range, part).obstacle(in: container).map { [$0] } ?? []
    }

    private func copied(
        _ track: AssetTrack, _ range: MediaTimeRange, _ part: MediaTimeRange
    ) -> CopiedTrack {
        CopiedTrack(spans: [.init(asset: asset, track: track, from: range.start, target: part)])
    }

    /// - Parameter isAsked: whether it is what was asked for, and not the samples.
    private func refusal(
        _ track: AssetTrack, _ reasons: [String], isAsked: Bool
    ) -> MediaError {
        MediaError(
            code: isAsked ? .invalidSetting : .unsupported, subject: asset.path,
            message: "Cannot copy track \(track.id) of \(asset.path) without encoding: "
                + reasons.joined(separator: "; ") + ".")
    }

    // MARK: Pictures

    private func plan(
        _ track: AssetTrack, _ format: VideoFormat, _ range: MediaTimeRange, _ part: MediaTimeRange
    ) throws(MediaError) -> ConversionPlan.Track {
        if settings.video == .leaveOut { return leftOut(track, "only the audio is asked for") }
        var reasons = changes(track, format)
        if settings.motion != nil { reasons.append("pan and zoom are asked for") }
        for filter in filters(of: format) {
            reasons.append("the filter \(filter.name) is asked for")
        }
        if settings.transparency == .composed, try isTransparent(track, format) {
            reasons.append("transparent pictures are to be over a colour")
        }
        let isAsked = !reasons.isEmpty || isRefused(.video(format), range)
        if reasons.isEmpty { reasons = obstacles(track, .video(format), range, part) }
        if reasons.isEmpty {
            return ConversionPlan.Track(source: track, treatment: .copy, reasons: [], range: part)
        }
        if settings.video == .copy { throw refusal(track, reasons, isAsked: isAsked) }
        if reasons == [partReason], let joined = try joined(track, format, range, part) {
            return joined
        }
        try checkMotion(track)
        let isTransparent = try isTransparent(track, format)
        let codec = try videoCodec(for: format, isTransparent: isTransparent)
        var output = VideoOutputSettings(
            codec: codec, rate: settings.rate, preset: settings.preset,
            keyFrameInterval: settings.keyFrameInterval ?? .seconds(2))
        // one that was asked for beside a codec without is refused below; of our choice it is left out and reported
        if settings.video == .automatic, !output.hasPresets { output.preset = nil }
        let keepsTransparency = try keepsTransparency(isTransparent, in: codec)
        if keepsTransparency, settings.motion != nil {
            throw .setting(
                "motion",
                "Cannot pan and zoom over \(asset.path) and keep its transparency: give a "
                    + "background colour.")
        }
        do throws(MediaError) {
            try container.requireRoom(for: codec)
            try output.validate()
            let size = settings.size ?? format.uprightPixelSize
            try output.requireRoom(forFrameOf: size)
        } catch { throw .setting("codec", error.message) }
        var planned = ConversionPlan.Track(
            source: track,
            treatment: .encodeVideo(
                output, size: settings.size, frameRate: settings.frameRate ?? stillRate(track)),
            reasons: reasons, range: part, keepsTransparency: keepsTransparency)
        planned.unusedPreset = output.preset == nil ? settings.preset : nil
        if conversion.sequence == nil, !track.isStill, !track.isAnimation {
            look(at: &planned)
        }
        return planned
    }

    /// Decodes a picture to see what it is made of; a track that cannot be decoded is reported later.
    private func look(at track: inout ConversionPlan.Track) {
        track.isInterlaced = track.source.isInterlaced
        guard
            let cursor = try? FrameCursor(
                asset: asset, track: track.source, startingAt: track.source.start)
        else { return }
        defer { cursor.close() }
        let first = try? cursor.picture(at: track.source.start)
        if first?.attachments.fieldOrder != nil { track.isInterlaced = true }
        guard let own = cursor.format.pixelFormat else { return }
        track.pixels = .init(
            source: own,
            written: ConversionFrames.encodedFormat(of: cursor.format, track, settings))
    }

    private func checkMotion(_ track: AssetTrack) throws(MediaError) {
        guard settings.motion != nil, !track.isStill || conversion.sequence != nil else { return }
        throw .setting(
            "motion",
            "Pan and zoom are for a still picture, and \(asset.path) is none: leave them out.")
    }

    /// A clip of one picture gets pictures all along, as every player and editor takes them.
    private func stillRate(_ track: AssetTrack) -> FrameRate? {
        track.isStill && conversion.sequence == nil ? FrameRate(30) : nil
    }

    /// What is asked for that the samples are not.
    private func changes(_ track: AssetTrack, _ format: VideoFormat) -> [String] {
        var reasons = settings.changesFrames
        if case .codec(let codec) = settings.video, format.codec != codec {
            reasons.append("\(codec.rawValue) is asked for")
        }
        let own = format.uprightPixelSize
        if let size = settings.size, size != own {
            reasons.append("\(size.width)x\(size.height) is asked for")
        }
        if let interval = settings.keyFrameInterval, !hasSyncSamplesOnly {
            reasons.append("sync samples at most \(interval.spoken) apart are asked for")
        }
        if let rate = settings.frameRate, track.nominalRate != rate {
            reasons.append("\(rate) frames a second are asked for")
        }
        if conversion.sequence != nil {
            reasons.append("the pictures of a sequence are files of their own")
        } else if track.isStill {
            reasons.append("a still picture has no length")
        }
        if format.orientation != .upright, !container.holdsOrientation {
            reasons.append("a .\(container.rawValue) file cannot say how frames are rotated")
        }
        return reasons
    }

    /// Whether every frame is one anyway in the codec that is asked for.
    private var hasSyncSamplesOnly: Bool {
        guard case .codec(let codec) = settings.video else { return false }
        return [.mjpeg, .ffv1, .prores].contains(codec)
    }

    private func videoCodec(
        for format: VideoFormat, isTransparent: Bool
    ) throws(MediaError) -> VideoCodec {
        if case .codec(let codec) = settings.video { return codec }
        if settings.transparency == .kept, isTransparent {
            return try transparentCodec(for: format.codec)
        }
        var encodable: Set<VideoCodec> = [.h264, .hevc, .av1, .vp9, .ffv1]
        if isTransparent { encodable.insert(.prores) }
        let size = settings.size ?? format.uprightPixelSize
        encodable = encodable.filter { min(size.width, size.height) >= $0.leastSide }
        encodable.formIntersection(container.videoCodecs)
        var codec = format.codec ?? .h264
        if !encodable.contains(codec) { codec = container.usualVideoCodec ?? .h264 }
        // a high dynamic range needs ten bits, and players decode no H.264 that has them
        let isLit = format.color.rangeName != nil
        return isLit && codec == .h264 && encodable.contains(.hevc) ? .hevc : codec
    }

    // MARK: Sound

    private func plan(
        _ track: AssetTrack, _ format: AudioFormat, _ range: MediaTimeRange, _ part: MediaTimeRange
    ) throws(MediaError) -> ConversionPlan.Track {
        if settings.audio == .leaveOut { return leftOut(track, "only the video is asked for") }
        var reasons: [String] = []
        let codec = audioCodec(for: format)
        if case .codec = settings.audio, format.codec != codec {
            reasons.append("\(codec.rawValue) is asked for")
        }
        let isAsked = !reasons.isEmpty || isRefused(.audio(format), range)
        if reasons.isEmpty { reasons = obstacles(track, .audio(format), range, part) }
        if reasons.isEmpty {
            return ConversionPlan.Track(source: track, treatment: .copy, reasons: [], range: part)
        }
        if settings.audio == .copy { throw refusal(track, reasons, isAsked: isAsked) }
        do throws(MediaError) { try container.requireRoom(for: codec) } catch {
            throw .setting("audio codec", error.message)
        }
        return ConversionPlan.Track(
            source: track,
            treatment: .encodeAudio(
                AudioOutputSettings(codec: codec),
                sampleRate: codec.encodableRate(for: format.sampleRate),
                channels: codec.encodableChannels(for: format.channels)),
            reasons: reasons + codec.mixing(of: format.channels), range: part)
    }
}
