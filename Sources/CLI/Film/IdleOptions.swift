import Compose
import Media
import Movie
import Reading

/// Options that have nothing to act on: what cannot be meant is refused, what merely does nothing is reported.
struct IdleOptions {
    let arguments: Arguments

    /// What an output that is a project has no place for.
    func refuseForProject(_ path: String) throws(CommandFailure) {
        let idle =
            [
                ExportOptions.preset.spec, ExportOptions.copy.spec, ExportOptions.range.spec,
                ExportOptions.networkReady.spec,
                ExportOptions.fast.spec, ExportOptions.still.spec,
                ExportOptions.contactSheet.spec, ExportOptions.waveform.spec,
                ExportOptions.guides.spec, ExportOptions.keepsLight.spec, ExportOptions.plan.spec,
                ExportOptions.planPicture.spec, ExportOptions.progress.spec,
                ExportOptions.progressFormat.spec,
            ] + CodingOptions.ofVideo + CodingOptions.ofAudio
        guard let option = idle.first(where: arguments.isTyped) else { return }
        throw CommandFailure(
            .usage,
            "\(option.name) is for a movie, and \(path) is a project: leave it out, or make a movie "
                + "of the project with vcap export")
    }

    /// What a GIF has no place for.
    func refuseForAnimation() throws(CommandFailure) {
        guard let path = try arguments(ExportOptions.output), OutputPath.ending(of: path) == "gif",
            !arguments.isTyped(ExportOptions.still.spec),
            let option =
                ([
                    ExportOptions.copy.spec, ExportOptions.networkReady.spec,
                    ExportOptions.loudness.spec, ComposeOptions.startTimeCode.spec,
                ]
                + CodingOptions.ofVideo + CodingOptions.ofAudio).first(where: arguments.isTyped)
        else { return }
        throw CommandFailure(
            .usage, "\(option.name) is for a movie, and \(path) is an animation: leave it out")
    }

