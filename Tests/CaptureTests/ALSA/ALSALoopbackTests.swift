import Glibc
import Media
import TestSupport
import Testing

@testable import Capture

/// Against the kernel's own sound card whose device 1 records what device 0 plays.
@Suite(
    .serialized,
    .enabled(
        if: ALSACards.present().card(named: "Loopback") != nil,
        "snd-aloop is not loaded: Tests/Lab/scenarios/alsa.sh runs these"))
struct ALSALoopbackTests {
    @Test("the card is listed with its formats, and found by its words")
    func listing() throws {
        let devices = try ALSAProvider().devices(of: .audio)
        let device = try #require(devices.first { $0.node == "hw:0,1" })
        #expect(device.aliases.contains("hw:CARD=Loopback,DEV=1"))
        #expect(device.driver == "Loopback")
        let rates = device.formats.first?.audio?.sampleRates ?? []
        #expect(rates.contains(48_000...48_000))
        let found = try DeviceDiscovery(providers: [ALSAProvider()])
            .find("alsa:hw:Loopback,1", kind: .audio)
        #expect(found.id == device.id)
    }

    @Test("what is played is recorded unbroken, and frames and hardware stamps agree")
    func record() throws {
        let player = try play(seconds: 8)
        defer { player.signal(SIGKILL) }
        let (stream, events) = try open()
        try stream.start(handler: events.handler)
        #expect(events.wait(samples: 250))
        stream.stop()
        #expect(events.drops.isEmpty)
        #expect(stream.format.audio?.sampleFormat == .int16, "the format aplay fixed")
        let recording = Recording(events.samples)
        let take = try #require(recording)
        #expect(abs(take.countedNanoseconds - take.stampedNanoseconds) < 10_000_000)
        #expect(Tone.breaks(in: take.values) <= 1, "the audio is unbroken once it has begun")
        #expect(take.values.contains { abs($0) > 1000 })
        let ages = events.samples.compactMap { sample -> Int64? in
            guard let arrival = sample.attachments.arrivalTime else { return nil }
            return arrival.nanoseconds() - sample.presentationTime.nanoseconds()
        }
        #expect(try #require(ages.min()) > 0, "no stamp is ahead of the clock")
    }

    @Test("a process held up past the buffer loses exactly what its stamps say")
    func overrun() throws {
        let player = try play(seconds: 15)
        defer { player.signal(SIGKILL) }
        let (stream, events) = try open()
        try stream.start(handler: events.handler)
        #expect(events.wait(samples: 150))
        let script = "kill -STOP $PPID; sleep 1.2; kill -CONT $PPID"
        _ = try Program(path: "/bin/sh").run(["-c", script])
        let isLost = events.wait { events in
            events.contains { if case .dropped = $0 { true } else { false } }
        }
        #expect(isLost)
        let count = events.samples.count
        #expect(events.wait(samples: count + 100))
        stream.stop()

        let drop = try #require(events.drops.first)
        #expect(events.drops.count == 1 && drop.cause == .overrun)
        #expect(drop.count > 48_000 && drop.count < 96_000)
        // stamps: what was counted and what was lost fill the time
        #expect(stream.format.audio?.sampleFormat == .int16, "the format aplay fixed")
        let recording = Recording(events.samples)
        let take = try #require(recording)
        let lost = MediaTime(value: Int64(drop.count), timescale: 48_000).nanoseconds()
        #expect(abs(take.countedNanoseconds + lost - take.stampedNanoseconds) < 10_000_000)
        // content: the triangle continues where it would be, but for the card's timer ticks
        let before = try #require(phase(around: drop, in: events, isAfter: false))
        let after = try #require(phase(around: drop, in: events, isAfter: true))
        let error = Tone.distance(from: before + drop.count, to: after)
        #expect(abs(error) < 480, "\(error) frames off")
    }

