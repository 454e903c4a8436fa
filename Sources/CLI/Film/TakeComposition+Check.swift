import Compose
internal import Glibc
import Media
import Recording

extension TakeComposition {
    /// Finds out before the take whatever would keep its film from being made and can be known: the
    /// film's name, its options, the template, the sounds and images.
    /// - Parameters:
    ///   - plan: of the take.
    ///   - progress: where the take's own progress goes.
    func check(_ plan: RecordPlan, progress: ProgressTarget?) async throws {
        try LayoutWords(arguments: arguments).check(
            cameras: plan.cameras.count,
            microphones: plan.mixes ? min(1, plan.microphones.count) : plan.microphones.count)
        let timeline = try await ComposedTimeline(
            arguments: arguments, variables: try variables(recorded: nil)
        ).base()
        let opening = try await Self.length(of: timeline)
        try AudioCutWords(arguments: arguments).refuseForTake()
        let effects = EffectWords(arguments: arguments)
        try effects.check(clips: 1)
        try effects.check(
            isDetecting: plan.detection.map { $0.isRecorded && !$0.kinds.isEmpty } ?? false)
        let pictures =
            try (arguments(ComposeOptions.transition)?.imagePaths ?? []) + effects.pictures()
        for image in Self.images(of: timeline) + pictures where access(image, R_OK) != 0 {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(
                errno == EACCES ? .notPermitted : .noInput,
                "cannot read the image \(image) of the film after --then: \(reason)")
        }
        let table = try GradeWords(arguments: arguments).grade.table
        let inputs = timeline.filePaths + pictures + [table].compactMap(\.self)
        if let input = inputs.first(where: { OutputPath.isSame($0, path) }) {
            throw CommandFailure(
                .cannotCreate,
                "the take would be written over \(input), which the film after --then needs: give the take "
                    + "another name with -o")
        }
        if let table {
            do throws(MediaError) { _ = try LookupTable(contentsOf: table) } catch {
                throw CommandFailure(error, while: .reading)
            }
        }
        do throws(MediaError) { try timeline.checkTexts() } catch {
            throw CommandFailure(error, while: .reading)
        }
        let longest = plan.duration.map { min(opening + $0, Composition.longestDuration) }
        let film = try await FilmCommand.load(Self.standIn(for: timeline, lasting: longest))
        let export = try FilmExport(film, title: timeline.settings.title, arguments)
        try export.settings.validate()
        let words = FilmWords(
            arguments: arguments, take: path, timeline: timeline, plan: plan, export: export)
        if longest != nil { try words.checkTimes(until: film.composition.duration) }
        try words.checkPreset()
        if !export.showsPlan {
            try checkOutputs(of: export, reading: inputs, words, progress)
        }
    }

    /// The film without its clips, which are not there yet.
    /// - Parameter length: of the film at most, where that is known: only then it is known how often music
    ///   is repeated.
    private static func standIn(for timeline: Timeline, lasting length: MediaTime?) -> Timeline {
        var standIn = timeline
        standIn.videos = []
        // the camera's rate is known once it is open
        if standIn.settings.frameRate == nil { standIn.settings.startTimeCode = nil }
        standIn.subtitles = []
        standIn.titles = [TitleItem("take", duration: length ?? Composition.longestDuration)]
        standIn.watermark = nil
        if length == nil {
            for index in standIn.music.indices where standIn.music[index].loops {
                standIn.music[index].loops = false
                standIn.music[index].fadeOut = .zero
            }
        }
        return standIn
    }

    private static func images(of timeline: Timeline) -> [String] {
        var images = timeline.titles.compactMap(\.image)
        if case .image(let path) = timeline.watermark?.contents { images.append(path) }
        return images
    }

    private func checkOutputs(
        of export: FilmExport, reading inputs: [String], _ words: FilmWords,
        _ progress: ProgressTarget?
    ) throws {
        let wanted = export.output ?? Self.filmPath(path)
        try export.pictures.check(wanted)
        for sheet in export.pictures.sheets { try Self.checkPicture(sheet, export) }
        if export.pictures.areFrames { return try Self.checkPicture(wanted, export) }
        let isProject = try ProjectOutput(arguments) != nil
        let film = try OutputPath(
            replacesExisting: export.settings.overwrites, inputs: inputs,
            folders: .ofThisProcess,
            endings: isProject ? ProjectOutput.endings : FilmExport.endings
        ).prepare(wanted)
        if isProject { return }
        if OutputPath.isSame(film, path) {
            throw CommandFailure(
                .cannotCreate,
                "the film after --then would be written over its take \(path): give it a name of its own "
                    + "with -o behind --then compose")
        }
        if !wanted.contains("%") {
            do throws(MediaError) {
                try TemporaryOutput.check(film, overwrites: export.settings.overwrites)
            } catch { throw CommandFailure(error, while: .film) }
        }
        try words.checkContainer(film)
        try checkProgress(of: export, film, progress)
        if export.settings.isNetworkReady, !["mp4", "mov"].contains(OutputPath.ending(of: film)) {
            throw CommandFailure(
                .usage, "--network-ready is for .mp4 and .mov, not for \(film): leave it out")
        }
    }

    private func checkProgress(
        of export: FilmExport, _ film: String, _ own: ProgressTarget?
    ) throws(CommandFailure) {
        guard let target = export.progress?.target else { return }
        let report = RecordingSettings(outputPath: path).reportPath
        try target.check(
            replacesExisting: export.settings.overwrites,
            besides: [.movie(film), .movie(path), .report(report)])
        guard case .file(let name) = target, case .file(let other) = own,
            !export.settings.overwrites, OutputPath.isSame(name, other)
        else { return }
        throw CommandFailure(
            .usage,
            "--progress of the take and of the film after --then both name \(name): give two names")
    }

    private static func checkPicture(_ path: String, _ export: FilmExport) throws {
        guard FilmStills.Form(path: path) != nil else {
            throw CommandFailure(
                .usage, "cannot say the kind of picture of \(path) by its ending: use .png or .jpg"
            )
        }
        _ = try WholeFile(
            NumberedPath(path)?.path(1) ?? path, replacesExisting: export.settings.overwrites)
    }
}
