import Foundation
import Media
import TestSupport
import Testing

@testable import Capture

@Suite("Photos of a camera that runs")
struct PhotoOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A photo of a camera, and what its only other listener got meanwhile.
    private func photo(
        of selector: String, _ connection: CaptureConnection = CaptureConnection()
    ) async throws -> (CapturedPhoto, [SampleBuffer]) {
        let discovery = DeviceDiscovery()
        let session = CaptureSession(discovery: discovery)
        let camera = try discovery.find(selector, kind: .video)
        let (movie, photos, seen) = (VideoDataOutput(), PhotoOutput(), EventCollector())
        movie.setHandler(seen.handler)
        try await session.configure { configuration in
            let input = CaptureDeviceInput(camera: camera)
            try configuration.add(input, movie, connection)
            try configuration.add(input, photos, connection)
        }
        try await session.start()
        #expect(seen.wait(samples: 3))
        let photo = try await photos.capturePhoto()
        #expect(seen.wait(samples: seen.samples.count + 3))
        try await session.stop()
        return (photo, seen.samples)
    }

    private func tags(_ path: String) throws -> String {
        try #require(Program.tool("ffprobe")).run(
            ["-v", "error", "-show_frames", "-show_entries", "frame=width,height:frame_tags", path]
        ).outputText
    }

    @Test("an MJPEG camera's photo is its own JPEG, bit for bit behind the Exif data")
    func ownJPEG() async throws {
        let (photo, frames) = try await photo(of: "test:1,format=mjpeg,size=320x240,rotate=90")
        let own = try #require(photo.jpeg?.bytes)
        #expect(frames.contains { $0.block?.bytes == own })
        let file = try photo.fileData(as: .jpeg, software: "a test")
        #expect(Array(file.suffix(own.count - 2)) == Array(own.dropFirst(2)))
        let distance = (photo.presentationTime - photo.shutterTime).nanoseconds()
        #expect(abs(distance) <= 17_000_000, "\(distance)")
        let path = folder.file("own.jpg")
        try Data(file).write(to: URL(fileURLWithPath: path))
        let said = try tags(path)
        // clockwise by a quarter
        #expect(said.contains("Orientation=    6") || said.contains("Orientation=6"), "\(said)")
        #expect(said.contains("Software=a test") && said.contains("Model=Test camera"), "\(said)")
        let year = String(Date().formatted(.iso8601).prefix(4))
        #expect(said.contains("DateTimeOriginal=\(year):"), "\(said)")
    }

    @Test("raw frames become upright JPEGs and PNGs of every pixel", arguments: ["jpg", "png"])
    func encoded(_ ending: String) async throws {
        let (photo, _) = try await photo(of: "test:1,size=320x240,rotate=90")
        #expect(photo.jpeg == nil)
        let path = folder.file("raw.\(ending)")
        let type = try #require(PhotoFileType(path: path))
        try Data(photo.fileData(as: type)).write(to: URL(fileURLWithPath: path))
        let said = try tags(path)
        #expect(said.contains("width=240") && said.contains("height=320"), "\(said)")
        #expect(!said.contains("Orientation=    6"), "\(said)")
        let numbers = try MovieOracle(path).frameNumbers()
        #expect(numbers.count == 1 && numbers.first == photo.sequence.map { Int($0) })
    }

    @Test("a photo of H.264 is the frame of its number, whatever it builds on")
    func predicted() async throws {
        let clip = folder.file("clip.mp4")
        let made = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-f", "lavfi", "-i", "color=black:size=160x120:rate=25:duration=4"]
                + ["-vf", "geq=lum=if(lt(X\\,N+8)\\,235\\,16):cb=128:cr=128"]
                + ["-c:v", "libx264", "-g", "40", "-bf", "0", "-pix_fmt", "yuv420p", clip])
        #expect(made.status == 0, "\(made.errorText)")
        let (photo, _) = try await photo(of: "file:\(clip)")
        let number = Int(try #require(photo.sequence))
        let (frame, format) = try photo.frame()
        #expect((format.width, format.height) == (160, 120))
        // the clip begins anew with each session
        let row = frame.withPlanes { planes in (0..<160).map { planes[0].row(60)[$0] } }
        #expect(row.count { $0 > 128 } == number % 100 + 8, "\(number)")
    }

    @Test("where a camera leaves its Huffman tables out, the photo has those of the standard")
    func missingTables() throws {
        let path = folder.file("a.jpg")
        let made = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48", "-frames:v", "1"]
                + ["-huffman", "default", "-pix_fmt", "yuvj420p", path])
        #expect(made.status == 0, "\(made.errorText)")
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let tables = try #require(Self.segment(0xC4, in: whole))
        let bare = Array(whole[..<tables.lowerBound] + whole[tables.upperBound...])
        let sample = SampleBuffer(
            payload: .coded(BlockBuffer(bare)),
            format: .video(VideoFormat(coding: .coded(.mjpeg), width: 64, height: 48)),
            presentationTime: HostClock().now())
        let photo = CapturedPhoto(
            [sample], shutter: sample.presentationTime,
            origin: SourceOrigin(identifier: "x", name: "Camera", driver: "x"))
        let file = try photo.fileData(as: .jpeg)
        let added = try #require(Self.segment(0xC4, in: file))
        #expect(Self.tables(file[added]) == Self.tables(whole[tables]))
    }

    @Test("colours that only the stream states are translated, and said to be, before and after")
    func streamColors() throws {
        let path = folder.file("a.h264")
        let made = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48", "-frames:v", "1"]
                + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-color_primaries", "bt2020"]
                + ["-color_trc", "bt709", "-colorspace", "bt2020nc", path])
        #expect(made.status == 0, "\(made.errorText)")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for asksFirst in [true, false] {
            let sample = SampleBuffer(
                payload: .coded(BlockBuffer(bytes)),
                format: .video(VideoFormat(coding: .coded(.h264), width: 64, height: 48)),
                presentationTime: .seconds(1))
            let photo = CapturedPhoto(
                [sample], shutter: .seconds(1),
                origin: SourceOrigin(identifier: "x", name: "Camera", driver: "x"))
            #expect(photo.format.color.wideName == nil)
            if !asksFirst { _ = try photo.fileData(as: .png) }
            #expect(photo.translatedColors(as: .png) == "BT.2020")
            #expect(photo.translatedColors(as: .dng) == nil)
        }
    }

    @Test("a damaged frame is no photo")
    func damaged() throws {
        for bytes in [[], [0xFF, 0xD8, 0xFF, 0xD9], [UInt8](repeating: 7, count: 500)] {
            let sample = SampleBuffer(
                payload: .coded(BlockBuffer(bytes)),
                format: .video(VideoFormat(coding: .coded(.mjpeg), width: 64, height: 48)),
                presentationTime: .seconds(1))
            let photo = CapturedPhoto(
                [sample], shutter: .seconds(1),
                origin: SourceOrigin(identifier: "x", name: "Camera", driver: "x"))
            #expect(throws: MediaError.self) { _ = try photo.fileData(as: .jpeg) }
        }
    }

    @Test("a photo of a session that does not run ends with a sentence, after two seconds")
    func silent() async throws {
        let discovery = DeviceDiscovery()
        let session = CaptureSession(discovery: discovery)
        let photos = PhotoOutput()
        let camera = try discovery.find("test:", kind: .video)
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: camera), photos)
        }
        let failure = await #expect(throws: MediaError.self) {
            _ = try await photos.capturePhoto()
        }
        #expect(failure?.code == .sourceSilent)
        #expect(failure?.message.contains("check that it is connected") == true)
    }

    /// A segment with its marker.
    private static func segment(_ marker: UInt8, in bytes: [UInt8]) -> Range<Int>? {
        var place = 2
        while place + 4 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] != 0xDA {
            let length = 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
            if bytes[place + 1] == marker { return place..<(place + length) }
            place += length
        }
        return nil
    }

    /// Each table of a segment by its class and number.
    private static func tables(_ segment: ArraySlice<UInt8>) -> [UInt8: [UInt8]] {
        var rest = segment.dropFirst(4)
        var found: [UInt8: [UInt8]] = [:]
        while let name = rest.first, rest.count > 17 {
            let count = 17 + rest.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
            found[name] = Array(rest.dropFirst().prefix(count - 1))
            rest = rest.dropFirst(count)
        }
        return found
    }
}
