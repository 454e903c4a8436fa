import Compose
internal import Glibc
import Media

/// The timeline that the options of `compose` describe.
struct ComposedTimeline {
    let arguments: Arguments
    /// What fills the places in a template's texts.
    var variables = ProjectVariables()

    /// The template, or an empty timeline, with what the options say.
    func base() async throws -> Timeline {
        var timeline = Timeline()
        if let path = try arguments(ComposeOptions.template) {
            timeline = try await ProjectCommand.read(
                path, allowing: [], filling: variables)
            // they are of the template's own length
            (timeline.inPoint, timeline.outPoint) = (nil, nil)
        }
        try checkViews()
        try apply(to: &timeline.settings)
        timeline.overlays += try OverlayWords(arguments: arguments).tracks
        try addTitles(to: &timeline)
        try addAudio(to: &timeline)
        return timeline
    }

    func timeline(of clips: [ClipValue]) async throws -> Timeline {
        var timeline = try await base()
        let transition = try arguments(ComposeOptions.transition) ?? .cut
        let volume = try arguments(ComposeOptions.volume) ?? 1
        if timeline.videos.count + clips.count < 2, transition.kind != .cut,
            arguments.isTyped(ComposeOptions.transition.spec)
        {
            throw CommandFailure(
                .usage, "--transition is for two clips or more, and there is one: leave it out")
        }
        let cuts = AudioCutWords(arguments: arguments)
        try cuts.check(clips: clips.count, behind: !timeline.videos.isEmpty)
        var items: [VideoItem] = []
        for (index, clip) in clips.enumerated() {
            var item = clip.item
            item.volume = volume
            if !(timeline.videos.isEmpty && items.isEmpty) {
                item.transition = transition
                item.audioCut = try cuts.cut(into: index)
            }
            items.append(item)
        }
        try EffectWords(arguments: arguments).check(clips: clips.count)
        let viewed = try viewed(items, of: timeline)
        try await LayoutWords(arguments: arguments).put(viewed, into: &timeline)
        return timeline
    }

    /// Clips of the command line or of a take with what is to be seen and heard of them, and how.
    func viewed(
        _ items: [VideoItem], of timeline: Timeline
    ) throws(CommandFailure) -> [VideoItem] {
        let view = try arguments(ComposeOptions.view)
        let follow = try arguments(ComposeOptions.follow).flatMap(FollowedObject.init(rawValue:))
        let grade = try GradeWords(arguments: arguments).grade
        let treatment = try TreatmentOptions.treatment(arguments)
        let loudness = try arguments(TreatmentOptions.loudness)
        let moves = follow != nil || timeline.settings.stillMotion != .none
        let effects = EffectWords(arguments: arguments)
        var result: [VideoItem] = []
        for (index, item) in items.enumerated() {
            var item = item
            (item.view, item.grade) = (view, grade)
            item.effects = try effects.effects(of: index)
            // nothing was detected in what is generated
            if item.generator == nil { item.follow = follow }
            item.treatment = treatment
            item.loudness = loudness
            // what is typed goes before what a motion would do
            if moves, arguments.isTyped(ComposeOptions.fit.spec) {
                item.fit = timeline.settings.fit
            }
            result.append(item)
        }
        return result
    }

    /// - Throws: where two options say what of a picture is seen.
    private func checkViews() throws(CommandFailure) {
        guard let view = try arguments(ComposeOptions.view) else { return }
        if arguments.isTyped(ComposeOptions.motion.spec) {
            throw CommandFailure(
                .usage,
                "--view and --motion both say what of a picture is seen: leave one of them out")
        }
        if try arguments(ComposeOptions.follow) != nil, view.x != 0.5 || view.y != 0.5 {
            throw CommandFailure(
                .usage,
                "--follow says what is in the middle, so --view can only be nearer: make it such as "
                    + "\(Amounts.decimal(view.zoom, 1))@50,50")
        }
    }

    private func apply(to settings: inout TimelineSettings) throws(CommandFailure) {
        if let size = try arguments(ComposeOptions.size) {
            settings.renderSize = PixelSize(width: size.width, height: size.height)
        }
        if let rate = try arguments(ComposeOptions.rate) { settings.frameRate = try rate.ofFilms }
        settings.startTimeCode =
            try arguments(ComposeOptions.startTimeCode) ?? settings.startTimeCode
        if let fit = try arguments(ComposeOptions.fit) {
            settings.fit = ComposeOptions.fits.first { $0.name == fit }?.fit ?? settings.fit
        }
        if let length = try arguments(ComposeOptions.stillLength) {
            settings.stillDuration = length
        }
        settings.stillMotion = try arguments(ComposeOptions.motion) ?? settings.stillMotion
        let name = try arguments(ComposeOptions.title).map {
            // as much of it as projects take
            String(TitleValue.lines(of: $0).replacing("\n", with: " ").prefix(1000))
        }
        settings.title = name ?? settings.title
    }

    private func addTitles(to timeline: inout Timeline) throws(CommandFailure) {
        try OpeningTitle(arguments: arguments).put(over: &timeline)
        try TitleWords(arguments: arguments).add(to: &timeline)
        try SubtitleWords(arguments: arguments).apply(to: &timeline)
        timeline.fonts += try arguments.all(ComposeOptions.fonts)
        for chapter in try arguments.all(ComposeOptions.chapter) {
            timeline.chapters.append(Chapter(chapter.text, at: chapter.time))
        }
        timeline.chapters.sort { $0.time < $1.time }
        if let mark = try arguments(ComposeOptions.watermark) {
            let isFile = access(mark, R_OK) == 0
            if !isFile, ConvertInputs.endings.contains(OutputPath.ending(of: mark)) {
                throw CommandFailure(
                    .noInput,
                    "cannot read the image \(mark) of --watermark: "
                        + "\(String(cString: strerror(errno))); name a file that is there, or a text"
                )
            }
            timeline.watermark = Watermark(isFile ? .image(path: mark) : .text(mark))
        }
        try WatermarkWords(arguments: arguments).apply(to: &timeline.watermark)
    }

    /// Music of the options takes the place of a template's.
    private func addAudio(to timeline: inout Timeline) throws(CommandFailure) {
        let gain = try arguments(ComposeOptions.musicVolume) ?? 0.3
        let music = try arguments.all(ComposeOptions.music)
        if !music.isEmpty {
            timeline.music = music.map {
                AudioItem($0, volume: gain, fadeOut: .seconds(2), loops: true)
            }
        } else if arguments.isTyped(ComposeOptions.musicVolume.spec) {
            try checkMusic(timeline, ComposeOptions.musicVolume.spec)
            for index in timeline.music.indices { timeline.music[index].volume = gain }
        }
        for voice in try arguments.all(ComposeOptions.voiceOver) {
            timeline.voiceOvers.append(AudioItem(voice.path, at: voice.time))
        }
        if arguments.isOn(ComposeOptions.duck) {
            try checkMusic(timeline, ComposeOptions.duck.spec)
            let under: MusicDucking.Speech = timeline.voiceOvers.isEmpty ? .clips : .both
            timeline.ducking = timeline.ducking ?? MusicDucking(under: under)
        }
    }

    private func checkMusic(
        _ timeline: Timeline, _ option: OptionSpec
    ) throws(CommandFailure) {
        guard timeline.music.isEmpty else { return }
        throw CommandFailure(
            .usage, "\(option.name) is for music: give --music FILE as well, or leave it out")
    }
}
