import Compose
internal import Glibc
import Media

/// The timeline that the options of `compose` describe.
struct ComposedTimeline {
    let arguments: Arguments

    /// The template, or an empty timeline, with what the options say.
    func base() async throws -> Timeline {
        var timeline = Timeline()
        if let path = try arguments(ComposeOptions.template) {
            timeline = try await ProjectCommand.read(path, allowing: [])
        }
        try apply(to: &timeline.settings)
        try addTitles(to: &timeline)
        try addSound(to: &timeline)
        return timeline
    }

    func timeline(of clips: [ClipValue]) async throws -> Timeline {
        var timeline = try await base()
        let transition = try arguments(ComposeOptions.transition) ?? .cut
        let volume = try arguments(ComposeOptions.volume) ?? 1
        for (index, clip) in clips.enumerated() {
            var item = VideoItem(clip.path, volume: volume)
            item.start = clip.span?.start ?? .zero
            item.end = clip.span?.end
            if index > 0 || !timeline.videos.isEmpty { item.transition = transition }
            timeline.videos.append(item)
        }
        return timeline
    }

    private func apply(to settings: inout TimelineSettings) throws(CommandFailure) {
        if let size = try arguments(ComposeOptions.size) {
            settings.renderSize = PixelSize(width: size.width, height: size.height)
        }
        if let rate = try arguments(ComposeOptions.rate) {
            guard case .exactly(let exact) = rate else {
                throw CommandFailure(
                    .usage, "--fps max is for cameras; give a film a rate such as 30")
            }
            settings.frameRate = exact
        }
        if let fit = try arguments(ComposeOptions.fit) {
            settings.fit = ComposeOptions.fits.first { $0.name == fit }?.fit ?? settings.fit
        }
        if let length = try arguments(ComposeOptions.stillLength) {
            settings.stillDuration = length
        }
        settings.title = try arguments(ComposeOptions.title) ?? settings.title
    }

    private func addTitles(to timeline: inout Timeline) throws(CommandFailure) {
        if let text = try arguments(ComposeOptions.title) {
            let style = try arguments(ComposeOptions.titleStyle).flatMap(TitleStyle.init)
            timeline.titles.append(
                TitleItem(
                    text, style: style ?? .fade,
                    duration: try arguments(ComposeOptions.titleLength) ?? .seconds(4),
                    image: try arguments(ComposeOptions.titleImage)))
        }
        for chapter in try arguments.all(ComposeOptions.chapter) {
            timeline.chapters.append(Chapter(chapter.text, at: chapter.time))
        }
        timeline.chapters.sort { $0.time < $1.time }
        if let mark = try arguments(ComposeOptions.watermark) {
            let isFile = access(mark, R_OK) == 0
            timeline.watermark = Watermark(isFile ? .image(path: mark) : .text(mark))
        }
    }

    private func addSound(to timeline: inout Timeline) throws(CommandFailure) {
        let gain = try arguments(ComposeOptions.musicVolume) ?? 0.3
        for path in try arguments.all(ComposeOptions.music) {
            timeline.music.append(
                SoundItem(path, volume: gain, fadeOut: .seconds(2), loops: true))
        }
        for voice in try arguments.all(ComposeOptions.voiceOver) {
            timeline.voiceOvers.append(SoundItem(voice.path, at: voice.time))
        }
        if arguments.isOn(ComposeOptions.duck) {
            timeline.ducking = MusicDucking(under: timeline.voiceOvers.isEmpty ? .clips : .both)
        }
    }
}
