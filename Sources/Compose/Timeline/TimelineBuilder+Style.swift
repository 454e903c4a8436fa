internal import Media
internal import Reading

extension TimelineBuilder {
    /// What the film's frames are like: settings first, then the first movie, then the first clip with frames (animations
    /// and still ones have no rate of their own), then 1080p at 30. What is generated is made as the film is.
    func style() -> FilmStyle {
        var style = FilmStyle(
            renderSize: PixelSize(width: 1920, height: 1080),
            frameDuration: FrameRate(30).frameDuration)
        // what lies over the film's own clips is no measure of it, but for its rate where those have none
        let own = timeline.videos.compactMap(shownTrack)
        let all = own + timeline.overlays.flatMap(\.videos).compactMap(shownTrack)
        let shown = own.isEmpty ? all : own
        let lead = shown.first(where: \.isMovie) ?? shown.first
        if let lead, let format = lead.format?.video {
            style = FilmStyle(firstClip: format, track: lead)
        }
        if lead?.isMovie == false, let track = all.first(where: \.isMovie) {
            style.frameDuration = FrameRate.film(of: track).frameDuration
        }
        let settings = timeline.settings
        if let size = settings.renderSize { style.renderSize = size }
        if let rate = settings.frameRate { style.frameDuration = rate.frameDuration }
        if let color = settings.color { style.color = color }
        if let format = settings.pixelFormat { style.pixelFormat = format }
        return style
    }

    /// The track of a file whose frames a clip shows.
    private func shownTrack(_ item: VideoItem) -> AssetTrack? {
        guard item.generator == nil, let asset = assets[item.mediaPath] else { return nil }
        let track =
            item.track.map { number in asset.tracks.first { $0.id == number } }
            ?? asset.usable(.video)
        return track?.format?.video == nil ? nil : track
    }

    /// What a clip is of: a file that has been loaded, or what is generated for it.
    /// - Parameter name: of the clip, for messages.
    func asset(of item: VideoItem, _ name: String) throws(MediaError) -> Asset {
        guard let generator = item.generator else { return try asset(item.mediaPath, name) }
        return GeneratorMedia(
            generator, style: style(),
            length: item.end ?? timeline.settings.stillDuration
        ).asset
    }

    /// Where a clip ends that does not say, of what has no end of its own: still pictures and what is generated.
    func usualEnd(of item: VideoItem, _ track: AssetTrack) -> MediaTime? {
        if case .counter(let counter)? = item.generator, counter.direction == .down,
            let from = counter.from
        {
            return from
        }
        guard track.isStill || item.generator != nil else { return nil }
        let length = timeline.settings.stillDuration.timelineTicks
        return .timeline(item.start.timelineTicks + length)
    }
}

extension AssetTrack {
    /// Whether its frames have a rate: no still picture and no animation.
    var isMovie: Bool { !isStill && !isAnimation }
}
