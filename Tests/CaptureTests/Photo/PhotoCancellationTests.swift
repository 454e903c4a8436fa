import Media
import TestSupport
import Testing

@testable import Capture

@Suite("Photos that are waited for no longer")
struct PhotoCancellationTests {
    private let photos = PhotoOutput()
    private let session = CaptureSession()
    private let clock = HostClock()

    private func configure() async throws {
        let camera = try DeviceDiscovery().find("test:71,size=64x48,fps=30", kind: .video)
        let photos = photos
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: camera), photos)
        }
    }

    @Test(
        "a photo of a moment to come ends with its task, and leaves nothing; a later one is taken")
    func cancelled() async throws {
        try await configure()
        try await session.start()
        _ = try await photos.capturePhoto()
        let start = clock.now()
        let tasks = (0..<20).map { _ in
            Task { [photos, clock] in
                try await photos.capturePhoto(at: clock.now() + .seconds(3600))
            }
        }
        #expect(try await eventually { photos.waitingCount == 20 })
        for task in tasks { task.cancel() }
        for task in tasks {
            let result = await task.result
            #expect(throws: MediaError.self) { try result.get() }
            if case .failure(let error) = result {
                #expect((error as? MediaError)?.code == .cancelled)
            }
        }
        #expect(clock.now() - start < .seconds(600))
        #expect(photos.waitingCount == 0)
        let photo = try await photos.capturePhoto()
        #expect(photo.sequence != nil)
        // a task that is cancelled before it asks
        let late = Task { [photos] in
            try? await Task.sleep(for: .seconds(60))
            return try await photos.capturePhoto()
        }
        late.cancel()
        let answer = await late.result
        if case .failure(let error) = answer {
            #expect((error as? MediaError)?.code == .cancelled)
        }
        #expect(photos.waitingCount == 0)
        try await session.stop()
    }

    @Test("after the session's stop a photo is refused at once, and taken when it runs again")
    func stopped() async throws {
        try await configure()
        try await session.start()
        _ = try await photos.capturePhoto()
        try await session.stop()
        let start = clock.now()
        let error = await #expect(throws: MediaError.self) {
            _ = try await photos.capturePhoto()
        }
        #expect(error?.code == .invalidState)
        #expect(error?.message.contains("its session was stopped") == true)
        // a photo that nobody takes is waited for two seconds
        #expect(clock.now() - start < .seconds(1))
        try await session.start()
        _ = try await photos.capturePhoto()
        try await session.stop()
    }
}

/// Waits in a task, whose thread others need meanwhile.
private func eventually(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<500 {
        if condition() { return true }
        try await Task.sleep(for: .milliseconds(20))
    }
    return condition()
}
