import Media
import TestSupport
import Testing

@testable import Capture

@Suite("An output, its session, and whether samples pass")
struct OutputOwnerTests {
    private func camera(_ number: Int) throws -> CaptureDeviceInput {
        CaptureDeviceInput(
            camera: try DeviceDiscovery().find("test:\(number),size=64x48", kind: .video))
    }

    private func add(
        _ number: Int, _ output: VideoDataOutput, to session: CaptureSession,
        _ connection: CaptureConnection = CaptureConnection()
    ) async throws {
        let input = try camera(number)
        try await session.configure { try $0.add(input, output, connection) }
    }

    @Test("an output is in one session at a time, which is said when it is added to another one")
    func twoSessions() async throws {
        let (output, seen) = (VideoDataOutput(), EventCollector())
        output.setHandler(seen.handler)
        let (first, second) = (CaptureSession(), CaptureSession())
        try await add(72, output, to: first)
        let error = await #expect(throws: MediaError.self) {
            try await add(73, output, to: second)
        }
        #expect(error?.code == .invalidSetting)
        #expect(error?.message.contains("in another session") == true, "\(error?.message ?? "")")
        let photos = PhotoOutput()
        let input = try camera(74)
        try await first.configure { try $0.add(input, photos) }
        await #expect(throws: MediaError.self) {
            try await second.configure { try $0.add(input, photos) }
        }
        // the first one's is untouched by it
        try await first.start()
        #expect(seen.wait(samples: 2))
        try await first.stop()
        // stopped, it is the first one's still; removed, it is anybody's
        await #expect(throws: MediaError.self) { try await add(73, output, to: second) }
        try await first.configure { $0.removeAll() }
        try await add(73, output, to: second)
        try await second.start()
        let count = seen.samples.count
        #expect(seen.wait(samples: count + 2))
        try await second.stop()
    }

    @Test("two sessions that want one output at once: one has it")
    func race() async throws {
        for _ in 0..<10 {
            let output = VideoDataOutput()
            let sessions = [CaptureSession(), CaptureSession()]
            let won = await withTaskGroup(of: Bool.self) { group in
                for (index, session) in sessions.enumerated() {
                    group.addTask {
                        do { try await add(75 + index, output, to: session) } catch { return false }
                        return true
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(won == 1)
        }
    }

    @Test("an output of a session that is gone, or whose camera could not be opened, is free")
    func free() async throws {
        let output = VideoDataOutput()
        func lose() async throws {
            let session = CaptureSession()
            try await add(77, output, to: session)
        }
        try await lose()
        let (session, other) = (CaptureSession(), CaptureSession())
        let busy = VideoDataOutput(wantedFormat: .yuyv422)
        await #expect(throws: MediaError.self) {
            try await add(77, busy, to: session, CaptureConnection(rotation: .clockwise90))
        }
        try await add(78, busy, to: other)
        try await add(79, output, to: other)
    }

    @Test("an output that is disabled before it is added delivers nothing, until it is enabled")
    func disabledBefore() async throws {
        let (output, seen) = (VideoDataOutput(), EventCollector())
        output.setHandler(seen.handler)
        output.setEnabled(false)
        let session = CaptureSession()
        try await add(80, output, to: session)
        try await session.start()
        #expect(seen.waitForInterruption())
        try await Task.sleep(for: .milliseconds(300))
        #expect(seen.all.map(\.word) == ["disabled"])
        // and another connection changes nothing of it
        let input = try camera(80)
        try await session.configure { configuration in
            configuration.remove(output)
            try configuration.add(input, output, CaptureConnection(isMirrored: true))
        }
        try await Task.sleep(for: .milliseconds(300))
        #expect(seen.samples.isEmpty)
        output.setEnabled(true)
        #expect(seen.wait(samples: 2))
        try await session.stop()
    }
}
