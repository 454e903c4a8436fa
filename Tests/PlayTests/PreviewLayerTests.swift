import Capture
import Media
import TestSupport
import Testing

@testable import Play

@Suite("A preview of a camera that runs")
struct PreviewLayerTests {
    private func camera(_ text: String, _ size: PixelSize) throws -> CaptureDeviceInput {
        var settings = VideoInputSettings()
        settings.size = size
        settings.rate = .exactly(FrameRate(30))
        let device = try DeviceDiscovery().find(text, kind: .video)
        return CaptureDeviceInput(camera: device, settings: settings)
    }

    @Test(
        "frames come upright, in the wanted box and no larger than the camera's, with host times that grow"
    )
    func frames() async throws {
        let session = CaptureSession()
        let layer = PreviewLayer(wantedSize: PixelSize(160, 160), maximumRate: FrameRate(30))
        let (clip, connection) = (
            try camera("test:", PixelSize(640, 360)),
            CaptureConnection(rotation: .clockwise90)
        )
        try await layer.add(clip, connection, to: session)
        let frames = layer.frames()
        try await session.start()
        var times: [MediaTime] = []
        for await frame in frames {
            #expect(frame.pixels.width == 90 && frame.pixels.height == 160)
            #expect(frame.pixels.format == .yuv420p && frame.format.orientation == .upright)
            #expect(frame.cameraSize == PixelSize(360, 640) && !frame.isZoomed)
            times.append(frame.time)
            if times.count == 4 { break }
        }
        try await session.stop()
        #expect(times.count == 4 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(layer.counts.shown >= 4 && layer.counts.lost == 0)
    }

    @Test("zoomed, frames are the camera's own, and back again scaled")
    func zoom() async throws {
        let session = CaptureSession()
        let layer = PreviewLayer(wantedSize: PixelSize(160, 90))
        try await layer.add(try camera("test:", PixelSize(640, 360)), to: session)
        let frames = layer.frames()
        try await session.start()
        var widths: [Int] = []
        for await frame in frames where widths.last != frame.pixels.width {
            widths.append(frame.pixels.width)
            #expect(frame.isZoomed == (frame.pixels.width == 640))
            if widths.count == 3 { break }
            layer.setZoomed(widths.count == 1)
        }
        try await session.stop()
        #expect(widths == [160, 640, 160])
    }

    @Test(
        "a listener that never returns costs the preview frames and the other listener of the camera none",
        .tags(.realTime)
    )
    func stalled() async throws {
        let session = CaptureSession()
        let camera = try camera("test:", PixelSize(320, 180))
        let movie = VideoDataOutput(wantedFormat: .yuv420p)
        let layer = PreviewLayer(wantedSize: PixelSize(160, 90), maximumRate: FrameRate(30))
        try await session.configure { try $0.add(camera, movie) }
        try await layer.add(camera, to: session)
        let gate = WakeSignal()
        layer.setHandler { _ in _ = gate.wait(nanoseconds: 60_000_000_000) }
        let seen = BlockingLock(0)
        movie.setHandler { event in
            if case .sample = event { seen.withLock { $0 += 1 } }
            if case .dropped(let drop) = event { Issue.record("lost \(drop)") }
        }
        try await session.start()
        func wait(_ condition: @escaping @Sendable (Int) -> Bool) async -> Bool {
            await NamedThread.run("test-wait") {
                seen.wait(nanoseconds: 60_000_000_000) { condition($0) ? true : nil } ?? false
            }
        }
        #expect(await wait { $0 >= 40 })
        #expect(layer.counts.shown <= 1)
        gate.raise()
        // what it missed is counted when its own thread gets a processor
        #expect(await wait { _ in layer.counts.late > 0 })
        try await session.stop()
    }

    @Test("depth comes in colours, whose ends are distances of the scene")
    func depth() async throws {
        let session = CaptureSession()
        let layer = PreviewLayer(wantedSize: PixelSize(160, 90), maximumRate: FrameRate(30))
        let device = try DeviceDiscovery().find("test:format=z16,size=320x180,fps=30", kind: .video)
        try await layer.add(CaptureDeviceInput(camera: device), to: session)
        let frames = layer.frames()
        try await session.start()
        var widths: [Int] = []
        for await frame in frames {
            #expect(frame.pixels.format == .yuv420p && frame.cameraSize == PixelSize(320, 180))
            if widths.last != frame.pixels.width {
                widths.append(frame.pixels.width)
                // the box is nearer than the wall beside it, and its shadow is unknown
                let lumas = frame.pixels.luma
                #expect((lumas.max() ?? 0) > 180 && lumas.contains(16))
                layer.setZoomed(widths.count == 1)
            }
            if widths.count == 3 { break }
        }
        let distances = try #require(layer.shownDistances)
        #expect((0.3...2).contains(distances.lowerBound), "\(distances)")
        #expect(distances.upperBound > distances.lowerBound + 0.2, "\(distances)")
        #expect(widths == [160, 320, 160] && layer.counts.lost == 0)
        try await layer.remove(from: session)
        #expect(await session.configuration.devices.isEmpty)
        try await session.stop()
    }

    @Test("disabled it gets no frames, and removed the camera has one listener less")
    func removed() async throws {
        let session = CaptureSession()
        let layer = PreviewLayer(wantedSize: PixelSize(160, 90))
        try await layer.add(try camera("test:", PixelSize(640, 360)), to: session)
        layer.setEnabled(false)
        #expect(!layer.isEnabled)
        try await session.start()
        try await Task.sleep(for: .milliseconds(300))
        #expect(layer.counts.shown == 0)
        try await layer.remove(from: session)
        #expect(await session.configuration.devices.isEmpty)
        try await session.stop()
    }
}
