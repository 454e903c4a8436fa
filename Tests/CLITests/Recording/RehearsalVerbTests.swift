import Capture
import Foundation
import Media
import Recording
import TestSupport
import Testing

@testable import vcap

@Suite("Rehearsing a recording", .serialized, .tags(.realTime, .mostlyWaits))
struct RehearsalVerbTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func rehearse(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(
            ["record", "-o", folder.file("take.mp4")] + words,
            environment: ["XDG_RUNTIME_DIR": folder.path])
    }

    /// One of a minute, whose folder is there as long as it lasts.
    private func begun() throws -> RunningProgram {
        let rehearsal = try Program.vcap.start([
            "record", "-c", "test:", "-a", "none", "-s", "160x120", "--rehearse", "1m", "-o",
            folder.file("take.mp4"),
        ])
        try #require(
            waitUntil { folder.contents.contains { $0.hasPrefix(".vcap-rehearsal-") } })
        return rehearsal
    }

    private func document(_ result: Program.Result) throws -> JSONValue {
        try JSONParser.parse(Array(result.outputText.utf8), as: .json)
    }

    @Test("what a machine carries is reported in words and for programs, and nothing is kept")
    func carried() throws {
        let small = ["-c", "test:", "-c", "test:2", "-a", "test:", "-s", "160x120"]
        let words = try Program.vcap.run(
            ["record", "--rehearse", "1s", "-o", folder.file("take.mp4")] + small)
        #expect(words.status == 0, "\(words.errorText)")
        #expect(words.outputText.hasPrefix("recorded: 00:00:01.000, "))
        #expect(words.outputText.contains("\nprocessors: "))
        #expect(words.outputText.contains("\nTest camera 2: nothing lost\n"))
        #expect(words.outputText.contains("\nverdict: "))
        #expect(words.errorText.contains("nothing is kept"))
        let result = try Program.vcap.run(
            ["record", "--rehearse", "1s", "--json", "-o", folder.file("take.mkv")] + small)
        #expect(result.status == 0, "\(result.errorText)")
        let found = try document(result)
        #expect(found["schema"]?.text == "vcap.rehearsal/1")
        #expect(found["duration"]?.number == 1)
        #expect(found["tracks"]?.elements?.count == 3)
        let share = try #require(found["processor_share"]?.number)
        #expect(share > 0 && share <= 1.05)
        // a container with a quota does not know
        #expect((0...1).contains(found["idle_share"]?.number ?? 0))
        #expect(found["tracks"]?.elements?.first?["frames"]?.number == 30)
        #expect(folder.contents.isEmpty, "\(folder.contents)")
    }

    @Test("what it does not carry has a bad verdict and exit code 3")
    func notCarried() throws {
        let result = try rehearse(
            "--rehearse", "2s", "--json", "-c", "test:size=2560x1440,fps=60", "-a", "none",
            "--encoder-preset", "veryslow", "--pressure", "off", "--watch", "none")
        #expect(result.status == ExitCode.badVerdict.rawValue, "\(result.errorText)")
        let found = try document(result)
        #expect(found["verdict"]?.text == "bad")
        #expect((found["tracks"]?.elements?.first?["drops"]?["encoder-behind"]?.number ?? 0) > 0)
        // all that others leave of the processors
        #expect((found["processor_share"]?.number ?? 0) > 0.02)
        #expect(folder.contents.isEmpty, "\(folder.contents)")
    }

    @Test("a signal ends it early, with what was measured, and nothing is left")
    func interrupted() throws {
        let rehearsal = try begun()
        usleep(700_000)
        rehearsal.signal(SIGINT)
        let result = rehearsal.wait()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.outputText.hasPrefix("recorded: 00:00:0"))
        #expect(folder.contents.isEmpty, "\(folder.contents)")
    }

    @Test("one with audio that is ended early has no gap where it was cut")
    func interruptedWithAudio() throws {
        let rehearsal = try Program.vcap.start([
            "record", "-c", "test:", "-a", "test:", "-s", "160x120", "--rehearse", "1m", "--json",
            "-o", folder.file("take.mp4"),
        ])
        try #require(
            waitUntil { folder.contents.contains { $0.hasPrefix(".vcap-rehearsal-") } })
        usleep(1_500_000)
        rehearsal.signal(SIGINT)
        let found = try document(rehearsal.wait())
        let reasons = try #require(found["reasons"]?.elements).compactMap(\.text)
        // the machine of the test may be busy
        #expect(!reasons.contains { $0.contains("gap") }, "\(reasons)")
        #expect(folder.contents.isEmpty, "\(folder.contents)")
    }

    @Test("one whose file another program deletes keeps nothing and says why it ended")
    func deleted() throws {
        let rehearsal = try begun()
        let hidden = try #require(folder.contents.first { $0.hasPrefix(".vcap-rehearsal-") })
        try #require(
            waitUntil {
                ((try? FileManager.default.contentsOfDirectory(atPath: folder.file(hidden))) ?? [])
                    .isEmpty == false
            })
        try FileManager.default.removeItem(atPath: folder.file(hidden))
        let result = rehearsal.wait()
        #expect(result.status == ExitCode.badVerdict.rawValue, "\(result.errorText)")
        #expect(result.outputText.contains("deleted"), "\(result.outputText)")
        #expect(!result.outputText.contains("saved"), "\(result.outputText)")
        #expect(folder.contents.isEmpty, "\(folder.contents)")
    }

    @Test("two signals end it at once, and nothing is left")
    func twoSignals() throws {
        let rehearsal = try begun()
        usleep(300_000)
        rehearsal.signal(SIGINT)
        rehearsal.signal(SIGTERM)
        _ = rehearsal.wait()
        #expect(folder.contents.isEmpty, "\(folder.contents)")
    }

    @Test("one that is given up, and one that is released while it records, leave nothing")
    func givenUp() async throws {
        for isReleased in [false, true] {
            let discovery = DeviceDiscovery()
            let (session, output) = (CaptureSession(), VideoDataOutput(wantedFormat: .yuv420p))
            try await session.configure { configuration in
                let camera = try discovery.find("test:size=64x48", kind: .video)
                try configuration.add(CaptureDeviceInput(camera: camera), output)
            }
            var rehearsal: Rehearsal? = try Rehearsal(
                sources: [output],
                settings: RecordingSettings(outputPath: folder.file("take.mp4")),
                duration: .seconds(60))
            try rehearsal?.start()
            try await session.start()
            #expect(waitUntil { folder.contents.count == 1 })
            try await Task.sleep(for: .milliseconds(300))
            if !isReleased { await rehearsal?.discard() }
            rehearsal = nil
            #expect(waitUntil { folder.contents.isEmpty }, "\(folder.contents)")
            try await session.stop()
            #expect(folder.contents.isEmpty, "\(folder.contents)")
        }
    }

    @Test(
        "what a take would be refused for, a rehearsal is refused for; what it has no use for is reported"
    )
    func refused() throws {
        try Data("old".utf8).write(to: URL(fileURLWithPath: folder.file("take.mp4")))
        let taken = try rehearse("-c", "test:", "-a", "none", "--rehearse", "1s")
        #expect(taken.status == ExitCode.cannotCreate.rawValue)
        let replaced = try rehearse(
            "-c", "test:", "-a", "none", "-s", "160x120", "--rehearse", "500ms", "-y", "-t", "9s",
            "--session", "s")
        #expect(replaced.status == 0, "\(replaced.errorText)")
        #expect(
            replaced.errorText.contains("-t does nothing")
                || replaced.errorText.contains("--duration does nothing"))
        #expect(replaced.errorText.contains("--session does nothing"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("take.mp4"))).count == 3)
        // another take's report has the name
        try Data("{}".utf8).write(to: URL(fileURLWithPath: folder.file("other.vcap.json")))
        let reported = try Program.vcap.run([
            "record", "-c", "test:", "-a", "none", "--rehearse", "1s", "-o",
            folder.file("other.mp4"),
        ])
        #expect(reported.status == ExitCode.cannotCreate.rawValue, "\(reported.errorText)")
        try FileManager.default.removeItem(atPath: folder.file("other.vcap.json"))
        let document = try rehearse("-c", "test:", "-a", "none", "--json", "-t", "1s")
        #expect(document.status == ExitCode.usage.rawValue)
        let gone = try rehearse("-y", "-c", "/dev/video99", "-a", "none", "--rehearse", "1s")
        #expect(gone.status == ExitCode.noDevice.rawValue)
        #expect(folder.contents == ["take.mp4"])
    }
}
