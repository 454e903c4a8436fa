import Foundation
import Media
import Movie
import Reading
import TestSupport
import Testing
import Writing

@testable import Compose

@Suite("Transparency of conversions", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct TransparentConversionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func settings(
        _ codec: VideoCodec? = nil, _ change: (inout ConversionSettings) -> Void = { _ in }
    ) -> ConversionSettings {
        var settings = ConversionSettings()
        if let codec { settings.video = .codec(codec) }
        settings.overwrites = true
        change(&settings)
        return settings
    }

    @discardableResult
    private func convert(
        _ input: String, _ output: String, _ settings: ConversionSettings
    ) async throws -> String {
        let path = folder.file(output)
        let asset = try Asset.load(folder.file(input))
        let report = try await ConversionSession(Conversion(asset, settings: settings))
            .convert(to: path)
        if case .codec(let codec) = settings.video {
            #expect(report.tracks.map(\.codec) == [codec.rawValue])
        }
        return path
    }

    private func refusal(
        _ input: String, _ container: OutputContainer, _ settings: ConversionSettings
    ) throws -> MediaError? {
        let asset = try Asset.load(folder.file(input))
        do throws(MediaError) {
            _ = try ConversionSession(Conversion(asset, settings: settings)).plan(for: container)
            return nil
        } catch { return error }
    }

    /// What ffprobe says of the pictures.
    private func stream(_ path: String, _ fields: String) throws -> [String] {
        let tool = try #require(Program.tool("ffprobe"))
        let result = try tool.run([
            "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=\(fields)", "-of",
            "default=nk=1:nw=1", path,
        ])
        return result.outputText.split(whereSeparator: \.isNewline).map(String.init)
    }

    // MARK: Exactly

    @Test(
        "FFV1 keeps every pixel of an animation, opacity and odd sides with it",
        arguments: ["mkv", "mov"])
    func lossless(_ container: String) async throws {
        let disc = SoftDisc()
        try disc.write(folder.file("disc.apng"), ["-f", "apng", "-pix_fmt", "rgba"])
        let movie = try await convert("disc.apng", "a.\(container)", settings(.ffv1))
        #expect(try DecodedPixels(movie).bytes == disc.all)
        #expect(try stream(movie, "width,height,pix_fmt") == ["161", "121", "bgra"])
        try disc.write(
            folder.file("disc.webp"), ["-c:v", "libwebp_anim", "-lossless", "1", "-loop", "0"])
        let second = try await convert("disc.webp", "b.\(container)", settings(.ffv1))
        let difference = try DecodedPixels(second).difference(from: disc.all)
        #expect(difference == (0, 0, true))
    }

    @Test("FFV1 keeps every pixel of a GIF, at its uneven times, in both containers")
    func gif() async throws {
        let delays = [7, 3, 50, 13]
        for isClear in [true, false] {
            let gif = PlainGIF.bytes(delays: delays, width: 33, height: 21, isHalfClear: isClear)
            try Data(gif).write(to: URL(fileURLWithPath: folder.file("loop.gif")))
            for container in ["mov", "mkv"] {
                for codec in [VideoCodec.ffv1, .prores] {
                    let movie = try await convert("loop.gif", "a.\(container)", settings(codec))
                    let oracle = MovieOracle(movie)
                    let times = try oracle.presentationTimes()
                    #expect(times == [0, 0.07, 0.1, 0.6], "\(codec) \(container): \(times)")
                    if container == "mov" {
                        let length = try oracle.frameLength()
                        #expect(length == MediaTime(value: 73, timescale: 100))
                    }
                    let pixels = try DecodedPixels(movie)
                    for number in delays.indices {
                        let level = Int(PlainGIF.levels[1 + number])
                        let seen = pixels.pixel(3, 10 + 21 * number, width: 33)
                        let clear = pixels.pixel(25, 10 + 21 * number, width: 33)
                        let error = seen[..<3].map { abs($0 - level) }.max() ?? 255
                        #expect(error <= (codec == .ffv1 ? 0 : 2) && seen[3] == 255)
                        #expect(clear[3] == (isClear ? 0 : 255))
                    }
                    if !isClear, codec == .ffv1 {
                        // opacity that is not there is not coded
                        #expect(try stream(movie, "pix_fmt") == ["bgr0"])
                    }
                }
            }
        }
    }

    @Test("16 bits a colour stay 16 in FFV1")
    func deep() async throws {
        try SoftDisc(pictures: 1).write(folder.file("deep.png"), ["-pix_fmt", "rgba64be"])
        let movie = try await convert(
            "deep.png", "deep.mkv", settings(.ffv1) { $0.duration = .milliseconds(100) })
        #expect(try stream(movie, "pix_fmt") == ["gbrap16le"])
        let picture = try DecodedPixels(folder.file("deep.png"), as: "rgba64le").bytes
        let shown = try DecodedPixels(movie, as: "rgba64le").bytes
        #expect(shown == picture + picture + picture)
    }

    // MARK: ProRes

    @Test("ProRes 4444 keeps opacity and colours, and says so", arguments: ["mov", "mkv"])
    func prores(_ container: String) async throws {
        let disc = SoftDisc()
        try disc.write(folder.file("disc.apng"), ["-f", "apng", "-pix_fmt", "rgba"])
        let movie = try await convert("disc.apng", "a.\(container)", settings(.prores))
        let difference = try DecodedPixels(movie).difference(from: disc.all)
        #expect(difference.isSameSize && difference.alpha <= 1 && difference.color <= 6)
        // edges apart, where invisible black is near
        var most = 0
        let (pixels, source) = (try DecodedPixels(movie).bytes, disc.all)
        for (place, value) in source.enumerated() where source[place | 3] == 255 {
            most = max(most, abs(Int(value) - Int(pixels[place])))
        }
        #expect(most <= 3, "\(most)")
        let facts = try stream(
            movie, "codec_name,profile,codec_tag_string,width,height,color_range,color_space")
        #expect(facts == ["prores", "4444", "ap4h", "161", "121", "tv", "bt709"], "\(facts)")
        let track = try #require(try Asset.load(movie).tracks.first)
        #expect(track.format?.video?.codec == .prores)
        #expect(track.hasAlpha == (container == "mov" ? true : nil))
    }

    @Test("a picture without opacity is ProRes without, and reported as such")
    func opaque() async throws {
        try PictureFiles.make(
            folder.file("a.png"),
            "color=s=161x121,format=rgb24,geq=r=X:g=2*Y:b=200-X")
        let wanted = settings(.prores) {
            $0.duration = .milliseconds(100)
            $0.frameRate = FrameRate(10)
        }
        let movie = try await convert("a.png", "a.mov", wanted)
        #expect(try stream(movie, "pix_fmt,width,height") == ["161", "121", "yuv444p12le"])
        let difference = try DecodedPixels(movie)
            .difference(from: DecodedPixels(folder.file("a.png")).bytes)
        #expect(difference.isSameSize && difference.alpha == 0 && difference.color <= 3)
        #expect(try Asset.load(movie).tracks[0].hasAlpha == nil)
    }

    @Test("ProRes is copied between containers, its kind with it")
    func copied() async throws {
        let disc = SoftDisc(pictures: 2)
        try disc.write(
            folder.file("in.mov"),
            ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"])
        try disc.write(folder.file("hq.mov"), ["-c:v", "prores_ks", "-profile:v", "3"])
        for (name, kind) in [("in", "ap4h"), ("hq", "apch")] {
            try await convert("\(name).mov", "\(name).mkv", settings(.prores))
            let back = try await convert("\(name).mkv", "back.mov", settings())
            #expect(try stream(back, "codec_tag_string") == [kind])
            let first = try DecodedPixels(folder.file("\(name).mov")).bytes
            #expect(try DecodedPixels(back).bytes == first)
            #expect(try Asset.load(back).tracks[0].codecTag == kind)
        }
    }

    // MARK: Other sizes

    @Test(
        "edges keep their colour in another size, and what the picture leaves is transparent",
        arguments: [VideoCodec.ffv1, .prores], [80, 320])
    func scaled(_ codec: VideoCodec, _ side: Int) async throws {
        try SoftDisc(pictures: 1, isRed: true).write(folder.file("disc.png"))
        let wanted = settings(codec) {
            $0.duration = .milliseconds(100)
            $0.frameRate = FrameRate(10)
            $0.size = PixelSize(width: side, height: side)
        }
        let pixels = try DecodedPixels(try await convert("disc.png", "a.mov", wanted))
        #expect(pixels.bytes.count == side * side * 4)
        let redness = pixels.redness()
        // a third of 121 pixels is the radius; 161 of them fill the side
        let radius: Double = 40 * Double(side) / 161
        let area = Int(3.14 * radius * radius)
        #expect(abs(redness.seen - area) < area / 8, "\(redness) \(area)")
        #expect(redness.soft > 20)
        #expect(redness.distance <= (codec == .ffv1 ? 1 : 5), "\(redness)")
        // above and below the picture
        for x in stride(from: 0, to: side, by: 7) {
            #expect(pixels.pixel(x, 0, width: side)[3] == 0)
            #expect(pixels.pixel(x, side - 1, width: side)[3] == 0)
        }
    }

    @Test("a picture that covers the frame is cut, not squeezed")
    func covering() async throws {
        try SoftDisc(pictures: 1, isRed: true).write(folder.file("disc.png"))
        let wanted = settings(.ffv1) {
            $0.duration = .milliseconds(100)
            $0.frameRate = FrameRate(10)
            $0.size = PixelSize(width: 100, height: 242)
            $0.fit = .cover
        }
        let pixels = try DecodedPixels(try await convert("disc.png", "a.mkv", wanted))
        // twice as large, 111 columns of 322 are cut left
        let source = SoftDisc(pictures: 1, isRed: true).pixels(0)
        for (x, y) in [(0, 121), (60, 121), (70, 121), (10, 60), (10, 190)] {
            let place = (y / 2 * 161 + (x + 111) / 2) * 4
            let alpha = pixels.pixel(x, y, width: 100)[3]
            #expect(abs(alpha - Int(source[place + 3])) <= 45, "\(x) \(y)")
        }
    }

    @Test("rotated pictures come upright where the container cannot say how they lie")
    func rotated() async throws {
        // the upper left corner is visible alone
        let filter = "format=rgba,geq=r=255:g=0:b=0:a='if(lt(X,20)*lt(Y,10),255,0)'"
        try PictureFiles.make(
            folder.file("plain.mov"), "color=s=64x36:d=0.2:r=10,\(filter)",
            ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"])
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run([
            "-v", "error", "-i", folder.file("plain.mov"), "-c", "copy", "-metadata:s:v",
            "rotate=270", folder.file("turned.mov"),
        ])
        try #require(result.status == 0)
        let track = try #require(try Asset.load(folder.file("turned.mov")).tracks.first)
        let orientation = try #require(track.format?.video?.orientation)
        try #require(orientation.rotation == .clockwise90)
        for codec in [VideoCodec.prores, .ffv1] {
            let movie = try await convert("turned.mov", "a.mkv", settings(codec))
            #expect(try stream(movie, "width,height") == ["36", "64"])
            let pixels = try DecodedPixels(movie)
            // upper right, after a quarter turn clockwise
            #expect(pixels.pixel(30, 5, width: 36)[3] >= 254)
            #expect(pixels.pixel(30, 15, width: 36)[3] >= 254)
            #expect(pixels.pixel(20, 5, width: 36)[3] == 0)
            #expect(pixels.pixel(30, 30, width: 36)[3] == 0)
        }
    }

    // MARK: Sequences

    @Test("pictures of a sequence keep their opacity, one without any is fitted beside them")
    func sequence() async throws {
        let disc = SoftDisc(pictures: 2)
        let pixels = disc.all
        try disc.write(folder.file("a%d.png"))
        try PictureFiles.make(folder.file("a3.jpg"), "color=c=white:s=200x100")
        let names = ["a1.png", "a2.png", "a3.jpg"]
        let pictures = names.map {
            SequencePicture(folder.file($0), duration: .milliseconds(100))
        }
        let path = folder.file("a.mkv")
        let conversion = try Conversion(sequence: pictures, settings: settings(.ffv1))
        _ = try await ConversionSession(conversion).convert(to: path)
        let bytes = try DecodedPixels(path).bytes
        #expect(bytes.count == 3 * 161 * 121 * 4)
        #expect(Array(bytes[..<pixels.count]) == pixels)
        let last = DecodedPixels(Array(bytes[pixels.count...]))
        // 200x100 in 161x121: 80 rows high
        #expect(last.pixel(80, 60, width: 161)[3] == 255)
        #expect(last.pixel(80, 60, width: 161)[0] >= 252)
        #expect(last.pixel(80, 15, width: 161)[3] == 0)
        #expect(last.pixel(80, 105, width: 161)[3] == 0)
    }

    // MARK: What is asked for

    @Test("what is written is read again: over a colour, in the other codec, on a timeline")
    func readAgain() async throws {
        let disc = SoftDisc(width: 160, height: 120, isRed: true)
        try disc.write(folder.file("disc.apng"), ["-f", "apng", "-pix_fmt", "rgba"])
        try await convert("disc.apng", "f.mkv", settings(.ffv1))
        try await convert("f.mkv", "p.mov", settings(.prores))
        let again = try await convert("p.mov", "again.mkv", settings(.ffv1))
        let difference = try DecodedPixels(again).difference(from: disc.all)
        #expect(difference.isSameSize && difference.alpha <= 1 && difference.color <= 6)
        let white = settings {
            $0.background = .white
            $0.transparency = .composed
        }
        for input in ["f.mkv", "p.mov"] {
            let movie = try await convert(input, "over.mp4", white)
            let pixels = try DecodedPixels(movie)
            let corner = pixels.pixel(5, 5, width: 160)
            let middle = pixels.pixel(53, 60, width: 160)
            #expect(corner.allSatisfy { $0 > 250 }, "\(corner)")
            #expect(middle[0] > 235 && middle[1] < 20 && middle[2] < 20, "\(middle)")
            let timeline = Timeline(
                settings: TimelineSettings(
                    renderSize: PixelSize(width: 160, height: 120), frameRate: FrameRate(10),
                    background: Color(red: 0, green: 1, blue: 0)),
                videos: [VideoItem(folder.file(input))])
            let film = folder.file("film.mp4")
            _ = try await ExportSession(try TimelineBuilder.film(loading: timeline))
                .export(to: film)
            let shown = try DecodedPixels(film).pixel(5, 5, width: 160)
            #expect(shown[0] < 20 && shown[1] > 235 && shown[2] < 20, "\(shown)")
            try FileManager.default.removeItem(atPath: film)
        }
    }

    @Test("kept transparency finds its codec, and is refused where there is none")
    func chosen() throws {
        try SoftDisc(pictures: 2).write(folder.file("disc.apng"), ["-f", "apng"])
        try PictureFiles.make(folder.file("plain.jpg"), "color=c=white:s=64x36")
        let kept = settings { $0.transparency = .kept }
        func codec(_ name: String, _ container: OutputContainer) throws -> String? {
            var wanted = kept
            wanted.duration = .seconds(1)
            let asset = try Asset.load(folder.file(name))
            let plan = try ConversionSession(Conversion(asset, settings: wanted))
                .plan(for: container)
            guard case .encodeVideo(let made, _, _) = plan.tracks[0].treatment else { return nil }
            return made.codec.rawValue + (plan.tracks[0].keepsTransparency ? " kept" : "")
        }
        #expect(try codec("disc.apng", .mov) == "prores kept")
        #expect(try codec("disc.apng", .matroska) == "ffv1 kept")
        // nothing is transparent: as ever
        #expect(try codec("plain.jpg", .mov) == "h264")
        #expect(try codec("plain.jpg", .mp4) == "h264")
        for container in [OutputContainer.mp4, .webm, .mpegTS] {
            let error = try refusal("disc.apng", container, kept)
            #expect(error?.code == .invalidSetting && error?.subject == "background")
            #expect(error?.message.contains("write .mov (ProRes 4444) or .mkv (FFV1)") == true)
        }
        let coded = settings(.h264) { $0.transparency = .kept }
        let error = try refusal("disc.apng", .mov, coded)
        #expect(error?.subject == "background" && error?.message.contains("h264") == true)
        let filled = settings(.ffv1) {
            $0.transparency = .kept
            $0.fit = .blurred
        }
        #expect(try refusal("disc.apng", .mov, filled)?.subject == "fit")
        #expect(try refusal("disc.apng", .mp4, settings(.prores))?.subject == "codec")
        let rated = settings(.prores) { $0.rate = .quality(20) }
        #expect(try refusal("disc.apng", .mov, rated)?.message.contains("ProRes") == true)
    }

    @Test("a colour that is asked for lies behind, in codecs that could keep transparency too")
    func composed() async throws {
        try SoftDisc(pictures: 2, isRed: true).write(
            folder.file("disc.apng"), ["-f", "apng", "-pix_fmt", "rgba"])
        for (codec, container) in [(VideoCodec.ffv1, "mkv"), (.prores, "mov")] {
            let wanted = settings(codec) {
                $0.background = Color(red: 0, green: 0, blue: 1)
                $0.transparency = .composed
            }
            let movie = try await convert("disc.apng", "a.\(container)", wanted)
            let corner = try DecodedPixels(movie).pixel(2, 2, width: 161)
            let isBlue = corner[0] < 6 && corner[1] < 6 && corner[2] > 249 && corner[3] == 255
            #expect(isBlue, "\(corner)")
        }
    }
}
