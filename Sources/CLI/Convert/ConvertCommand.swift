import Compose
import FoundationEssentials
internal import Glibc
import Media
import Movie
import Reading

/// Converts each input by itself; one that fails does not stop the others.
struct ConvertCommand: Sendable {
    private let arguments: Arguments
    private let settings: ConversionSettings
    private let span: TimeSpan?
    private let writesJSON: Bool
    private let isQuiet: Bool
    private let filters: FilterPlan?
    /// The conversion that runs now, and whether the user has ended all of them.
    private let running = RunningConversion()

    init(_ arguments: Arguments) throws(CommandFailure) {
        self.arguments = arguments
        settings = try ConversionSettings(arguments)
        span = try arguments(ConvertOptions.range)
        filters = try FilterPlan(arguments, isLive: false)
        writesJSON = arguments.isOn(StandardOptions.json)
        isQuiet = arguments.isOn(StandardOptions.quiet)
    }

    func run() async throws -> ExitCode {
        // until something is written nothing has to be ended
        SignalListener.endBeforeWriting()
        let output = try arguments(ConvertOptions.output)
        let files = try await joined(
            ConvertInputs.expanded(
                arguments.operands,
                isEachByItself: output.map(ConvertOutputs.hasPlaceholder) ?? true))
        let sequence = try await sequence(of: files)
        if sequence == nil, try arguments(ConvertOptions.timing) != nil {
            throw CommandFailure(
                .usage,
                "--timing is for several pictures that become one movie, such as 'shots/*.jpg'")
        }
        let idle = IdleConvertOptions(arguments: arguments)
        let takesPhotos = arguments.isOn(ConvertOptions.still)
        if takesPhotos, arguments.isOn(ExportOptions.plan) {
            throw CommandFailure(
                .usage, "--plan says what is converted, and --still converts nothing: leave one out"
            )
        }
        for line in takesPhotos
            ? idle.warningsOfPhotos() : idle.warnings(isSequence: sequence != nil)
        {
            Console.shared.warning(line)
        }
        // a sequence is one input, called by its first picture
        let inputs = sequence == nil ? files : Array(ConvertSequence.ordered(files).prefix(1))
        if arguments.isOn(ExportOptions.plan) {
            return try await printPlans(inputs, sequence)
        }
        guard let pattern = try arguments(ConvertOptions.output) else {
            throw CommandFailure(.usage, "say what to write with -o, such as -o out.mp4")
        }
        let outputs = try ConvertOutputs(
            pattern, inputs: inputs, kept: files, replaces: settings.overwrites)
        SignalListener.listen { event in
            switch event {
            case .interrupt, .terminate, .hangUp: running.cancel()
            default: break
            }
        }
        if takesPhotos { return try await extractPhotos(inputs, outputs) }
        let progress = try progressWriter()
        var outcomes: [ConvertOutcome] = []
        var total = ConvertProgress(progress, inputs: inputs.count)
        for (number, input) in inputs.enumerated() where !running.isCancelled {
            let place = inputs.count > 1 ? "\(number + 1)/\(inputs.count)  " : ""
            do {
                let names = outputs.names(for: input)
                _ = try names.next()
                let report = try await convert(
                    try await source(sequence, input), to: names, place: place, progress: total)
                total.add(report)
                outcomes.append(ConvertOutcome(input: input, result: .success(report)))
                say(report)
            } catch {
                let failure = CommandFailure.from(error, while: .film)
                outcomes.append(ConvertOutcome(input: input, result: .failure(failure)))
                total.addFailure()
                Console.shared.error(failure.message)
            }
        }
        total.end()
        return finish(outcomes, of: inputs.count)
    }

    private func progressWriter() throws(CommandFailure) -> ProgressWriter? {
        guard let target = try arguments(ExportOptions.progress) else { return nil }
        let form = try arguments(ExportOptions.progressFormat)
            .flatMap(ProgressReport.Form.init(rawValue:))
        return try ProgressWriter(
            target, form: form ?? .keyValue, replacesExisting: settings.overwrites,
            besides: try arguments(ConvertOptions.output).map { [.movie($0)] } ?? [])
    }

    // MARK: One input

    /// The halves of live photos are one input.
    private func joined(_ files: [String]) async throws -> [String] {
        let output = try arguments(ConvertOptions.output)
        let isOneOutput = output.map { !ConvertOutputs.hasPlaceholder($0) } ?? false
        return try await NamedThread.run("vcap-work") {
            try LiveInputs.joined(files, isOneOutput: isOneOutput)
        }
    }

