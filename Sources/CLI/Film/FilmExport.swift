import Compose
internal import Glibc
import Media
import Movie

/// What is made of a film: a movie, pictures or only the plan.
struct FilmExport: Sendable {
    private(set) var film: Film
    let settings: ExportSettings
    let output: String?
    let pictures: FilmPictures
    let showsPlan: Bool
    let planPicture: String?
    let progress: (target: ProgressTarget, form: ProgressReport.Form)?
    let writesJSON: Bool
    let isQuiet: Bool
    /// Where the film is made while its take is recorded; nothing is said before that is whole.
    var growing: GrowingTake?
    /// What was asked for and has no effect.
    let idle: [String]
    /// Why no frame is copied, by the options, a half-sentence; nil: some may be.
    private let encodesAll: String?
    /// What is read beside the film's files, and never written over.
    private let guarded: [String]

    init(
        _ film: Film, title: String?, _ arguments: Arguments, guarding guarded: [String] = []
    ) throws(CommandFailure) {
        try IdleOptions(arguments: arguments).refuseForAnimation()
        var film = film
        if let loudness = try arguments(ExportOptions.loudness) {
            // a project's ceiling stays where the option says nothing of it
            film.audioMix.loudness = LoudnessTarget(
                integrated: loudness, truePeak: film.audioMix.loudness?.truePeak ?? -1)
        }
        self.guarded = guarded
        idle = IdleOptions(arguments: arguments).warnings(about: film)
        var settings = ExportSettings(
            preset: try ExportPreset(arguments, for: film.videoComposition?.color))
        let isDraft = try Self.isDraft(arguments)
        if isDraft {
            let container = try arguments(ExportOptions.output).flatMap(
                OutputContainer.init(path:))
            settings.preset =
                settings.preset.fitted(to: container, film.videoComposition?.color)
            if let frame = film.videoComposition?.scaledSize {
                // half of what would be made
                let whole = settings.preset.size(for: frame)
                film.videoComposition?.renderScale *=
                    Double(whole.width) / Double(frame.width) / 2
            }
            settings.preset = settings.preset.quickest
        }
        encodesAll =
            isDraft ? "--fast makes frames smaller" : try CodingOptions.encodesAll(arguments)
        settings.copying = encodesAll == nil ? .whereUntouched : .never
        settings.passes = try ExportPreset.passes(settings.preset, arguments)
        settings.metadata.title = title
        settings.metadata.software = "vcap \(Verbs.versionNumber)"
        settings.overwrites = arguments.isOn(ExportOptions.overwrite)
        settings.isNetworkReady = arguments.isOn(ExportOptions.networkReady)
        if let span = try arguments(ExportOptions.range) {
            guard let range = span.range(within: film.composition.duration) else {
                throw CommandFailure(
                    .usage,
                    "the range begins at \(Amounts.clock(span.start, fractionDigits: 3)), after the "
                        + "film's end at "
                        + Amounts.clock(film.composition.duration, fractionDigits: 3))
            }
            settings.range = range
            if let excess = span.excess(over: film.composition.duration, of: "the film") {
                film.warnings.append(excess + ": it is exported to there")
            }
        }
        self.settings = settings
        film.range = settings.range ?? film.range
        self.film = film
        output = try arguments(ExportOptions.output)
        pictures = try FilmPictures(arguments)
        planPicture = try arguments(ExportOptions.planPicture)
        showsPlan = arguments.isOn(ExportOptions.plan) || planPicture != nil
        guard !showsPlan || !pictures.areFrames else {
            let option =
                planPicture == nil ? ExportOptions.plan.spec : ExportOptions.planPicture.spec
            throw CommandFailure(
                .usage,
                "\(option.name) says how the film is made, and --still makes none: leave one out")
        }
        let form = try arguments(ExportOptions.progressFormat)
            .flatMap(ProgressReport.Form.init(rawValue:))
        progress = try arguments(ExportOptions.progress).map { ($0, form ?? .keyValue) }
        writesJSON = arguments.isOn(StandardOptions.json)
        isQuiet = arguments.isOn(StandardOptions.quiet)
        try drawGuides(arguments)
        if settings.preset.video != nil || pictures.areFrames { try checkTitles() }
    }