    /// What has no effect on a film as it is made.
    func warnings(about film: Film) -> [String] {
        var idle: [(OptionSpec, String)] = []
        if arguments.isTyped(ExportOptions.still.spec) {
            let others =
                [
                    ExportOptions.preset.spec, ExportOptions.copy.spec, ExportOptions.range.spec,
                    ExportOptions.networkReady.spec, ExportOptions.contactSheet.spec,
                    ExportOptions.waveform.spec, ExportOptions.loudness.spec,
                    ExportOptions.progress.spec,
                    ComposeOptions.music.spec, ComposeOptions.musicVolume.spec,
                    ComposeOptions.duck.spec, ComposeOptions.voiceOver.spec,
                    ComposeOptions.volume.spec, ComposeOptions.chapter.spec,
                    ComposeOptions.audioCut.spec, ExportOptions.waveform.spec,
                    ComposeOptions.startTimeCode.spec,
                ] + TreatmentOptions.specs + CodingOptions.ofVideo + CodingOptions.ofAudio
            idle += others.map { ($0, "--still writes frames of the whole film") }
        } else if let preset = wantedPreset(of: film), preset.isPassthrough {
            idle.append((ComposeOptions.fit.spec, "--preset passthrough copies the video"))
        } else if let preset = wantedPreset(of: film), preset.video == nil {
            // --contact-sheet and the film's title are for this one, too
            let ofFrames =
                [
                    ExportOptions.copy.spec, ExportOptions.fast.spec,
                    ComposeOptions.motion.spec, ComposeOptions.view.spec,
                    ComposeOptions.follow.spec, ComposeOptions.grade.spec,
                    ComposeOptions.lut.spec, ComposeOptions.fit.spec, ComposeOptions.size.spec,
                    ComposeOptions.rate.spec, ComposeOptions.startTimeCode.spec,
                    ComposeOptions.titleStyle.spec, ComposeOptions.titleLength.spec,
                    ComposeOptions.titleImage.spec, ComposeOptions.titleTheme.spec,
                    ComposeOptions.addedTitle.spec, ComposeOptions.watermark.spec,
                    ComposeOptions.watermarkPlace.spec, ComposeOptions.watermarkMargin.spec,
                    ComposeOptions.watermarkSize.spec, ComposeOptions.watermarkOpacity.spec,
                    ComposeOptions.watermarkStart.spec, ComposeOptions.watermarkLength.spec,
                ] + CodingOptions.ofVideo
            idle += ofFrames.map { ($0, "--preset \(preset.name) writes audio only") }
        }
        if let reason = encodesAll(film) { idle.append((ExportOptions.copy.spec, reason)) }
        if arguments.isOn(ExportOptions.plan) {
            idle.append((ExportOptions.progress.spec, "--plan makes nothing"))
        } else if arguments.isTyped(ExportOptions.planPicture.spec) {
            idle.append((ExportOptions.progress.spec, "--plan-svg makes the plan's drawing alone"))
        } else if !arguments.isSet(ExportOptions.output.spec),
            arguments.isTyped(ExportOptions.contactSheet.spec)
                || arguments.isTyped(ExportOptions.waveform.spec)
        {
            let ofMovies =
                [
                    ExportOptions.copy.spec, ExportOptions.networkReady.spec,
                    ExportOptions.progress.spec,
                ] + CodingOptions.ofVideo + CodingOptions.ofAudio
            idle += ofMovies.map { ($0, "pictures alone are made, for there is no -o") }
        }
        if film.composition.tracks(of: .audio).isEmpty {
            // alone it is refused
            if arguments.isSet(ExportOptions.output.spec) || arguments.isOn(ExportOptions.plan)
                || arguments.isTyped(ExportOptions.contactSheet.spec)
            {
                idle.append((ExportOptions.waveform.spec, "the film has no audio"))
            }
            idle +=
                ([
                    ExportOptions.loudness.spec, ComposeOptions.volume.spec,
                    ComposeOptions.audioCut.spec,
                ]
                + TreatmentOptions.specs + CodingOptions.ofAudio).map {
                    ($0, "the film has no audio")
                }
        }
        if film.videoComposition == nil {
            idle += ([ExportOptions.fast.spec] + CodingOptions.ofVideo).map {
                ($0, "the film has no video")
            }
        }
        let hasStills = film.assets.contains { asset in
            !asset.isGenerated && asset.tracks.contains(where: \.isStill)
        }
        if !hasStills {
            idle.append((ComposeOptions.motion.spec, "no clip is a still picture"))
            if !film.assets.contains(where: \.isGenerated) {
                idle.append((ComposeOptions.stillLength.spec, "no clip is a still picture"))
            }
        }
        if !arguments.isTyped(ExportOptions.still.spec),
            !arguments.isTyped(ExportOptions.contactSheet.spec)
        {
            idle.append((ExportOptions.keepsLight.spec, "no picture is asked for"))
        } else if !FilmStills(film).hasMoreThanStandard {
            idle.append((ExportOptions.keepsLight.spec, "the film is SDR"))
        }
        if !arguments.isTyped(ExportOptions.progress.spec) {
            idle.append((ExportOptions.progressFormat.spec, "--progress says where reports go"))
        }
        var seen: Set<String> = []
        return idle.filter { arguments.isTyped($0.0) && seen.insert($0.0.long).inserted }.map {
            "\($0.0.name) does nothing: \($0.1)"
        }
    }

    /// Why `--copy auto` copies nothing, by what else was asked for.
    private func encodesAll(_ film: Film) -> String? {
        guard (try? arguments(ExportOptions.copy)) == "auto", let preset = wantedPreset(of: film),
            !preset.isPassthrough, preset.video != nil
        else { return nil }
        if let reason = try? CodingOptions.encodesAll(arguments) { return reason }
        if let path = try? arguments(ExportOptions.output),
            let container = OutputContainer(path: path),
            ![.mp4, .mov, .matroska].contains(container)
        {
            return "frames are copied into mp4, mov and mkv only"
        }
        return [.h264, .hevc].contains(preset.video?.codec)
            ? nil : "only H.264 and HEVC are copied, and the preset \(preset.name) makes another"
    }

    private func wantedPreset(of film: Film) -> ExportPreset? {
        try? ExportPreset(arguments, for: film.videoComposition?.color)
    }
}

extension Arguments {
    /// Whether an option stands on the command line, and is not a default or of the configuration.
    func isTyped(_ option: OptionSpec) -> Bool {
        entries[option.long]?.origin == .commandLine
    }

    /// Whether an option has a value that is not its default.
    func isSet(_ option: OptionSpec) -> Bool { entries[option.long] != nil }
}
