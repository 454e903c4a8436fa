internal import Media
internal import Reading

/// What has been made of a film that grows, and whether a later look at it agrees.
struct GrownPart {
    /// How far audio that is made depends on audio behind it: blocks of the mix and its limiter (seconds).
    private static let audioReach = MediaTime.milliseconds(500)

    /// As it was looked at last.
    private(set) var film: Film
    private(set) var plan: ExportPlan
    private var files: [String: SourceFile]

    /// What a file was when it was looked at, and whether it may become longer.
    private struct SourceFile {
        let state: FileState
        let isGrowing: Bool

        /// Whether what was read of it is in the file as it is now.
        func continues(in now: FileState) -> Bool {
            now == state
                || isGrowing && now.number == state.number && now.size >= state.size
        }
    }

    /// - Returns: nil where nothing can be made before the film is whole: nothing of it is copied, it has text or
    ///   metadata, which a movie has before its first frame, or its audio is measured as a whole.
    init?(_ film: Film, _ plan: ExportPlan, texts: FilmTexts, groups: FilmMetadata) {
        guard plan.smart != nil, plan.passes == 1, texts.tracks.isEmpty, groups.tracks.isEmpty,
            film.audioMix.isMadeInOrder
        else { return nil }
        (self.film, self.plan) = (film, plan)
        files = Self.files(of: film)
    }

    private static func files(of film: Film) -> [String: SourceFile] {
        var files: [String: SourceFile] = [:]
        for path in film.inputPaths {
            let isGrowing = film.assets.first { $0.path == path }?.isBeingWritten ?? false
            files[path] = FileState(path).map { SourceFile(state: $0, isGrowing: isGrowing) }
        }
        return files
    }

    /// Takes over a later look.
    /// - Parameter tally: what was made by the looks before.
    /// - Returns: up to which frame the film can be made now; nil: what has been made is not the beginning of this film.
    mutating func grow(
        _ look: FilmLook, isWhole: Bool, _ planned: ExportPlan, after tally: ExportTally
    ) -> Int64? {
        // of the film as it is exported, as all that has been made
        let begin = planned.range.start
        let agreed = film.agreement(with: look.film) - begin
        let made = made(tally)
        let now = Self.files(of: look.film)
        let isSame = files.allSatisfy { path, file in
            now[path].map { file.continues(in: $0.state) } ?? true
        }
        guard isSame, agreed > .zero, agreed >= made, continues(planned, tally.frames) else {
            return nil
        }
        (film, plan, files) = (look.film, planned, now)
        guard !isWhole else { return planned.frameCount }
        let settled = min(agreed, look.film.composition.duration - begin - look.unsettled)
        let reach = settled - ExportLoop.audioLead - Self.audioReach - ahead
        guard reach > .zero else { return tally.frames }
        let ticks = reach.ticks(
            per: Int32(clamping: planned.frameDuration.timescale), rounding: .down)
        let frame = min(ticks / planned.frameDuration.value, planned.frameCount - 1)
        return max(tally.frames, planned.settled(below: frame))
    }

    /// Up to when the film is in what has been made (seconds from its beginning; zero: nothing is).
    private func made(_ tally: ExportTally) -> MediaTime {
        guard tally.frames > 0 || tally.audioTime > .zero else { return .zero }
        return max(plan.frameDuration * tally.frames + ahead, tally.audioTime + Self.audioReach)
    }

    /// How far copied frames are ahead of their turn (seconds).
    private var ahead: MediaTime { plan.frameDuration * Int64(plan.smart?.reorder ?? 0) }

    /// Whether a plan makes the frames that have been made as they were.
    private func continues(_ planned: ExportPlan, _ frames: Int64) -> Bool {
        guard let own = plan.smart, let its = planned.smart else { return false }
        return own.records == its.records && own.reorder == its.reorder
            && planned.size == plan.size && planned.sampleRate == plan.sampleRate
            && planned.copiedAudio == plan.copiedAudio
            && planned.range.start == plan.range.start
            && (planned.audioFrameCount > 0) == (plan.audioFrameCount > 0)
            && own.runs(below: frames) == its.runs(below: frames)
    }
}

extension ExportPlan {
    /// The last frame up to which all is made as it will be in a longer film, at most a given one: copied frames are, and
    /// encoded ones whose run has its end.
    fileprivate func settled(below frame: Int64) -> Int64 {
        guard let run = smart?.run(of: frame) else { return 0 }
        return run.isCopied ? frame : run.frames.lowerBound
    }
}

extension SmartPlan {
    /// Those that begin before a frame, copied ones cut there: an encoded one that becomes longer is another one.
    fileprivate func runs(below frame: Int64) -> [Run] {
        runs.prefix { $0.frames.lowerBound < frame }.map { run in
            var run = run
            guard run.isCopied else { return run }
            run.frames = run.frames.lowerBound..<min(run.frames.upperBound, frame)
            return run
        }
    }
}
