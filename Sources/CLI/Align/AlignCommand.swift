import Compose
internal import Glibc
import Media
import Reading

/// Aligns recordings, prints where they lie, and writes what was asked for.
struct AlignCommand: Sendable {
    private let arguments: Arguments
    private let output: AlignOutput?
    private let method: AlignmentMethod
    private let layout: AngleLayout?
    private let writesJSON: Bool
    private let isQuiet: Bool
    private let running = RunningAlignment()

    init(_ arguments: Arguments) throws(CommandFailure) {
        self.arguments = arguments
        output = try AlignOutput(arguments)
        method = try arguments(AlignOptions.method) ?? .automatic
        layout = try Self.layout(arguments, output)
        writesJSON = arguments.isOn(StandardOptions.json)
        isQuiet = arguments.isOn(StandardOptions.quiet)
    }

    private static func layout(
        _ arguments: Arguments, _ output: AlignOutput?
    ) throws(CommandFailure) -> AngleLayout? {
        guard let layout = try arguments(AlignOptions.layout) else { return nil }
        guard case .project = output else {
            throw CommandFailure(
                .usage,
                "--layout is for a project: give -o NAME.vcap.json5 as well, or leave it out")
        }
        guard case .angles(let angles) = layout else {
            throw CommandFailure(
                .usage,
                "--layout speaker is for one take of several cameras (vcap compose): take pip, side or grid"
            )
        }
        return angles
    }

    func run() async throws -> ExitCode {
        if arguments.isTyped(ExportOptions.progressFormat.spec),
            !arguments.isTyped(ExportOptions.progress.spec)
        {
            Console.shared.warning(
                "--progress-format does nothing: --progress says where reports go")
        }
        try output?.check(
            arguments.operands, replacesExisting: arguments.isOn(AlignOptions.overwrite))
        let progress = try progressWriter()
        SignalListener.listen { event in
            switch event {
            case .interrupt, .terminate, .hangUp: running.cancel()
            default: break
            }
        }
        let start = HostClock().now()
        func end(_ state: String) {
            let snapshot = ProgressSnapshot(
                frames: 0, bytes: 0, duration: .zero, elapsed: HostClock().now() - start,
                fraction: state == "finished" ? 1 : 0, state: state)
            progress?.write(snapshot, isEnd: true)
        }
        do {
            let code = try await work(progress)
            end(code == .done ? "finished" : "failed")
            return code
        } catch {
            end("failed")
            throw error
        }
    }

    private func work(_ progress: ProgressWriter?) async throws -> ExitCode {
        let inputs = await load()
        // without the reference there is nothing to be said of the others
        if let failure = inputs[0].failure { throw failure }
        let assets = inputs.compactMap { try? $0.asset.get() }
        let alignment = assets.count > 1 ? try await align(assets, progress) : nil
        let listing = AlignListing(inputs, alignment)
        for note in alignment?.recordings.flatMap(\.notes) ?? [] { Console.shared.warning(note) }
        for failure in listing.failures { Console.shared.error(failure.message) }
        if !writesJSON { Console.shared.result(listing.text) }
        guard let alignment, listing.failures.isEmpty else {
            if output != nil {
                Console.shared.notice("nothing is written, because not all files are aligned")
            }
            if writesJSON { Console.shared.result(listing.document(written: []).pretty + "\n") }
            return listing.failures.map(\.code).max { $0.rawValue < $1.rawValue } ?? .done
        }
        var written: [String] = []
        do {
            try await write(alignment, assets, progress) { written.append($0) }
        } catch {
            // what was found is not lost with the copy that could not be made
            for path in written { Console.shared.notice("\(path) is made and stays") }
            var failure = CommandFailure.from(error, while: .film)
            failure.made = .init(key: "alignment", value: listing.document(written: written))
            throw failure
        }
        if writesJSON {
            Console.shared.result(listing.document(written: written).pretty + "\n")
        } else {
            for path in written { Console.shared.result(path + "\n") }
        }
        return .done
    }

    /// Every file's structure, or why it cannot be read.
    private func load() async -> [AlignInput] {
        await NamedThread.run("vcap-work") { arguments.operands.map(AlignInput.init) }
    }

