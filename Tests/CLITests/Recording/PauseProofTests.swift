import Foundation
import Media
import TestSupport
import Testing

/// How a person or program pauses.
private enum Way: String, CaseIterable, Sendable {
    case key, signal, socket
}

/// One recording that is paused twenty times at random.
private struct PausedTake {
    static let pauses = 20

    let way: Way
    let path: String
    let runtime: String
    let session: String
    private var numbers: SplitMix
    /// How long it records between two pauses (ms).
    var rest: ClosedRange<Int64> = 1150...1450
    /// When each pause was asked for (host clock, s).
    private(set) var asked: [Double] = []
    /// For how long the machine stood still while it was recorded.
    var stood = MediaTime.zero

    init(
        _ way: Way, path: String, microphone: String = "test:", audio: String, runtime: String,
        seed: UInt64
    ) throws {
        self.way = way
        self.path = path
        self.runtime = runtime
        session = "\(way.rawValue)-\(path.suffix(3))"
        numbers = SplitMix(seed: seed)
        arguments = [
            "record", "-c", "test:", "-a", microphone, "-s", "320x180", "-r", "30", "-o", path,
            "--pause-key", "p", "--session", session, "--audio-codec", audio, "-v",
        ]
    }

    private let arguments: [String]

    private func sleep(_ range: ClosedRange<Int64>, _ number: UInt64) {
        let length = range.lowerBound + Int64(number % UInt64(range.count))
        usleep(UInt32(length * 1000))
    }

    private var now: Double { HostClock().now().approximateSeconds }

    /// Records with pauses; the exit status and what was printed.
    mutating func record() throws -> (status: Int32, output: String) {
        let terminal = try PseudoTerminal(arguments, environment: ["XDG_RUNTIME_DIR": runtime])
        guard terminal.waitFor("recording") else { return (-1, terminal.screen) }
        let recorder = terminal.foreground
        for number in 1...PausedTake.pauses {
            sleep(rest, numbers.next())
            asked.append(now)
            try press(terminal, recorder, "pause")
            // two signals at once are one, and two keys read at once cut nothing
            guard terminal.waitFor("paused at", times: number) else { return (-1, terminal.screen) }
            sleep(120...350, numbers.next())
            try press(terminal, recorder, "resume")
            guard terminal.waitFor("resumed at", times: number) else {
                return (-1, terminal.screen)
            }
        }
        sleep(rest, numbers.next())
        switch way {
        case .key: terminal.type("q")
        case .signal: kill(recorder, SIGINT)
        case .socket: try control("stop")
        }
        return terminal.wait()
    }

    private func press(
        _ terminal: PseudoTerminal, _ recorder: pid_t, _ command: String
    ) throws {
        switch way {
        case .key: terminal.type("p")
        case .signal: kill(recorder, SIGUSR1)
        case .socket: try control(command)
        }
    }

    private func control(_ command: String) throws {
        let result = try Program.vcap.run(
            ["ctl", command, "--session", session], environment: ["XDG_RUNTIME_DIR": runtime])
        #expect(result.status == 0, "\(result.errorText)")
    }
}

/// One of the takes that are paused side by side.
private struct Kind: Sendable, CustomStringConvertible {
    let way: Way
    let ending: String
    let audio: String
    /// So that no two of them pause in step.
    let seed: UInt64

    var description: String { "\(way.rawValue)-\(ending)" }

    static let all: [Kind] = Way.allCases.flatMap { way in
        [("mp4", "aac"), ("mov", "pcm"), ("mkv", "flac")].enumerated().map { index, kind in
            Kind(way: way, ending: kind.0, audio: kind.1, seed: UInt64(index + 7))
        }
    }
}

@Suite("Twenty random pauses", .serialized, .tags(.realTime))
struct PauseProofTests {
    @Test(
        "audio and video stay together and nothing is lost, by every way and in every container",
        .enabled(if: MovieOracle.isAvailable, "ffmpeg and ffprobe read the movies"))
    func pauses() async throws {
        let folder = try TemporaryFolder(in: "/tmp")
        // all are recorded before the first is decoded, which takes a processor for itself
        let takes = try await sideBySide(Kind.all) { try Self.record($0, in: folder) }
        for (kind, take) in zip(Kind.all, takes) {
            if let take { try check(take, kind) }
        }
    }

    /// - Returns: the take; nil when it failed, which is said.
    private static func record(_ kind: Kind, in folder: TemporaryFolder) throws -> PausedTake? {
        var ((take, result), stood) = try HostWatch.untilUndisturbed(
            times: 4, limit: .milliseconds(400), timeout: 60
        ) { before in
            var take = try PausedTake(
                kind.way, path: folder.file("\(kind)-\(before).\(kind.ending)"),
                audio: kind.audio, runtime: folder.path, seed: kind.seed)
            let result = try take.record()
            return (take, result)
        }
        take.stood = stood
        #expect(result.status == 0, "\(kind): \(result.output)")
        #expect(result.output == take.path + "\n", "\(kind)")
        return result.status == 0 ? take : nil
    }

