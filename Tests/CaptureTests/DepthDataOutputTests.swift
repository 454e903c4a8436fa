import Foundation
import Media
import TestSupport
import Testing

@testable import Capture

@Suite("A depth camera", .serialized)
struct DepthDataOutputTests {
    private let size = PixelSize(96, 48)

    private func camera(_ words: String) throws -> CaptureDevice {
        try DeviceDiscovery().find("test:\(words)", kind: .video)
    }

    /// The first frames of a camera.
    private func samples(
        _ output: DepthDataOutput, of camera: CaptureDevice, count: Int,
        _ settings: VideoInputSettings = .init(),
        _ connection: CaptureConnection = CaptureConnection()
    ) async throws -> [SampleBuffer] {
        let session = CaptureSession()
        try await session.configure { configuration in
            try configuration.add(
                CaptureDeviceInput(camera: camera, settings: settings), output, connection)
        }
        let events = EventCollector(keepsFrames: true)
        output.setHandler(events.handler)
        try await session.start()
        #expect(events.wait(samples: count))
        try await session.stop()
        return Array(events.samples.prefix(count))
    }

    @Test("each value of each frame arrives to the unit, with what it means")
    func exact() async throws {
        let output = try DepthDataOutput()
        let samples = try await samples(
            output, of: try camera("21,format=z16,size=96x48,fps=60"), count: 5)
        let scene = TestDepthScene(size: size)
        for sample in samples {
            let data = try DepthData(sample)
            #expect(data.format == .millimetres)
            let number = try #require(scene.number(in: data.steps))
            let truth = (0..<48).flatMap { y in
                (0..<96).map { scene.value(number, x: $0, y: y) }
            }
            #expect(data.steps == truth)
        }
    }

