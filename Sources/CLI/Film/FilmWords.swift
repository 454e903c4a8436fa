import Compose
import Media
import Movie
import Recording
import Writing

/// What keeps the film of a take from being made and is known from the words alone, before the take.
struct FilmWords {
    let arguments: Arguments
    /// Where the take goes.
    let take: String
    /// Without the take.
    let timeline: Timeline
    let plan: RecordPlan
    let export: FilmExport

    /// - Parameter end: of the longest film that the take can become.
    func checkTimes(until end: MediaTime) throws(CommandFailure) {
        let ends = "but the film ends at \(Amounts.clock(end, fractionDigits: 3)) at the latest"
        for title in timeline.titles where title.at >= end {
            throw CommandFailure(
                .usage,
                "the title \"\(title.text.prefix(40))\" of the film after --then begins at "
                    + "\(Amounts.clock(title.at, fractionDigits: 3)), \(ends)")
        }
        if let excess = try arguments(ExportOptions.range)?.excess(over: end, of: "the film") {
            throw CommandFailure(.usage, excess + " at the latest")
        }
        if let still = export.pictures.times.last, still >= end {
            throw CommandFailure(
                .usage, "--still is at \(Amounts.clock(still, fractionDigits: 3)), \(ends)")
        }
    }

    func checkPreset() throws(CommandFailure) {
        guard !export.pictures.areFrames else { return }
        if export.pictures.waveform != nil, !mayHaveAudio {
            throw CommandFailure(
                .usage,
                "the film after --then has no audio that --waveform could show: leave it out")
        }
        let preset = export.settings.preset
        if preset.isPassthrough { try refuseRendering() }
        if preset.video == nil, !preset.isPassthrough, !mayHaveAudio {
            throw CommandFailure(
                .usage,
                "--preset audio leaves nothing of the film after --then, whose take has no audio: "
                    + "choose another preset")
        }
    }

    func checkContainer(_ film: String) throws(CommandFailure) {
        guard let container = OutputContainer(path: film) else { return }
        let preset = export.settings.preset.fitted(to: container, nil)
        guard preset.isPassthrough else {
            if let video = preset.video, hasFrames { try container.check(video.codec) }
            if mayHaveAudio { try container.check(preset.audio.codec) }
            return
        }
        guard MovieCopy.applies(to: container) else {
            throw CommandFailure(
                .usage,
                "--preset passthrough copies into .mp4 and .mov only, not into \(film): take one of "
                    + "them with -o, or choose another preset")
        }
        if !plan.cameras.isEmpty, case .encoded(let video) = plan.video {
            try container.check(video.codec)
        }
        if recordsAudio { try container.check(plan.settings(outputPath: take).audio.codec) }
    }

    // MARK: What is known of the film

    /// Whether a microphone was named; the system's own may not be there.
    private var recordsAudio: Bool { plan.microphones.contains { $0 != .automatic } }

    private var mayHaveAudio: Bool {
        !plan.microphones.isEmpty || !timeline.videos.isEmpty || !timeline.overlays.isEmpty
            || !timeline.music.isEmpty || !timeline.voiceOvers.isEmpty
    }

    private var hasFrames: Bool {
        !plan.cameras.isEmpty || !timeline.videos.isEmpty || !timeline.overlays.isEmpty
            || !timeline.titles.isEmpty
    }

    // MARK: Copying

    /// What would have to be rendered, by the option that asks for it.
    private func refuseRendering() throws(CommandFailure) {
        guard let what = try rendered.first(where: \.isAsked)?.what else { return }
        throw CommandFailure(
            .usage,
            "--preset passthrough copies the take as it is coded and renders nothing: leave "
                + "\(what) out, or choose another preset")
    }

    private var rendered: [(isAsked: Bool, what: String)] {
        get throws(CommandFailure) {
            let settings = timeline.settings
            let isLoud = export.film.audioMix.loudness != nil
            let transition = try arguments(ComposeOptions.transition) ?? .cut
            let volume = try arguments(ComposeOptions.volume) ?? 1
            let speaks = recordsAudio && !timeline.voiceOvers.isEmpty
            let shows = !plan.cameras.isEmpty
            return [
                (!timeline.titles.isEmpty, called(titleOption, "titles")),
                (!timeline.overlays.isEmpty, called(ComposeOptions.overlay.spec, "overlays")),
                (try arguments(ComposeOptions.layout) != nil, ComposeOptions.layout.spec.name),
                (timeline.watermark != nil, called(ComposeOptions.watermark.spec, "watermark")),
                (isLoud, called(ExportOptions.loudness.spec, "loudness")),
                (!timeline.music.isEmpty, called(ComposeOptions.music.spec, "music")),
                (speaks, called(ComposeOptions.voiceOver.spec, "voice-overs")),
                (volume != 1 && !plan.microphones.isEmpty, ComposeOptions.volume.spec.name),
                (try hears(TreatmentOptions.lowCut), TreatmentOptions.lowCut.spec.name),
                (try hears(TreatmentOptions.gate), TreatmentOptions.gate.spec.name),
                (try hears(TreatmentOptions.limiter), TreatmentOptions.limiter.spec.name),
                (try arguments(ComposeOptions.view) != nil, ComposeOptions.view.spec.name),
                (try arguments(ComposeOptions.follow) != nil, ComposeOptions.follow.spec.name),
                (try arguments(ComposeOptions.grade) != nil, ComposeOptions.grade.spec.name),
                (try arguments(ComposeOptions.lut) != nil, ComposeOptions.lut.spec.name),
                (transition.kind != .cut, ComposeOptions.transition.spec.name),
                (
                    shows && isOther(settings.frameRate),
                    called(ComposeOptions.rate.spec, "frame rate")
                ),
                (
                    shows && isOther(settings.renderSize),
                    called(ComposeOptions.size.spec, "frame size")
                ),
            ]
        }
    }

    /// Whether an option changes the audio of the take.
    private func hears(_ option: Option<Double>) throws(CommandFailure) -> Bool {
        try arguments(option) != nil && !plan.microphones.isEmpty
    }

    private var titleOption: OptionSpec {
        let options = [ComposeOptions.title.spec, ComposeOptions.addedTitle.spec]
        return options.first { arguments.entries[$0.long] != nil } ?? options[0]
    }

    /// The option, or what of the template it is.
    private func called(_ option: OptionSpec, _ thing: String) -> String {
        arguments.entries[option.long] == nil ? "the template's \(thing)" : option.name
    }

    /// Whether a film's rate is not known to be the take's.
    private func isOther(_ rate: FrameRate?) -> Bool {
        guard let rate else { return false }
        if case .exactly(let own) = plan.cameraSettings.rate {
            return own.frameDuration != rate.frameDuration
        }
        return true
    }

    private func isOther(_ size: PixelSize?) -> Bool {
        guard let size else { return false }
        let sides = plan.cameraSettings.size.map { [$0.width, $0.height].sorted() }
        return sides != [size.width, size.height].sorted()
    }
}

extension OutputContainer {
    fileprivate func check(_ codec: VideoCodec) throws(CommandFailure) {
        do throws(MediaError) { try requireRoom(for: codec) } catch {
            throw CommandFailure(error, while: .writing)
        }
    }

    fileprivate func check(_ codec: AudioCodec) throws(CommandFailure) {
        do throws(MediaError) { try requireRoom(for: codec) } catch {
            throw CommandFailure(error, while: .writing)
        }
    }
}