    /// Several pictures that become one movie; nil: each input is converted by itself.
    private func sequence(of files: [String]) async throws -> Conversion? {
        guard !arguments.isOn(ConvertOptions.still),
            await NamedThread.run("vcap-work", { ConvertSequence.isSequence(files) }),
            let output = try arguments(ConvertOptions.output),
            !ConvertOutputs.hasPlaceholder(output)
        else { return nil }
        var settings = settings
        let timing: SequenceTiming
        if let wanted = try arguments(ConvertOptions.timing) {
            timing = try Self.timing(wanted, arguments, last: settings.duration)
            settings.duration = nil
        } else if let rate = settings.frameRate {
            timing = .even(rate.frameDuration)
            settings.frameRate = nil
        } else if let shown = settings.duration {
            timing = .even(shown)
            settings.duration = nil
        } else {
            throw CommandFailure(
                .usage,
                "say how fast the \(files.count) pictures follow each other: --fps 25, -t 2s for "
                    + "each, --timing exif or a list; or put %n into the output to convert each by itself"
            )
        }
        let gaps = try arguments(ConvertOptions.gaps).flatMap(SequenceGaps.init(rawValue:))
        let sequence = ConvertSequence(
            paths: ConvertSequence.ordered(files), gaps: gaps ?? .error, timing: timing)
        let frames = try await NamedThread.run("vcap-work") { try sequence.pictures() }
        let total = frames.reduce(MediaTime.zero) {
            $0 + $1.duration.scaled(to: Composition.timescale, rounding: .nearest)
        }
        if let most = settings.duration, most < total {
            let (end, length) = (
                Amounts.clock(most, fractionDigits: 3), Amounts.clock(total, fractionDigits: 3)
            )
            Console.shared.warning(
                "the \(files.count) pictures last \(length), and the movie ends at \(end) as -t says beside --fps"
            )
        }
        settings.range = try span.map { span throws(CommandFailure) in
            guard let range = span.range(within: total) else {
                throw CommandFailure(.usage, "the range begins after the sequence's end")
            }
            return range
        }
        let made = settings
        let filters = try await processors()
        return try await NamedThread.run("vcap-work") {
            var conversion = try Conversion(sequence: frames, settings: made)
            conversion.filters = filters
            return conversion
        }
    }

    private static func timing(
        _ wanted: WantedTiming, _ arguments: Arguments, last: MediaTime?
    ) throws(CommandFailure) -> SequenceTiming {
        let gaps = try arguments(ConvertOptions.gaps).flatMap(SequenceGaps.init(rawValue:))
        // numbers are not looked at, so overlooking holes among them is what happens anyway
        let fillsGaps = gaps == .hold || gaps == .black
        guard try arguments(ConvertOptions.rate) == nil, !fillsGaps else {
            throw CommandFailure(
                .usage,
                "--timing says how long each picture shows: leave --fps, --gaps hold and --gaps black out"
            )
        }
        switch wanted {
        case .exif: return .exif(last: last)
        case .list(let path):
            guard last == nil else {
                throw CommandFailure(
                    .usage, "the list \(path) says how long each picture shows: leave -t out")
            }
            return .list(path)
        }
    }

    /// New ones, for one input.
    private func processors() async throws -> [any FrameProcessor] {
        guard let filters else { return [] }
        if filters.needsDepth {
            throw CommandFailure(
                .usage,
                "--filter matte=depth is for vcap record, with a depth camera beside the other one")
        }
        return try await NamedThread.run("vcap-work") { try filters.processors() }
    }

    private func source(_ sequence: Conversion?, _ input: String) async throws -> Conversion {
        if let sequence { return sequence }
        return try await conversion(of: input)
    }