    @Test("Y16 is grey until it is said what its steps are")
    func profile() async throws {
        let grey = try camera("22,format=y16,size=96x48,fps=60")
        #expect(grey.depth(with: .init()) == nil)
        let output = try DepthDataOutput()
        let error = await #expect(throws: MediaError.self) {
            _ = try await samples(output, of: grey, count: 1)
        }
        #expect(error?.code == .unsupported)
        var settings = VideoInputSettings()
        settings.depth = DepthFormat(unit: .metres(0.00025), accuracy: .relative)
        #expect(grey.depth(with: settings) == settings.depth)
        let sample = try #require(
            try await samples(try DepthDataOutput(), of: grey, count: 1, settings).first)
        #expect(try DepthData(sample).format == settings.depth)
        // the word of the one who knows counts more than the usual unit
        let camera = try camera("22,format=z16")
        #expect(camera.depth(with: .init()) == .millimetres)
        #expect(camera.depth(with: settings) == settings.depth)
    }

    @Test("a camera that has other formats too delivers depth where that is asked for")
    func planned() throws {
        func format(_ fourCC: String, _ wide: PixelSize? = nil) -> VideoCaptureFormat {
            let known = V4L2PixelFormat.of(fourCC: fourCC)
            return VideoCaptureFormat(
                coding: known?.coding, name: V4L2PixelFormat.name(ofFourCC: fourCC),
                fourCC: fourCC,
                sizes: [VideoCaptureSize(extent: .discrete(wide ?? size), frameDurations: [])],
                depth: known?.isDepth == true ? .millimetres : nil)
        }
        let both = [format("Z16"), format("YUYV")]
        #expect(both.map(\.name) == ["z16", "yuyv422"])
        func plan(
            _ settings: VideoInputSettings, _ formats: [VideoCaptureFormat]? = nil
        ) throws -> String {
            try FormatPlanner(formats: formats ?? both, wanted: settings)
                .plan(deviceName: "camera").format.fourCC
        }
        #expect(try plan(.init()) == "YUYV")
        #expect(try plan(.init(inputFormat: .named("z16"))) == "Z16")
        #expect(try plan(.init(depth: .millimetres)) == "Z16")
        #expect(try plan(.init(inputFormat: .named("yuyv"), depth: .millimetres)) == "YUYV")
        // light comes first however large the depth is, and coded too; of grey beside depth, depth is meant
        #expect(try plan(.init(), [format("Z16", PixelSize(1280, 720)), format("YUYV")]) == "YUYV")
        #expect(try plan(.init(), [format("Z16"), format("MJPG")]) == "MJPG")
        #expect(try plan(.init(depth: .millimetres), [format("Y16"), format("Z16")]) == "Z16")
        #expect(try plan(.init(), [format("Z16")]) == "Z16")
    }

    @Test("a rotated depth camera gives upright values, none of them changed")
    func rotated() async throws {
        let output = try DepthDataOutput()
        let camera = try camera("23,format=z16,size=96x48,fps=60,rotate=90")
        let sample = try #require(try await samples(output, of: camera, count: 1).first)
        let data = try DepthData(sample)
        #expect((data.width, data.height) == (48, 96))
        let scene = TestDepthScene(size: PixelSize(48, 96))
        let number = try #require(scene.number(in: data.steps))
        let truth = (0..<96).flatMap { y in (0..<48).map { scene.value(number, x: $0, y: y) } }
        #expect(data.steps == truth)
    }

    @Test("the box's shadow is filled from the wall behind it, and the format says filtered")
    func filtered() async throws {
        let output = try DepthDataOutput(filter: .init(holeReach: 8, isTemporal: false))
        let camera = try camera("24,format=z16,size=96x48,fps=60")
        let sample = try #require(try await samples(output, of: camera, count: 1).first)
        let data = try DepthData(sample)
        #expect(data.format.isFiltered)
        #expect(output.format.video?.depth?.isFiltered == true)
        let scene = TestDepthScene(size: size)
        let number = try #require(scene.number(in: data.steps))
        var holes = 0
        for y in 0..<48 {
            for x in 0..<96 {
                let (truth, found) = (scene.value(number, x: x, y: y), data.steps[y * 96 + x])
                if truth > 0 { #expect(found == truth) } else { holes += 1 }
                // never from the box, which is near
                if truth == 0 { #expect(found >= 3000) }
            }
        }
        #expect(holes > 0)
    }

    @Test("behind a frame that was lost the filter begins anew")
    func resets() async throws {
        let settings = DepthFilter.Settings(holeReach: 0, isTemporal: true)
        let output = try DepthDataOutput(filter: settings)
        let device = try camera("26,format=z16,size=96x48,fps=60,drop=20%")
        let session = CaptureSession(discovery: DeviceDiscovery(providers: [TestProvider()]))
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: device), output)
        }
        let events = EventCollector(keepsFrames: true)
        output.setHandler(events.handler)
        try await session.start()
        /// The frame behind the first one that was lost between two.
        func behind(_ events: [SourceEvent]) -> SampleBuffer? {
            for (one, rest) in zip(events, zip(events.dropFirst(), events.dropFirst(2))) {
                if case (.sample, .dropped, .sample(let sample)) = (one, rest.0, rest.1) {
                    return sample
                }
            }
            return nil
        }
        #expect(events.wait { behind($0) != nil })
        try await session.stop()
        let found = try DepthData(try #require(behind(events.all)))
        let scene = TestDepthScene(size: size)
        let number = try #require(scene.number(in: found.steps))
        func raw(_ number: Int64) throws -> DepthData {
            let values = (0..<48).flatMap { y in
                (0..<96).map { scene.value(number, x: $0, y: y) }
            }
            return try DepthData(
                map: PixelBuffer(steps: values, width: 96, height: 48), format: .millimetres)
        }
        #expect(found.steps == (try raw(number)).steps)
        // a control: one that does not begin anew shows what was before
        var filter = try DepthFilter(settings)
        _ = filter.apply(try raw(number - 2))
        #expect(filter.apply(try raw(number)).steps != found.steps)
    }

    @Test("frames that are wanted as pictures are no depth any more")
    func asPictures() async throws {
        let output = VideoDataOutput(wantedFormat: .yuv420p)
        let session = CaptureSession()
        let camera = try camera("25,format=z16,size=96x48")
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: camera), output)
        }
        #expect(output.format.video?.depth == nil)
        #expect(output.format.video?.pixelFormat == .yuv420p)
    }

    @Test("maps come as a sequence, each with its time")
    func sequence() async throws {
        let output = try DepthDataOutput()
        let session = CaptureSession()
        let camera = try camera("26,format=z16,size=96x48,fps=60")
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: camera), output)
        }
        let maps = output.depth(limit: 16)
        try await session.start()
        var times: [MediaTime] = []
        for await (data, time) in maps {
            #expect(data.width == 96)
            times.append(time)
            if times.count == 4 { break }
        }
        try await session.stop()
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }
}