    /// Whether frames are made smaller and coded as quickly as possible.
    private static func isDraft(_ arguments: Arguments) throws(CommandFailure) -> Bool {
        guard arguments.isOn(ExportOptions.fast) else { return false }
        let name = ExportOptions.fast.spec.name
        let others = [
            CodingOptions.preset.spec, CodingOptions.passes.spec, CodingOptions.level.spec,
            CodingOptions.profile.spec,
        ]
        if let other = others.first(where: arguments.isTyped) {
            throw CommandFailure(
                .usage,
                "\(name) codes as quickly as possible, and \(other.name) says how: give one of the two"
            )
        }
        let preset = try ExportPreset(arguments, for: nil)
        guard preset.isPassthrough else { return true }
        throw CommandFailure(
            .usage,
            "\(name) makes frames smaller, and --preset passthrough copies them: give one of the two"
        )
    }

    /// Hours may pass before a title that cannot be drawn comes.
    private mutating func checkTitles() throws(CommandFailure) {
        do throws(MediaError) { film.warnings += try film.checkTitles() } catch {
            throw CommandFailure(error, while: .reading)
        }
    }

    /// Finds what keeps it from being written, before anything is.
    func check() throws(CommandFailure) {
        guard !showsPlan else { return }
        try pictures.check(output)
        if let output {
            let names = names(
                output, endings: pictures.areFrames ? FilmPictures.endings : Self.endings)
            _ = try names.next()
        } else if pictures.areFrames || pictures.sheets.isEmpty {
            throw Self.noOutput
        }
        _ = try sheets()
    }

    private static let noOutput = CommandFailure(
        .usage, "say what to write with -o, such as -o film.mp4")

    private mutating func drawGuides(_ arguments: Arguments) throws(CommandFailure) {
        guard arguments.isOn(ExportOptions.guides) else { return }
        guard pictures.areFrames else {
            throw CommandFailure(
                .usage,
                "--guides are drawn over the frame of --still, and there is none: leave it out")
        }
        guard var video = film.videoComposition else { return }
        let guides = SafeArea.guides(renderSize: video.renderSize)
        video.animation = Layer(
            name: "film", covering: video.renderSize,
            sublayers: [video.animation, guides].compactMap(\.self))
        film.videoComposition = video
    }

    /// Says what should be known before it is made.
    func announce() {
        // a plan knows which of them hold
        if !showsPlan {
            for note in film.notes where !film.mixingNotes.contains(note) {
                Console.shared.detail(note)
            }
        }
        for warning in film.warnings + idle { Console.shared.warning(warning) }
        if settings.range == nil, !pictures.areFrames, let range = film.range {
            Console.shared.notice(
                "the part from \(Amounts.clock(range.start, fractionDigits: 3)) to "
                    + "\(Amounts.clock(range.end, fractionDigits: 3)) is exported, between the project's in and out; "
                    + "--range 0s.. is all of it")
        }
    }

    func run() async throws -> ExitCode {
        if growing == nil { announce() }
        if showsPlan { return try await printPlan() }
        try pictures.check(output)
        if pictures.areFrames {
            guard let output else { throw Self.noOutput }
            return try await writeFrames(to: output)
        }
        let sheets = try sheets()
        if let output {
            let names = names(output, endings: Self.endings)
            _ = try names.next()
            let report = try await exportMovie(names)
            // what has been made is of the take as a whole
            let film = growing?.export?.film ?? film
            var made: [(path: String, json: JSONValue)] = []
            do {
                for sheet in sheets {
                    made.append(try await pictures.write(sheet, of: film))
                    Console.shared.notice("\(sheet.kind.words): \(made.last?.path ?? "")")
                }
            } catch {
                // the film is there, whatever becomes of its pictures
                (growing?.export ?? self).say(report, made.map(\.json))
                throw error
            }
            (growing?.export ?? self).say(report, made.map(\.json))
            (growing?.export ?? self).sayNotes()
            return .done
        }
        guard !sheets.isEmpty else { throw Self.noOutput }
        return try await writeSheets(sheets)
    }

