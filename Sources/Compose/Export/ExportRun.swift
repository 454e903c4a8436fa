internal import Media
internal import Movie
internal import Writing

/// One export from the plan to the finished file. Rendering is a loop on a thread of its own; the
/// task waits for it, then for the writer.
struct ExportRun: Sendable {
    let film: Film
    let settings: ExportSettings
    let job: OutputJob

    /// A film on its way to its name, and what is reported of it.
    struct Made: Sendable {
        let plan: ExportPlan
        let texts: FilmTexts
        let groups: FilmMetadata
        var draft: OutputDraft
        var tally = ExportTally()
    }

    func export(
        to path: String, as container: OutputContainer?
    ) async throws(MediaError) -> ExportReport {
        let made = try await job.block { () throws(MediaError) in
            try settings.preset.isPassthrough
                ? copy(to: path, as: container) : render(to: path, as: container)
        }
        return try await report(made, path)
    }

    /// Gives what was made its name.
    func report(_ made: Made, _ path: String) async throws(MediaError) -> ExportReport {
        let film = try await job.finish(made.draft)
        return ExportReport(
            path: path, duration: film.duration, frames: film.frames,
            audioFrames: made.tally.audioFrames, bytes: film.bytes,
            size: made.plan.size,
            copiedFrames: made.plan.isCopied ? made.draft.frames : made.plan.copiedFrames,
            resumedFrames: made.tally.resumedFrames, preparedFrames: made.tally.preparedFrames,
            limitedSamples: made.tally.limitedSamples, loudness: made.tally.loudness,
            damagedFrames: made.tally.damagedFrames,
            damagedAudio: made.tally.damagedAudio,
            textTracks: made.texts.report, metadataTracks: made.groups.report,
            notes: made.plan.notes + made.texts.notes + made.groups.notes + made.tally.notes
                + [film.loss].compactMap(\.self),
            elapsed: job.elapsed)
    }

    // MARK: On the export's thread

    /// Where the film grows, once it is sure that it may be there, and what an equal export left of it.
    func claim(
        _ path: String, _ container: OutputContainer?, for plan: ExportPlan
    ) throws(MediaError) -> (draft: OutputDraft, unfinished: UnfinishedExport?) {
        let output = try job.claim(
            path, reading: film.inputPaths, overwrites: settings.overwrites,
            role: .part, as: container ?? OutputContainer(path: path),
            isNetworkReady: settings.isNetworkReady)
        let unfinished = try UnfinishedExport.take(over: output, plan: plan)
        var draft = OutputDraft(output)
        draft.isNetworkReady = settings.isNetworkReady
        // others shift a film's times, or keep nothing that says whose it is
        let kind = container ?? OutputContainer(path: path)
        draft.isResumable =
            settings.keepsUnfinished && plan.canBeResumed && kind?.hasEditLists ?? false
        draft.earlier = unfinished?.part
        return (draft, unfinished)
    }

    /// The film's subtitles; none where nothing states the container, which is refused in a moment.
    func texts(
        _ plan: ExportPlan, _ path: String, _ container: OutputContainer?, _ shelf: SourceShelf
    ) throws(MediaError) -> FilmTexts {
        try FilmTexts(
            film, plan: plan, container: container ?? OutputContainer(path: path) ?? .mp4,
            shelf: shelf)
    }

    /// The same of its metadata.
    func groups(
        _ plan: ExportPlan, _ path: String, _ container: OutputContainer?, _ shelf: SourceShelf
    ) throws(MediaError) -> FilmMetadata {
        try FilmMetadata(
            film, plan: plan, container: container ?? OutputContainer(path: path) ?? .mp4,
            shelf: shelf)
    }

    func render(
        to path: String, as container: OutputContainer?
    ) throws(MediaError) -> Made {
        let shelf = SourceShelf(film.assets)
        let plan = try ExportPlanner(film: film, settings: settings)
            .plan(shelf, for: container ?? OutputContainer(path: path))
        let (draft, unfinished) = try claim(path, container, for: plan)
        var made = Made(
            plan: plan, texts: try texts(plan, path, container, shelf),
            groups: try groups(plan, path, container, shelf), draft: draft)
        let seen = try firstPass(plan, draft.output, shelf, &made.tally)
        let inputs = try job.write(draft.output) { () throws(MediaError) in
            do throws(MediaError) {
                return try ExportInputs(
                    plan: plan, film: film, seen: seen, texts: made.texts.tracks,
                    groups: made.groups.tracks, shelf: shelf, settings: settings,
                    output: draft.output, container: container)
            } catch { throw seen?.lost(draft.output, error) ?? error }
        }
        made.draft.writer = inputs.writer
        do throws(MediaError) { try draft.output.begin(inputs.writer.file?.keepLock()) } catch {
            // what an earlier run left is there for the next one of another name's end
            made.draft.earlier = nil
            made.draft.failure = error
            return made
        }
        do throws(MediaError) {
            let loop = try ExportLoop(
                film: film, plan: plan, settings: settings, shelf: shelf, inputs: inputs)
            let elapsed = { job.elapsed }
            try loop.run(from: unfinished, tally: &made.tally, elapsed: elapsed) {
                tally throws(MediaError) in
                try job.checkCancelled(path)
                job.report(tally.progress(of: plan, bytes: inputs.writer.status.bytesWritten))
            }
        } catch { made.draft.failure = seen?.explained(error) ?? shelf.explained(error) }
        made.draft.frames = made.tally.frames
        made.tally.add(shelf.damage)
        return made
    }
}
