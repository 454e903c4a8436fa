import Capture
import Compose
import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Play

/// In real time, and partly against a private PulseAudio server.
@Suite("The audio of a player", .serialized, .tags(.realTime))
struct PlayerAudioTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func item(frames: Int) async throws -> PlayerItem {
        try PlayerItem(
            try await PlayedClip(frames: frames).write(to: folder.file("clip-\(frames).mov")))
    }

    private func player(_ item: PlayerItem, _ speaker: SpeakerModel) throws -> Player {
        try Player(item, settings: PlayerSettings()) { _ throws(MediaError) in speaker }
    }

    private func ready(_ player: Player) async {
        for await event in player.events() where event == .status(.ready) { return }
    }

    /// How much later each frame is seen than the audio of its time is heard (s).
    private func offsets(_ shown: ShownFrames, _ speaker: SpeakerModel) -> [Double] {
        shown.all.dropFirst().compactMap { frame in
            speaker.heard(at: frame.host).map { $0 - Double(frame.number) / 30 }
        }
    }

    @Test(
        "frames follow the device's clock, also one that is fast, slow or late",
        arguments: [(1.0, 30), (1.02, 30), (0.98, 200)])
    func follows(pace: Double, latency: Int) async throws {
        let item = try await item(frames: 120)
        let speaker = SpeakerModel(pace: pace, latency: Int64(latency) * 1_000_000)
        let player = try player(item, speaker)
        let shown = ShownFrames(player)
        await ready(player)
        shown.clear()
        player.play()
        #expect(waitUntil { shown.all.count > 85 })
        let met = offsets(shown, speaker)
        let mean = met.reduce(0, +) / Double(met.count)
        #expect(abs(mean) < 0.010, "\(mean) \(met.suffix(5))")
        #expect(met.suffix(20).allSatisfy { abs($0) < 0.025 }, "\(met.suffix(20))")
        // the control: by the host clock they would be apart by now
        if pace != 1, let first = shown.all.first?.host, let last = shown.all.last {
            let byHost = Double(last.host - first) / 1e9
            #expect(abs(byHost * pace - Double(last.number) / 30) < 0.1)
            #expect(abs(byHost - Double(last.number) / 30) > 0.015, "\(byHost)")
        }
        await player.stop()
    }

    @Test(
        "a device that says late what is heard is waited for, then together from its first word on",
        arguments: [(2000, true), (2600, false)])
    func late(silence: Int, isWaitedFor: Bool) async throws {
        let item = try await item(frames: 120)
        let speaker = SpeakerModel(silence: Int64(silence) * 1_000_000)
        let player = try player(item, speaker)
        let shown = ShownFrames(player)
        await ready(player)
        shown.clear()
        let begin = HostClock().now().nanoseconds()
        player.play()
        #expect(waitUntil { shown.all.count > 45 })
        let measured = begin + Int64(silence + 40) * 1_000_000
        let met = shown.all.filter { $0.host > measured }.compactMap { frame in
            speaker.heard(at: frame.host).map { $0 - Double(frame.number) / 30 }
        }
        #expect(met.count > 20 && met.allSatisfy { abs($0) < 0.025 }, "\(met)")
        // the control: without waiting frames are shown before
        #expect(shown.all.dropFirst().allSatisfy { $0.host > measured } == isWaitedFor)
        await player.stop()
    }

    @Test("what is played is the mix, from the instant on at which it begins; muted it is silence")
    func samples() async throws {
        let item = try await item(frames: 60)
        let speaker = SpeakerModel()
        let player = try player(item, speaker)
        await ready(player)
        for start in [0, 480, 30_000] {
            #expect(await player.seek(to: MediaTime(value: Int64(start), timescale: 48_000)))
            speaker.clear()
            player.play()
            #expect(waitUntil { speaker.samples.count > 48_000 })
            player.pause()
            let played = speaker.samples
            let mix = try FilmAudio(item.film, sampleRate: 48_000)
                .read(from: Int64(start), count: played.count / 2)
            let wanted = mix.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            #expect(played == wanted && wanted.contains { $0 > 0.2 })
        }
        player.setMuted(true)
        #expect(await player.seek(to: .zero))
        speaker.clear()
        player.play()
        #expect(waitUntil { speaker.samples.count > 48_000 })
        #expect(speaker.samples.allSatisfy { $0 == 0 })
        player.pause()
        player.setMuted(false)
        player.setVolume(0.5)
        #expect(await player.seek(to: .seconds(1)))
        speaker.clear()
        player.play()
        #expect(waitUntil { speaker.samples.count > 9600 })
        let loudest = speaker.samples.prefix(3000).max() ?? 0
        #expect(abs(loudest - 0.25) < 0.01, "\(loudest)")
        await player.stop()
    }

    @Test("at other rates it has its own pitch, and its frames", arguments: [0.5, 1.5])
    func rates(rate: Double) async throws {
        let item = try await item(frames: 150)
        let speaker = SpeakerModel()
        let player = try player(item, speaker)
        let shown = ShownFrames(player)
        await ready(player)
        shown.clear()
        player.setRate(rate)
        #expect(waitUntil { player.currentTime > .milliseconds(2300) })
        let offsets = shown.all.dropFirst(2).compactMap { frame in
            speaker.heard(at: frame.host).map { $0 * rate - Double(frame.number) / 30 }
        }
        let mean = offsets.reduce(0, +) / Double(max(1, offsets.count))
        #expect(abs(mean) < 0.015, "\(mean)")
        let samples = speaker.samples
        let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        // where it becomes loud, 0.2 s apart at least
        var starts: [Int] = []
        for frame in left.indices where abs(left[frame]) > 0.1 {
            if starts.isEmpty || frame - starts[starts.count - 1] > 9600 { starts.append(frame) }
        }
        let distances = zip(starts.dropFirst(), starts).map { Double($0 - $1) / 48_000 }
        #expect(distances.count >= 2, "\(starts)")
        #expect(distances.allSatisfy { abs($0 - 1 / rate) < 0.03 }, "\(distances)")
        // 1 kHz: 20 ms have 40 changes of sign
        let beep = left[(starts[1] + 240)..<(starts[1] + 1200)]
        let changes = zip(beep.dropFirst(), beep).filter { ($0 < 0) != ($1 < 0) }.count
        #expect((37...43).contains(changes), "\(changes)")
        await player.stop()
    }

    @Test("while it loops the audio of the beginning follows that of the end, to the sample")
    func loops() async throws {
        let item = try await item(frames: 15)
        let speaker = SpeakerModel()
        let player = try player(item, speaker)
        await ready(player)
        player.setLooping(true)
        player.play()
        #expect(waitUntil { speaker.samples.count > 2 * 60_000 })
        let once = try FilmAudio(item.film, sampleRate: 48_000).read(from: 0, count: 24_000)
            .withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let played = speaker.samples
        #expect(Array(played[..<48_000]) == once && Array(played[48_000..<96_000]) == once)
        await player.stop()
    }

    @Test(
        "a device that is lost costs its audio: frames go on without a jump, and an event says it")
    func lost() async throws {
        let item = try await item(frames: 75)
        let speaker = SpeakerModel()
        let player = try player(item, speaker)
        let shown = ShownFrames(player)
        await ready(player)
        let events = player.events()
        shown.clear()
        player.play()
        #expect(waitUntil { shown.all.count > 30 })
        speaker.lose()
        #expect(await player.wait(for: .audioLost("The model is gone."), in: events))
        let ends = player.events()
        #expect(await player.wait(for: .ended, in: ends))
        expectSteady(shown)
        #expect(!player.hasAudio && shown.numbers.last == 74)
        // who listens later hears of it too
        #expect(
            await player.wait(for: .audioLost("The model is gone."), in: player.events()))
        await player.stop()
    }

    /// Each frame is seen when its number says, whatever became of the audio.
    private func expectSteady(_ shown: ShownFrames, within limit: Double = 0.025) {
        let all = shown.all.dropFirst(3)
        let bases = all.map { Double($0.host) / 1e9 - Double($0.number) / 30 }
        let spread = (bases.max() ?? 0) - (bases.min() ?? 0)
        #expect(spread < limit, "\(spread)")
    }

    @Test("a device without a pace of its own counts as none")
    func paceless() async throws {
        let item = try await item(frames: 60)
        let player = try player(item, SpeakerModel(pace: 40))
        await ready(player)
        let events = player.events()
        player.play()
        var reason = ""
        for await event in events {
            if case .audioLost(let why) = event { reason = why }
            if event == .ended { break }
        }
        #expect(reason.contains("does not play audio at its pace"), "\(reason)")
        await player.stop()
    }
}

