internal import Media
internal import Movie
internal import Reading
internal import Writing

/// One conversion from the plan to the finished file. Decoding is a loop on a thread of its own; the task
/// waits for it, then for the writer.
struct ConversionRun: Sendable {
    let conversion: Conversion
    let container: OutputContainer
    let path: String
    let clock: any MediaClock
    let isCancelled: @Sendable () -> Bool
    let onProgress: @Sendable (ExportProgress) -> Void

    /// What has been written and how.
    struct Written: Sendable {
        let plan: ConversionPlan
        let output: TemporaryOutput
        /// Nil where everything is copied: the file is complete.
        var writer: AssetWriter?
        var duration = MediaTime.zero
        var frames: Int64 = 0
        var bytes: Int64 = 0
        var damage = SourceDamage()
        /// Of encoded pictures.
        var size: PixelSize?
        var texts: [ExportReport.TextTrack] = []
        var notes: [String] = []
        /// Why it ended before its time.
        var failure: MediaError?
    }

    func convert() async throws(MediaError) -> ConversionReport {
        let start = clock.now()
        var written = try await NamedThread.run("vcap-convert") { () throws(MediaError) in
            try write(from: start)
        }
        if let writer = written.writer {
            if let failure = written.failure {
                await writer.cancel()
                throw failure
            }
            do throws(MediaError) {
                let result = try await writer.finish()
                written.duration = result.duration
                written.bytes = result.byteCount
            } catch {
                written.output.discard()
                throw error
            }
        }
        let made = written
        let bytes = try await NamedThread.run("vcap-convert") { () throws(MediaError) in
            var bytes = made.bytes
            do throws(MediaError) {
                if conversion.settings.isNetworkReady {
                    bytes = try made.output.putIndexInFront()
                }
            } catch {
                made.output.discard()
                throw error
            }
            try made.output.complete()
            return bytes
        }
        return report(made, bytes: bytes, elapsed: clock.now() - start)
    }

    private func report(
        _ written: Written, bytes: Int64, elapsed: MediaTime
    ) -> ConversionReport {
        let pictures = written.plan.written.first { $0.source.mediaType == .video }
        return ConversionReport(
            path: path, duration: written.duration,
            tracks: written.plan.written.map { track in
                ConversionReport.Track(
                    mediaType: track.source.mediaType, isCopied: track.treatment == .copy,
                    codec: track.codec)
            }, frames: written.frames, bytes: bytes,
            size: written.size ?? pictures?.size,
            damagedPictures: written.damage.pictures, damagedSound: written.damage.sound,
            textTracks: written.texts, notes: written.notes, elapsed: elapsed)
    }

    // MARK: On the conversion's thread

    private func write(from start: MediaTime) throws(MediaError) -> Written {
        let plan = try ConversionPlanner(conversion: conversion, container: container).plan()
        let output = try checkedOutput()
        let texts = try ConversionTexts(conversion.asset, plan)
        var written = Written(plan: plan, output: output)
        written.notes =
            conversion.sourceNotes
            + plan.tracks.compactMap(\.loss) + plan.mixtures + plan.cautions
            + plan.losses + texts.notes
        written.texts = texts.tracks.map {
            ExportReport.TextTrack(language: $0.language, cues: $0.cues.count)
        }
        let progress = { (time: MediaTime, frames: Int64, bytes: Int64) in
            let reached = min(time, plan.range.duration)
            onProgress(
                ExportProgress(
                    frames: frames, frameCount: 0, time: reached, duration: plan.range.duration,
                    bytes: bytes, elapsed: clock.now() - start, made: reached))
        }
        if plan.isCopied {
            try copy(plan, texts, &written, progress)
        } else {
            written = try encode(plan, texts, written, progress)
        }
        return written
    }

    typealias Progress = (MediaTime, Int64, Int64) -> Void

    /// Where the movie grows, once it is sure that it may be there.
    private func checkedOutput() throws(MediaError) -> TemporaryOutput {
        if conversion.settings.isNetworkReady, !NetworkLayout.applies(to: container) {
            throw .setting(
                "network-ready",
                "Cannot put the index of \(path) in front: only mp4 and mov have one; take one of "
                    + "them, or leave network-ready out.")
        }
        let output = try TemporaryOutput(
            path: path, overwrites: conversion.settings.overwrites)
        if let input = output.collision(with: conversion.paths) {
            throw MediaError(
                code: .cannotCreate, subject: path,
                message: "Will not write over \(input): it is what is converted.")
        }
        try output.refuseIfLocked()
        StaleParts.remove(besides: path)
        output.discardFront()
        return output
    }

    /// What the source says about itself, but for what an earlier writer of ours noted for itself.
    var metadata: MovieMetadata {
        var metadata = conversion.asset.metadata
        metadata.software = conversion.settings.software ?? metadata.software
        metadata.encoderFingerprint = nil
        metadata.values[ExportInputs.digestKey] = nil
        return metadata
    }

    func checkCancelled() throws(MediaError) {
        guard isCancelled() else { return }
        throw MediaError(
            code: .cancelled, subject: path,
            message: "The conversion to \(path) was cancelled; nothing is left of it.")
    }
}

extension ConversionPlan.Track {
    /// Of the new movie's samples.
    var codec: String {
        switch treatment {
        case .encodeVideo(let settings, _, _): settings.codec.rawValue
        case .encodeAudio(let settings, _, _): settings.codec.rawValue
        default:
            source.format?.video?.codec?.rawValue ?? source.format?.audio?.codec?.rawValue
                ?? source.codecTag
        }
    }

    /// Of the new movie's upright picture.
    var size: PixelSize? {
        guard let format = source.format?.video else { return nil }
        guard case .encodeVideo(_, let size, _) = treatment else { return format.uprightPixelSize }
        return size ?? format.uprightPixelSize
    }
}

extension Conversion {
    /// The markers that are written.
    func chapters(in plan: ConversionPlan) -> [Compose.Chapter] {
        plan.container.isSoundFile ? [] : asset.chapters(in: plan.range).map(\.chapter)
    }
}

extension ConversionPlan {
    /// One sentence for each track of more channels than the new one has.
    fileprivate var mixtures: [String] {
        tracks.compactMap { track in
            guard case .encodeAudio(_, _, let channels) = track.treatment,
                let own = track.source.format?.audio?.channels, own > channels
            else { return nil }
            return "The \(own) channels of track \(track.source.id) are mixed into \(channels)."
        }
    }
}
