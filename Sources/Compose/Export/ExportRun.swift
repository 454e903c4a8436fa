internal import Media
internal import Movie
internal import Writing

/// One export from the plan to the finished file. Rendering is a loop on a thread of its own; the
/// task waits for it, then for the writer.
struct ExportRun: Sendable {
    let film: Film
    let settings: ExportSettings
    let clock: any MediaClock
    let isCancelled: @Sendable () -> Bool
    let onProgress: @Sendable (ExportProgress) -> Void

    /// The writer and what has been appended to it.
    private struct Rendered: Sendable {
        let plan: ExportPlan
        let writer: AssetWriter
        let texts: FilmTexts
        let output: TemporaryOutput
        var tally = ExportTally()
        /// Why rendering ended before the film did.
        var failure: MediaError?
    }

    func export(
        to path: String, as container: OutputContainer?
    ) async throws(MediaError) -> ExportReport {
        if settings.preset.isPassthrough { return try await copy(to: path, as: container) }
        let start = clock.now()
        let rendered = try await NamedThread.run("vcap-export") { () throws(MediaError) in
            try render(from: start, to: path, as: container)
        }
        if let failure = rendered.failure {
            try await end(rendered, failure)
        }
        let result: AssetWriterResult
        do throws(MediaError) { result = try await rendered.writer.finish() } catch {
            rendered.output.discard()
            throw error
        }
        let bytes = try await NamedThread.run("vcap-export") { () throws(MediaError) in
            let bytes = try layOut(rendered)
            try rendered.output.complete()
            return bytes ?? result.byteCount
        }
        return ExportReport(
            path: path, duration: result.duration, frames: rendered.tally.frames,
            audioFrames: rendered.tally.audioFrames, bytes: bytes,
            size: rendered.plan.size, resumedFrames: rendered.tally.resumedFrames,
            limitedSamples: rendered.tally.limitedSamples,
            damagedPictures: rendered.tally.damagedPictures,
            damagedSound: rendered.tally.damagedSound,
            textTracks: rendered.texts.report,
            notes: rendered.plan.notes + rendered.texts.notes + rendered.tally.notes,
            elapsed: clock.now() - start)
    }

    /// Where that fails, the film itself is whole, and the same export can go on from it.
    private func layOut(_ rendered: Rendered) throws(MediaError) -> Int64? {
        guard settings.isNetworkReady else { return nil }
        do throws(MediaError) { return try rendered.output.putIndexInFront() } catch {
            if !(settings.keepsUnfinished && rendered.plan.canBeResumed) {
                rendered.output.discard()
            }
            throw error
        }
    }

    /// A cancelled export keeps what another one can go on from; a failed one leaves nothing.
    private func end(_ rendered: Rendered, _ failure: MediaError) async throws(MediaError) {
        if failure.code == .cancelled, settings.keepsUnfinished, rendered.plan.canBeResumed,
            rendered.tally.frames > 0
        {
            do throws(MediaError) { _ = try await rendered.writer.finish() } catch {
                rendered.output.discard()
                throw error
            }
            throw failure
        }
        await rendered.writer.cancel()
        throw failure
    }

    // MARK: On the export's thread

    /// Where the film grows, once it is sure that it may be there.
    func checkedOutput(
        _ path: String, _ container: OutputContainer?
    ) throws(MediaError) -> TemporaryOutput {
        if settings.isNetworkReady, let kind = container ?? OutputContainer(path: path),
            !NetworkLayout.applies(to: kind)
        {
            throw .setting(
                "network-ready",
                "Cannot put the index of \(path) in front: only mp4 and mov have one; take one of "
                    + "them, or leave network-ready out.")
        }
        let output = try TemporaryOutput(
            path: path, overwrites: settings.overwrites, role: .part)
        let paths = film.composition.sourcePaths
        if let input = output.collision(with: paths) {
            throw MediaError(
                code: .cannotCreate, subject: path,
                message: "Will not write over \(input): the film is made of it.")
        }
        StaleParts.remove(besides: path)
        return output
    }

    /// The film's subtitles; none where nothing tells the container, which is refused in a moment.
    func texts(
        _ plan: ExportPlan, _ path: String, _ container: OutputContainer?, _ shelf: SourceShelf
    ) throws(MediaError) -> FilmTexts {
        try FilmTexts(
            film, plan: plan, container: container ?? OutputContainer(path: path) ?? .mp4,
            shelf: shelf)
    }

    private func render(
        from start: MediaTime, to path: String, as container: OutputContainer?
    ) throws(MediaError) -> Rendered {
        let shelf = SourceShelf(film.assets)
        let plan = try ExportPlanner(film: film, settings: settings)
            .plan(shelf, for: container ?? OutputContainer(path: path))
        let output = try checkedOutput(path, container)
        let texts = try texts(plan, path, container, shelf)
        let unfinished = try UnfinishedExport.take(over: output, plan: plan)
        output.discardFront()
        let inputs = try ExportInputs(
            plan: plan, film: film, texts: texts.tracks, settings: settings, output: output,
            container: container)
        output.keep(inputs.writer.file?.keepLock())
        var rendered = Rendered(
            plan: plan, writer: inputs.writer, texts: texts, output: output)
        do throws(MediaError) {
            let loop = try ExportLoop(
                film: film, plan: plan, settings: settings, shelf: shelf, inputs: inputs)
            try loop.run(from: unfinished, tally: &rendered.tally) { tally throws(MediaError) in
                if isCancelled() { throw .cancelled(path) }
                var now = tally
                now.elapsed = clock.now() - start
                now.bytes = inputs.writer.status.bytesWritten
                onProgress(now.progress(of: plan))
            }
        } catch { rendered.failure = error }
        rendered.tally.add(shelf.damage)
        unfinished?.discard()
        return rendered
    }
}

extension MediaError {
    static func cancelled(_ path: String) -> MediaError {
        MediaError(
            code: .cancelled, subject: path,
            message: "The export of \(path) was cancelled; the same export goes on from where it "
                + "was.")
    }
}
