import Foundation
import Media
import Movie
import Reading
import TestSupport
import Testing

@testable import Compose

/// What a conversion reports before it is done, because it cannot be seen of the result.
@Suite("Cautions of conversions", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ConversionCautionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ arguments: [String]) throws -> Asset {
        let path = folder.file(name)
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let picture = ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.4"]
        let result = try ffmpeg.run(["-v", "error", "-y"] + picture + arguments + [path])
        try #require(result.status == 0, "\(result.errorText)")
        return try Asset.load(path)
    }

    private func plan(
        _ asset: Asset, _ codec: VideoCodec?, _ container: OutputContainer = .mp4
    ) throws -> ConversionPlan {
        var settings = ConversionSettings()
        if let codec { settings.video = .codec(codec) }
        return try ConversionSession(Conversion(asset, settings: settings)).plan(for: container)
    }

    @Test(
        "pictures of a high dynamic range are not coded with 8 bits without a word",
        arguments: [("smpte2084", "PQ"), ("arib-std-b67", "HLG")])
    func light(_ transfer: String, _ name: String) async throws {
        let colors = "colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc:log-level=none"
        let asset = try make(
            "a.mp4", ["-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params", colors])
        let cautions = try plan(asset, .h264).cautions
        #expect(cautions.count == 1)
        #expect(cautions.first?.contains("\(name) (HDR) and are written with 8 bits") == true)
        #expect(try plan(asset, nil).cautions.isEmpty)
        #expect(try plan(asset, .ffv1, .matroska).cautions.isEmpty)
        var settings = ConversionSettings()
        settings.video = .codec(.h264)
        let report = try await ConversionSession(Conversion(asset, settings: settings))
            .convert(to: folder.file("b.mp4"))
        #expect(report.notes.contains(cautions[0]))
    }

    @Test(
        "less depth, less colour and interlaced pictures are reported, and nothing where all is kept",
        arguments: [
            (["-c:v", "libx264", "-pix_fmt", "yuv420p10le"], "8 bits instead of 10"),
            (["-c:v", "ffv1", "-pix_fmt", "yuv444p"], "less detail in its colours"),
            (
                ["-c:v", "ffv1", "-pix_fmt", "yuv422p10le"],
                "8 bits instead of 10 and less detail in its colours"
            ),
            (["-c:v", "libx264", "-pix_fmt", "yuv420p"], nil), (["-c:v", "ffv1"], nil),
            (
                [
                    "-vf", "interlace,setfield=tff", "-c:v", "mpeg2video", "-flags", "+ildct+ilme",
                    "-pix_fmt", "yuv420p",
                ], "are interlaced and are made whole"
            ),
        ])
    func lessOfFrames(_ arguments: [String], _ words: String?) async throws {
        let asset = try make("a.mkv", arguments)
        var settings = ConversionSettings()
        settings.video = .codec(.h264)
        settings.size = PixelSize(width: 48, height: 32)
        let session = ConversionSession(Conversion(asset, settings: settings))
        let cautions = try session.plan(for: .mp4).cautions
        guard let words else { return #expect(cautions.isEmpty, "\(cautions)") }
        #expect(cautions.count == 1 && cautions[0].contains(words), "\(cautions)")
        let report = try await session.convert(to: folder.file("b.mp4"))
        #expect(report.notes == cautions)
    }

    @Test("FFV1 of the same size keeps depth and colours, and nothing is reported")
    func losslessKept() throws {
        let asset = try make("a.mov", ["-c:v", "prores_ks", "-pix_fmt", "yuv422p10le"])
        #expect(try plan(asset, .ffv1, .matroska).cautions.isEmpty)
    }

    @Test("the opacity of VP9, which is not read, is reported, and refused where it is to be kept")
    func unreadOpacity() throws {
        let asset = try make("a.webm", ["-vf", "format=yuva420p", "-c:v", "libvpx-vp9"])
        for (codec, container) in [(nil, OutputContainer.webm), (.ffv1, .matroska)]
            as [(VideoCodec?, OutputContainer)]
        {
            let cautions = try plan(asset, codec, container).cautions
            #expect(cautions.count == 1 && cautions[0].contains("written opaque"), "\(cautions)")
        }
        var settings = ConversionSettings()
        settings.transparency = .kept
        settings.video = .codec(.ffv1)
        #expect(throws: MediaError.self) {
            try ConversionSession(Conversion(asset, settings: settings)).plan(for: .matroska)
        }
    }

    @Test("wide samples of sound that are written narrower are reported", arguments: [32, 24])
    func wideAudio(_ bits: Int) throws {
        let asset = try make(
            "a.wav",
            ["-vn", "-f", "lavfi", "-i", "sine=d=0.2", "-map", "1", "-c:a", "pcm_s\(bits)le"])
        var settings = ConversionSettings()
        settings.audio = .codec(.alac)
        let cautions = try ConversionSession(Conversion(asset, settings: settings)).plan(for: .mp4)
            .cautions
        #expect(
            cautions.contains { $0.contains("has samples of 32 bits and is written with 24") }
                == (bits == 32))
    }

    @Test(
        "the common words of a film's description arrive in every container",
        arguments: ["mp4", "mov", "mkv"])
    func words(_ source: String) async throws {
        let asset = try make(
            "a.\(source)",
            [
                "-c:v", "libx264", "-metadata", "artist=Ada ✓", "-metadata", "comment=Hello",
                "-metadata", "genre=Doc",
            ])
        for target in [OutputContainer.mp4, .mov, .matroska] {
            let path = folder.file(
                "\(source)-\(target.rawValue).\(target == .matroska ? "mkv" : target.rawValue)")
            _ = try await ConversionSession(Conversion(asset)).convert(to: path)
            let ffprobe = try #require(Program.tool("ffprobe"))
            let tags = try ffprobe.run(["-v", "error", "-show_entries", "format_tags", path])
                .outputText
            for word in ["artist=Ada ✓", "comment=Hello", "genre=Doc"] {
                #expect(
                    tags.range(of: word, options: .caseInsensitive) != nil, "\(target): \(tags)")
            }
        }
    }

    @Test("files that are attached to a movie are reported where they are left out")
    func attachments() throws {
        try Data("font".utf8).write(to: URL(fileURLWithPath: folder.file("a.ttf")))
        let asset = try make(
            "a.mkv",
            [
                "-c:v", "libx264", "-attach", folder.file("a.ttf"), "-metadata:s:t",
                "mimetype=application/x-truetype-font",
            ])
        #expect(try plan(asset, nil, .matroska).losses.contains { $0.contains("attached to") })
        let plain = try make("b.mkv", ["-c:v", "libx264"])
        #expect(try plan(plain, nil, .matroska).losses.isEmpty)
    }

    @Test("what subtitles have beside their text is reported where it is left out")
    func looks() async throws {
        let text =
            "1\n00:00:00,000 --> 00:00:00,100\nplain < 3\n\n2\n00:00:00,200 --> 00:00:00,300\n<i>leaning</i>\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("a.srt")))
        let asset = try make(
            "a.mkv",
            [
                "-i", folder.file("a.srt"), "-map", "0", "-map", "1", "-c:v", "libx264", "-c:s",
                "srt",
            ])
        let report = try await ConversionSession(Conversion(asset)).convert(
            to: folder.file("b.mkv"))
        #expect(
            report.notes.count == 1 && report.notes[0].hasPrefix("1 of the subtitles"),
            "\(report.notes)")
    }

    @Test("Dolby Vision's configuration is reported where it is not carried over")
    func dolbyVision() throws {
        let path = try make("a.mp4", ["-c:v", "libx264"]).path
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let box = Array("btrt".utf8)
        let at = try #require(bytes.indices.first { bytes[$0...].prefix(4).elementsEqual(box) })
        bytes.replaceSubrange(at..<(at + 4), with: Array("dvvC".utf8))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let asset = try Asset.load(path)
        #expect(try plan(asset, nil, .mov).cautions.isEmpty)
        #expect(try plan(asset, nil, .matroska).cautions.isEmpty)
        for (codec, container) in [(nil, OutputContainer.mpegTS), (VideoCodec.hevc, .mp4)] {
            let plan = try plan(asset, codec, container)
            #expect(plan.cautions.first?.contains("Dolby Vision") == true)
        }
    }

    @Test("encrypted sound is left out with its reason, and the pictures are converted")
    func encrypted() async throws {
        let path = try make(
            "a.mp4", ["-f", "lavfi", "-i", "sine=d=0.4", "-c:v", "libx264", "-c:a", "aac"]
        ).path
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let box = Array("mp4a".utf8)
        let at = try #require(bytes.indices.last { bytes[$0...].prefix(4).elementsEqual(box) })
        bytes.replaceSubrange(at..<(at + 4), with: Array("enca".utf8))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let report = try await ConversionSession(Conversion(Asset.load(path)))
            .convert(to: folder.file("b.mp4"))
        #expect(report.tracks.map(\.mediaType) == [.video])
        #expect(
            report.notes == [
                "The audio of track 2 is left out, because it is encrypted (\"enca\")."
            ])
    }

    @Test("a clean aperture is kept where frames stay as they are stored, and its loss is reported")
    func cleanAperture() async throws {
        let aperture = CleanAperture(width: 180, height: 100, horizontalOffset: 2)
        var clip = NumberedClip(frames: 10)
        clip.video.cleanAperture = aperture
        let source = try await clip.write(to: folder.file("a.mp4"))
        let loss = "The clean aperture of track 1 (180x100) is not carried over"
        for (name, codec, size, isKept) in [
            ("copied.mov", VideoCodec?.none, PixelSize?.none, true),
            ("coded.mov", .mjpeg, nil, true),
            ("coded.mp4", .hevc, nil, true), ("copied.mkv", nil, nil, false),
            ("coded.mkv", .ffv1, nil, false),
            ("small.mp4", nil, PixelSize(width: 96, height: 54), false),
        ] {
            var settings = ConversionSettings()
            if let codec { settings.video = .codec(codec) }
            settings.size = size
            let report = try await ConversionSession(Conversion(source, settings: settings))
                .convert(to: folder.file(name))
            let written = try Asset.load(folder.file(name)).tracks(of: .video).first?.format?.video
            #expect(written?.cleanAperture == (isKept ? aperture : nil), "\(name)")
            #expect(report.notes.contains { $0.hasPrefix(loss) } != isKept, "\(name)")
        }
    }
}
