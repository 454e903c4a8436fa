import Compose
import FoundationEssentials
internal import Glibc
import Media
import Synchronization
import Writer

/// Converts each input by itself; one that fails does not stop the others.
struct ConvertCommand: Sendable {
    private let arguments: Arguments
    private let settings: ConversionSettings
    private let span: TimeSpan?
    private let writesJSON: Bool
    private let isQuiet: Bool
    /// The conversion that runs now, and whether the user has ended all of them.
    private let running = RunningConversion()

    init(_ arguments: Arguments) throws(CommandFailure) {
        self.arguments = arguments
        settings = try ConversionSettings(arguments)
        span = try arguments(ConvertOptions.range)
        writesJSON = arguments.isOn(StandardOptions.json)
        isQuiet = arguments.isOn(StandardOptions.quiet)
    }

    func run() async throws -> ExitCode {
        let inputs = try ConvertInputs.expanded(arguments.operands)
        if arguments.isOn(ExportOptions.plan) { return try await printPlans(inputs) }
        guard let pattern = try arguments(ConvertOptions.output) else {
            throw CommandFailure(.usage, "say what to write with -o, such as -o out.mp4")
        }
        let outputs = try ConvertOutputs(pattern, inputs: inputs, replaces: settings.overwrites)
        let progress = try progressWriter()
        SignalListener.listen { event in
            switch event {
            case .interrupt, .terminate, .hangUp: running.cancel()
            default: break
            }
        }
        var outcomes: [ConvertOutcome] = []
        for (number, input) in inputs.enumerated() where !running.isCancelled {
            let place = inputs.count > 1 ? "\(number + 1)/\(inputs.count)  " : ""
            let isLast = number == inputs.count - 1
            do {
                let output = try outputs.path(for: input)
                let report = try await convert(
                    input, to: output, place: place, progress: progress, isLast: isLast)
                outcomes.append(ConvertOutcome(input: input, result: .success(report)))
                say(report)
            } catch {
                let failure = CommandFailure.from(error)
                outcomes.append(ConvertOutcome(input: input, result: .failure(failure)))
                Console.shared.error(failure.message)
            }
        }
        return finish(outcomes, of: inputs.count)
    }

    private func progressWriter() throws(CommandFailure) -> ProgressWriter? {
        guard let target = try arguments(ExportOptions.progress) else { return nil }
        let form = try arguments(ExportOptions.progressFormat)
            .flatMap(ProgressReport.Form.init(rawValue:))
        return try ProgressWriter(
            target, form: form ?? .keyValue, replacesExisting: settings.overwrites)
    }

    // MARK: One input

    private func conversion(of input: String) async throws -> Conversion {
        let asset = try await BlockingCall.run { try Asset.load(input) }
        var settings = settings
        if let span {
            guard let range = span.range(within: asset.tracks.map(\.reach).max() ?? .zero) else {
                throw CommandFailure(
                    .usage,
                    "the range begins at \(Amounts.clock(span.start, fractionDigits: 3)), after the "
                        + "end of \(input) at "
                        + Amounts.clock(asset.duration, fractionDigits: 3))
            }
            settings.range = range
        }
        return Conversion(asset, settings: settings)
    }

    private func convert(
        _ input: String, to output: String, place: String, progress writer: ProgressWriter?,
        isLast: Bool
    ) async throws -> ConversionReport {
        let session = ConversionSession(try await conversion(of: input))
        running.begin(session)
        defer { running.end() }
        let states = session.states(updateInterval: .milliseconds(250))
        let showsLine = isatty(STDERR_FILENO) == 1 && !isQuiet
        let watching = Task {
            for await case .exporting(let progress) in states {
                if showsLine { Console.shared.status(place + ExportLine.text(progress)) }
                writer?.write(ProgressSnapshot(progress, state: "converting"), isEnd: false)
            }
            if isLast, case .exporting(let last) = session.state {
                writer?.write(ProgressSnapshot(last, state: "finished"), isEnd: true)
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
        let tracks = report.tracks.map { "\($0.codec) \($0.isCopied ? "copied" : "encoded")" }
        Console.shared.notice(
            "\(report.path): \(Amounts.clock(report.duration, fractionDigits: 3)), "
                + "\(tracks.joined(separator: ", ")), \(Amounts.bytes(report.bytes)), "
                + "\(speed) times real time")
        for text in report.textTracks {
            Console.shared.notice(
                "\(text.cues) subtitles" + (text.language.map { " (\($0))" } ?? "") + " carried")
        }
        let target = try? arguments(ExportOptions.progress)
        if !writesJSON, target != .standardOutput { Console.shared.result(report.path + "\n") }
    }

    // MARK: All of them

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
        return failures.map(\.code).max { $0.rawValue < $1.rawValue } ?? .done
    }

    private func printPlans(_ inputs: [String]) async throws -> ExitCode {
        let output = try arguments(ConvertOptions.output)
        let name = try output.map { name throws(CommandFailure) in
            try ConvertOutputs(name, inputs: [], replaces: true).pattern
        }
        guard let name, let container = OutputContainer(path: name) else {
            throw CommandFailure(
                .usage,
                "say what would be written with -o, such as -o out.mp4: the plan depends on it")
        }
        var plans: [JSONValue] = []
        for input in inputs {
            let session = ConversionSession(try await conversion(of: input))
            let plan = try await BlockingCall.run { try session.plan(for: container) }
            plans.append(ConvertListing.json(plan, of: input))
            if !writesJSON { Console.shared.result(ConvertListing.text(plan, of: input)) }
        }
        if writesJSON {
            let document = JSONValue.members([
                "schema": "vcap.convert-plan/1", "files": .array(plans),
            ])
            Console.shared.result(document.pretty + "\n")
        }
        return .done
    }
}

/// The one conversion that runs, so that a signal can end it. Thread-safe.
private final class RunningConversion: Sendable {
    private struct State: Sendable {
        var session: ConversionSession?
        var isCancelled = false
    }

    private let state = Mutex(State())

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
