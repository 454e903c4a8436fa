import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

/// What a container leaves open the stream states, and where they disagree the container is right.
@Suite("Colour and pixel shape of movies", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct StreamColorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ arguments: [String], input: String? = nil) throws -> String
    {
        let path = folder.file(name)
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let source =
            input.map { ["-i", $0] } ?? ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.2"]
        let result = try ffmpeg.run(["-v", "error", "-y"] + source + arguments + [path])
        try #require(result.status == 0, "\(result.errorText)")
        return path
    }

    private func format(_ path: String) throws -> VideoFormat {
        try #require(try Asset.load(path).first(.video).format?.video)
    }

    private static let codecs: [[String]] = [
        ["-c:v", "libx264", "-x264-params"],
        ["-c:v", "libx264", "-preset", "placebo", "-x264-params"],
        ["-c:v", "libx264", "-profile:v", "high444", "-x264-params"],
        ["-c:v", "libx265", "-x265-params"],
        ["-c:v", "libx265", "-preset", "slower", "-x265-params"],
        ["-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-x265-params"],
    ]

    @Test(
        "QuickTime's colours get the range that the parameter sets state, so that mp4 and mov join",
        arguments: codecs, [true, false])
    func range(_ codec: [String], _ isFull: Bool) throws {
        let isHEVC = codec.contains("libx265")
        let range =
            isHEVC ? (isFull ? "range=full" : "range=limited") : "fullrange=\(isFull ? 1 : 0)"
        let colors = "colorprim=bt709:transfer=bt709:colormatrix=bt709:\(range)"
        let options =
            codec + [colors + (isHEVC ? ":log-level=none:scaling-list=default" : ":cqm=jvt")]
            + ["-color_range", isFull ? "pc" : "tv", "-colorspace", "bt709"]
            + ["-color_primaries", "bt709", "-color_trc", "bt709"]
        let movie = try make("a.mp4", options)
        let quick = try make("a.mov", ["-c", "copy"], input: movie)
        #expect(
            try format(quick).color
                == ColorDescription(
                    primaries: 1, transfer: 1, matrix: 1, range: isFull ? .full : .limited))
        #expect(try format(movie).color == format(quick).color)
        let bare = try make(
            "bare.mp4", ["-c", "copy", "-movflags", "-write_colr"], input: movie)
        #expect(try format(bare).color == format(quick).color)
        #expect(try FormatDescription.video(format(movie)).joins(.video(format(quick))))
    }

    @Test(
        "where the parameter sets and the container disagree on the pixels' shape, the container is right"
    )
    func aspect() throws {
        let honest = try make("a.mp4", ["-vf", "setsar=16/11", "-c:v", "libx264"])
        #expect(try format(honest).pixelAspect == PixelAspect(16, 11))
        let changed = try make(
            "b.mp4", ["-c", "copy", "-bsf:v", "h264_metadata=sample_aspect_ratio=4/3"],
            input: honest)
        let asset = try Asset.load(changed)
        let track = try asset.first(.video)
        let reported = try #require(
            StreamVideoFormat(.h264, track.format?.video?.codecConfiguration ?? []))
        #expect(reported.pixelAspect == PixelAspect(4, 3))
        #expect(track.format?.video?.pixelAspect == PixelAspect(16, 11))
        let cursor = try FrameCursor(asset: asset, track: track)
        #expect(cursor.format.pixelAspect == PixelAspect(16, 11))
    }

    @Test("where the container says nothing of the pixels' shape, the parameter sets do")
    func onlyStream() throws {
        for (name, codec) in [("a", "libx264"), ("b", "libx265")] {
            let path = try make("\(name).mp4", ["-vf", "setsar=16/11", "-c:v", codec])
            var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            let box = Array("pasp".utf8)
            let at = try #require(
                bytes.indices.first { bytes[$0...].prefix(4).elementsEqual(box) })
            bytes.replaceSubrange(at..<(at + 4), with: Array("free".utf8))
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect(try format(path).pixelAspect == PixelAspect(16, 11))
        }
    }

    @Test("Dolby Vision's configuration goes along where samples are copied into mp4 and mov")
    func dolbyVision() throws {
        let path = try make("a.mp4", ["-c:v", "libx264"])
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        // the box of x264's bit rates has 20 bytes: room for a configuration that is cut short
        let box = Array("btrt".utf8)
        let at = try #require(bytes.indices.first { bytes[$0...].prefix(4).elementsEqual(box) })
        bytes.replaceSubrange(at..<(at + 4), with: Array("dvvC".utf8))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let asset = try Asset.load(path)
        let track = try asset.first(.video)
        #expect(track.dolbyVision == Array(bytes[(at - 4)..<(at + 16)]))
        for container in [OutputContainer.mp4, .mov] {
            let copy = try copy(asset, "copy.\(container.rawValue)")
            #expect(try copy.first(.video).dolbyVision == track.dolbyVision)
        }
    }

    private func copy(_ asset: Asset, _ name: String) throws -> Asset {
        let track = try asset.first(.video)
        let span = CopiedTrack.Span(
            asset: asset, track: track, from: .zero,
            target: MediaTimeRange(start: .zero, duration: track.duration))
        let container = try #require(OutputContainer(path: name))
        let movie = try MovieCopy(
            [CopiedTrack(spans: [span])], to: folder.file(name), container: container,
            metadata: MovieMetadata(), movieScale: 705_600_000)
        while try movie.step() != nil {}
        _ = try movie.finish()
        return try Asset.load(folder.file(name))
    }

    @Test(
        "Dolby Vision's configuration goes into Matroska and out of it again",
        arguments: [("dvcC", UInt8(5)), ("dvvC", 8)])
    func dolbyVisionInMatroska(_ name: String, _ profile: UInt8) throws {
        let path = try make("a.mp4", ["-c:v", "libx265", "-x265-params", "log-level=none"])
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        // level 6, the base layer with what it needs, compatibility 1, in the place of x265's own words
        let box =
            [0, 0, 0, 32] + Array(name.utf8) + [1, 0, profile << 1, 6 << 3 | 5, 1 << 4]
            + [UInt8](repeating: 0, count: 19)
        let code = Array("hvcC".utf8)
        let at = try #require(bytes.indices.first { bytes[$0...].prefix(4).elementsEqual(code) })
        func size(_ at: Int) -> Int { bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
        let end = at - 4 + size(at - 4)
        // a sample entry, the boxes it lies in and, behind the media, no offset moves
        for parent in ["hvc1", "hev1", "stsd", "stbl", "minf", "mdia", "trak", "moov"] {
            let code = Array(parent.utf8)
            guard
                let place = bytes.indices.last(where: {
                    bytes[$0...].prefix(4).elementsEqual(code)
                })
            else { continue }
            let longer = size(place - 4) + box.count
            bytes.replaceSubrange(
                (place - 4)..<place,
                with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: longer >> $0) })
        }
        bytes.insert(contentsOf: box, at: end)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let asset = try Asset.load(path)
        #expect(try asset.first(.video).dolbyVision == box)
        let between = try copy(asset, "b.mkv")
        #expect(try between.first(.video).dolbyVision == box)
        #expect(try copy(between, "c.mp4").first(.video).dolbyVision == box)
    }
}
