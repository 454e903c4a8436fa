internal import Media
internal import Movie
internal import Writing

/// A film as a GIF, which is repeated for ever. Its frames are the film's; it has no audio, texts, chapters and metadata.
extension ExportRun {
    func animate(to path: String) async throws(MediaError) -> ExportReport {
        try await job.block { () throws(MediaError) in try makeAnimation(path) }
    }

    private func makeAnimation(_ path: String) throws(MediaError) -> ExportReport {
        let shelf = SourceShelf(film.assets)
        let plan = try ExportPlanner(film: film, settings: settings).plan(shelf, animation: path)
        guard let made = ExportInputs.format(plan, film), let size = plan.size else {
            throw Film.noFrames
        }
        let output = try job.claim(
            path, reading: film.inputPaths, overwrites: settings.overwrites)
        // no colours are stated: those of a GIF are sRGB
        let shown = VideoFormat(coding: .raw(.bgra), width: size.width, height: size.height)
        let sink = try AnimationSink(output, job, shown, hasAlpha: false, loops: nil)
        var tally = ExportTally()
        let closed: (frames: Int, notes: [String])
        do throws(MediaError) {
            let frames = try FilmRenderer(
                film, format: made, threads: settings.threads, shelf: shelf)
            let fitter = TransparentFitter(shown, fit: .contain, natural: size, waiting: 2)
            while tally.frames < plan.frameCount {
                try job.checkCancelled(path)
                let frame = try frames.picture(at: plan.times.time(ofFrame: tally.frames))
                try sink.append(
                    try fitter.fitted(frame, made), at: plan.frameDuration * tally.frames)
                tally.frames += 1
                job.report(tally.progress(of: plan, bytes: sink.bytes))
            }
            tally.notes = frames.warnings
            closed = try sink.close(at: plan.range.duration, Int(tally.frames))
        } catch {
            sink.abandon()
            throw error
        }
        try sink.publish(job, frames: closed.frames)
        tally.add(shelf.damage)
        return ExportReport(
            path: path, duration: plan.range.duration, frames: Int64(closed.frames),
            audioFrames: 0, bytes: sink.bytes, size: size, resumedFrames: 0, limitedSamples: 0,
            damagedFrames: tally.damagedFrames, notes: plan.notes + closed.notes + tally.notes,
            elapsed: job.elapsed)
    }
}

extension ExportPlanner {
    /// What would be done for a GIF.
    /// - Throws: also for what only movies have.
    func plan(_ shelf: SourceShelf, animation path: String) throws(MediaError) -> ExportPlan {
        try settings.validate()
        let asked: [(String, Bool)] = [
            ("the preset \(settings.preset.name)", settings.preset.video == nil),
            ("two passes", settings.passes > 1), ("an index in front", settings.isNetworkReady),
        ]
        if let wrong = asked.first(where: \.1)?.0 {
            throw .setting(
                "output", "\(path) is an animation, not a movie: leave \(wrong) out.")
        }
        guard film.videoComposition != nil else { throw Film.noFrames }
        try film.requireReadableFrames()
        var planner = self
        planner.isSilent = true
        planner.settings.preset = ExportPreset(
            name: settings.preset.name, largestSize: settings.preset.largestSize,
            video: VideoOutputSettings(codec: .gif))
        var plan = try planner.renderingPlan(try range(), shelf)
        plan.notes =
            film.notes + film.allWarnings + FilmStills(film).notes
            + film.losses(in: path)
        return plan
    }
}

extension Film {
    /// What an animation has no place for.
    fileprivate func losses(in path: String) -> [String] {
        let kinds: [(String, Bool)] = [
            ("audio", !composition.tracks(of: .audio).isEmpty),
            ("subtitles", !textTracks.isEmpty),
            ("metadata", !composition.tracks(of: .metadata).isEmpty),
            ("chapters", !chapters.isEmpty),
        ]
        let lost = kinds.filter(\.1).map(\.0)
        guard let last = lost.last else { return [] }
        let isOne = lost.count == 1 && ["audio", "metadata"].contains(last)
        return [
            "The \(lost.joined(separator: " and ")) of the film \(isOne ? "is" : "are") left out, because \(path) holds "
                + "frames only."
        ]
    }
}
