import Media
import TestSupport
import Testing

@testable import Capture

/// Microphones that are plugged, unplugged and that fail as a test says, each with a port.
private final class ScriptedPorts: DeviceProvider {
    let prefix = "twin"

    struct State {
        var present: [CaptureDevice] = []
        /// Ports of those that were opened, in order.
        var opened: [String] = []
        var handlers: [@Sendable (SourceEvent) -> Void] = []
        /// Whether what is opened fails before it delivers.
        var failsAtOnce = false
    }

    let state = BlockingLock(State())

    /// Of one product without a serial number: alone it is called by its link, twins by their ports.
    static func device(_ port: String, isAlone: Bool) -> CaptureDevice {
        CaptureDevice(
            id: isAlone ? "twin:by-id:USB" : "twin:by-path:\(port)", name: "USB Microphone",
            kind: .audio, driver: "twin", node: port,
            aliases: ["/dev/snd/by-id/USB", "/dev/snd/by-path/\(port)"])
    }

    func plug(_ ports: [String]) {
        let devices = ports.map { Self.device($0, isAlone: ports.count == 1) }
        state.withLock { $0.present = devices }
    }

    func devices(of kind: MediaType) -> [CaptureDevice] { state.withLock { $0.present } }

    func device(named name: String, kind: MediaType) -> CaptureDevice? {
        devices(of: kind).first { $0.id == "twin:\(name)" }
    }

    func openAudio(
        _ device: CaptureDevice, settings: AudioInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream {
        state.withLock { $0.opened.append(device.node ?? "") }
        return Stream(self)
    }

    /// The newest stream's device is gone.
    func fail() {
        let handler = state.withLock { $0.handlers.last }
        handler?(Self.gone)
    }

    static let gone = SourceEvent.interrupted(
        SourceInterruption(reason: .deviceGone, time: .seconds(1), message: "It is gone."))

    private final class Stream: CaptureStream {
        private let owner: ScriptedPorts
        let format = FormatDescription.audio(
            AudioFormat(coding: .raw(.int16), sampleRate: 48_000, channels: 1))
        let explanation = ""

        init(_ owner: ScriptedPorts) { self.owner = owner }

        func start(handler: @escaping @Sendable (SourceEvent) -> Void) throws(MediaError) {
            let fails = owner.state.withLock { state in
                state.handlers.append(handler)
                return state.failsAtOnce && state.handlers.count > 1
            }
            handler(
                fails
                    ? ScriptedPorts.gone
                    : .sample(
                        SampleBuffer(
                            payload: .audio(BlockBuffer([0, 0])), format: format,
                            presentationTime: .seconds(1))))
        }

        func stop() {}
    }
}

@Suite("a device that is opened again", .timeLimit(.minutes(2)))
struct ReopenedDeviceTests {
    private let ports = ScriptedPorts()
    private let events = EventCollector()

    /// A session that listens to the microphone in port 1.
    private func session() async throws -> CaptureSession {
        ports.plug(["1"])
        let session = CaptureSession(discovery: DeviceDiscovery(providers: [ports]))
        let output = AudioDataOutput()
        let input = CaptureDeviceInput(microphone: ScriptedPorts.device("1", isAlone: true))
        try await session.configure { configuration throws(MediaError) in
            try configuration.add(input, output)
        }
        output.setHandler(events.handler)
        try await session.start()
        #expect(events.wait(samples: 1))
        return session
    }

    private var opened: [String] { ports.state.withLock { $0.opened } }

    @Test("a twin that was plugged in meanwhile does not take its place, whatever it is called")
    func twin() async throws {
        let session = try await session()
        // the twin comes, then the cable of the first one comes loose: now the twin has its identity
        ports.plug(["1", "2"])
        try await Task.sleep(for: .milliseconds(50))
        ports.plug(["2"])
        ports.fail()
        #expect(events.waitForInterruption())
        try await Task.sleep(for: .milliseconds(1300))
        #expect(opened == ["1"])
        // it is back in its port, where it is called by that
        ports.plug(["1", "2"])
        #expect(events.wait(samples: 2))
        #expect(opened == ["1", "1"])
        try await session.stop()
    }

    @Test(
        "one that stalls beside its twin is opened again by its port, and one alone in another port by its name"
    )
    func moved() async throws {
        let session = try await session()
        ports.plug(["1", "2"])
        ports.fail()
        #expect(events.wait(samples: 2))
        #expect(opened == ["1", "1"])
        ports.plug([])
        ports.fail()
        try await Task.sleep(for: .milliseconds(700))
        ports.plug(["3"])
        #expect(events.wait(samples: 3))
        #expect(opened == ["1", "1", "3"])
        // and where it is now it is itself
        ports.fail()
        #expect(events.wait(samples: 4))
        #expect(opened == ["1", "1", "3", "3"])
        try await session.stop()
    }

    @Test("one that fails whenever it is opened is not opened faster than twice a second")
    func failing() async throws {
        let session = try await session()
        ports.state.withLock { $0.failsAtOnce = true }
        let begin = HostClock().now()
        ports.fail()
        #expect(events.waitForInterruption())
        try await Task.sleep(for: .milliseconds(2200))
        let count = opened.count
        let elapsed = (HostClock().now() - begin).approximateSeconds
        // the first one, the one right behind the failure, and one each half second
        #expect(count >= 3 && Double(count) <= 2 + elapsed / 0.5 + 0.5, "\(count) in \(elapsed) s")
        ports.state.withLock { $0.failsAtOnce = false }
        #expect(events.wait(samples: 2))
        try await session.stop()
    }
}
