import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Capture

@Suite("Which map is the depth of which photo")
struct PhotoDepthDeskTests {
    private static let rate = FrameRate(30)
    private var desk: PhotoDepthDesk<Int>

    init() { desk = PhotoDepthDesk(.video(Self.format(Self.rate))) }

    private static func format(_ rate: FrameRate?) -> VideoFormat {
        var format = VideoFormat(coding: .raw(.gray16le), width: 4, height: 2)
        format.depth = .millimetres
        format.nominalRate = rate
        return format
    }

    private func map(_ milliseconds: Int64) -> SourceEvent {
        .sample(
            SampleBuffer(
                payload: .pixels(PixelBuffer(width: 4, height: 2, format: .gray16le)),
                format: .video(Self.format(Self.rate)),
                presentationTime: .milliseconds(milliseconds)))
    }

    private func time(_ samples: SynchronizedSamples?) -> Int64? {
        samples?.sample.map { $0.presentationTime.nanoseconds() / 1_000_000 }
    }

    private func ns(_ milliseconds: Int64) -> Int64 { milliseconds * 1_000_000 }

    @Test("the map behind the photo is waited for, and the nearer one taken")
    mutating func nearest() {
        #expect(desk.take(map(0), arrival: 0).isEmpty)
        #expect(desk.ask(1, at: ns(10), interval: 0) == nil)
        #expect(desk.ask(2, at: ns(25), interval: 0) == nil)
        let decided = desk.take(map(33), arrival: 0)
        #expect(decided.map(\.0) == [1, 2])
        #expect(decided.map { time($0.1) } == [0, 33])
        // of one that is past the nearer one, too, and again for the next photo of the same frame
        for ticket in [3, 4] {
            #expect(time(desk.ask(ticket, at: ns(12), interval: 0)) == 0)
        }
    }

    @Test("a map more than half a frame away is none, and half a frame is the slower camera's")
    mutating func reach() {
        _ = desk.take(map(0), arrival: 0)
        _ = desk.take(map(100), arrival: 0)
        let none = desk.ask(1, at: ns(50), interval: ns(33))
        #expect(none?.outcome == .absent && none?.sample == nil)
        #expect(time(desk.ask(2, at: ns(60), interval: ns(100))) == 100)
    }

    @Test("a source that is away or lost the frame is said, and the timeout ends the waiting")
    mutating func absent() {
        _ = desk.take(map(0), arrival: 0)
        _ = desk.take(
            .dropped(SampleDrop(cause: .late, count: 1, time: .milliseconds(33))), arrival: 0)
        _ = desk.take(map(66), arrival: 0)
        #expect(desk.ask(1, at: ns(34), interval: 0)?.outcome == .dropped)
        #expect(desk.ask(2, at: ns(100), interval: 0) == nil)
        #expect(desk.expire(2)?.outcome == .late)
        #expect(desk.expire(2) == nil)
        _ = desk.take(map(99), arrival: 0)
        #expect(desk.ask(3, at: ns(130), interval: 0) == nil)
        #expect(desk.take(.ended(at: .milliseconds(140)), arrival: 0).map(\.1.outcome) == [.absent])
    }

    @Test("memory holds half a second and a frame")
    mutating func bounded() {
        #expect(!desk.hasMap)
        for number in 0..<300 { _ = desk.take(map(Int64(number) * 33), arrival: 0) }
        #expect(desk.frameCount < 20 && desk.hasMap, "\(desk.frameCount)")
    }

    @Test("of a camera with one map a second the nearest one is found, half a second back too")
    mutating func slow() {
        for interval in [Int64(0), 1_000] {
            desk = PhotoDepthDesk(
                .video(Self.format(interval == 0 ? FrameRate(1) : FrameRate(30))),
                interval: ns(interval))
            _ = desk.take(map(0), arrival: 0)
            _ = desk.take(map(1_000), arrival: 0)
            // a photo of a frame that is not new any more
            let found = desk.ask(1, at: ns(400), interval: ns(interval))
            #expect(time(found) == 0 && found?.outcome == .delivered, "\(interval)")
        }
    }

    @Test(
        "one that brings nothing is waited for once: later photos have their answer until a map comes"
    )
    mutating func stalled() {
        _ = desk.take(map(0), arrival: 0)
        #expect(desk.ask(1, at: ns(300), interval: 0) == nil)
        #expect(desk.expire(1)?.sample == nil)
        #expect(desk.ask(2, at: ns(600), interval: 0)?.sample == nil)
        _ = desk.take(map(900), arrival: 0)
        #expect(desk.ask(3, at: ns(910), interval: 0) == nil)
    }
}

