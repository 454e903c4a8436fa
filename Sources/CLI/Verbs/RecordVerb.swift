import FoundationEssentials
internal import Glibc
import Media
import Recording

extension Verbs {
    static let record = Command(
        "record", "record cameras and microphones into one movie",
        groups: RecordOptions.groups,
        notes: """
            Keys, when standard input is a terminal: p or space pause and resume, m sets a marker, i \
            takes a photo, l a live photo (with --live), q or Ctrl-C stops, ? shows a page of them. The terminal is given back on every way out. In the \
            background keys and status line rest.
            --preview shows the cameras while they are recorded, in a window or on the terminal, with keys of its own: v \
            closes and opens it, x mirrors, z pixels, g guides, f focus peaking, e zebra. All keys work in the window, too.
            Signals: INT, TERM and HUP finish the movie; a second INT ends at once and the movie is \
            still valid; USR1 pauses and resumes; TSTP pauses before it stops.
            --then compose, with the options of vcap compose after it, makes a film of the take when it is \
            stopped: each span between two pauses is a clip, markers become chapters. What would keep the \
            film from being made, its name, options and files, is reported before the take. Where most of its frames \
            can be copied it is made while the take is recorded, by a process of lowest priority, and is ready soon \
            after the take, however long that is; --prepare never makes it afterwards.
            The path of the movie is printed on standard output when it is done, everything else on \
            standard error. Beside the movie stands its report, NAME.vcap.json.
            """,
        examples: [
            .init(
                line: "vcap record -c test: -a test: -t 5s -o demo.mp4",
                meaning: "five seconds of the built-in camera and microphone"),
            .init(
                line: "vcap record -c 0 -a default -s 1080p -r 30 -o 'lectures/%Y-%m-%d-%v.mov'",
                meaning: "the first camera with audio, into a dated and counted movie"),
            .init(
                line: "vcap record -c 0 -a default -o day.mp4 "
                    + "--then compose --title Monday --transition dissolve:1s",
                meaning: "and on stop a film of the spans between pauses, day.film.mp4"),
        ],
        handlesSignals: true
    ) { arguments in
        let plan = try RecordPlan(arguments)
        if let duration = try arguments(RehearsalCommand.option) {
            return try await RehearsalCommand(
                plan: plan, duration: duration, arguments: arguments
            ).run()
        }
        if arguments.isOn(StandardOptions.json) {
            throw CommandFailure(
                .usage,
                "--json is for --rehearse: a take has its report beside it, and while it runs "
                    + "--progress - --progress-format ndjson prints lines")
        }
        let interface = try InterfaceOptions(arguments)
        let take = try await RecordCommand(plan: plan, interface: interface, arguments: arguments)
            .run()
        guard let following = arguments.following.first, take.code == .done, take.hasMovie else {
            await take.film?.abandon()
            if arguments.writesJSON, take.code != .done {
                let failure = CommandFailure(
                    take.code, "no film is made of the take, because it did not end well")
                FailureDocument(
                    failure, after: [Verbs.prepareFilm.name, FollowingVerb.word], isWanted: true
                )
                .map { Console.shared.result($0.text) }
            }
            return take.code
        }
        guard let file = take.file else {
            await take.film?.abandon()
            throw CommandFailure(
                .badData, "\(take.path) is not there any more: no film is made of it")
        }
        if let code = try await take.film?.finish(file) { return code }
        do {
            return try await TakeComposition(path: take.path, arguments: following, file: file)
                .run()
        } catch {
            throw CommandFailure.from(error, while: .film)
        }
    }
}

/// The options of a recording that are about how it is steered and watched.
struct InterfaceOptions: Sendable {
    /// `nil` reads no keys.
    var bindings: KeyBindings?
    var session: String?
    var progress: (target: ProgressTarget, form: ProgressReport.Form)?
    var isStrict: Bool
    var isQuiet: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        var chosen = try KeyBindings(
            pauseKey: try arguments(RecordOptions.pauseKey),
            stopKey: try arguments(RecordOptions.stopKey))
        chosen.hasLivePhotos = try arguments(LivePhotoForm.arming) != nil
        if let wish = try arguments(RecordOptions.preview), wish != .none {
            chosen = chosen.withPreview
        }
        bindings = try arguments(RecordOptions.keys) == "none" ? nil : chosen
        session = try arguments(RecordOptions.session)
        let form = try arguments(RecordOptions.progressFormat)
            .flatMap(ProgressReport.Form.init(rawValue:))
        progress = try arguments(RecordOptions.progress).map { ($0, form ?? .keyValue) }
        isStrict = arguments.isOn(RecordOptions.strict)
        isQuiet = arguments.isOn(StandardOptions.quiet)
    }

    /// Whether standard output carries progress and nothing else.
    var progressTakesOutput: Bool {
        switch progress?.target {
        case .standardOutput, .descriptor(1): true
        default: false
        }
    }
}

