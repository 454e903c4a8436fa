import Foundation
import Media
import TestSupport
import Testing

@testable import Capture

@Suite("Raw photos of a camera that hands out its sensor's values")
struct RawPhotoTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let size = PixelSize(96, 64)

    private func photo(
        of selector: String, _ connection: CaptureConnection = CaptureConnection()
    ) async throws -> CapturedPhoto {
        let discovery = DeviceDiscovery()
        let session = CaptureSession(discovery: discovery)
        let camera = try discovery.find(selector, kind: .video)
        let photos = PhotoOutput()
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: camera), photos, connection)
        }
        try await session.start()
        let photo = try await photos.capturePhoto()
        try await session.stop()
        return photo
    }

    /// What the sensor had.
    private func truth(_ photo: CapturedPhoto, rate: Int = 30) throws -> [UInt16] {
        let bayer = try #require(photo.format.bayer)
        let number = Int64(try #require(photo.sequence))
        let scene = TestBayerScene(size: Self.size, bayer)
        return (0..<Self.size.height).flatMap { y in
            (0..<Self.size.width).map {
                scene.value(number, x: $0, y: y, isFlash: number % Int64(rate) == 0)
            }
        }
    }

    @Test(
        "the values of every form of the mosaic are in the file, bit for bit",
        arguments: BayerFormat.forms.map(\.name))
    func everyForm(_ name: String) async throws {
        let photo = try await photo(of: "test:1,size=96x64,format=\(name)")
        let file = try #require(RawPhotoFile(try photo.fileData(as: .dng, software: "a test")))
        let bayer = try #require(photo.format.bayer)
        #expect(bayer.name == name)
        #expect(file.values == (try truth(photo)))
        #expect(file.mosaic[258] == [bayer.bits == 8 ? 8 : 16] && file.mosaic[262] == [32_803])
        #expect(file.mosaic[33_422] == bayer.pattern.colors)
        #expect(file.mosaic[50_714] == [1 << (bayer.bits - 4)])
        #expect(file.mosaic[50_717] == [1 << bayer.bits - 1])
        #expect(file.main[0x9211] == [Int(try #require(photo.sequence))])
    }

    @Test(
        "what the file says besides: camera, software, orientation, colours that are generic, a grey neutral"
    )
    func statements() async throws {
        let photo = try await photo(
            of: "test:1,size=96x64,format=bayer_grbg10le",
            CaptureConnection(rotation: .clockwise90))
        let file = try #require(RawPhotoFile(try photo.fileData(as: .dng, software: "a test")))
        #expect(file.text(0x0110) == "Test camera" && file.text(0x0131) == "a test")
        #expect(file.text(50_708) == "Test camera")
        #expect(file.text(270)?.contains("ColorMatrix1 is generic") == true)
        // stored as the sensor has it, to be rotated clockwise
        #expect(file.main[274] == [6] && file.mosaic[256] == [96] && file.mosaic[257] == [64])
        #expect(file.main[50_706] == [1, 4, 0, 0] && file.main[254] == [1])
        let neutral = try #require(file.main[50_728])
        for part in [0, 4] {
            let share = Double(neutral[part]) / Double(neutral[part + 1])
            #expect(abs(share - 1) < 0.1, "\(neutral)")
        }
    }

    @Test("AsShotNeutral is what grey is on average, and black is taken off first")
    func neutral() throws {
        // red 20, green 40, blue 10 above a black of 10
        let sample = Self.sample([30, 50, 50, 20], black: 10)
        let file = try #require(RawPhotoFile(try Self.photo(sample).fileData(as: .dng)))
        #expect(file.main[50_728] == [50_000, 100_000, 100_000, 100_000, 25_000, 100_000])
        // the thumbnail is grey, as bright as the green
        let bytes = try Self.photo(sample).fileData(as: .dng)
        let start = try #require(file.main[273]?.first)
        let shown = Array(bytes[start..<(start + 3)])
        #expect(shown[0] == shown[1] && shown[1] == shown[2], "\(shown)")
    }

    /// 8x8 pixels of equal fours.
    private static func sample(_ four: [UInt8], black: Int, count: Int = 64) -> SampleBuffer {
        var format = VideoFormat(coding: .coded(.rawvideo), width: 8, height: 8)
        format.bayer = BayerFormat(.rggb, bits: 8, blackLevel: black)
        let rows: [UInt8] = (0..<count).map { index in
            let (x, y) = (index % 8, index / 8)
            return four[y % 2 * 2 + x % 2]
        }
        return SampleBuffer(
            payload: .coded(BlockBuffer(rows)), format: .video(format),
            presentationTime: HostClock().now())
    }

    private static func photo(_ sample: SampleBuffer) -> CapturedPhoto {
        CapturedPhoto(
            [sample], shutter: sample.presentationTime,
            origin: SourceOrigin(identifier: "x", name: "Camera", driver: "x"))
    }

    @Test("a frame that is cut off is no photo of any form", arguments: PhotoFileType.allCases)
    func cutOff(_ type: PhotoFileType) {
        let error = #expect(throws: MediaError.self) {
            try Self.photo(Self.sample([30, 50, 50, 20], black: 0, count: 63)).fileData(as: type)
        }
        #expect(error?.code == .damagedFile)
    }

    @Test("a camera without raw values is refused, and what it delivers is said")
    func otherCameras() async throws {
        let photo = try await photo(of: "test:1,size=96x64,format=mjpeg")
        let error = #expect(throws: MediaError.self) { try photo.fileData(as: .dng) }
        #expect(error?.code == .invalidSetting)
        #expect(error?.message.contains("Test camera delivers mjpeg") == true)
    }

    @Test("a sensor's frame is developed where it is to be seen: its number, and its colours")
    func developed() async throws {
        let photo = try await photo(of: "test:1,size=192x96,format=bayer_gbrg12p")
        let path = folder.file("seen.png")
        try Data(photo.fileData(as: .png)).write(to: URL(fileURLWithPath: path))
        let numbers = try MovieOracle(path).frameNumbers()
        #expect(numbers.first == photo.sequence.map { Int($0) })
        let (frame, format) = try photo.frame()
        #expect(format.bayer == nil && frame.format == .rgb48le)
    }

    @Test("a red, a green and a blue surface are red, green and blue, as bright as sRGB has them")
    func colors() throws {
        // a row of each: left half red, right half what makes the frame grey on average
        var format = VideoFormat(coding: .coded(.rawvideo), width: 48, height: 16)
        format.bayer = BayerFormat(.rggb, bits: 16)
        let bytes = (0..<(48 * 16)).flatMap { index -> [UInt8] in
            let (x, y) = (index % 48, index / 48)
            let color = [0, 1, 1, 2][y % 2 * 2 + x % 2]
            // half of the light
            return x / 16 == color ? [0xFF, 0x7F] : [0, 0]
        }
        let sample = SampleBuffer(
            payload: .coded(BlockBuffer(bytes)), format: .video(format),
            presentationTime: HostClock().now())
        let (frame, _) = try Self.photo(sample).frame()
        for (bar, column) in [7, 23, 39].enumerated() {
            let pixel = frame.withPlanes { planes in
                (0..<3).map { Int(planes[0].row(8)[column * 6 + 2 * $0 + 1]) }
            }
            // sRGB's code of half the light is 188 of 255
            for part in 0..<3 {
                #expect(abs(pixel[part] - (part == bar ? 188 : 0)) <= 1, "\(bar) \(pixel)")
            }
        }
    }

    private static let readForms = [
        "bayer_rggb8", "bayer_bggr10le", "bayer_gbrg12p", "bayer_grbg14p", "bayer_rggb16le",
    ]

    @Test(
        "dcraw reads the same values", .enabled(if: Program.tool("dcraw") != nil, "no dcraw"),
        arguments: readForms)
    func dcraw(_ name: String) async throws {
        try await expectSameValues(name, by: "dcraw", ["-E", "-4"], made: "x.pgm")
    }

    @Test(
        "libraw reads the same values",
        .enabled(if: Program.tool("unprocessed_raw") != nil, "no libraw-bin"), arguments: readForms)
    func libraw(_ name: String) async throws {
        try await expectSameValues(name, by: "unprocessed_raw", [], made: "x.dng.pgm")
    }

    private func expectSameValues(
        _ name: String, by program: String, _ options: [String], made: String
    ) async throws {
        let photo = try await photo(of: "test:1,size=96x64,format=\(name)")
        let path = folder.file("x.dng")
        try Data(photo.fileData(as: .dng)).write(to: URL(fileURLWithPath: path))
        let result = try #require(Program.tool(program)).run(options + [path])
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try Self.greyMap(folder.file(made)) == truth(photo))
    }

    /// The values of a PGM of 16 bits.
    private static func greyMap(_ path: String) throws -> [UInt16] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let values = bytes.suffix(2 * size.area)
        return stride(from: values.startIndex, to: values.endIndex, by: 2).map {
            UInt16(values[$0]) << 8 | UInt16(values[$0 + 1])
        }
    }
}
