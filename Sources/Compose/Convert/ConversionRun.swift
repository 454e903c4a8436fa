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
    let job: OutputJob

    /// What has been written and how.
    struct Written: Sendable {
        let plan: ConversionPlan
        var draft: OutputDraft
        var damage = SourceDamage()
        /// Of encoded pictures.
        var size: PixelSize?
        var texts: [ExportReport.TextTrack] = []
        var metadata: [ExportReport.MetadataTrack] = []
        var notes: [String] = []
        var filters: [FilterCounts] = []
    }

    func convert() async throws(MediaError) -> ConversionReport {
        let written = try await job.block { () throws(MediaError) in try write() }
        return report(written, try await job.finish(written.draft))
    }

    private func report(_ written: Written, _ movie: OutputDraft) -> ConversionReport {
        let pictures = written.plan.written.first { $0.source.mediaType == .video }
        return ConversionReport(
            path: path, duration: movie.duration,
            tracks: written.plan.written.map { track in
                ConversionReport.Track(
                    mediaType: track.source.mediaType, isCopied: track.treatment == .copy,
                    copiedFrames: track.joinedFrames.copied,
                    encodedFrames: track.joinedFrames.encoded, codec: track.codec)
            }, frames: movie.frames, bytes: movie.bytes,
            size: written.size ?? pictures?.size,
            damagedFrames: written.damage.pictures, damagedAudio: written.damage.sound,
            textTracks: written.texts, metadataTracks: written.metadata, filters: written.filters,
            notes: written.notes + [movie.loss].compactMap(\.self),
            elapsed: job.elapsed)
    }

    // MARK: On the conversion's thread

    private func write() throws(MediaError) -> Written {
        let plan = try ConversionPlanner(conversion: conversion, container: container).plan()
        let output = try job.claim(
            path, reading: conversion.paths, overwrites: conversion.settings.overwrites,
            as: container, isNetworkReady: conversion.settings.isNetworkReady)
        let texts = try ConversionTexts(conversion.asset, plan)
        let groups = try ConversionMetadata(conversion.asset, plan)
        var written = Written(plan: plan, draft: OutputDraft(output))
        written.draft.isNetworkReady = conversion.settings.isNetworkReady
        written.notes =
            conversion.sourceNotes
            + plan.tracks.compactMap(\.loss) + plan.mixtures + plan.cautions
            + plan.losses + texts.notes + groups.notes
        written.metadata = groups.report
        written.texts = texts.tracks.map {
            ExportReport.TextTrack(language: $0.language, cues: $0.cues.count)
        }
        if plan.isCopied {
            try copy(texts, groups, &written)
        } else {
            try encode(texts, groups, &written)
        }
        return written
    }

    private func copy(
        _ texts: ConversionTexts, _ groups: ConversionMetadata, _ written: inout Written
    ) throws(MediaError) {
        let plan = written.plan
        let result = try job.copy(
            plan.written.map { $0.copied(of: conversion.asset, from: plan.range.start) },
            texts: texts.tracks, groups: groups.tracks, chapters: conversion.chapters(in: plan),
            duration: plan.range.duration, to: written.draft.output, as: container,
            metadata: metadata(in: plan.range))
        written.draft.duration = result.duration
        written.draft.bytes = result.fileBytes
        written.draft.frames = zip(plan.written, result.shownCounts)
            .filter { $0.0.source.mediaType == .video }
            .reduce(0) { $0 + Int64($1.1) }
    }

    /// What the source says about itself, but for what an earlier writer of ours noted for itself.
    /// - Parameter range: of the source that is written.
    func metadata(in range: MediaTimeRange) -> MovieMetadata {
        var metadata = conversion.asset.metadata
        metadata.timeCode = metadata.timeCode?.from(range.start, to: range.end)
        metadata.software = conversion.settings.software ?? metadata.software
        metadata.encoderFingerprint = nil
        // it would show what filters hide
        if !conversion.filters.isEmpty { metadata.covers = [] }
        metadata.values[ExportInputs.digestKey] = nil
        return metadata
    }
}

extension ConversionPlan.Track {
    /// The track's samples, as much of them as is wanted.
    func copied(of asset: Asset, from start: MediaTime) -> CopiedTrack {
        CopiedTrack(spans: [.init(asset: asset, track: source, from: start, target: range)])
    }

    /// Of the new movie's samples.
    var codec: String {
        switch treatment {
        case .encodeVideo(let settings, _, _), .join(let settings, _, _): settings.codec.rawValue
        case .encodeAudio(let settings, _, _): settings.codec.rawValue
        default:
            source.format?.video?.codec?.rawValue ?? source.format?.audio?.codec?.rawValue
                ?? source.codecTag
        }
    }

    /// Frames that are copied beside encoded ones, and those (counts).
    var joinedFrames: (copied: Int64, encoded: Int64) {
        guard case .join(_, let frames, let copied) = treatment else { return (0, 0) }
        return (copied, frames - copied)
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
        plan.container.isAudioFile ? [] : asset.chapters(in: plan.range).map(\.chapter)
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