/// How a recording ended.
struct RecordedTake: Sendable {
    let path: String
    let code: ExitCode
    /// Whether anything was recorded.
    let hasMovie: Bool
    /// The movie, as the recorder left it.
    let file: TakeFile?
    /// What makes its film, where that was begun already.
    let film: FilmProcess?
}

/// Records once, from the opening of the devices to the exit code.
struct RecordCommand {
    let plan: RecordPlan
    let interface: InterfaceOptions
    let arguments: Arguments

    func run() async throws -> RecordedTake {
        let signals = OpeningSignals()
        for line in IdleRecordOptions(arguments: arguments).warnings {
            Console.shared.warning(line)
        }
        let folders = UserFolders(environment: ProcessInfo.processInfo.environment)
        let output = plan.path(folders)
        let path = try output.prepare(plan.output)
        try plan.requireFreeReport(path, output)
        let others = others(path)
        try interface.progress?.target.check(
            replacesExisting: plan.replacesExisting, besides: others)
        if let following = arguments.following.first {
            try await TakeComposition(path: path, arguments: following).check(
                plan, progress: interface.progress?.target)
        }
        let place: PreviewDisplay = plan.cameras.isEmpty ? .none : try TakePreview.place(arguments)
        let inputs = try await RecordInputs.open(plan, aliases: arguments.aliases)
        for input in inputs.inputs {
            Console.shared.detail("\(input.name): \(input.explanation)")
        }
        let preview = await TakePreview.open(
            inputs, plan, on: place, bindings: interface.bindings)
        signals.opened()
        do {
            let progress = try interface.progress.map { progress throws(CommandFailure) in
                try ProgressWriter(
                    progress.target, form: progress.form, replacesExisting: plan.replacesExisting,
                    besides: others)
            }
            let begun = try await begin(inputs, path, output, folders, preview, signals)
            return try await record(begun, inputs, progress)
        } catch {
            await inputs.stop()
            throw error
        }
    }

    /// What progress must not be written into.
    private func others(_ path: String) -> [OtherOutput] {
        [.movie(path), .report(plan.settings(outputPath: path).reportPath)]
    }

    /// A recording whose file is there.
    private struct Begun {
        let recorder: Recorder
        let commands: TakeSteering
        let steering: RecordingInterface
        /// `nil` where slates are not followed.
        let slates: SlateWatch?
        let path: String
    }

    private func record(
        _ begun: Begun, _ inputs: RecordInputs, _ progress: ProgressWriter?
    ) async throws -> RecordedTake {
        let (recorder, path) = (begun.recorder, begun.path)
        do {
            try await inputs.start()
        } catch {
            begun.steering.stop()
            _ = await recorder.stop(fast: true)
            throw error
        }
        begun.steering.startPreview()
        let film = arguments.following.first.flatMap { following in
            FilmProcess.start(
                take: path,
                TakeComposition(
                    path: path, arguments: following, words: arguments.followingWords),
                recording: arguments)
        }
        let showsLine = isatty(STDERR_FILENO) == 1 && !interface.isQuiet
        let reporter = StatusReporter(begun.commands, progress: progress, showsLine: showsLine)
        let thread = reporter.start()
        let others = begun.commands.followOthers()
        defer { others.cancel() }
        let depth = inputs.inputs.indices.filter {
            inputs.inputs[$0].source.format.video?.depth != nil
        }
        var messages = RecordingMessages(names: inputs.inputs.map(\.name), depth: Set(depth))
        await messages.follow(recorder.events)
        var report = try await recorder.finished()
        let file = TakeFile(at: path)
        // first, because who asked for them gets an answer
        begun.commands.finishPhotos()
        do throws(MediaError) { report = try recorder.completeReport() ?? report } catch {
            Console.shared.warning(error.message)
        }
        begun.steering.stop()
        begun.slates?.stop()
        reporter.stop(thread)
        if let line = inputs.stereo.flatMap(StereoWish.failure) { Console.shared.warning(line) }
        await inputs.stop()
        do throws(CommandFailure) {
            return RecordedTake(
                path: path, code: try conclude(report, messages, path),
                hasMovie: report.clocks != nil, file: file, film: film)
        } catch {
            await film?.abandon()
            throw error
        }
    }

