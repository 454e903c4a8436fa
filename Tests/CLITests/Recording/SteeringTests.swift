import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Steering a recording without a terminal", .serialized, .tags(.realTime, .mostlyWaits))
struct SteeringTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private var environment: [String: String] { ["XDG_RUNTIME_DIR": folder.path] }

    private func start(_ more: String...) throws -> RunningProgram {
        let recorder = try Program.vcap.start(
            [
                "record", "-c", "test:", "-a", "test:", "-s", "160x120", "-r", "30", "-o",
                folder.file("take.mp4"), "--session", "s",
            ] + more, environment: environment)
        // progress and JSON messages say it in other words
        if !more.contains("-t") {
            waitUntil { recorder.errorTextSoFar.contains("vcap: recording") }
        }
        return recorder
    }

    private func control(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(["ctl"] + words, environment: environment)
    }

    @Test("pause and resume by socket are idempotent, and status says the state")
    func socket() throws {
        let recorder = try start()
        #expect(try control("pause").status == 0)
        #expect(try control("pause", "--session", "s").status == 0)
        // the pause takes effect with the next frame
        try #require(try waitUntil { try control("status").outputText.contains(" paused") })
        let paused = try control("status", "--json")
        #expect(paused.outputText.contains("\"state\": \"paused\""))
        #expect(paused.outputText.contains("\"schema\": \"vcap.ctl/1\""))
        usleep(200_000)
        #expect(try control("resume").status == 0)
        #expect(try control("resume").status == 0)
        #expect(try control("mark", "zwei ✓").status == 0)
        usleep(200_000)
        #expect(try control("status").outputText.contains("recording"))
        #expect(try control("stop").status == 0)
        let result = recorder.wait()
        #expect(result.status == 0)
        #expect(result.outputText == folder.file("take.mp4") + "\n")
        let report = try ReportedTake(movie: folder.file("take.mp4"))
        #expect(report.pauses.count == 1)
        let probe = try Program.vcap.run(["probe", folder.file("take.mp4"), "--json"])
        #expect(probe.outputText.contains("\"text\": \"zwei ✓\""))
        #expect(try control("status").status == ExitCode.noDevice.rawValue)
    }

    @Test("the same session name cannot run twice")
    func sameSession() throws {
        let recorder = try start()
        let second = try Program.vcap.run(
            [
                "record", "-c", "test:", "-a", "none", "-o", folder.file("b.mp4"), "--session", "s",
            ], environment: environment)
        #expect(second.status == ExitCode.cannotCreate.rawValue)
        #expect(second.errorText.contains("--session"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("b.mp4")))
        recorder.signal(SIGINT)
        #expect(recorder.wait().status == 0)
    }

    @Test("a second interrupt ends at once, and the movie is still valid")
    func secondInterrupt() throws {
        let recorder = try start()
        usleep(700_000)
        recorder.signal(SIGINT)
        recorder.signal(SIGINT)
        let asked = HostClock().now()
        #expect(recorder.wait().status == 0)
        #expect((HostClock().now() - asked) < .seconds(2))
        #expect(try MovieOracle(folder.file("take.mp4")).frameNumbers().count > 10)
    }

    @Test("a stop before the first frame leaves nothing behind and is no failure")
    func stoppedEarly() throws {
        // a camera that is silent for its first ten seconds
        let recorder = try Program.vcap.start(
            [
                "record", "-c", "test:stall=0+10", "-a", "none", "-s", "160x120", "-o",
                folder.file("early.mp4"), "--session", "early",
            ], environment: environment)
        let answers = try waitUntil { try control("status", "--session", "early").status == 0 }
        try #require(answers)
        recorder.signal(SIGINT)
        let result = recorder.wait()
        #expect(result.status == 0)
        #expect(result.output.isEmpty)
        #expect(result.errorText.contains("nothing was recorded"))
        #expect(folder.contents.allSatisfy { !$0.hasPrefix("early") })
    }

    @Test(
        "a signal to end is obeyed while a device is opened that does not answer; one to pause kills nothing",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGUSR1])
    func signalledWhileOpening(number: Int32) throws {
        // a sound server that takes connections and says nothing; vcap waits for it for three seconds
        let path = folder.file("s")
        let listener = try SilentServer(path)
        let recorder = try Program.vcap.start(
            [
                "record", "-c", "none", "-a", "pulse:lab", "-o", folder.file("opening.mov"),
            ], environment: environment.merging(["PULSE_SERVER": "unix:\(path)"]) { $1 })
        try #require(listener.isConnected(atMost: 20_000))
        recorder.signal(number)
        let asked = HostClock().now()
        let result = recorder.wait()
        if number == SIGUSR1 {
            #expect(result.status == 69, "\(result.errorText)")
        } else {
            #expect(result.status == 0, "\(result.errorText)")
            #expect((HostClock().now() - asked) < .seconds(2))
            let sentence = "ended by a signal while devices were opened: nothing was recorded"
            #expect(result.errorText.contains(sentence), "\(result.errorText)")
        }
        #expect(folder.contents.allSatisfy { !$0.hasPrefix("opening") })
    }

    @Test("a rehearsal whose device does not answer is ended by a signal, too")
    func rehearsalSignalledWhileOpening() throws {
        let path = folder.file("s")
        let listener = try SilentServer(path)
        let rehearsal = try Program.vcap.start(
            [
                "record", "-c", "none", "-a", "pulse:lab", "-o", folder.file("opening.mov"),
                "--rehearse", "5s",
            ], environment: environment.merging(["PULSE_SERVER": "unix:\(path)"]) { $1 })
        try #require(listener.isConnected(atMost: 20_000))
        rehearsal.signal(SIGINT)
        let result = rehearsal.wait()
        #expect(result.status == ExitCode.failedRunning.rawValue, "\(result.errorText)")
        #expect(result.errorText.contains("ended by a signal before anything was written"))
        #expect(folder.contents.allSatisfy { !$0.contains("opening") })
    }

    @Test("a camera that comes back is resumed, and the report's verdict says so")
    func unplugged() throws {
        let path = folder.file("unplug.mp4")
        // the cable is pulled three seconds after the camera's start: a slow machine records by then
        let result = try Program.vcap.run(
            [
                "record", "-c", "test:unplug=3+1", "-a", "test:", "-s", "160x120", "-t", "7s", "-o",
                path,
            ], environment: environment)
        #expect(result.status == 0)
        #expect(result.errorText.contains("Test camera is back after"), "\(result.errorText)")
        #expect(try ReportedTake(movie: path).verdict == "degraded")
        #expect(abs(try MovieOracle(path).duration() - 7) < 0.05)
    }

    @Test(
        "a signal that comes while the program's libraries are set up waits and kills nothing",
        .enabled(if: Program.tool("clang") != nil, "clang is not installed"),
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGTSTP, SIGUSR2, SIGPWR, SIGALRM])
    func earlySignal(number: Int32) throws {
        let library = folder.file("slow.so")
        let source = folder.file("slow.c")
        // what a hundred libraries take together, in one
        let text = """
            #include <unistd.h>
            __attribute__((constructor)) static void wait(void) {
                const char *mark = getenv("SLOW_MARK");
                if (mark) { close(creat(mark, 0600)); usleep(400000); }
            }
            """
        try Data(("#include <stdlib.h>\n#include <fcntl.h>\n" + text).utf8)
            .write(to: URL(fileURLWithPath: source))
        let clang = try #require(Program.tool("clang"))
        let built = try clang.run(["-shared", "-fPIC", "-w", "-o", library, source])
        try #require(built.status == 0, "\(built.errorText)")
        let mark = folder.file("mark")
        let recorder = try Program.vcap.start(
            [
                "record", "-c", "test:", "-a", "none", "-s", "160x120", "-t", "300ms", "-o",
                folder.file("early.mp4"),
            ],
            environment: environment.merging(["LD_PRELOAD": library, "SLOW_MARK": mark]) { $1 })
        try #require(waitUntil { FileManager.default.fileExists(atPath: mark) })
        recorder.signal(number)
        if number == SIGTSTP {
            try #require(waitUntil { recorder.isStopped })
            recorder.signal(SIGCONT)
        }
        let result = recorder.wait()
        #expect(result.status == 0, "\(result.errorText)")
        if number == SIGUSR1 {
            #expect(result.errorText.contains("nothing is recorded yet"))
            #expect(try MovieOracle(folder.file("early.mp4")).frameNumbers().count == 9)
        }
    }

    @Test(
        "a recorder that is continued before it has stopped does not stop: nobody would continue it again"
    )
    func continuedEarly() throws {
        // a pause takes effect with the next frame, here up to a second later
        let recorder = try Program.vcap.start(
            [
                "record", "-c", "test:fps=1", "-a", "none", "-s", "160x120", "-t", "3s", "-o",
                folder.file("take.mp4"),
            ], environment: environment)
        try #require(waitUntil { recorder.errorTextSoFar.contains("vcap: recording") })
        for _ in 0..<3 {
            recorder.signal(SIGTSTP)
            usleep(100_000)
            recorder.signal(SIGCONT)
            usleep(1_300_000)
        }
        let ends = waitUntil(atMost: 60) { !recorder.isRunning }
        if !ends { recorder.end() }
        try #require(ends)
        #expect(recorder.wait().status == 0)
    }

    @Test(
        "SIGUSR1 of the process's own threads, by which a backtracer stops them, is no wish to pause",
        .enabled(if: Program.tool("clang") != nil, "clang is not installed"))
    func ownSignal() throws {
        let library = folder.file("own.so")
        let source = folder.file("own.c")
        // to each thread, as a backtracer does, twice a second from the first second on
        let text = """
            #include <dirent.h>
            #include <pthread.h>
            #include <signal.h>
            #include <stdlib.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            static void *stop(void *unused) {
                for (int round = 0; round < 3; round++) {
                    usleep(500000);
                    DIR *tasks = opendir("/proc/self/task");
                    for (struct dirent *task; (task = readdir(tasks));)
                        if (atoi(task->d_name) > 0 && atoi(task->d_name) != syscall(SYS_gettid))
                            syscall(SYS_tgkill, getpid(), atoi(task->d_name), SIGUSR1);
                    closedir(tasks);
                }
                return 0;
            }
            __attribute__((constructor)) static void begin(void) {
                sigset_t set;
                sigemptyset(&set);
                sigaddset(&set, SIGUSR1);
                pthread_sigmask(SIG_BLOCK, &set, 0);
                pthread_t thread;
                pthread_create(&thread, 0, stop, 0);
            }
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: source))
        let clang = try #require(Program.tool("clang"))
        let built = try clang.run(["-shared", "-fPIC", "-w", "-o", library, source, "-lpthread"])
        try #require(built.status == 0, "\(built.errorText)")
        let path = folder.file("own.mp4")
        let result = try Program.vcap.run(
            [
                "record", "-c", "test:", "-a", "none", "-s", "160x120", "-t", "2s", "-o", path,
            ], environment: environment.merging(["LD_PRELOAD": library]) { $1 })
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try ReportedTake(movie: path).pauses.isEmpty)
        #expect(try MovieOracle(path).frameNumbers().count == 60)
    }

    @Test("a camera that never says a word does not keep the others from being recorded")
    func deadCamera() throws {
        let path = folder.file("without.mp4")
        let result = try Program.vcap.run(
            [
                "record", "-c", "test:", "-c", "test:2,stall=0+3600", "-a", "test:", "-s",
                "160x120", "-t", "1s", "-o", path,
            ], environment: environment)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("the recording begins without it"))
        #expect(try ReportedTake(movie: path).verdict == "bad")
        #expect(try MovieOracle(path).frameNumbers().count == 30)
        #expect(abs(try MovieOracle(path).duration() - 1) < 0.05)
    }

    @Test("what is recorded is said before it is: each device, its size, its coding, the movie")
    func announcement() throws {
        let text = try start("-t", "300ms").wait().errorText
        #expect(text.contains("vcap: camera Test camera: 160x120, 30 frames/s, h264\n"))
        #expect(text.contains("vcap: microphone Test microphone: 48000 Hz, 2 channels, aac\n"))
        #expect(text.contains("vcap: into \(folder.file("take.mp4")), for 00:00:00.300\n"))
    }

    @Test("a duration ends the recording by itself, to the frame")
    func duration() throws {
        let result = try start("-t", "1500ms").wait()
        #expect(result.status == 0)
        let movie = MovieOracle(folder.file("take.mp4"))
        #expect(try movie.frameNumbers().count == 45)
        #expect(abs(try movie.duration() - 1.5) < 0.001)
    }

    @Test("progress ends with end, and standard output then carries nothing else")
    func progress() throws {
        let result = try start("-t", "2s", "--progress", "-", "-q").wait()
        #expect(result.status == 0)
        let text = result.outputText
        #expect(text.hasPrefix("frame="))
        #expect(text.hasSuffix("progress=end\n"))
        #expect(text.components(separatedBy: "progress=continue\n").count >= 4)
        #expect(text.contains("percent=100.0\neta_us=0\n"))
        #expect(text.contains("frame=60\n"))
        #expect(result.errorText.isEmpty)
    }

    @Test("progress as JSON lines, on a descriptor of the caller's")
    func progressLines() throws {
        let result = try start(
            "-t", "1s", "--progress", "fd:1", "--progress-format", "ndjson"
        ).wait()
        let lines = result.outputText.split(separator: "\n")
        #expect(lines.count >= 2)
        for line in lines {
            #expect((try? JSONParser.parse(Array(line.utf8), as: .json)) != nil)
        }
        #expect(lines.last?.contains("\"progress\":\"end\"") == true)
    }

    @Test("messages as JSON are one object a line")
    func logFormat() throws {
        let result = try start("-t", "500ms", "--log-format", "json", "-v").wait()
        let lines = result.errorText.split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines {
            let value = try JSONParser.parse(Array(line.utf8), as: .json)
            #expect(value["level"]?.text != nil && value["message"]?.text != nil)
        }
    }

    @Test("an interrupt that a shell has switched off for a background job still stops")
    func ignoredInterrupt() throws {
        let shell = try #require(Program.tool("bash"))
        let path = folder.file("bg.mp4")
        let line = """
            trap '' INT HUP
            '\(Program.vcap.path)' record -c test: -a none -s 160x120 -o '\(path)' --session bg &
            until [ -s '\(path)' ] || ! kill -0 $!; do sleep 0.1; done
            sleep 1; kill -HUP $!; sleep 0.3; kill -0 $! || exit 9; kill -INT $!; wait $!
            """
        let result = try shell.run(["-c", line], environment: environment)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try MovieOracle(path).frameNumbers().count > 10)
    }
}

/// A socket that nobody reads.
private final class SilentServer {
    struct Refused: Error {}
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Refused()
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(descriptor, 8) == 0 else { throw Refused() }
    }

    deinit { close(descriptor) }

    /// Whether somebody connects within so many milliseconds.
    func isConnected(atMost milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) == 1
    }
}