/// Against a private PulseAudio server with a null sink: run with nothing beside it.
@Suite(
    "A player and a sound server", .serialized, .tags(.realTime, .mostlyWaits),
    .enabled(if: SoundServer.isInstalled, "\(SoundServer.missing ?? "")"))
struct PulsePlayerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func settings(_ server: SoundServer, _ sink: String = "lab") -> PlayerSettings {
        var settings = PlayerSettings(speaker: .pulse(sink))
        settings.soundServer = server.address
        return settings
    }

    private func item(frames: Int) async throws -> PlayerItem {
        try PlayerItem(
            try await PlayedClip(frames: frames).write(to: folder.file("clip.mov")))
    }

    private func ready(_ player: Player) async {
        for await event in player.events() where event == .status(.ready) { return }
    }

    @Test("flashes are seen when their beeps are heard")
    func together() async throws {
        let server = try SoundServer()
        try server.start()
        let item = try await item(frames: 240)
        let listener = try SinkListener(server)
        let player = try Player(item, settings: settings(server))
        let shown = ShownFrames(player)
        await ready(player)
        let events = player.events()
        player.play()
        #expect(await player.wait(for: .ended, in: events))
        let beeps = listener.beeps()
        let offsets = offsets(shown, beeps)
        let mean = offsets.reduce(0, +) / Double(max(1, offsets.count))
        print("flash after beep, ms:", offsets.map { ($0 * 10).rounded() / 10 }, "mean", mean)
        #expect(offsets.count >= 6 && abs(mean) <= 10, "\(offsets)")
        #expect(offsets.allSatisfy { abs($0) < 40 }, "\(offsets)")
        #expect(player.hasAudio && player.counts.audioGaps <= 1)
        await player.stop()
    }

    @Test("the same through ALSA, whose delay is another measure")
    func alsa() async throws {
        let server = try SoundServer()
        try server.start()
        // what ALSA's plugin of that name connects to
        setenv("PULSE_SERVER", server.address, 1)
        defer { unsetenv("PULSE_SERVER") }
        let item = try await item(frames: 150)
        let listener = try SinkListener(server)
        let player = try Player(item, settings: PlayerSettings(speaker: .alsa("pulse")))
        let shown = ShownFrames(player)
        await ready(player)
        let events = player.events()
        player.play()
        #expect(await player.wait(for: .ended, in: events))
        let offsets = offsets(shown, listener.beeps())
        print("by ALSA:", offsets.map { ($0 * 10).rounded() / 10 }, player.counts)
        #expect(player.hasAudio && offsets.count >= 4)
        // in its first second the plugin says less than its server's latency (libasound2-plugins 1.2.7)
        #expect(offsets.dropFirst().allSatisfy { abs($0) < 40 }, "\(offsets)")
        await player.stop()
    }

    /// How much later flashes are seen than the nearest beep begins (ms); the film's first flash is on show before.
    private func offsets(_ shown: ShownFrames, _ beeps: [Int64]) -> [Double] {
        shown.all.filter { $0.isFlash && $0.number > 0 }.compactMap { flash in
            beeps.min { abs($0 - flash.host) < abs($1 - flash.host) }
                .map { Double(flash.host - $0) / 1e6 }
        }
    }

    @Test("a pause is silent at once, and playing on is together again")
    func pauses() async throws {
        let server = try SoundServer()
        try server.start()
        let item = try await item(frames: 240)
        let listener = try SinkListener(server)
        let player = try Player(item, settings: settings(server))
        let shown = ShownFrames(player)
        await ready(player)
        for start in [500, 2500, 4500] as [Int64] {
            #expect(await player.seek(to: .milliseconds(start)))
            player.play()
            #expect(waitUntil { player.currentTime > .milliseconds(start + 1200) })
            player.pause()
            try await Task.sleep(for: .milliseconds(300))
        }
        let beeps = listener.beeps()
        // one whole beep for each: at 1, 3 and 5 s
        let offsets = offsets(shown, beeps)
        print("flash after beep, ms:", offsets.map { ($0 * 10).rounded() / 10 })
        #expect(beeps.count == 3 && offsets.count == 3, "\(beeps) \(offsets)")
        #expect(offsets.allSatisfy { abs($0) < 40 }, "\(offsets)")
        await player.stop()
    }

    @Test("a server that is killed costs the audio only")
    func killed() async throws {
        let server = try SoundServer()
        try server.start()
        let item = try await item(frames: 120)
        let player = try Player(item, settings: settings(server))
        let shown = ShownFrames(player)
        await ready(player)
        let events = player.events()
        player.play()
        #expect(waitUntil { shown.all.count > 45 })
        server.kill()
        var reason = ""
        for await event in events {
            if case .audioLost(let why) = event { reason = why }
            if event == .ended { break }
        }
        #expect(reason.contains("pulse:lab is gone"), "\(reason)")
        #expect(shown.numbers.last == 119 && !player.hasAudio)
        let bases = shown.all.dropFirst(30).map { Double($0.host) / 1e9 - Double($0.number) / 30 }
        let spread = (bases.max() ?? 0) - (bases.min() ?? 0)
        #expect(spread < 0.05, "\(spread)")
        await player.stop()
    }

    @Test("a sink that is not there, and no server, are one sentence, and the film plays")
    func missing() async throws {
        let server = try SoundServer()
        try server.start()
        let item = try await item(frames: 20)
        var none = PlayerSettings(speaker: .pulse("default"))
        none.soundServer = "unix:/nonexistent/pulse/native"
        for (settings, words) in [
            (
                settings(server, "cellar"),
                "There is no loudspeaker pulse:cellar; the sound server has"
            ),
            (none, "Could not play to pulse:default: no PulseAudio or PipeWire server answers"),
        ] {
            let player = try Player(item, settings: settings)
            let events = player.events()
            player.play()
            var reason = ""
            for await event in events {
                if case .audioLost(let why) = event { reason = why }
                if event == .ended { break }
            }
            #expect(reason.contains(words), "\(reason)")
            #expect(player.currentTime == item.range.end)
            await player.stop()
        }
    }
}

