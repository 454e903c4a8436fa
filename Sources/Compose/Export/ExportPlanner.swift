internal import Glibc
internal import Media
internal import Movie
internal import Writing

/// Makes the plan of an export: checks what can be checked before anything is written.
struct ExportPlanner {
    let film: Film
    var settings: ExportSettings
    /// Whether the film's audio is left out.
    var isSilent = false
    /// Whether the film will be longer: what is true of its end only says nothing.
    var isGrowing = false

    /// - Parameter container: that is to be written, as far as it is known.
    func plan(
        _ shelf: SourceShelf, for container: OutputContainer? = nil
    ) throws(MediaError) -> ExportPlan {
        try settings.validate()
        let range = try range()
        if settings.preset.isPassthrough || settings.preset.video != nil {
            try film.requireReadableFrames()
        }
        var plan =
            settings.preset.isPassthrough
            ? try copyingPlan(range, shelf) : try renderingPlan(range, shelf)
        if let format = ExportInputs.format(plan, film) {
            try plan.preset.video?.requireRoom(for: format)
        }
        if let container {
            if settings.isNetworkReady, !NetworkLayout.applies(to: container) {
                throw .setting(
                    "network-ready",
                    "Only mp4 and mov have an index that can be in front, and .\(container.rawValue) has none: "
                        + "leave network-ready out.")
            }
            try plan.requireRoom(in: container)
            if settings.preset.isPassthrough, MovieCopy.applies(to: container) {
                for format in try plan.copiedFormats(shelf) {
                    try container.requireRoom(forCopyOf: format)
                }
            }
        }
        try copyFrames(of: &plan, shelf, for: container)
        let isCopied = settings.preset.isPassthrough
        let isAudioCopied = isCopied || plan.copiedAudio != nil
        plan.notes =
            film.notes.filter {
                !(isCopied && film.renderingNotes.contains($0))
                    && !(isAudioCopied && film.mixingNotes.contains($0))
            } + film.allWarnings + film.timeCodeLoss(in: container)
            + film.conformed(by: settings.preset)
        return plan
    }

    /// Where frames can be copied instead of encoded.
    private func copyFrames(
        of plan: inout ExportPlan, _ shelf: SourceShelf, for container: OutputContainer?
    ) throws(MediaError) {
        guard settings.copying == .whereUntouched, plan.frameCount > 0,
            let frames = film.videoComposition
        else { return }
        guard let video = plan.preset.video else { return }
        if let obstacle = encodesAll(plan, frames, container) {
            plan.spans = [.init(range: plan.range, work: .render, reason: obstacle)]
            return
        }
        let (smart, obstacles) = try SmartPlanner(
            film: film, frames: frames, codec: video.codec, times: plan.times, shelf: shelf
        ).plan()
        guard let smart else {
            plan.spans = [
                .init(
                    range: plan.range, work: .render,
                    reason: obstacles.isEmpty ? nil : obstacles.joined(separator: "; "))
            ]
            return
        }
        plan.smart = smart
        copyAudio(of: &plan, shelf, for: container)
        plan.spans = smart.spans(plan.times)
        for run in smart.runs {
            guard case .copy(let source, _, _, _) = run.work else { continue }
            let (_, track) = try shelf.track(source)
            plan.copiedBytes +=
                track.bytes * Int64(run.frames.count) / Int64(max(1, track.sampleCount))
        }
        if !plan.digest.isEmpty { plan.digest += "-copied" }
    }

