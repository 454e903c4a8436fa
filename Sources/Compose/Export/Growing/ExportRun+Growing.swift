internal import Media
internal import Movie

extension ExportRun {
    /// Makes a film while what it is of is still recorded: as far as two looks at it agree, then further when it is
    /// longer. Where a look does not agree with what has been made, that is given up, and the film begun anew.
    ///
    ///     look ─▶ plan ─▶ does it begin as what has been made? ── no ─▶ begin anew
    ///       ▲               │ yes
    ///       └─ not whole ─ make what is settled ── whole ─▶ finish
    ///
    /// A film that cannot be made in parts is made when it is whole, and so is one that was begun three times.
    static func export(
        _ growing: any GrowingFilm, settings: @escaping @Sendable (Film) -> ExportSettings,
        to path: String, as container: OutputContainer?, job: OutputJob
    ) async throws(MediaError) -> ExportReport {
        let looks = GrowingLooks(growing) { job.elapsed }
        var beginnings = 0
        while true {
            if beginnings == Self.mostBeginnings {
                _ = try await job.block { () throws(MediaError) in
                    try looks.whole { () throws(MediaError) in try job.checkCancelled(path) }
                }
            }
            let (run, outcome) = try await job.block { () throws(MediaError) in
                let film = try looks.current().film
                let run = ExportRun(film: film, settings: settings(film), job: job)
                return (run, try run.make(looks, to: path, as: container))
            }
            switch outcome {
            case .made(let made):
                var report = try await run.report(made, path)
                report.elapsed -= looks.end ?? .zero
                return report
            case .outdated(let draft):
                if draft?.frames ?? 0 > 0 { beginnings += 1 }
                await draft?.writer?.cancel()
                try await job.block { () throws(MediaError) in draft?.output.discard() }
            }
        }
    }

    /// More would copy a long film again and again, and still not be ready.
    private static let mostBeginnings = 3
    /// A film of which nothing can be copied so far is waited for no longer (seconds).
    private static let longestWait = MediaTime.seconds(60)

    private enum Outcome {
        case made(Made)
        /// The film has another beginning by now than what was made of it (nil: nothing was).
        case outdated(OutputDraft?)
    }

    private func make(
        _ looks: GrowingLooks, to path: String, as container: OutputContainer?
    ) throws(MediaError) -> Outcome {
        guard !looks.isWhole else {
            return .made(try render(to: path, as: container))
        }
        let shelf = SourceShelf(film.assets)
        let kind = container ?? OutputContainer(path: path)
        var plan = try ExportPlanner(film: film, settings: settings, isGrowing: true)
            .plan(shelf, for: kind)
        // no other export continues from it
        plan.digest = ""
        let (texts, groups) = (
            try texts(plan, path, container, shelf), try groups(plan, path, container, shelf)
        )
        guard let part = GrownPart(film, plan, texts: texts, groups: groups) else {
            try job.checkCancelled(path)
            if plan.smart == nil, plan.range.duration < Self.longestWait {
                _ = try looks.next()
            } else {
                _ = try looks.whole { () throws(MediaError) in try job.checkCancelled(path) }
            }
            return .outdated(nil)
        }
        let (draft, _) = try claim(path, container, for: plan)
        var made = Made(plan: plan, texts: texts, groups: groups, draft: draft)
        made.draft.isResumable = false
        let inputs = try job.write(draft.output) { () throws(MediaError) in
            try ExportInputs(
                plan: plan, film: film, seen: nil, texts: [], groups: [], shelf: shelf,
                settings: settings, output: draft.output, container: container)
        }
        made.draft.writer = inputs.writer
        do throws(MediaError) {
            try draft.output.begin(inputs.writer.file?.keepLock())
            guard try grow(&made, part, inputs, looks, path, kind) else {
                made.draft.frames = made.tally.frames
                return .outdated(made.draft)
            }
        } catch { made.draft.failure = error }
        made.draft.frames = made.tally.frames
        return .made(made)
    }

    /// - Returns: false where what was made is not the film's beginning any more.
    private func grow(
        _ made: inout Made, _ begun: GrownPart, _ first: ExportInputs, _ looks: GrowingLooks,
        _ path: String, _ kind: OutputContainer?
    ) throws(MediaError) -> Bool {
        var (part, inputs) = (begun, first)
        while true {
            let look = try looks.next()
            if looks.isWhole { made.tally.preparedFrames = made.tally.frames }
            let shelf = SourceShelf(look.film.assets)
            do throws(MediaError) {
                let plan = try ExportPlanner(
                    film: look.film, settings: settings, isGrowing: !looks.isWhole
                ).plan(shelf, for: kind)
                let texts = try texts(plan, path, kind, shelf)
                let groups = try groups(plan, path, kind, shelf)
                guard texts.tracks.isEmpty, groups.tracks.isEmpty,
                    let end = part.grow(look, isWhole: looks.isWhole, plan, after: made.tally),
                    let continued = try inputs.continued(with: plan, made.tally, shelf: shelf)
                else { return false }
                inputs = continued
                made = Made(
                    plan: plan, texts: texts, groups: groups, draft: made.draft,
                    tally: made.tally)
                let loop = try ExportLoop(
                    film: look.film, plan: plan, settings: settings, shelf: shelf, inputs: inputs)
                try extend(&made, by: loop, upTo: end, isWhole: looks.isWhole, path)
                made.tally.add(shelf.damage)
            } catch { throw shelf.explained(error) }
            if looks.isWhole { return true }
        }
    }

    private func extend(
        _ made: inout Made, by loop: ExportLoop, upTo end: Int64, isWhole: Bool, _ path: String
    ) throws(MediaError) {
        let (plan, writer) = (made.plan, made.draft.writer)
        let checkpoint: ExportLoop.Checkpoint = { tally throws(MediaError) in
            try job.checkCancelled(path)
            job.report(tally.progress(of: plan, bytes: writer?.status.bytesWritten ?? 0))
        }
        try loop.make(
            upTo: end, &made.tally, elapsed: { job.elapsed }, checkpoint)
        if isWhole {
            try loop.markChapters()
            try loop.conclude(&made.tally, checkpoint)
        } else {
            loop.count(in: &made.tally)
        }
    }
}

/// The looks at a film that grows. Owned by the export's threads, one after the other.
// because an export's threads follow each other
final class GrowingLooks: @unchecked Sendable {
    private let growing: any GrowingFilm
    private let now: () -> MediaTime
    private var latest: FilmLook?
    /// When the recording had ended; nil: it had not at the newest look.
    private(set) var end: MediaTime?

    /// - Parameter now: of the export (seconds).
    init(_ growing: any GrowingFilm, now: @escaping () -> MediaTime) {
        (self.growing, self.now) = (growing, now)
    }

    /// Whether the newest look is at the whole.
    var isWhole: Bool { end != nil }

    /// The newest there has been.
    func current() throws(MediaError) -> FilmLook {
        if let latest { return latest }
        return try next()
    }

    /// The film when its recording has ended.
    func whole(_ checkCancelled: () throws(MediaError) -> Void) throws(MediaError) -> Film {
        while true {
            let look = try next()
            try checkCancelled()
            if isWhole { return look.film }
        }
    }

    /// A newer one, until the film is whole.
    func next() throws(MediaError) -> FilmLook {
        while true {
            if let latest, isWhole { return latest }
            let isWhole = try growing.waitForMore()
            if isWhole { end = now() }
            guard var look = try growing.look(isWhole: isWhole) else { continue }
            look.film = try look.film.withPictures()
            latest = look
            return look
        }
    }
}