    /// Makes the movie's file and begins to listen to sources, keys, signals and the socket. Where another
    /// process was faster with a name that counts, the next one is taken.
    private func begin(
        _ inputs: RecordInputs, _ first: String, _ output: OutputPath, _ folders: UserFolders,
        _ preview: TakePreview?, _ signals: OpeningSignals
    ) async throws -> Begun {
        var path = first
        while true {
            let recorder = try recorder(inputs, path)
            let commands = TakeSteering(
                recorder,
                photos: TakePhotos(
                    inputs.photos, inputs.live, plan.live, of: recorder, moviePath: path),
                cameras: TakeCameras(
                    inputs.session, inputs.cameras, inputs.choice, of: recorder))
            // first, because a session's name that is taken must leave no file behind
            let server = try server(commands, folders)
            do throws(MediaError) {
                try recorder.start()
                let slates = slates(inputs, recorder, commands)
                slates?.start()
                return Begun(
                    recorder: recorder, commands: commands,
                    steering: RecordingInterface(
                        commands, bindings: interface.bindings, server: server, preview: preview,
                        signals: signals),
                    slates: slates,
                    path: path)
            } catch {
                server?.stop()
                guard [.alreadyExists, .inUse].contains(error.code), output.counts(plan.output)
                else { throw CommandFailure(error, while: .writing) }
                let next = try output.prepare(plan.output)
                guard next != path else { throw CommandFailure(error, while: .writing) }
                path = next
            }
        }
    }

    private func slates(
        _ inputs: RecordInputs, _ recorder: Recorder, _ commands: TakeSteering
    ) -> SlateWatch? {
        guard let detection = plan.detection, let wish = detection.slates else { return nil }
        return SlateWatch(
            wish, of: recorder, commands, outputs: inputs.detectors, rate: detection.rate)
    }

    private func recorder(
        _ inputs: RecordInputs, _ path: String
    ) throws(CommandFailure) -> Recorder {
        var settings = plan.settings(outputPath: path)
        for (index, input) in inputs.inputs.enumerated() {
            settings.explanations[index] = input.explanation
        }
        for line in TakeAnnouncement.lines(inputs.inputs, settings) { Console.shared.notice(line) }
        for line in TakeAnnouncement.cautions(inputs.inputs, settings) {
            Console.shared.warning(line)
        }
        do throws(MediaError) {
            return try Recorder(
                sources: inputs.inputs.map(\.source), settings: settings,
                pressure: inputs.pressure)
        } catch { throw CommandFailure(error, while: .writing) }
    }

    /// The control socket; without a place for it the recording continues, unless a name was asked for.
    private func server(
        _ recording: any RecordingCommands, _ folders: UserFolders
    ) throws(CommandFailure) -> ControlServer? {
        let folder = SessionFolder(path: folders.runtime)
        do throws(CommandFailure) {
            return try ControlServer(
                session: interface.session ?? SessionFolder.standardName(of: getpid()), in: folder,
                recording: recording)
        } catch {
            if interface.session != nil { throw error }
            Console.shared.warning("vcap ctl will not reach this recording: \(error.message)")
            return nil
        }
    }

    private func conclude(
        _ report: TakeReport, _ messages: RecordingMessages, _ path: String
    ) throws(CommandFailure) -> ExitCode {
        let lines = TakeSummary.lines(report, path: messages.savedPath ?? path)
        for line in lines { Console.shared.notice(line) }
        let code: ExitCode =
            messages.diskFilled
            ? .ioError : report.verdict == .bad && interface.isStrict ? .badVerdict : .done
        if messages.failure != nil || code != .done || report.clocks == nil {
            reportMissingFilm(report.clocks == nil ? nil : messages.savedPath ?? path)
        }
        if let failure = messages.failure {
            let known = CommandFailure(failure, while: .writing)
            // the report says where a movie is that was taken away
            throw messages.savedPath == nil
                ? known : CommandFailure(known.code, report.failure ?? known.message)
        }
        let hasDocument = arguments.following.contains { $0.isOn(StandardOptions.json) }
        if report.clocks != nil, !interface.progressTakesOutput, !hasDocument {
            Console.shared.result(path + "\n")
        }
        return code
    }

    /// - Parameter movie: what was recorded, if there is anything.
    private func reportMissingFilm(_ movie: String?) {
        guard !arguments.following.isEmpty else { return }
        Console.shared.warning(
            movie.map {
                "no film is made of the take, because it did not end well: vcap compose \($0) makes one"
            } ?? "no film is made: nothing was recorded")
    }
}