    /// Of what is made of a film.
    static let endings = OutputPath.endings + ["m4a", "mka", "gif"]

    /// Those that a pattern gives.
    private func names(_ pattern: String, endings: [String]) -> OutputNames {
        var path = OutputPath(
            replacesExisting: settings.overwrites, inputs: film.inputPaths + guarded,
            folders: UserFolders.ofThisProcess, endings: endings)
        path.approve = { [film] path throws(CommandFailure) in
            try FilmPictures.require(path, outside: film)
        }
        guard pictures.areFrames else { return OutputNames(path, pattern) }
        // of numbered pictures one that is there takes the name of all
        path.isTaken = { NumberedPath($0)?.isTaken ?? OutputPath.exists($0) }
        return OutputNames(path, pattern.keepingNumber)
    }

    // MARK: Movie

    private func exportMovie(_ names: OutputNames) async throws -> ExportReport {
        var (names, path) = (names, try names.next())
        let writer = try progress.map { progress throws(CommandFailure) in
            try ProgressWriter(
                progress.target, form: progress.form, replacesExisting: settings.overwrites,
                besides: [.movie(path)])
        }
        var own = settings
        own.overwrites = names.replacesExisting
        let isCancelled = Lock(false)
        while true {
            let session =
                growing.map { ExportSession($0, settings: own) }
                ?? ExportSession(film, settings: own)
            do { return try await export(session, to: path, writer, isCancelled) } catch {
                try names.goPast(path, after: error)
                path = try names.next()
            }
        }
    }

    /// - Parameter isCancelled: whether a signal has come, to this session or to one before it.
    private func export(
        _ session: ExportSession, to path: String, _ writer: ProgressWriter?,
        _ isCancelled: Lock<Bool>
    ) async throws -> ExportReport {
        growing?.whenGone { session.cancel() }
        SignalListener.listen { [growing] event in
            // before that they are the recorder's, which ends the take
            guard growing?.isWhole ?? true else { return }
            switch event {
            case .interrupt, .terminate, .hangUp:
                isCancelled.withLock { $0 = true }
                session.cancel()
            default: break
            }
        }
        if isCancelled.withLock({ $0 }) { session.cancel() }
        let states = session.states(updateInterval: .milliseconds(250))
        let showsLine = isatty(STDERR_FILENO) == 1 && !isQuiet
        let watching = Task {
            for await case .exporting(let progress) in states {
                guard growing?.isWhole ?? true else { continue }
                if showsLine { Console.shared.status(ExportLine.text(progress)) }
                writer?.write(ProgressSnapshot(progress, state: "exporting"), isEnd: false)
            }
            if showsLine { Console.shared.status("") }
        }
        do {
            let report = try await session.export(to: path)
            await watching.value
            writer?.write(ProgressSnapshot(report), isEnd: true)
            return report
        } catch {
            await watching.value
            var last = ProgressSnapshot(
                frames: 0, bytes: 0, duration: .zero, elapsed: .zero, fraction: 0, state: "failed")
            if case .exporting(let progress) = session.state {
                last = ProgressSnapshot(progress, state: "failed")
            }
            writer?.write(last, isEnd: true)
            throw error
        }
    }

    /// Without what was reported of the clips before.
    private func unsaid(_ notes: [String]) -> [String] {
        let said = Set(film.notes + film.warnings)
        return notes.filter { !said.contains($0) }
    }

