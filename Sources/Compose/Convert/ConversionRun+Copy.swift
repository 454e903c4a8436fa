internal import Media
internal import Movie
internal import Reading

/// A conversion that copies coded samples and decodes nothing.
extension ConversionRun {
    func copy(
        _ plan: ConversionPlan, _ texts: ConversionTexts, _ written: inout Written,
        _ progress: Progress
    ) throws(MediaError) {
        let output = written.output
        let copy: MovieCopy
        do throws(MediaError) {
            copy = try MovieCopy(
                plan.written.map { $0.copied(of: conversion.asset, from: plan.range.start) },
                texts: texts.tracks, to: output.temporaryPath, container: container,
                metadata: metadata, movieScale: Composition.timescale)
        } catch {
            output.discard()
            throw error
        }
        output.keep(copy.keepLock())
        do {
            for chapter in conversion.chapters(in: plan) {
                try copy.mark(chapter.title, at: chapter.time)
            }
            var steps = 0
            while let reached = try copy.step() {
                steps += 1
                guard steps % 64 == 1 else { continue }
                try checkCancelled()
                progress(reached.time, 0, reached.bytes)
            }
            let result = try copy.finish()
            written.duration = result.duration
            written.bytes = result.fileBytes
            written.frames = zip(plan.written, result.shownCounts)
                .filter { $0.0.source.mediaType == .video }
                .reduce(0) { $0 + Int64($1.1) }
            progress(result.duration, written.frames, result.fileBytes)
        } catch {
            copy.abandon()
            output.discard()
            throw error
        }
    }
}

extension ConversionPlan.Track {
    /// The track's samples, as much of them as is wanted.
    func copied(of asset: Asset, from start: MediaTime) -> CopiedTrack {
        CopiedTrack(spans: [.init(asset: asset, track: source, from: start, target: range)])
    }
}