    private func check(_ take: PausedTake, _ kind: Kind) throws {
        let movie = try TestMovie(take.path)
        let report = try ReportedTake(movie: take.path)
        let frame = 1 / TestMovie.rate
        let machine = "the machine stood still for \(take.stood.approximateSeconds) s"
        #expect(report.verdict == "good", "\(kind), \(machine)")
        for track in report.tracks {
            #expect(track.drops.isEmpty, "\(kind), \(machine): \(track.drops)")
            #expect(track.gaps.isEmpty, "\(kind), \(machine): \(track.gaps)")
        }
        #expect(report.pauses.count == PausedTake.pauses, "\(kind)")
        checkNumbers(movie, report, kind)
        checkCuts(take, report, kind)

        // length: the spans between the pauses, to a frame, in both tracks and in the container
        let spans = Double(movie.numbers.count) * frame
        let audio = Double(movie.sound.count) / Double(TestMovie.sampleRate)
        let end = try #require(report.clocks.end)
        let recorded = end - report.clocks.start - report.pauses.compactMap(\.length).reduce(0, +)
        for (name, length) in [
            ("container", movie.duration), ("sound", audio), ("report", report.duration),
            ("clock", recorded),
        ] {
            #expect(
                abs(length - spans) <= frame + 0.001, "\(kind): \(name) \(length) of \(spans)")
        }
        checkAudio(movie, kind)
    }

    /// Within a span numbers count on by one; across a pause they jump by its length exactly.
    private func checkNumbers(_ movie: TestMovie, _ report: ReportedTake, _ kind: Kind) {
        let runs = movie.runs
        #expect(runs.count == PausedTake.pauses + 1, "\(kind)")
        #expect(movie.times.count == movie.numbers.count, "\(kind)")
        guard runs.count == report.pauses.count + 1 else { return }
        for (index, pause) in report.pauses.enumerated() {
            let before = runs[index].firstNumber + runs[index].frames.count
            let missing = Double(runs[index + 1].firstNumber - before) / TestMovie.rate
            #expect(abs(missing - (pause.length ?? -1)) < 0.001, "\(kind): pause \(index)")
        }
        let steps = zip(movie.times, movie.times.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 > 0 }, "\(kind)")
        #expect(steps.allSatisfy { abs($0 - 1 / TestMovie.rate) < 0.0015 }, "\(kind)")
    }

    /// A cut lies after its command, at the next frame; a busy machine may be late.
    private func checkCuts(_ take: PausedTake, _ report: ReportedTake, _ kind: Kind) {
        for (asked, pause) in zip(take.asked, report.pauses) {
            #expect(pause.start >= asked - 0.001, "\(kind)")
            #expect(pause.start <= asked + 3, "\(kind)")
        }
    }

    private func checkAudio(_ movie: TestMovie, _ kind: Kind) {
        let offsets = movie.runs.map { movie.offsets(in: $0) }
        for (index, offset) in offsets.enumerated().flatMap({ run in run.1.map { (run.0, $0) } }) {
            #expect(abs(offset) <= 0.001, "\(kind): span \(index) is off by \(offset) s")
        }
        // each span is longer than a second, so it has a flash; a few of them touch a cut
        #expect(offsets.filter { !$0.isEmpty }.count >= PausedTake.pauses - 5, "\(kind)")
        // the steepest slope of the beep itself, and a little for the coder: a click is steeper
        // (ffmpeg mixes two channels to one with 3 dB more)
        let amplitude = 16_000.0 / 32_768 * 2.0.squareRoot()
        let slope = Float(amplitude * 2 * Double.pi * 1000 / Double(TestMovie.sampleRate))
        #expect(movie.largestStep <= slope * (kind.ending == "mp4" ? 1.5 : 1.05), "\(kind)")
    }

    @Test(
        "a tone that never stops has no step at any pause",
        .enabled(if: MovieOracle.isAvailable, "ffmpeg and ffprobe read the movies"),
        arguments: [("mov", "pcm"), ("mp4", "aac")])
    func unbrokenTone(ending: String, audio: String) throws {
        let folder = try TemporaryFolder(in: "/tmp")
        let tone = folder.file("tone.wav")
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        // whole periods, so that it goes round without a step
        let made = try ffmpeg.run([
            "-v", "error", "-f", "lavfi", "-i",
            "aevalsrc=0.5*sin(2*PI*400*t):sample_rate=48000:duration=10", "-ac", "2", tone,
        ])
        try #require(made.status == 0, "\(made.errorText)")
        var take = try PausedTake(
            .signal, path: folder.file("paused.\(ending)"), microphone: "file:" + tone,
            audio: audio, runtime: folder.path, seed: 3)
        take.rest = 250...450
        let result = try take.record()
        #expect(result.status == 0, "\(result.output)")
        let movie = try TestMovie(take.path)
        #expect(movie.runs.count == PausedTake.pauses + 1)
        // the tone's own steepest slope and that of a raised-cosine fade of 3 ms, and a little for AAC
        let amplitude = try #require(movie.sound.map(abs).max())
        let rate = Float(TestMovie.sampleRate)
        let bound = amplitude * (2 * .pi * 400 / rate + .pi / (2 * 0.003 * rate))
        #expect(amplitude > 0.4)
        #expect(movie.largestStep <= bound * (ending == "mp4" ? 1.5 : 1.01))
    }
}
