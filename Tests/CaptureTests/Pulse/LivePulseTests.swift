import Media
import TestSupport
import Testing

@testable import Capture

extension Tag {
    /// Runs as long as what it records.
    @Tag static var realTime: Tag
    /// Of those in real time, what takes a quarter of one processor at most: scripts/test runs them beside the others.
    @Tag static var mostlyWaits: Tag
}

/// Against a private PulseAudio server with a null sink, in real time: run with nothing beside it.
@Suite(
    .serialized, .tags(.realTime, .mostlyWaits),
    .enabled(if: SoundServer.isInstalled, "\(SoundServer.missing ?? "")"))
struct LivePulseTests {
    @Test("a server's sources are listed with what they are")
    func listing() throws {
        let server = try SoundServer()
        try server.start()
        let provider = PulseProvider(server: server.address)
        let devices = try provider.devices(of: .audio)
        #expect(devices.map(\.id) == ["pulse:lab.monitor"])
        #expect(devices.first?.name == "Monitor of Null Output")
        #expect(devices.first?.formats.first?.audio?.sampleRates == [48_000...48_000])
        #expect(try provider.defaultDevice(of: .audio)?.id == "pulse:lab.monitor")
        #expect(try provider.devices(of: .video).isEmpty)
    }

    @Test("without a server nothing is listed, and opening says so in one sentence")
    func noServer() throws {
        let provider = PulseProvider(server: "unix:/nonexistent/pulse/native")
        #expect(try provider.devices(of: .audio).isEmpty)
        #expect(try provider.defaultDevice(of: .audio) == nil)
        let error = #expect(throws: MediaError.self) {
            try provider.device(named: "lab.monitor", kind: .audio)
        }
        #expect(error?.code == .noSuchDevice)
        #expect(error?.message.contains("no PulseAudio or PipeWire server answers") == true)
    }

    @Test("a source the server does not have lists those it has")
    func missingSource() throws {
        let server = try SoundServer()
        try server.start()
        let provider = PulseProvider(server: server.address)
        let error = #expect(throws: MediaError.self) {
            try provider.device(named: "microphone", kind: .audio)
        }
        #expect(error?.message.contains("pulse:lab.monitor") == true)
    }

    @Test("what is played is recorded: the counted frames and their stamps agree")
    func record() throws {
        let server = try SoundServer()
        try server.start()
        let isWhole: (EventCollector) -> Bool = { events in
            Recording(events.samples).map { Tone.breaks(in: $0.values) <= 1 } ?? false
        }
        let events = try SoundServer.hear(isWhole: isWhole) {
            let player = try server.play(Tone.ramp(seconds: 20))
            defer { player?.end() }
            let (stream, events) = try open(server)
            try stream.start(handler: events.handler)
            _ = events.wait(samples: 150)
            stream.stop()
            return (events, player)
        }
        let samples = events.samples
        #expect(samples.count >= 150)
        #expect(events.drops.isEmpty)
        let lengths = samples.map(\.audioFrameCount)
        #expect(lengths.dropLast().allSatisfy { (480...960).contains($0) })
        let take = try #require(Recording(samples))
        #expect(abs(take.countedNanoseconds - take.stampedNanoseconds) < 20_000_000)
        #expect(Tone.breaks(in: take.values) <= 1, "the audio is unbroken once it has begun")
        #expect(take.values.contains { abs($0) > 1000 }, "the audio is there")
    }

    @Test("audio is stamped at most a block before it was played, and before it arrived")
    func truth() throws {
        let server = try SoundServer()
        try server.start()
        let (stream, events) = try open(server)
        try stream.start(handler: events.handler)
        #expect(events.wait(samples: 30))
        let played = HostClock().now().nanoseconds()
        let player = try server.play(Tone.ramp(seconds: 20))
        defer { player?.signal(15) }
        let isHeard = events.wait { $0.contains { Self.firstLoudFrame(of: $0) != nil } }
        #expect(isHeard)
        stream.stop()
        let place = events.all.firstIndex { Self.firstLoudFrame(of: $0) != nil }
        let loud = events.all[try #require(place)]
        let delay = try #require(Self.firstLoudFrame(of: loud)) - played
        // a block of 20 ms arrives as it is rendered, and is stamped as if it had been heard by then
        #expect(delay > -25_000_000, "\(delay) ns after it was played")
        guard case .sample(let sample) = loud else { return }
        let arrival = try #require(sample.attachments.arrivalTime?.nanoseconds()) - played
        #expect(arrival - delay > 0 && arrival - delay < 1_000_000_000, "\(arrival) \(delay)")
    }

    /// When the first loud frame of a sample was captured (ns).
    private static func firstLoudFrame(of event: SourceEvent) -> Int64? {
        guard case .sample(let sample) = event, let take = Recording([sample]),
            let frame = take.values.firstIndex(where: { abs(Int($0)) > 1000 })
        else { return nil }
        return sample.presentationTime.nanoseconds() + Int64(frame) * 1_000_000_000 / 48_000
    }

    @Test("sources that come and go, and with them the server, are reported")
    func appearsAndDisappears() async throws {
        let server = try SoundServer()
        try server.start()
        let provider = PulseProvider(server: server.address)
        let changes = ChangeCollector(DeviceDiscovery(providers: [provider]))
        let source = try server.control(["load-module", "module-null-source", "source_name=mic"])
        #expect(try await changes.wait(for: 1) == ["+pulse:mic"])
        let sink = try server.control(["load-module", "module-null-sink", "sink_name=second"])
        #expect(try await changes.wait(for: 2).last == "+pulse:second.monitor")
        try server.control(["set-source-volume", "mic", "50%"])
        try server.control(["unload-module", source])
        #expect(try await changes.wait(for: 3).last == "-pulse:mic", "the volume is no news")
        try server.control(["unload-module", sink])
        #expect(try await changes.wait(for: 4).last == "-pulse:second.monitor")

        server.kill()
        #expect(try await changes.wait(for: 5).last == "-pulse:lab.monitor")
        try server.start()
        #expect(try await changes.wait(for: 6).last == "+pulse:lab.monitor")
    }

    @Test("a server that is not there yet is found when it is")
    func laterServer() async throws {
        let server = try SoundServer()
        let provider = PulseProvider(server: server.address)
        let changes = ChangeCollector(DeviceDiscovery(providers: [provider]))
        try server.start()
        #expect(try await changes.wait(for: 1) == ["+pulse:lab.monitor"])
    }

    @Test("the rate and channels asked for are what the server converts to")
    func converted() throws {
        let server = try SoundServer()
        try server.start()
        let (stream, events) = try open(
            server, AudioInputSettings(sampleRate: 16_000, channels: 1))
        #expect(stream.format.audio?.sampleRate == 16_000)
        #expect(stream.format.audio?.channels == 1)
        try stream.start(handler: events.handler)
        #expect(events.wait(samples: 20))
        stream.stop()
        #expect(events.samples.allSatisfy { $0.audioFrameCount <= 320 })
    }

    @Test("a server that is killed interrupts the source where its last frame ended")
    func killed() throws {
        let server = try SoundServer()
        try server.start()
        let (stream, events) = try open(server)
        try stream.start(handler: events.handler)
        #expect(events.wait(samples: 50))
        let killTime = HostClock().now()
        server.kill()
        #expect(events.waitForInterruption())
        stream.stop()
        guard case .interrupted(let interruption)? = events.all.last else {
            Issue.record("the last event is no interruption")
            return
        }
        #expect(interruption.reason == .serverGone)
        let last = try #require(events.samples.last)
        let end = last.presentationTime.nanoseconds() + (last.duration?.nanoseconds() ?? 0)
        #expect(abs(interruption.time.nanoseconds() - end) <= 1)
        #expect(abs(interruption.time.nanoseconds() - killTime.nanoseconds()) < 2_000_000_000)
    }

    @Test("a session continues by itself when the server is back: the gap is what the stamps say")
    func restarted() async throws {
        let server = try SoundServer()
        try server.start()
        let provider = PulseProvider(server: server.address)
        let session = CaptureSession(discovery: DeviceDiscovery(providers: [provider]))
        let output = AudioDataOutput()
        let device = try #require(try provider.device(named: "lab.monitor", kind: .audio))
        try await session.configure { configuration throws(MediaError) in
            try configuration.add(CaptureDeviceInput(microphone: device), output)
        }
        let events = EventCollector()
        output.setHandler(events.handler)
        try await session.start()
        #expect(events.wait(samples: 50))
        server.kill()
        #expect(events.waitForInterruption())
        try server.start()
        let returned = events.wait { events in
            events.contains { if case .resumed = $0 { true } else { false } }
        }
        #expect(returned)
        let count = events.samples.count
        #expect(events.wait(samples: count + 50))
        try await session.stop()
        try expectOneGap(in: events.all)
    }

    private func expectOneGap(in events: [SourceEvent]) throws {
        var end: Int64?
        var interruption: Int64?
        var resumption: Int64?
        for event in events {
            switch event {
            case .interrupted(let news): interruption = news.time.nanoseconds()
            case .resumed(let time, _): resumption = time.nanoseconds()
            case .sample(let sample):
                let start = sample.presentationTime.nanoseconds()
                if let end, start - end > 50_000_000 {
                    #expect(abs(end - (interruption ?? 0)) <= 1)
                    #expect(start == resumption)
                }
                end = start + (sample.duration?.nanoseconds() ?? 0)
            case .dropped, .ended: break
            }
        }
        #expect(try #require(resumption) > #require(interruption))
    }

    private func open(
        _ server: SoundServer, _ settings: AudioInputSettings = AudioInputSettings()
    ) throws -> (any CaptureStream, EventCollector) {
        let provider = PulseProvider(server: server.address)
        let device = try #require(try provider.device(named: "lab.monitor", kind: .audio))
        let stream = try provider.openAudio(device, settings: settings, clock: HostClock())
        return (stream, EventCollector())
    }
}