    /// Where the film's audio is a clip's, it is copied beside the frames.
    private func copyAudio(
        of plan: inout ExportPlan, _ shelf: SourceShelf, for container: OutputContainer?
    ) {
        guard plan.audioFrameCount > 0 else { return }
        guard settings.preset.hasUsualAudio else {
            plan.audioReason = "it was asked for how audio is coded"
            return
        }
        // others cannot hide the packets that the first one to be heard needs
        guard container?.hasEditLists ?? true else {
            plan.audioReason = "it is copied into mp4 and mov only"
            return
        }
        let usual = ExportSettings().sampleRate
        do throws(CopyPlanner.MixReason) {
            let whole = try CopyPlanner(film: film, range: plan.range, shelf: shelf)
                .wholeAudio(
                    at: settings.sampleRate == usual ? nil : settings.sampleRate,
                    naming: plan.smart?.namesSources ?? false, isGrowing: isGrowing)
            plan.copiedAudio = whole.source
            plan.sampleRate = whole.rate
            plan.audioFrameCount =
                FilmTimes(
                    range: plan.range, frameDuration: nil, sampleRate: whole.rate, hasAudio: true
                ).audioFrameCount
        } catch {
            plan.audioReason = error.text
        }
    }

    /// Why no frame is copied, whatever the clips are, a half-sentence; nil: some may be.
    private func encodesAll(
        _ plan: ExportPlan, _ frames: VideoComposition, _ container: OutputContainer?
    ) -> String? {
        let formats: [PixelFormat] =
            switch plan.preset.video?.codec {
            case .h264: [.yuv420p]
            case .hevc: [.yuv420p, .yuv420p10le]
            default: []
            }
        guard formats.contains(frames.pixelFormat) else {
            return
                "only H.264 of 8 bits and HEVC of 8 and 10 are copied, and the film is coded otherwise"
        }
        guard settings.preset.hasUsualVideo, plan.passes == 1 else {
            return "it was asked for how frames are coded"
        }
        guard plan.size == frames.scaledSize else { return "the preset makes the film smaller" }
        if let container, !container.holdsJoinedFrames {
            return "frames are copied into mp4, mov and mkv only"
        }
        return nil
    }

    func renderingPlan(
        _ range: MediaTimeRange, _ shelf: SourceShelf
    ) throws(MediaError) -> ExportPlan {
        let frameDuration = film.videoComposition?.frameDuration ?? .zero
        let hasFrames = film.videoComposition != nil && settings.preset.video != nil
        let hasAudio = !isSilent && !film.composition.tracks(of: .audio).isEmpty
        guard hasFrames || hasAudio else {
            throw .setting(
                "preset",
                "The preset \(settings.preset.name) leaves nothing of this film, which has no "
                    + "audio; choose another.")
        }
        if hasFrames {
            try film.videoComposition?.validate(for: film.composition)
        }
        let times = FilmTimes(
            range: range, frameDuration: hasFrames ? frameDuration : nil,
            sampleRate: settings.sampleRate, hasAudio: hasAudio)
        return ExportPlan(
            range: range, spans: [.init(range: range, work: .render)], audioSpans: [],
            frameCount: times.frameCount,
            frameDuration: frameDuration,
            audioFrameCount: times.audioFrameCount,
            sampleRate: settings.sampleRate,
            size: hasFrames ? size() : nil,
            preset: settings.preset, passes: hasFrames ? settings.passes : 1, copiedBytes: 0,
            digest: try digest(range, shelf))
    }

    private func copyingPlan(
        _ range: MediaTimeRange, _ shelf: SourceShelf
    ) throws(MediaError) -> ExportPlan {
        let copies = try CopyPlanner(film: film, range: range, shelf: shelf).copies()
        let (pictures, sounds) = (copies.pictures.map(\.span), copies.sounds.map(\.span))
        let rate = copies.sounds.first?.format?.audio?.sampleRate ?? settings.sampleRate
        let heard = sounds.reduce(Int64(0)) {
            $0 + $1.range.duration.ticks(per: Int32(rate), rounding: .nearest)
        }
        return ExportPlan(
            range: range, spans: pictures.isEmpty ? sounds : pictures,
            audioSpans: pictures.isEmpty ? [] : sounds, frameCount: 0, frameDuration: .zero,
            audioFrameCount: heard, sampleRate: rate,
            size: copies.pictures.first?.format?.video?.uprightPixelSize, preset: settings.preset,
            passes: 1,
            copiedBytes: (copies.pictures + copies.sounds).reduce(0) { $0 + $1.bytes },
            digest: try digest(range, shelf))
    }