    private func conversion(of input: String) async throws -> Conversion {
        let delays = try arguments(ConvertOptions.leastDelay).map(DelayRule.atLeast) ?? .browsers
        let showsStill = try settings.duration != nil || isOneStill()
        let asset = try await NamedThread.run("vcap-work") {
            if let note = LiveInputs.depthNote(of: input) { Console.shared.warning(note) }
            return try LiveInputs.asset(of: input, delays: delays, showsStill: showsStill)
        }
        for line in IdleConvertOptions(arguments: arguments).warnings(about: asset) {
            Console.shared.warning(line)
        }
        var settings = settings
        settings.loops = try loops(of: asset)
        if let span {
            let length = (asset.tracks.map(\.reach).max() ?? .zero) * Int64(settings.loops)
            guard let range = span.range(within: length) else {
                throw CommandFailure(
                    .usage,
                    "the range begins at \(Amounts.clock(span.start, fractionDigits: 3)), after the "
                        + "end of \(input) at "
                        + Amounts.clock(asset.duration, fractionDigits: 3))
            }
            if let excess = span.excess(over: length, of: input) {
                Console.shared.warning(excess + ": it is converted to there")
            }
            settings.range = range
        }
        var conversion = Conversion(asset, settings: settings)
        conversion.filters = try await processors()
        return conversion
    }

    /// Whether the output is a single picture file.
    private func isOneStill() throws(CommandFailure) -> Bool {
        guard let name = try arguments(ConvertOptions.output),
            case .single = PictureOutput(path: name)
        else { return false }
        return true
    }

    private func loops(of asset: Asset) throws(CommandFailure) -> Int {
        guard asset.tracks.contains(where: \.isAnimation) else { return 1 }
        switch try arguments(ConvertOptions.loops) {
        case .times(let count): return count
        case .file:
            guard let loops = asset.tracks.first(where: \.isAnimation)?.loops else {
                throw CommandFailure(
                    .usage, "\(asset.path) is to be shown for ever: say how often with --loops 3")
            }
            return min(1000, max(1, loops))
        case nil: return 1
        }
    }

    private func convert(
        _ conversion: Conversion, to names: OutputNames, place: String,
        progress: ConvertProgress
    ) async throws -> ConversionReport {
        var (names, conversion) = (names, conversion)
        conversion.settings.overwrites = names.replacesExisting
        while true {
            let path = try names.next()
            do {
                return try await convert(conversion, to: path, place: place, progress: progress)
            } catch {
                try names.goPast(path, after: error)
            }
        }
    }

    private func convert(
        _ conversion: Conversion, to output: String, place: String,
        progress: ConvertProgress
    ) async throws -> ConversionReport {
        let session = ConversionSession(conversion)
        running.begin(session)
        defer { running.end() }
        let states = session.states(updateInterval: .milliseconds(250))
        let showsLine = isatty(STDERR_FILENO) == 1 && !isQuiet
        let watching = Task {
            for await case .exporting(let state) in states {
                if showsLine { Console.shared.status(place + ExportLine.text(state)) }
                progress.write(state)
            }
            if showsLine { Console.shared.status("") }
        }
        do {
            let report = try await session.convert(to: output)
            await watching.value
            return report
        } catch {
            await watching.value
            throw error
        }
    }

    private func say(_ report: ConversionReport) {
        for note in report.notes { Console.shared.warning(note) }
        let seconds = max(report.elapsed.approximateSeconds, 0.001)
        let speed = Amounts.decimal(report.duration.approximateSeconds / seconds, 1)
        var facts = report.tracks.map(\.work)
        facts.append(Amounts.bytes(report.bytes))
        // a still picture has no time
        if !report.isStill {
            facts.insert(Amounts.clock(report.duration, fractionDigits: 3), at: 0)
            facts.append("\(speed) times real time")
        }
        Console.shared.notice("\(report.path): \(facts.joined(separator: ", "))")
        for counts in report.filters { Console.shared.notice(FilterWords.line(counts)) }
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
        let target = try? arguments(ExportOptions.progress)
        if !writesJSON, target != .standardOutput { Console.shared.result(report.path + "\n") }
    }

    // MARK: Photos

    private func extractPhotos(
        _ inputs: [String], _ outputs: ConvertOutputs
    ) async throws -> ExitCode {
        let extraction = PhotoExtraction(
            outputs: outputs, replacesExisting: settings.overwrites)
        var outcomes: [PhotoOutcome] = []
        for input in inputs where !running.isCancelled {
            do {
                let photo = try await NamedThread.run("vcap-work") { try extraction.extract(input) }
                outcomes.append(.written(input: input, path: photo.path, bytes: photo.bytes))
                if !writesJSON { Console.shared.result(photo.path + "\n") }
            } catch {
                let failure = CommandFailure.from(error, while: .film)
                outcomes.append(.failed(input: input, failure))
                Console.shared.error(failure.message)
            }
        }
        if writesJSON {
            let document = JSONValue.members([
                "schema": "vcap.convert/1", "files": .array(outcomes.map(\.json)),
            ])
            Console.shared.result(document.pretty + "\n")
        }
        return code(outcomes.compactMap(\.failure), begun: outcomes.count, of: inputs.count)
    }