@Suite("Where audio is heard, in words")
struct SpeakerSelectorTests {
    @Test("words name a speaker, and a speaker its words")
    func words() {
        let all: [(String, SpeakerSelector)] = [
            ("default", .standard), ("none", .none), ("pulse:lab", .pulse("lab")),
            ("alsa:hw:0,0", .alsa("hw:0,0")),
            ("alsa:plughw:CARD=PCH,DEV=0", .alsa("plughw:CARD=PCH,DEV=0")),
        ]
        for (words, speaker) in all {
            #expect(SpeakerSelector(words) == speaker && speaker.description == words)
        }
        #expect(
            SpeakerSelector("pulse") == .pulse("default")
                && SpeakerSelector("alsa") == .alsa("default"))
        for words in ["", "pulse:", ":x", "jack:x", "loud"] {
            #expect(SpeakerSelector(words) == nil)
        }
    }

    @Test(
        "ALSA's null device, which takes everything at once, costs the audio only", .tags(.realTime)
    )
    func nullDevice() async throws {
        let folder = try TemporaryFolder()
        let clip = try await PlayedClip(frames: 60).write(to: folder.file("clip.mov"))
        let item = try PlayerItem(clip)
        let player = try Player(item, settings: PlayerSettings(speaker: .alsa("null")))
        let events = player.events()
        let begin = HostClock().now()
        player.play()
        var reason = ""
        for await event in events {
            if case .audioLost(let why) = event { reason = why }
            if event == .ended { break }
        }
        #expect(reason.contains("alsa:null does not play audio at its pace"), "\(reason)")
        #expect(HostClock().now() - begin > .milliseconds(900))
        await player.stop()
    }

    @Test("an ALSA device that is not there is one sentence")
    func noCard() {
        let error = #expect(throws: MediaError.self) {
            _ = try SpeakerSelector.alsa("hw:31,7").open()
        }
        #expect(error?.message.contains("alsa:hw:31,7") == true, "\(error?.message ?? "")")
    }
}