    @Test("an unplugged card is closed at once, and recorded again when it is back")
    func unplug() async throws {
        let player = try play(seconds: 30)
        let device = try ALSAProvider().device(named: "hw:Loopback,1", kind: .audio)
        let session = CaptureSession(discovery: DeviceDiscovery(providers: [ALSAProvider()]))
        let output = AudioDataOutput()
        let input = CaptureDeviceInput(microphone: try #require(device))
        try await session.configure { configuration throws(MediaError) in
            try configuration.add(input, output)
        }
        let events = EventCollector()
        output.setHandler(events.handler)
        try await session.start()
        #expect(events.wait(samples: 50))
        player.signal(SIGKILL)
        let begun = HostClock().now()
        try bind("unbind")
        let unbinding = HostClock().now() - begun
        #expect(unbinding.approximateSeconds < 2, "the driver waited for the PCM")
        #expect(events.waitForInterruption())
        try bind("bind")
        let count = events.samples.count
        #expect(events.wait(samples: count + 50))
        try await session.stop()
        let reasons = events.all.compactMap {
            if case .interrupted(let news) = $0 { news.reason } else { nil }
        }
        #expect(reasons == [.deviceGone])
    }

    @Test("a card that goes and one that comes are reported, each of its devices once")
    func appearsAndDisappears() async throws {
        let discovery = DeviceDiscovery(providers: [ALSAProvider()])
        let ids = try discovery.devices(of: .audio).map(\.id).sorted()
        try #require(ids.count == 2)
        let changes = ChangeCollector(discovery)
        try bind("unbind")
        let gone = ids.map { "-\($0)" }
        #expect(try await Set(changes.wait(for: 2)) == Set(gone))
        try bind("bind")
        #expect(try await changes.wait(for: 4).dropFirst(2).sorted() == ids.map { "+\($0)" })

        // a second card, by loading the driver anew
        try run("modprobe -r snd-aloop")
        #expect(try await Set(changes.wait(for: 6).dropFirst(4)) == Set(gone))
        try run("modprobe snd-aloop enable=1,1")
        #expect(try await changes.wait(for: 10).dropFirst(6).count { $0.hasPrefix("+") } == 4)
        try run("modprobe -r snd-aloop && modprobe snd-aloop")
        #expect(try await changes.wait(for: 16).count == 16)
    }

    @Test("a card in use names the process that holds it")
    func busy() throws {
        let holder = try #require(Program.tool("arecord")).start(
            ["-q", "-D", "hw:Loopback,1,0", "-f", "S16_LE", "-r", "48000", "/dev/null"])
        defer { holder.signal(SIGKILL) }
        try #require(isOpen("pcm1c"), "arecord has not begun")
        let provider = ALSAProvider()
        let device = try #require(try provider.device(named: "hw:Loopback,1,0", kind: .audio))
        let error = #expect(throws: MediaError.self) {
            try provider.openAudio(device, settings: AudioInputSettings(), clock: HostClock())
        }
        #expect(error?.code == .deviceBusy)
        let message = error?.message ?? ""
        #expect(message.contains("arecord (process \(holder.pid))"), "\(message)")
    }

    private func open() throws -> (any CaptureStream, EventCollector) {
        let provider = ALSAProvider()
        let device = try #require(try provider.device(named: "hw:Loopback,1,0", kind: .audio))
        let settings = AudioInputSettings(sampleRate: 48_000, channels: 2)
        return (
            try provider.openAudio(device, settings: settings, clock: HostClock()),
            EventCollector()
        )
    }

    /// Plays the triangle on the card's other end; it fixes the format both have.
    private func play(seconds: Int) throws -> RunningProgram {
        let path = "/tmp/vcap-triangle-\(seconds).raw"
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        Tone.ramp(seconds: seconds).withUnsafeBytes {
            _ = Glibc.write(file, $0.baseAddress, $0.count)
        }
        Glibc.close(file)
        let player = try #require(Program.tool("aplay")).start(
            [
                "-q", "-D", "hw:Loopback,0,0", "-t", "raw", "-f", "S16_LE", "-r", "48000",
                "-c", "2", path,
            ])
        try #require(isOpen("pcm0p"), "aplay has not begun")
        return player
    }

    /// Whether a program has the PCM going within ten seconds.
    private func isOpen(_ pcm: String) -> Bool {
        for _ in 0..<200 {
            let status = SmallTextFile.read("/proc/asound/Loopback/\(pcm)/sub0/status") ?? ""
            if status.contains("RUNNING") { return true }
            usleep(50_000)
        }
        return false
    }

    private func bind(_ what: String) throws {
        try run("echo snd_aloop.0 > /sys/bus/platform/drivers/snd_aloop/\(what)")
    }

    private func run(_ line: String) throws {
        let result = try Program(path: "/bin/sh").run(["-c", "\(line) && udevadm settle"])
        try #require(result.status == 0, "\(line): \(result.errorText)")
    }

    /// The triangle's phase just before or after a drop.
    private func phase(
        around drop: SampleDrop, in events: EventCollector, isAfter: Bool
    ) -> Int? {
        let samples = events.samples.filter { ($0.presentationTime >= drop.time) == isAfter }
        guard let values = Recording(samples)?.values else { return nil }
        return isAfter
            ? Tone.phase(ofFirst: values) : Tone.phase(ofFirst: values.suffix(200)).map { $0 + 200 }
    }
}