    // MARK: All of them

    /// That of the worst failure; inputs that a signal kept from being begun have failed as well.
    private func code(_ failures: [CommandFailure], begun: Int, of count: Int) -> ExitCode {
        let worst = failures.map(\.code).max { $0.rawValue < $1.rawValue } ?? .done
        return begun < count && worst == .done ? .failedRunning : worst
    }

    private func finish(_ outcomes: [ConvertOutcome], of count: Int) -> ExitCode {
        let failures = outcomes.compactMap(\.failure)
        if count > 1 {
            let skipped = count - outcomes.count
            Console.shared.notice(
                "\(outcomes.count - failures.count) of \(count) converted, \(failures.count) failed"
                    + (skipped > 0 ? ", \(skipped) not begun" : ""))
        }
        if writesJSON {
            let document = JSONValue.members([
                "schema": "vcap.convert/1", "files": .array(outcomes.map(\.json)),
            ])
            Console.shared.result(document.pretty + "\n")
        }
        return code(failures, begun: outcomes.count, of: count)
    }

    private func printPlans(
        _ inputs: [String], _ sequence: Conversion?
    ) async throws -> ExitCode {
        let output = try arguments(ConvertOptions.output)
        let name = try output.map { name throws(CommandFailure) in
            try ConvertOutputs(name, inputs: [], replaces: true).pattern
        }
        guard let name, PictureOutput(path: name) != nil || OutputContainer(path: name) != nil
        else {
            throw CommandFailure(
                .usage,
                "say what would be written with -o, such as -o out.mp4: the plan depends on it")
        }
        var plans: [JSONValue] = []
        var failures: [CommandFailure] = []
        for input in inputs {
            do {
                let listing = try await listing(of: input, as: name, sequence)
                plans.append(listing.json)
                if !writesJSON { Console.shared.result(listing.text) }
            } catch {
                guard inputs.count > 1 else { throw error }
                let failure = CommandFailure.from(error, while: .film)
                plans.append(ConvertOutcome(input: input, result: .failure(failure)).json)
                failures.append(failure)
                Console.shared.error(failure.message)
            }
        }
        if writesJSON {
            let document = JSONValue.members([
                "schema": "vcap.convert-plan/1", "files": .array(plans),
            ])
            Console.shared.result(document.pretty + "\n")
        }
        return code(failures, begun: inputs.count, of: inputs.count)
    }

    private func listing(
        of input: String, as name: String, _ sequence: Conversion?
    ) async throws -> ConvertListing {
        let session = ConversionSession(try await source(sequence, input))
        let notes = await NamedThread.run("vcap-work") { session.conversion.sourceNotes }
        if let output = PictureOutput(path: name) {
            let plan = try await NamedThread.run("vcap-work") { try session.plan(for: output) }
            return ConvertListing(plan, of: input, notes: notes)
        }
        guard let container = OutputContainer(path: name) else {
            throw CommandFailure(.usage, "the ending of \(name) names no container")
        }
        let plan = try await NamedThread.run("vcap-work") { try session.plan(for: container) }
        return ConvertListing(plan, of: input, notes: notes)
    }
}

/// The one conversion that runs, so that a signal can end it. Thread-safe.
private final class RunningConversion: Sendable {
    private struct State: Sendable {
        var session: ConversionSession?
        var isCancelled = false
    }

    private let state = Lock(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func begin(_ session: ConversionSession) {
        let isCancelled = state.withLock { state in
            state.session = session
            return state.isCancelled
        }
        if isCancelled { session.cancel() }
    }

    func end() { state.withLock { $0.session = nil } }

    func cancel() {
        let session = state.withLock { state in
            state.isCancelled = true
            return state.session
        }
        session?.cancel()
    }
}

extension ConversionReport {
    /// Whether it is of one picture file.
    fileprivate var isStill: Bool {
        if case .single = PictureOutput(path: path) { true } else { false }
    }
}

extension ConversionReport.Track {
    /// What was done, in a few words.
    var work: String {
        if copiedFrames > 0 {
            return "\(codec), \(copiedFrames) of \(copiedFrames + encodedFrames) frames copied"
        }
        return "\(codec) \(isCopied ? "copied" : "encoded")"
    }
}
