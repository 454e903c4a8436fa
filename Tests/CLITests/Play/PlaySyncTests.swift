import Foundation
import Media
import TestSupport
import Testing

/// Programs that play, seen and heard from outside: the screen's memory against what a sound server's sink plays.
@Suite(
    "Flashes on the screen and beeps in the sink", .serialized, .tags(.realTime, .mostlyWaits),
    .enabled(if: SoundServer.isInstalled, "\(SoundServer.missing ?? "")"))
struct PlaySyncTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    enum Player: String {
        case vcap, mpv

        func start(_ clip: String, _ environment: [String: String]) throws -> RunningProgram {
            switch self {
            case .vcap:
                return try Program.vcap.start(
                    ["play", "--speaker", "pulse:lab", "--loop", clip], environment: environment)
            case .mpv:
                guard let tool = Program.tool("mpv") else { throw CocoaError(.fileNoSuchFile) }
                return try tool.start(
                    [
                        "--no-config", "--vo=x11", "--ao=pulse", "--audio-device=pulse/lab",
                        "--loop-file=inf", "--no-terminal", clip,
                    ], environment: environment)
            }
        }

        /// Keys of a wish, one after another, with a second between them.
        var wishes: [[String]] {
            switch self {
            case .vcap:
                [["Right"], ["Left"], ["Up"], ["Down"], ["space", "space"], ["l", "k", "space"]]
            case .mpv:
                [
                    ["Right"], ["Left"], ["Up"], ["Down"], ["space", "space"],
                    ["bracketright", "BackSpace"],
                ]
            }
        }
    }

    private enum Course {
        case steady(seconds: Double)
        case wishes(Int)
    }

    /// What is on the screen against what is heard (ms; how much later the flash is than its beep).
    private struct Outcome: CustomStringConvertible {
        var offsets: [Double] = []
        var unmatched = 0

        var mean: Double { offsets.reduce(0, +) / Double(max(1, offsets.count)) }

        /// The distance that so much of all keeps, of the middle and of nothing.
        func distance(_ part: Double, from middle: Double = 0) -> Double {
            let sorted = offsets.map { abs($0 - middle) }.sorted()
            guard !sorted.isEmpty else { return .infinity }
            return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
        }

        var description: String {
            func ms(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
            return
                "\(offsets.count) flashes, mean \(ms(mean)) ms, 99 % within \(ms(distance(0.99))),"
                + " all within \(ms(distance(1))), without a beep \(unmatched)"
        }
    }

    /// White boxes of a tenth of a second and beeps of 40 ms at each whole second, by another program.
    private func clip(seconds: Int) throws -> String {
        let name = folder.file("clip.mov")
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-y", "-f", "lavfi", "-i",
            "testsrc2=s=640x360:r=30:d=\(seconds),drawbox=x=200:y=100:w=240:h=160:t=fill:c=black,"
                + "drawbox=x=200:y=100:w=240:h=160:t=fill:c=white:enable='lt(mod(t,1),0.1)'",
            "-f", "lavfi", "-i",
            "aevalsrc='0.5*sin(2*PI*1000*t)*lt(mod(t,1),0.04)':s=48000:d=\(seconds)", "-c:v",
            "libx264", "-preset", "ultrafast", "-g", "30", "-pix_fmt", "yuv420p", "-c:a",
            "pcm_s16le", name,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        return name
    }

    private func play(_ player: Player, _ clip: String, _ course: Course) throws -> Outcome {
        let server = try SoundServer()
        try server.start()
        let desktop = try Desktop(memoryIn: folder.path)
        let screen = try ScreenMemory(in: folder.path)
        let listener = try SinkListener(server)
        var environment = server.environment.merging(desktop.environment) { $1 }
        environment["SDL_AUDIODRIVER"] = "dummy"
        let program = try player.start(clip, environment)
        defer { program.end() }
        var window: String?
        #expect(
            waitUntil(atMost: 60) {
                let found = try? desktop.act(["search", "--onlyvisible", "--name", "vcap|mpv"])
                window = found?.outputText.split(separator: "\n").first.map(String.init)
                return window != nil
            })
        try desktop.act(["windowmove", try #require(window), "0", "0"])
        try desktop.act(["windowsize", try #require(window), "800", "600"])
        try desktop.act(["windowfocus", try #require(window)])
        usleep(2_000_000)
        screen.watch(400, 280)
        var quiet: [ClosedRange<Int64>] = []
        switch course {
        case .steady(let seconds): usleep(UInt32(seconds * 1e6))
        case .wishes(let count): quiet = try wish(count, of: player, on: desktop)
        }
        let changes = screen.end()
        let beeps = listener.beeps()
        var outcome = Outcome()
        for flash in changes where flash.isBright && !quiet.contains(where: { $0 ~= flash.host }) {
            let nearest = beeps.min { abs($0 - flash.host) < abs($1 - flash.host) } ?? 0
            let offset = Double(flash.host - nearest) / 1e6
            if abs(offset) < 400 {
                outcome.offsets.append(offset)
            } else {
                outcome.unmatched += 1
            }
        }
        return outcome
    }

    /// - Returns: when what is seen is not compared (host clock, ns): up to 0.7 s after a wish.
    private func wish(
        _ count: Int, of player: Player, on desktop: Desktop
    ) throws -> [ClosedRange<Int64>] {
        var random = SplitMix(seed: 5)
        let clock = HostClock()
        var quiet: [ClosedRange<Int64>] = []
        for _ in 0..<count {
            let begin = clock.now().nanoseconds() - 50_000_000
            let keys = player.wishes[Int.random(in: 0..<player.wishes.count, using: &random)]
            for (index, key) in keys.enumerated() {
                if index > 0 { usleep(1_000_000) }
                try desktop.act(["key", key])
            }
            quiet.append(begin...(clock.now().nanoseconds() + 700_000_000))
            usleep(UInt32.random(in: 2_300_000...3_300_000, using: &random))
        }
        return quiet
    }

    @Test("they are together, from the first second on")
    func together() throws {
        let outcome = try play(.vcap, try clip(seconds: 30), .steady(seconds: 10))
        print("seen and heard from outside:", outcome)
        // beside other tests a frame may be left out, and a beep be cut
        #expect(outcome.offsets.count >= 6 && outcome.unmatched <= 2, "\(outcome)")
        #expect(abs(outcome.mean) < 25 && outcome.distance(1) < 100, "\(outcome.offsets)")
    }

    @Test(
        "with mpv as peer: steadily, after seeks, pauses and speeds, and on a machine that is busy",
        .enabled(
            if: ProcessInfo.processInfo.environment["VCAP_BENCH_SYNC"] != nil,
            "minutes long; bench/run sync"))
    func peer() throws {
        let seconds = Double(ProcessInfo.processInfo.environment["VCAP_BENCH_SYNC"] ?? "") ?? 60
        let wishes = Int(ProcessInfo.processInfo.environment["VCAP_BENCH_WISHES"] ?? "") ?? 20
        let clip = try clip(seconds: 120)
        for player in [Player.mpv, .vcap] {
            print("sync steady", player, try play(player, clip, .steady(seconds: seconds)))
            print("sync wishes", player, try play(player, clip, .wishes(wishes)))
            let busy = try (0..<2).map { _ in
                try Program(path: "/bin/sh").start(["-c", "while :; do :; done"])
            }
            print("sync busy", player, try play(player, clip, .steady(seconds: seconds)))
            for load in busy { load.end() }
        }
    }
}