    private func say(_ report: ExportReport, _ pictures: [JSONValue]) {
        for note in unsaid(report.notes) {
            Console.shared.warning(note)
        }
        // only now it is known whether the audio was mixed
        for note in report.notes where film.mixingNotes.contains(note) {
            Console.shared.detail(note)
        }
        if report.resumedFrames > 0 {
            Console.shared.notice(
                "continued from an earlier export: \(Amounts.count(report.resumedFrames, "frame")) there"
            )
        }
        if report.preparedFrames > 0 {
            Console.shared.notice(
                "\(Amounts.count(report.preparedFrames, "frame")) were made while the take was recorded"
            )
        }
        let seconds = max(report.elapsed.approximateSeconds, 0.001)
        let speed = Amounts.decimal(report.duration.approximateSeconds / seconds, 1)
        let copied = report.copiedFrames > 0 ? ", \(report.copiedFrames) of them copied" : ""
        let frames =
            report.frames > 0 ? ", \(Amounts.count(report.frames, "frame"))\(copied)" : ""
        Console.shared.notice(
            "\(Amounts.clock(report.duration, fractionDigits: 3))\(frames), "
                + "\(Amounts.bytes(report.bytes)), \(speed) times real time")
        for text in report.textTracks {
            Console.shared.notice(
                Amounts.count(text.cues, "subtitle") + (text.language.map { " (\($0))" } ?? "")
                    + " carried")
        }
        for track in report.metadataTracks {
            Console.shared.notice(
                Amounts.count(track.samples, "metadata sample")
                    + (track.name.map { " (\($0))" } ?? "") + " carried")
        }
        if writesJSON {
            Console.shared.result(json(report, pictures).pretty + "\n")
        } else if progress?.target != .standardOutput {
            Console.shared.result(report.path + "\n")
        }
    }

    private func json(_ report: ExportReport, _ pictures: [JSONValue]) -> JSONValue {
        .members([
            "schema": "vcap.export/1",
            "path": .string(report.path),
            "duration": .string(report.duration.description),
            "frames": .integer(report.frames),
            "audio_frames": .integer(report.audioFrames),
            "bytes": .integer(report.bytes),
            "width": report.size.map { .integer(Int64($0.width)) },
            "height": report.size.map { .integer(Int64($0.height)) },
            "copied_frames": .integer(report.copiedFrames),
            "resumed_frames": .integer(report.resumedFrames),
            "prepared_frames": report.preparedFrames > 0
                ? .integer(report.preparedFrames) : nil,
            "limited_audio_frames": .integer(report.limitedSamples),
            "loudness": report.loudness.map(Self.loudness),
            "damaged_pictures": .integer(Int64(report.damagedFrames)),
            "damaged_audio_samples": .integer(Int64(report.damagedAudio)),
            "text_tracks": .array(
                report.textTracks.map {
                    .members([
                        "language": $0.language.map { .string($0) },
                        "cues": .integer(Int64($0.cues)),
                    ])
                }),
            "metadata_tracks": .array(report.metadataTracks.map(\.json)),
            "pictures": pictures.isEmpty ? nil : .array(pictures),
            "notes": .array(report.notes.map { .string($0) }),
            "elapsed_ms": .integer(report.elapsed.ticks(per: 1000, rounding: .nearest)),
        ])
    }

    private static func loudness(_ report: LoudnessReport) -> JSONValue {
        .members([
            "target_lufs": .level(report.target.integrated),
            "before_lufs": report.before.integrated.map(JSONValue.level),
            "after_lufs": report.after.integrated.map(JSONValue.level),
            "true_peak_dbtp": report.after.truePeak.map(JSONValue.level),
            "gain_db": .level(report.gain),
        ])
    }

    // MARK: Pictures

    private func writeFrames(to output: String) async throws -> ExitCode {
        let made = try await pictures.writeFrames(
            of: film, names(output, endings: FilmPictures.endings), output)
        sayNotes()
        let document = JSONValue.members([
            "schema": "vcap.still/1", "path": .string(made[0].path),
            "pictures": .array(
                made.map {
                    .members(["path": .string($0.path), "time": .string($0.time.description)])
                }),
            "notes": .array(
                (film.notes + film.warnings + pictures.notes(of: film)).map { .string($0) }),
        ])
        Console.shared.result(
            writesJSON ? document.pretty + "\n" : made.map { $0.path + "\n" }.joined())
        return .done
    }

