internal import Media
internal import Movie
internal import Reading

/// An export that copies coded samples and encodes nothing.
extension ExportRun {
    func copy(
        to path: String, as container: OutputContainer?
    ) async throws(MediaError) -> ExportReport {
        let start = clock.now()
        return try await NamedThread.run("vcap-export") { () throws(MediaError) in
            try copied(to: path, as: container, from: start)
        }
    }

    private func copied(
        to path: String, as container: OutputContainer?, from start: MediaTime
    ) throws(MediaError) -> ExportReport {
        let shelf = SourceShelf(film.assets)
        let plan = try ExportPlanner(film: film, settings: settings).plan(shelf)
        let kind = try copyContainer(path, container)
        let output = try checkedOutput(path, container)
        _ = try UnfinishedExport.take(over: output, plan: plan)
        output.discardFront()
        let tracks = try plan.copiedTracks(shelf)
        let texts = try texts(plan, path, kind, shelf)
        let copy: MovieCopy
        do throws(MediaError) {
            copy = try MovieCopy(
                tracks, texts: texts.tracks, to: output.temporaryPath, container: kind,
                metadata: settings.metadata, movieScale: Composition.timescale)
        } catch {
            output.discard()
            throw error
        }
        output.keep(copy.keepLock())
        let result: MovieCopy.Result
        var bytes: Int64
        do throws(MediaError) {
            result = try run(copy, plan, path, from: start)
            bytes = result.fileBytes
            if settings.isNetworkReady { bytes = try output.putIndexInFront() }
        } catch {
            copy.abandon()
            output.discard()
            throw error
        }
        try output.complete()
        return report(plan, result, texts, path, bytes, elapsed: clock.now() - start)
    }

    private func copyContainer(
        _ path: String, _ container: OutputContainer?
    ) throws(MediaError) -> OutputContainer {
        guard let kind = container ?? OutputContainer(path: path), MovieCopy.applies(to: kind)
        else {
            throw .setting(
                "preset",
                "Cannot copy samples to \(path): only mp4 and mov can show a part of what they "
                    + "hold; take one of them, or another preset.")
        }
        return kind
    }

    private func run(
        _ copy: MovieCopy, _ plan: ExportPlan, _ path: String, from start: MediaTime
    ) throws(MediaError) -> MovieCopy.Result {
        for chapter in film.chapters {
            let into = chapter.time.timelineTicks - plan.range.start.timelineTicks
            guard into >= 0, MediaTime.timeline(into) < plan.range.duration else { continue }
            try copy.mark(chapter.title, at: .timeline(into))
        }
        var steps = 0
        while let reached = try copy.step() {
            steps += 1
            guard steps % 64 == 1 else { continue }
            if isCancelled() { throw MediaError.cancelled(path) }
            let time = min(reached.time, plan.range.duration)
            onProgress(
                ExportProgress(
                    frames: 0, frameCount: 0, time: time, duration: plan.range.duration,
                    bytes: reached.bytes, elapsed: clock.now() - start, made: time))
        }
        return try copy.finish()
    }

    private func report(
        _ plan: ExportPlan, _ result: MovieCopy.Result, _ texts: FilmTexts, _ path: String,
        _ bytes: Int64, elapsed: MediaTime
    ) -> ExportReport {
        ExportReport(
            path: path, duration: result.duration,
            frames: plan.size == nil ? 0 : Int64(result.shownCounts.first ?? 0),
            audioFrames: plan.audioFrameCount, bytes: bytes, size: plan.size, resumedFrames: 0,
            limitedSamples: 0, textTracks: texts.report,
            notes: plan.notes + texts.notes, elapsed: elapsed)
    }
}

extension ExportPlan {
    /// The tracks of a film that is copied: pictures first.
    func copiedTracks(_ shelf: SourceShelf) throws(MediaError) -> [CopiedTrack] {
        var tracks: [CopiedTrack] = []
        for spans in [size == nil ? [] : spans, size == nil ? spans : soundSpans]
        where !spans.isEmpty {
            var copied: [CopiedTrack.Span] = []
            for span in spans {
                guard case .copy(let source, let from) = span.work else { continue }
                let (asset, track) = try shelf.track(source)
                let start = span.range.start.timelineTicks - range.start.timelineTicks
                copied.append(
                    CopiedTrack.Span(
                        asset: asset, track: track, from: from,
                        target: .ticks(start, span.range.duration.timelineTicks)))
            }
            tracks.append(CopiedTrack(spans: copied))
        }
        return tracks
    }
}