    /// What of the film is exported.
    func range() throws(MediaError) -> MediaTimeRange {
        let whole = MediaTimeRange(start: .zero, duration: film.composition.duration)
        guard !whole.isEmpty else {
            throw .setting("film", "The film is empty; add a clip to it.")
        }
        guard let wanted = settings.range ?? film.range else { return whole }
        let onGrid = MediaTimeRange(
            start: wanted.start.onTimeline(), duration: wanted.duration.onTimeline())
        guard let part = whole.intersection(onGrid) else {
            throw .setting(
                "range",
                "The range to export begins at \(wanted.start.spoken), but the film ends at "
                    + "\(whole.end.spoken).")
        }
        return part
    }

    private func size() -> PixelSize? {
        film.videoComposition.map { settings.preset.size(for: $0.scaledSize) }
    }

    // MARK: Digest

    /// Two plans with one digest make the same film: the whole description, and size and time of every
    /// source file and image.
    private func digest(
        _ range: MediaTimeRange, _ shelf: SourceShelf
    ) throws(MediaError) -> String {
        guard film.videoComposition?.compositor == nil else { return "" }
        var text = String(reflecting: film.composition) + String(reflecting: range)
        text += String(reflecting: film.chapters)
        text += String(reflecting: film.audioMix) + "\(settings.preset) \(settings.sampleRate)"
        if let frames = film.videoComposition { text += String(reflecting: frames) }
        for path in film.composition.sourcePaths {
            let asset = try shelf.asset(path)
            text += asset.subtitleReading
            text += Self.identity(path)
            for picture in asset.pictureFiles { text += Self.identity(picture) }
        }
        for path in film.videoComposition?.imagePaths ?? [] { text += Self.identity(path) }
        for path in FontRegistry.paths { text += Self.identity(path) }
        return text.fingerprint
    }

    /// What distinguishes one state of a file from another; nothing of a file that is not there.
    static func identity(_ path: String) -> String {
        var info = stat()
        guard stat(path, &info) == 0 else { return "" }
        // a program can set when a file was written to, and not when it was changed
        return "\(path) \(info.st_ino) \(info.st_size) \(info.st_mtim) \(info.st_ctim)"
    }
}

extension ExportPlan {
    /// - Throws: `invalid-setting` where the container cannot hold what the preset makes.
    fileprivate func requireRoom(in container: OutputContainer) throws(MediaError) {
        guard !preset.isPassthrough else { return }
        if size != nil, container.isAudioOnly {
            throw .setting(
                "preset",
                "A .\(container.rawValue) file holds audio only, and the preset \(preset.name) makes "
                    + "video too: take the preset audio, or write .mp4, .mov or .mkv.")
        }
        do throws(MediaError) {
            if size != nil, let video = preset.video { try container.requireRoom(for: video.codec) }
            if audioFrameCount > 0 { try container.requireRoom(for: preset.audio.codec) }
        } catch { throw .setting("container", error.message) }
    }
}

extension Film {
    /// - Throws: `unsupported` for the first clip whose frames cannot be read.
    func requireReadableFrames() throws(MediaError) {
        guard let refusal = unreadPictures.first else { return }
        throw MediaError(code: .unsupported, subject: "film", message: refusal)
    }
}

extension String {
    /// FNV-1a, 64 bit, over the text and over the text after itself: it distinguishes plans and
    /// protects nothing.
    fileprivate var fingerprint: String {
        func hash(_ seed: UInt64) -> UInt64 {
            utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        let first = hash(0xCBF2_9CE4_8422_2325)
        return String(first, radix: 16) + "-" + String(hash(first), radix: 16)
    }
}