@Suite("Photos with the depth of their moment", .serialized)
struct PhotoDepthTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func photo(
        _ color: String, _ depth: String, _ connection: CaptureConnection = .init()
    ) async throws -> CapturedPhoto {
        let discovery = DeviceDiscovery()
        let session = CaptureSession(discovery: discovery)
        let (photos, maps) = (PhotoOutput(), try DepthDataOutput())
        let cameras = try [color, depth].map { try discovery.find($0, kind: .video) }
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: cameras[0]), photos, connection)
            try configuration.add(CaptureDeviceInput(camera: cameras[1]), maps, connection)
        }
        #expect(!photos.isDepthDataDeliverySupported)
        try photos.setDepthSource(maps)
        #expect(photos.isDepthDataDeliverySupported)
        try await session.start()
        let photo = try await photos.capturePhoto(isDepthDataDeliveryEnabled: true)
        try await session.stop()
        return photo
    }

    /// Every value of the scene, turned so.
    private func truth(
        _ size: PixelSize, number: Int64, _ orientation: VideoOrientation
    ) throws -> PixelBuffer {
        let scene = TestDepthScene(size: size)
        let values = (0..<size.height).flatMap { y in
            (0..<size.width).map { scene.value(number, x: $0, y: y) }
        }
        return try PixelBuffer(steps: values, width: size.width, height: size.height)
            .rotated(by: orientation)
    }

    @Test("an MJPEG camera's JPEG lies in front bit for bit, and the map as its picture lies")
    func ownJPEG() async throws {
        for (rotation, isMirrored) in [
            (VideoOrientation.Rotation.none, false), (.clockwise90, false), (.half, true),
            (.clockwise270, true),
        ] {
            let connection = CaptureConnection(
                rotation: rotation, isMirrored: isMirrored, followsDevice: false)
            let photo = try await photo(
                "test:1,format=mjpeg,size=160x120", "test:2,format=z16,size=96x48", connection)
            let own = try #require(photo.jpeg?.bytes)
            let file = try photo.fileData(as: .jpeg)
            let place = try #require(
                file.indices.first { file[$0...].starts(with: own.dropFirst(2)) })
            let png = Array(file[(place + own.count - 2)...])
            #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            let stored = try DepthImage(png, .png, subject: "a test")
            // the camera of depth was not turned: its frames lie as the picture does
            let orientation = VideoOrientation(rotation: rotation, isMirrored: isMirrored)
            #expect(photo.format.orientation == orientation)
            let upright = try #require(photo.depthData)
            #expect(
                try upright.map.rotated(by: orientation.undone).steps == stored.codes)
            #expect((stored.width, stored.height) == (96, 48))
            let scene = TestDepthScene(size: PixelSize(96, 48))
            let number = try #require(scene.number(in: stored.codes))
            #expect(
                stored.codes
                    == (try truth(PixelSize(96, 48), number: number, .upright)).steps)
            // the same without it
            let alone = try photo.fileData(as: .jpeg, embedsDepthData: false)
            #expect(alone.count < place + own.count)
        }
    }

    @Test("what is encoded is upright, and so is the map")
    func encoded() async throws {
        let photo = try await photo(
            "test:1,size=160x120", "test:2,format=z16,size=96x48",
            CaptureConnection(rotation: .clockwise90, followsDevice: false))
        let map = try #require(try photo.storedDepthData())
        #expect((map.width, map.height) == (48, 96))
        let number = try #require(
            TestDepthScene(size: PixelSize(96, 48)).number(
                in: map.map.rotated(by: VideoOrientation(rotation: .clockwise270)).steps))
        #expect(
            map.steps
                == (try truth(
                    PixelSize(96, 48), number: number, VideoOrientation(rotation: .clockwise90)))
                .steps)
        let depth = try #require(photo.depth)
        let offset = try #require(depth.presentationTime) - photo.presentationTime
        #expect(max(offset, .zero - offset) <= depth.reach)
        #expect(depth.outcome == .delivered && depth.origin.identifier.contains("z16"))
        for type in [PhotoFileType.png, .heic, .dng] {
            let error = #expect(throws: MediaError.self) { try photo.fileData(as: type) }
            #expect(error?.message.contains("name it with .jpg") == true)
        }
        #expect(try !photo.fileData(as: .png, embedsDepthData: false).isEmpty)
    }

    @Test("no depth can be had without a source of it, or of a source without")
    func refusals() async throws {
        let discovery = DeviceDiscovery()
        let session = CaptureSession(discovery: discovery)
        let (photos, frames) = (PhotoOutput(), VideoDataOutput(wantedFormat: .yuv420p))
        #expect(throws: MediaError.self) { try photos.setDepthSource(try DepthDataOutput()) }
        let camera = try discovery.find("test:1,size=64x48", kind: .video)
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: camera), photos)
            try configuration.add(CaptureDeviceInput(camera: camera), frames)
        }
        let error = #expect(throws: MediaError.self) { try photos.setDepthSource(frames) }
        #expect(error?.code == .unsupported)
        try await session.start()
        let missing = await #expect(throws: MediaError.self) {
            try await photos.capturePhoto(isDepthDataDeliveryEnabled: true)
        }
        #expect(missing?.code == .invalidState)
        let plain = try await photos.capturePhoto()
        #expect(plain.depth == nil && plain.depthData == nil)
        try await session.stop()
    }
}
