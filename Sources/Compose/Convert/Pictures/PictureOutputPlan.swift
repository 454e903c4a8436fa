public import Media
internal import Movie
public import Reading

/// What a conversion into pictures will do.
public struct PictureOutputPlan: Sendable {
    public let output: PictureOutput
    /// The source's pictures.
    public let source: AssetTrack
    /// Of the source (movie time).
    public let range: MediaTimeRange
    /// Pictures a second (nil: the source's own times).
    public let frameRate: FrameRate?
    /// What is left out and why, and what will not look as it should; one sentence each.
    public let losses: [String]
    /// Of the new time line.
    let part: MediaTimeRange
    let keepsTransparency: Bool
}

extension VideoFormat {
    /// Pictures have 8 bits, and of a step no unit.
    fileprivate func depthCaution(of path: String, _ output: PictureOutput) -> String? {
        depth.map {
            "The depth of \(path) (\($0.unit) a step, 16 bits) is no depth in \(output.path): pictures have 8 bits. "
                + "A .mkv with ffv1 keeps it."
        }
    }
}

extension ConversionPlanner {
    /// - Throws: what is wrong with the settings, or that there is no video.
    func plan(for output: PictureOutput) throws(MediaError) -> PictureOutputPlan {
        try settings.validate()
        try refuseMovieSettings(for: output)
        guard let track = asset.tracks.first(where: { $0.mediaType == .video && $0.format != nil }),
            let format = track.format?.video
        else {
            throw MediaError(
                code: .unsupported, subject: asset.path,
                message: "Cannot make pictures of \(asset.path): it shows none.")
        }
        if track.isDepth, let filter = conversion.filters.first { throw depthRefusal(filter) }
        let isOne = track.isStill && conversion.sequence == nil
        if case .single = output, !isOne {
            throw .setting(
                "output",
                "\(output.path) is one file, but \(asset.path) has many pictures: put the place of a "
                    + "number into the name, such as %06d, or write a .gif.")
        }
        let range: MediaTimeRange
        if isOne, settings.duration == nil {
            range = MediaTimeRange(start: .zero, duration: .seconds(1))
        } else {
            range = try self.range()
        }
        guard let part = part(track, in: range) else {
            throw .setting("range", "Nothing of \(asset.path) is shown in the range to convert.")
        }
        return PictureOutputPlan(
            output: output, source: track, range: range,
            frameRate: settings.frameRate ?? (isOne ? FrameRate(1) : nil),
            losses: losses(besides: track, for: output)
                + [
                    format.color.stillCaution(of: asset.path),
                    format.depthCaution(of: asset.path, output),
                    isInterlaced(track)
                        ? track.interlacedCaution(at: settings.frameRate) : nil,
                ].compactMap { $0 },
            part: part,
            keepsTransparency: try keepsTransparency(track, format, output))
    }

    private func isInterlaced(_ track: AssetTrack) -> Bool {
        guard conversion.sequence == nil, !track.isStill, !track.isAnimation else { return false }
        return track.isInterlaced || asset.firstField(of: track) != nil
    }

    private func keepsTransparency(
        _ track: AssetTrack, _ format: VideoFormat, _ output: PictureOutput
    ) throws(MediaError) -> Bool {
        guard settings.transparency != .composed,
            try isTransparent(track, format)
        else { return false }
        if settings.transparency == .kept, !output.keepsTransparency {
            throw .setting(
                "background",
                "Cannot keep the transparency of \(asset.path) in a JPEG: write .png, or give a "
                    + "background colour.")
        }
        return output.keepsTransparency
    }

    /// Refuses what only movies have.
    private func refuseMovieSettings(for output: PictureOutput) throws(MediaError) {
        let asked: [(String, Bool)] = [
            ("no video", settings.video == .leaveOut), ("a codec", settings.video != .automatic),
            ("a quality or bit rate", settings.rate != nil),
            ("an encoder's preset", settings.preset != nil),
            ("a distance of sync samples", settings.keyFrameInterval != nil),
            ("an audio codec", settings.audio != .automatic && settings.audio != .leaveOut),
            ("an index in front", settings.isNetworkReady),
            ("a blurred fill", settings.fit == .blurred), ("pan and zoom", settings.motion != nil),
        ]
        guard let wrong = asked.first(where: \.1)?.0 else { return }
        throw .setting(
            "output", "\(output.path) holds pictures, not a movie: leave \(wrong) out.")
    }

    private func losses(besides used: AssetTrack, for output: PictureOutput) -> [String] {
        guard conversion.sequence == nil else { return [] }
        var lost: [String] = []
        for track in asset.tracks where track.id != used.id {
            switch track.mediaType {
            case .audio where settings.audio != .leaveOut: lost.append("audio")
            case .text: lost.append("subtitles")
            case .metadata: lost.append("metadata")
            case .video: lost.append("video of track \(track.id)")
            case .audio: break
            }
        }
        if !asset.markers.isEmpty { lost.append("chapters") }
        if !asset.metadata.covers.isEmpty { lost.append("cover art") }
        let kinds = lost.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        guard !kinds.isEmpty else { return [] }
        let isOne = [["audio"], ["metadata"], ["cover art"]].contains(kinds)
        let verb = isOne ? "is" : "are"
        return [
            "The \(kinds.joined(separator: " and ")) of \(asset.path) \(verb) left out, because "
                + "\(output.path) holds frames only."
        ]
    }
}
