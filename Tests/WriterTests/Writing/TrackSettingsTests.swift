import Foundation
import Media
import Movie
import Reading
import TestSupport
import Testing

@testable import Writing

/// Movies written with settings about the track, seen by ffprobe, by ffmpeg's decoder and by our own reader.
@Suite("Settings of a track", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct TrackSettingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Frames whose left half is dark and right half bright, red all over.
    private func picture(_ format: VideoFormat) -> PixelBuffer {
        var picture = PixelBuffer(
            width: format.width, height: format.height, format: format.pixelFormat ?? .yuv420p)
        picture.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let width = index == 0 ? format.width : format.width / 2
                for row in 0..<plane.rows {
                    for column in 0..<width {
                        let luma: UInt8 = column < width / 2 ? 60 : 180
                        plane.row(row)[column] = index == 0 ? luma : index == 1 ? 110 : 170
                    }
                }
            }
        }
        return picture
    }

    private func write(
        _ name: String, _ settings: VideoOutputSettings, frames: Int = 30, rate: Int32 = 30,
        mode: AssetWriterConfiguration.Mode = .offline,
        change: (inout VideoFormat) -> Void = { _ in }
    ) async throws -> String {
        let path = folder.file(name)
        let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: mode))
        var format = VideoFormat(
            coding: .raw(.yuv420p), width: 320, height: 180, color: .bt601,
            nominalRate: FrameRate(rate))
        change(&format)
        let receiver = try writer.inputReceiver(for: settings, sourceFormat: format)
        try writer.startSession(atSourceTime: .zero)
        for index in 0..<frames {
            try await receiver.append(
                SampleBuffer(
                    payload: .pixels(picture(format)), format: .video(format),
                    presentationTime: MediaTime(value: Int64(index), timescale: rate)))
        }
        try writer.endSession(atSourceTime: MediaTime(value: Int64(frames), timescale: rate))
        _ = try await writer.finish()
        return path
    }

    private func probe(_ path: String, _ entries: String) throws -> [String: String] {
        let tool = try #require(Program.tool("ffprobe"))
        let result = try tool.run([
            "-v", "error", "-select_streams", "0", "-show_entries", "stream=\(entries)", "-of",
            "default=nk=0:nw=1", path,
        ])
        var fields: [String: String] = [:]
        for line in result.outputText.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { fields[parts[0]] = parts[1] }
        }
        return fields
    }

    /// Luma, blue and red of the first frame at places (shares of width and height), as ffmpeg decodes it.
    private func codes(_ path: String, at places: [(Double, Double)]) throws -> [[Int]] {
        let size = try probe(path, "width,height")
        let width = try #require(Int(size["width"] ?? ""))
        let height = try #require(Int(size["height"] ?? ""))
        let tool = try #require(Program.tool("ffmpeg"))
        let bytes = try tool.run([
            "-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv444p",
            "-",
        ]).output
        return places.map { place in
            let column = min(width - 1, Int(place.0 * Double(width)))
            let row = min(height - 1, Int(place.1 * Double(height)))
            return (0..<3).map { Int(bytes[$0 * width * height + row * width + column]) }
        }
    }

    private func isNear(_ found: [Int], _ wanted: [Int]) -> Bool {
        zip(found, wanted).allSatisfy { abs($0 - $1) <= 6 }
    }

    // MARK: Size

    @Test(
        "frames of 16:9 come into a square with bars, cut or stretched",
        arguments: ["a.mp4", "a.mov", "a.mkv", "a.ts"])
    func scaling(name: String) async throws {
        var settings = VideoOutputSettings(
            rate: .quality(8), preset: "ultrafast", width: 240, height: 240)
        let (dark, bright, black) = ([60, 110, 170], [180, 110, 170], [16, 128, 128])
        var path = try await write("aspect-" + name, settings)
        var found = try codes(path, at: [(0.25, 0.5), (0.75, 0.5), (0.5, 0.1), (0.5, 0.9)])
        #expect(isNear(found[0], dark) && isNear(found[1], bright), "\(found)")
        #expect(isNear(found[2], black) && isNear(found[3], black), "\(found)")
        var fields = try probe(path, "width,height,sample_aspect_ratio")
        #expect(fields["width"] == "240" && fields["height"] == "240")

        settings.scalingMode = .resizeAspectFill
        path = try await write("fill-" + name, settings)
        found = try codes(path, at: [(0.02, 0.02), (0.98, 0.98)])
        #expect(isNear(found[0], dark) && isNear(found[1], bright), "\(found)")

        settings.scalingMode = .resize
        path = try await write("resize-" + name, settings)
        found = try codes(path, at: [(0.02, 0.02), (0.98, 0.98), (0.4, 0.5), (0.6, 0.5)])
        #expect(isNear(found[0], dark) && isNear(found[1], bright), "\(found)")
        #expect(isNear(found[2], dark) && isNear(found[3], bright), "\(found)")

        settings.scalingMode = .fit
        path = try await write("fit-" + name, settings)
        fields = try probe(path, "width,height")
        #expect(fields["width"] == "240" && fields["height"] == "136")
    }

    @Test("the shape of the source's pixels counts where frames are scaled")
    func anamorphic() async throws {
        let settings = VideoOutputSettings(
            rate: .quality(8), preset: "ultrafast", width: 320, height: 180)
        // 320x180 of pixels twice as high are as wide as high 160x180
        let path = try await write("a.mp4", settings) {
            $0.pixelAspect = PixelAspect(1, 2)
        }
        let found = try codes(path, at: [(0.1, 0.5), (0.3, 0.5), (0.7, 0.5), (0.9, 0.5)])
        #expect(isNear(found[0], [16, 128, 128]) && isNear(found[3], [16, 128, 128]), "\(found)")
        #expect(isNear(found[1], [60, 110, 170]) && isNear(found[2], [180, 110, 170]), "\(found)")
    }

    @Test(
        "a pixel aspect is stated by the container",
        arguments: ["a.mp4", "a.mov", "a.mkv", "a.ts"])
    func pixelAspect(name: String) async throws {
        var settings = VideoOutputSettings(preset: "ultrafast")
        settings.pixelAspect = PixelAspect(4, 3)
        let path = try await write(name, settings)
        let fields = try probe(path, "width,sample_aspect_ratio,display_aspect_ratio")
        #expect(fields["sample_aspect_ratio"] == "4:3" && fields["width"] == "320")
        let asset = try Asset.load(path)
        #expect(asset.tracks[0].format?.video?.pixelAspect == PixelAspect(4, 3))
    }

    @Test("a clean aperture is in MP4 and QuickTime, and refused where there is no place for it")
    func cleanAperture() async throws {
        var settings = VideoOutputSettings(preset: "ultrafast")
        let aperture = CleanAperture(
            width: 300, height: 160, horizontalOffset: 4, verticalOffset: -2.5)
        settings.cleanAperture = aperture
        for name in ["a.mp4", "a.mov"] {
            let path = try await write(name, settings)
            #expect(try Asset.load(path).tracks[0].format?.video?.cleanAperture == aperture)
        }
        for name in ["a.mkv", "a.ts"] {
            let error = try await refusal { _ = try await write(name, settings) }
            #expect(error?.subject == "clean aperture" && error?.code == .invalidSetting)
        }
        settings.cleanAperture = CleanAperture(width: 300, height: 160, horizontalOffset: 11)
        let error = try await refusal { _ = try await write("b.mp4", settings) }
        #expect(error?.subject == "clean aperture")
        settings.cleanAperture = nil
        let path = try await write("c.mp4", settings)
        #expect(try Asset.load(path).tracks[0].format?.video?.cleanAperture == nil)
    }

    private func refusal(_ body: () async throws -> Void) async throws -> MediaError? {
        do {
            try await body()
            return nil
        } catch let error as MediaError { return error }
    }

    // MARK: Colour

    @Test(
        "frames are converted to the colours asked for, which the movie states",
        arguments: ["a.mp4", "a.mov", "a.mkv", "a.ts"])
    func colors(name: String) async throws {
        var settings = VideoOutputSettings(rate: .quality(6), preset: "ultrafast")
        settings.color = .bt709
        let path = try await write(name, settings)
        let fields = try probe(path, "color_space,color_primaries,color_transfer,color_range")
        #expect(fields["color_space"] == "bt709" && fields["color_primaries"] == "bt709")
        #expect(fields["color_transfer"] == "bt709" && fields["color_range"] == "tv")
        // what a decoder shows of it is what the source's codes mean in BT.601, by libswscale's own arithmetic
        let plain = try await write(
            "plain-" + name, VideoOutputSettings(rate: .quality(6), preset: "ultrafast"))
        let (found, wanted) = (try rgb(path), try rgb(plain))
        #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 8 }, "\(found) \(wanted)")
        let kept = try codes(path, at: [(0.75, 0.5)])[0]
        #expect(kept != [180, 110, 170], "the codes were taken over as they are")
    }

    /// Red, green and blue of the bright half, as ffmpeg shows the first frame.
    private func rgb(_ path: String) throws -> [Int] {
        let tool = try #require(Program.tool("ffmpeg"))
        let bytes = try tool.run([
            "-v", "error", "-i", path, "-frames:v", "1", "-vf",
            "scale=in_color_matrix=auto:flags=accurate_rnd,crop=32:32:240:80", "-f", "rawvideo",
            "-pix_fmt", "rgb24", "-",
        ]).output
        return (0..<3).map { channel in
            stride(from: channel, to: bytes.count, by: 3).reduce(0) { $0 + Int(bytes[$1]) } * 3
                / max(1, bytes.count)
        }
    }

    // MARK: Encoder

    @Test("profile and level are what ffprobe finds, offline and in real time")
    func profiles() async throws {
        let wanted: [(VideoCodec, VideoProfile, VideoLevel, String, String)] = [
            (.h264, .baseline, VideoLevel(3, 1), "Constrained Baseline", "31"),
            (.h264, .main, VideoLevel(4), "Main", "40"),
            (.h264, .high, VideoLevel(4, 1), "High", "41"),
            (.hevc, .main, VideoLevel(4), "Main", "120"),
            (.hevc, .main10, VideoLevel(4, 1), "Main 10", "123"),
        ]
        for mode in [AssetWriterConfiguration.Mode.offline, .realTime] {
            for (codec, profile, level, name, number) in wanted {
                var settings = VideoOutputSettings(codec: codec, preset: "ultrafast")
                (settings.profile, settings.level) = (profile, level)
                let path = try await write("\(codec)-\(profile)-\(mode).mp4", settings, mode: mode)
                let fields = try probe(path, "profile,level,pix_fmt")
                #expect(fields["profile"] == name, "\(codec) \(profile) \(fields)")
                #expect(fields["level"] == number, "\(codec) \(level) \(fields)")
                let format = profile == .main10 ? "yuv420p10le" : "yuv420p"
                #expect(fields["pix_fmt"] == format)
            }
        }
    }

    @Test("sync samples are as many frames apart as asked for, offline and in real time")
    func keyFrames() async throws {
        for (codec, mode) in [
            (VideoCodec.h264, AssetWriterConfiguration.Mode.offline), (.h264, .realTime),
            (.hevc, .offline), (.hevc, .realTime),
        ] {
            var settings = VideoOutputSettings(codec: codec, preset: "ultrafast")
            settings.keyFrameIntervalFrames = 45
            let path = try await write("\(codec)-\(mode).mp4", settings, frames: 150, mode: mode)
            #expect(try syncFrames(path) == [0, 45, 90, 135], "\(codec) \(mode)")
        }
        let path = try await write("time.mp4", VideoOutputSettings(preset: "ultrafast"), frames: 90)
        #expect(try syncFrames(path) == [0, 30, 60])
    }

    private func syncFrames(_ path: String) throws -> [Int] {
        let tool = try #require(Program.tool("ffprobe"))
        let result = try tool.run([
            "-v", "error", "-select_streams", "v:0", "-skip_frame", "nokey", "-show_entries",
            "frame=pts_time", "-of", "csv=p=0", path,
        ])
        return result.outputText.split(whereSeparator: \.isNewline)
            .compactMap { Double($0.split(separator: ",").first ?? "") }
            .map { Int(($0 * 30).rounded()) }
    }

    @Test("the rate that is expected is promised, and the stamps stay as they are")
    func expectedRate() async throws {
        var settings = VideoOutputSettings(preset: "ultrafast")
        settings.expectedFrameRate = FrameRate(50)
        let path = try await write("a.mkv", settings, frames: 20)
        let fields = try probe(path, "r_frame_rate,avg_frame_rate")
        #expect(fields["avg_frame_rate"] == "50/1" || fields["r_frame_rate"] == "50/1", "\(fields)")
        let times = try MovieOracle(path).presentationTimes()
        #expect(abs((times.last ?? 0) - 19.0 / 30) < 0.002)
    }

    // MARK: Refusals

    @Test("settings of a track that cannot be are refused, naming the field")
    func refusals() throws {
        func settings(
            _ codec: VideoCodec = .h264, _ change: (inout VideoOutputSettings) -> Void
        ) -> VideoOutputSettings {
            var settings = VideoOutputSettings(codec: codec)
            change(&settings)
            return settings
        }
        let refused: [(VideoOutputSettings, String)] = [
            (settings { $0.width = 320 }, "height"), (settings { $0.height = 320 }, "width"),
            (settings { ($0.width, $0.height) = (321, 180) }, "width"),
            (settings { ($0.width, $0.height) = (320, 16_386) }, "height"),
            (settings { $0.profile = .main10 }, "profile"),
            (settings(.hevc) { $0.profile = .high }, "profile"),
            (settings(.mjpeg) { $0.profile = .main }, "profile"),
            (settings { $0.level = VideoLevel(7) }, "level"),
            (settings { $0.level = VideoLevel(3, 11) }, "level"),
            (settings { $0.level = VideoLevel(0, 41) }, "level"),
            (settings { $0.level = VideoLevel(.max, .max) }, "level"),
            (settings(.ffv1) { $0.level = VideoLevel(4) }, "level"),
            (settings { $0.keyFrameIntervalFrames = 0 }, "key-frame interval in frames"),
            (settings(.mjpeg) { $0.keyFrameIntervalFrames = 5 }, "key-frame interval in frames"),
            (settings { $0.expectedFrameRate = FrameRate(1001) }, "expected frame rate"),
            (settings { $0.pixelAspect = PixelAspect(70_000, 1) }, "pixel aspect"),
            (settings { $0.pixelAspect = PixelAspect(-4, 3) }, "pixel aspect"),
            (settings { $0.pixelAspect = PixelAspect(4, 0) }, "pixel aspect"),
            (settings { $0.cleanAperture = CleanAperture(width: 0, height: 1) }, "clean aperture"),
            (
                settings {
                    $0.color = ColorDescription(primaries: 13, transfer: 1, matrix: 1, range: .full)
                }, "color"
            ),
            (settings(.mjpeg) { $0.color = .bt709 }, "color"),
        ]
        for (settings, field) in refused {
            #expect {
                try settings.validate()
            } throws: { error in
                (error as? MediaError)?.subject == field
                    && (error as? MediaError)?.code == .invalidSetting
            }
        }
        let writer = try AssetWriter(AssetWriterConfiguration(outputPath: folder.file("a.mp4")))
        var source = VideoFormat(
            coding: .raw(.yuv420p), width: 1920, height: 1080, nominalRate: FrameRate(60))
        source.pixelAspect = PixelAspect(-4, 3)
        #expect {
            _ = try writer.inputReceiver(for: settings { _ in }, sourceFormat: source)
        } throws: { ($0 as? MediaError)?.subject == "pixel aspect" }
        source.pixelAspect = .square
        #expect {
            _ = try writer.inputReceiver(
                for: settings { $0.level = VideoLevel(4) }, sourceFormat: source)
        } throws: { ($0 as? MediaError)?.subject == "level" }
        _ = try writer.inputReceiver(
            for: settings { $0.level = VideoLevel(4, 2) }, sourceFormat: source)
    }
}