    /// Those that are wanted, under names that are free; nothing shows a film's audio where it has none.
    private func sheets() throws(CommandFailure) -> [FilmPictures.Sheet] {
        var wanted = pictures
        if !hasAudio {
            wanted.waveform = nil
            guard output != nil || !wanted.sheets.isEmpty || pictures.sheets.isEmpty else {
                throw CommandFailure(
                    .usage, "the film has no audio that --waveform could show: leave it out")
            }
        }
        return try wanted.prepareSheets { self.names($0, endings: FilmPictures.endings) }
    }

    private var hasAudio: Bool { !film.composition.tracks(of: .audio).isEmpty }

    private func writeSheets(_ sheets: [FilmPictures.Sheet]) async throws -> ExitCode {
        var made: [(path: String, json: JSONValue)] = []
        for sheet in sheets { made.append(try await pictures.write(sheet, of: film)) }
        sayNotes()
        let document = JSONValue.members([
            "schema": "vcap.pictures/1",
            "pictures": .array(made.map(\.json)),
            "notes": .array(
                (film.notes + film.warnings + pictures.notes(of: film)).map { .string($0) }),
        ])
        Console.shared.result(
            writesJSON ? document.pretty + "\n" : made.map { $0.path + "\n" }.joined())
        return .done
    }

    private func sayNotes() {
        for note in pictures.notes(of: film) { Console.shared.warning(note) }
    }

    // MARK: Plan

    private func printPlan() async throws -> ExitCode {
        for path in [output].compactMap(\.self) + pictures.sheets {
            try OutputPath.requireOther(than: film.inputPaths + guarded, path)
            try FilmPictures.require(path, outside: film)
        }
        try pictures.check(output)
        let picture = try planPicture.map { path in
            guard OutputPath.ending(of: path) == "svg" else {
                throw CommandFailure(
                    .usage, "--plan-svg draws an SVG, not \(path): give it a name that ends in .svg"
                )
            }
            let name = try OutputPath(
                replacesExisting: settings.overwrites,
                inputs: film.assets.filter { !$0.isGenerated }.map(\.path) + film.inputPaths
                    + guarded,
                folders: .ofThisProcess, endings: ["svg"]
            ).prepare(path)
            return try WholeFile(name, replacesExisting: settings.overwrites)
        }
        let session = ExportSession(film, settings: settings)
        let path = output
        var plan = try await NamedThread.run("vcap-work") {
            try path.map { try session.plan(to: $0) } ?? session.plan()
        }
        if let encodesAll, plan.frameCount > 0, OutputPath.ending(of: output ?? "") != "gif" {
            plan.spans = plan.spans.map {
                .init(range: $0.range, work: $0.work, reason: $0.reason ?? encodesAll)
            }
        }
        plan.notes += pictures.notes(of: film)
        let time = await expectedTime(of: plan, session)
        let drawing = PlanDrawing(film, plan)
        // what is known of the clips has been reported
        let known = Set(film.notes)
        for note in plan.notes where known.contains(note) { Console.shared.detail(note) }
        for note in unsaid(plan.notes) {
            Console.shared.warning(note)
        }
        Console.shared.result(
            writesJSON
                ? PlanListing.json(plan, time: time).pretty + "\n"
                : PlanListing.text(plan, time: time) + "\n" + drawing.text)
        try picture?.write(Array(drawing.svg.utf8))
        return .done
    }

    /// A plan is shown also of what cannot be read to its end.
    private func expectedTime(
        of plan: ExportPlan, _ session: ExportSession
    ) async -> MediaTime? {
        try? await NamedThread.run("vcap-work") { try session.expectedTime(of: plan) }
    }
}