    private func align(
        _ assets: [Asset], _ progress: ProgressWriter?
    ) async throws -> RecordingAlignment {
        let aligner = RecordingAligner(assets, by: method, clocks: try clockReader())
        running.begin { aligner.cancel() }
        defer { running.end() }
        let watching = watch(
            aligner.states(updateInterval: .milliseconds(250)), "aligning", progress)
        let result: Result<RecordingAlignment, MediaError>
        do throws(MediaError) { result = .success(try await aligner.align()) } catch {
            result = .failure(error)
        }
        await watching.value
        return try result.get()
    }

    /// `nil` where what detects codes is not installed and nobody asked for slates alone.
    private func clockReader() throws(CommandFailure) -> ClockReader? {
        guard method != .sound else { return nil }
        let frames: ClockFrames
        do throws(MediaError) { frames = try ClockFrames() } catch {
            if method == .slate { throw .noDetector(error) }
            return nil
        }
        return { (asset, progress) throws(MediaError) in try frames.readings(in: asset, progress) }
    }

    private func write(
        _ alignment: RecordingAlignment, _ assets: [Asset], _ progress: ProgressWriter?,
        _ isWritten: (String) -> Void
    ) async throws {
        switch output {
        case nil: return
        case .project(let project):
            let aligned = try alignment.timeline(layout: layout)
            for note in aligned.notes { Console.shared.warning(note) }
            isWritten(try await project.file(of: aligned.timeline, checksMedia: false).path)
        case .copies(let folder):
            let copies = try AlignedCopies(
                alignment, assets, folder: folder,
                replacesExisting: arguments.isOn(AlignOptions.overwrite))
            for note in copies.notes { Console.shared.warning(note) }
            try await write(copies, progress, isWritten)
        }
    }

    private func write(
        _ copies: AlignedCopies, _ progress: ProgressWriter?, _ isWritten: (String) -> Void
    ) async throws {
        for copy in copies.copies {
            let session = ConversionSession(copy.conversion)
            running.begin { session.cancel() }
            defer { running.end() }
            let watching = watch(
                session.states(updateInterval: .milliseconds(250)), "converting", progress)
            let result: Result<ConversionReport, MediaError>
            do throws(MediaError) {
                result = .success(try await session.convert(to: copy.path))
            } catch { result = .failure(error) }
            await watching.value
            let report = try result.get()
            for note in report.notes { Console.shared.warning(note) }
            let facts = report.tracks.map(\.work)
            Console.shared.notice("\(report.path): \(facts.joined(separator: ", "))")
            isWritten(report.path)
        }
    }

    // MARK: Progress

    private func progressWriter() throws(CommandFailure) -> ProgressWriter? {
        guard let target = try arguments(ExportOptions.progress) else { return nil }
        guard target != .standardOutput, target != .descriptor(1) else {
            throw CommandFailure(
                .usage,
                "--progress - would be mixed with the result, which goes there: give a file or another "
                    + "descriptor, such as fd:2")
        }
        let form = try arguments(ExportOptions.progressFormat)
            .flatMap(ProgressReport.Form.init(rawValue:))
        return try ProgressWriter(
            target, form: form ?? .keyValue,
            replacesExisting: arguments.isOn(AlignOptions.overwrite),
            besides: arguments.operands.map { .movie($0) })
    }

    private func watch(
        _ states: AsyncStream<ExportState>, _ word: String, _ progress: ProgressWriter?
    ) -> Task<Void, Never> {
        let showsLine = isatty(STDERR_FILENO) == 1 && !isQuiet
        return Task {
            for await case .exporting(let state) in states {
                if showsLine { Console.shared.status("\(word)  \(ExportLine.text(state))") }
                progress?.write(ProgressSnapshot(state, state: word), isEnd: false)
            }
            if showsLine { Console.shared.status("") }
        }
    }
}

/// What runs now, so that a signal can end it. Thread-safe.
private final class RunningAlignment: Sendable {
    private struct State: Sendable {
        var end: (@Sendable () -> Void)?
        var isCancelled = false
    }

    private let state = Lock(State())

    func begin(_ end: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.end = end
            return state.isCancelled
        }
        if isCancelled { end() }
    }

    func end() { state.withLock { $0.end = nil } }

    func cancel() {
        let end = state.withLock { state in
            state.isCancelled = true
            return state.end
        }
        end?()
    }
}
