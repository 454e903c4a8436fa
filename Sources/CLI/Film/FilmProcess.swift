internal import CLinux
import Compose
internal import Glibc
import Media

/// The process that makes a take's film while the take is recorded, so that neither costs the other anything: it has
/// the lowest priority, takes no signal before the take has ended, and the take does not notice how it ends. Thread-safe.
final class FilmProcess: Sendable {
    /// The exit code of one that ended before the take did: the film is the recorder's to make.
    static let leftCode: Int32 = 100
    /// So long nothing is waited for that is of no use any more (seconds).
    private static let longestFarewell = 5.0

    private let id: pid_t
    /// An earlier signal to end it has gone unanswered for so long when another one ends it (seconds).
    private static let answerTime = MediaTime.seconds(1)
    /// The film's name, where it is known.
    private let film: String?
    /// Whether nothing had it when the film was begun: what has it then is the whole film.
    private let wasFree: Bool
    /// What it reads; nil once it is closed.
    private let input: Lock<Int32?>

    private init(_ id: pid_t, _ input: Int32, film: String?) {
        (self.id, self.film) = (id, film)
        wasFree = film.map { !OutputPath.exists($0) } ?? false
        self.input = Lock(input)
    }

    deinit { close() }

    /// - Parameters:
    ///   - take: the movie's path.
    ///   - recording: how the take is recorded, of which messages are made in the same way.
    /// - Returns: nil where there is nothing to be begun before the take's end, or no process.
    static func start(
        take: String, _ composition: TakeComposition, recording: Arguments
    ) -> FilmProcess? {
        guard (try? recording(RecordOptions.prepare)) != "never",
            (try? composition.canBeBegun()) ?? false
        else { return nil }
        let options = StandardOptions.messages + [RecordOptions.minimumFree.spec]
        let words =
            ["vcap", Verbs.prepareFilm.name] + options.flatMap(recording.words(of:)) + [
                "--", take, FollowingVerb.word,
            ]
            + composition.words
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
        var process = pid_t()
        let error = ChildProgram(program: program, words: words, input: ends[0])
            .start(&process)
        _ = Glibc.close(ends[0])
        guard error == 0 else {
            _ = Glibc.close(ends[1])
            Console.shared.detail(
                "the film is made after the take: \(String(cString: strerror(error)))")
            return nil
        }
        Console.shared.detail("the film is begun while the take is recorded (process \(process))")
        return FilmProcess(process, ends[1], film: composition.knownName)
    }

    /// Reports that the take is whole and waits for the film; signals are passed on, and where the process does not answer
    /// within a second, another one ends it.
    /// - Parameter take: the file.
    /// - Returns: nil where the process ended before it could finish.
    /// - Throws: where it was ended.
    func finish(_ take: TakeFile) async throws(CommandFailure) -> ExitCode? {
        guard waitpid(id, nil, WNOHANG) == 0 else {
            Console.shared.detail("nothing of the film was made beside the take")
            return nil
        }
        let first = Lock<MediaTime?>(nil)
        SignalListener.listen { [id] event in
            let signal: Int32
            switch event {
            case .interrupt: signal = SIGINT
            case .terminate: signal = SIGTERM
            case .hangUp: signal = SIGHUP
            case .togglePause, .suspend, .continued: return
            }
            let now = HostClock().now()
            let begun = first.withLock { first in
                if first == nil { first = now }
                return first ?? now
            }
            kill(id, now - begun < Self.answerTime ? signal : SIGKILL)
        }
        let end = input.withLock { $0 }
        let line = Array((take.text + "\n").utf8)
        if let end { _ = write(end, line, line.count) }
        guard let status = await wait() else { return nil }
        close()
        guard status >> 8 != Self.leftCode else { return nil }
        let signal = status & 0x7F
        guard signal != 0 else {
            return ExitCode(rawValue: (status >> 8) & 0xFF) ?? .failedRunning
        }
        if let film, wasFree, OutputPath.exists(film) {
            throw CommandFailure(
                .failedRunning,
                "the process that made the film ended by signal \(signal) without its report, but the film is "
                    + "whole: \(film)")
        }
        if first.withLock({ $0 != nil }) {
            if let film { TemporaryOutput.removeLeft(ofFilm: film) }
            throw CommandFailure(
                .failedRunning,
                "the film is not made: the process that made it did not answer and was ended")
        }
        Console.shared.warning(
            "the process that made the film ended by signal \(signal): it is made anew")
        return nil
    }

    /// Reports that there will be no film; returns when nothing is left of what was begun, or soon: its disk may be
    /// why there is none.
    func abandon() async {
        close()
        _ = await wait(atMost: Self.longestFarewell)
    }

    private func close() {
        input.withLock { end in
            if let end { _ = Glibc.close(end) }
            end = nil
        }
    }

    /// - Returns: how it ended; nil where it has not in this time, or nobody knows.
    private func wait(atMost seconds: Double = .infinity) async -> Int32? {
        await NamedThread.run("vcap-film") { [id] in
            var status: Int32 = 0
            var left = seconds
            while left > 0 {
                let found = waitpid(id, &status, seconds.isFinite ? WNOHANG : 0)
                if found == id { return status }
                guard found == 0 || errno == EINTR else { return nil }
                usleep(20_000)
                left -= 0.02
            }
            return nil
        }
    }

    /// This one; by its name, so that lists of processes show it, unless that is another program's by now.
    private static var program: String {
        let link = "/proc/self/exe"
        var name = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &name, name.count - 1)
        guard count > 0 else { return link }
        let path = String(decoding: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var (own, named) = (stat(), stat())
        guard stat(link, &own) == 0, stat(path, &named) == 0, own.st_ino == named.st_ino,
            own.st_dev == named.st_dev
        else { return link }
        return path
    }

    /// Puts this process behind all others, where memory is short as well; before it has a second thread.
    static func yieldToOthers() {
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        if file >= 0 {
            _ = write(file, "900", 3)
            _ = Glibc.close(file)
        }

        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
    }
}

extension Arguments {
    /// An option as it was typed, to be typed again.
    fileprivate func words(of option: OptionSpec) -> [String] {
        guard let entry = entries[option.long] else { return [] }
        return entry.texts.flatMap { text in
            option.placeholder == nil ? [option.name] : [option.name, text]
        }
    }
}
