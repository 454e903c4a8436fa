import Foundation
import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Frames that are generated")
struct GeneratorFrameTests {
    private static let second = MediaTimeRange(start: .zero, duration: .milliseconds(100))

    /// RP 219-1's codes of 10 bits, by where they lie (fractions of the frame's width and height).
    static let smpte: [(x: Double, y: Double, codes: [Int])] = [
        (0.06, 0.3, [414, 512, 512]), (0.18, 0.3, [721, 512, 512]),
        (0.29, 0.3, [674, 176, 543]), (0.39, 0.3, [581, 589, 176]),
        (0.5, 0.3, [534, 253, 207]), (0.61, 0.3, [251, 771, 817]),
        (0.71, 0.3, [204, 435, 848]), (0.82, 0.3, [111, 848, 481]),
        (0.94, 0.3, [414, 512, 512]),
        (0.06, 0.62, [754, 615, 64]), (0.18, 0.62, [940, 512, 512]),
        (0.5, 0.62, [721, 512, 512]), (0.94, 0.62, [127, 960, 471]),
        (0.06, 0.71, [877, 64, 553]), (0.18, 0.71, [64, 512, 512]),
        (0.82, 0.71, [940, 512, 512]), (0.94, 0.71, [250, 409, 960]),
        (0.06, 0.9, [195, 512, 512]), (0.2, 0.9, [64, 512, 512]), (0.4, 0.9, [940, 512, 512]),
        (0.55, 0.9, [64, 512, 512]), (0.607, 0.9, [46, 512, 512]), (0.643, 0.9, [64, 512, 512]),
        (0.679, 0.9, [82, 512, 512]), (0.714, 0.9, [64, 512, 512]), (0.75, 0.9, [99, 512, 512]),
        (0.82, 0.9, [64, 512, 512]), (0.94, 0.9, [195, 512, 512]),
    ]

    private func matches(_ own: [Int], _ standard: [Int], within: Int) -> Bool {
        zip(own, standard).allSatisfy { abs($0 - $1) <= within }
    }

    @Test("bars have RP 219's codes in BT.709, in 8 and in 10 bits", arguments: [8, 10])
    func bars(_ bits: Int) throws {
        let film = try GeneratedFilm(
            [VideoItem(.bars(.smpte), duration: .seconds(1))], width: 1920, height: 1080,
            bits: bits)
        let frame = try #require(try film.frames(Self.second).first)
        for place in Self.smpte {
            let own = frame.codes(Int(place.x * 1920), Int(place.y * 1080))
            let standard = bits == 10 ? place.codes : place.codes.map { ($0 + 2) / 4 }
            #expect(matches(own, standard, within: 1), "\(place): \(own)")
        }
        // widths of 1080 lines with even edges
        let row = (1..<1920).filter { frame.luma($0, 300) != frame.luma($0 - 1, 300) }
        #expect(row == [240, 446, 652, 858, 1062, 1268, 1474, 1680])
        let column = (1..<1080).filter { frame.luma(10, $0) != frame.luma(10, $0 - 1) }
        #expect(column == [630, 720, 810])
        // the ramp rises from black to white
        let ramp = (446..<1474).map { frame.luma($0, 760) }
        #expect(
            zip(ramp, ramp.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 <= (bits == 8 ? 1 : 2) })
        #expect(Set(ramp).count == (bits == 8 ? 220 : Set(ramp).count))
    }

    @Test(
        "an export of bars decodes to the standard's codes",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func exported() async throws {
        let folder = try TemporaryFolder()
        let film = try GeneratedFilm(
            [VideoItem(.bars(.smpte), duration: .milliseconds(200))], width: 1280, height: 720)
        let path = folder.file("bars.mp4")
        _ = try await ExportSession(film.film).export(to: path)
        let raw = folder.file("bars.yuv")
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", raw,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        let frame = Planes(bytes[...], width: 1280, height: 720)
        for place in Self.smpte {
            let own = frame.codes(Int(place.x * 1280), Int(place.y * 720))
            #expect(
                matches(own, place.codes.map { ($0 + 2) / 4 }, within: 1), "\(place): \(own)")
        }
    }

    @Test("EBU's bars are eight, white of 100 % and colours of 75 %; a standing frame has no sides")
    func layouts() throws {
        let ebu = try #require(
            try GeneratedFilm([VideoItem(.bars(.ebu), duration: .seconds(1))])
                .frames(Self.second).first)
        #expect(ebu.codes(40, 300) == [235, 128, 128])
        #expect(ebu.codes(120, 10) == [168, 44, 136])
        #expect(ebu.codes(600, 350) == [16, 128, 128])
        let full = try #require(
            try GeneratedFilm([VideoItem(.bars(.ebu100), duration: .seconds(1))])
                .frames(Self.second).first)
        #expect(full.codes(120, 10) == [219, 16, 138])
        let standing = try #require(
            try GeneratedFilm(
                [VideoItem(.bars(.smpte), duration: .seconds(1))], width: 360, height: 640
            ).frames(Self.second).first)
        #expect(standing.codes(10, 100) == [180, 128, 128])
        #expect(standing.codes(350, 100) == [28, 212, 120])
        // BT.601's yellow
        let old = try #require(
            try GeneratedFilm(
                [VideoItem(.bars(.smpte), duration: .seconds(1))], width: 768, height: 576,
                color: .bt601
            ).frames(Self.second).first)
        #expect(matches(old.codes(160, 100), [162, 44, 142], within: 1))
    }

    @Test("a colour is exact, and shows what is behind it as far as its opacity says")
    func color() throws {
        let blue = Color(red: 0.2, green: 0.4, blue: 0.6)
        let plain = try GeneratedFilm([VideoItem(.color(blue), duration: .seconds(1))])
        let frame = try #require(try plain.frames(Self.second).first)
        // 16 + 219 · Y' of BT.709 and 128 + 224 · the differences
        #expect(frame.codes(0, 0) == [97, 156, 104])
        #expect(frame.codes(639, 359) == frame.codes(0, 0))
        let deep = try GeneratedFilm([VideoItem(.color(blue), duration: .seconds(1))], bits: 10)
        #expect(try deep.frames(Self.second).first?.codes(8, 8) == [390, 622, 414])
        var half = VideoItem(
            .color(Color(red: 1, green: 1, blue: 1, alpha: 0.5)), duration: .seconds(1))
        half.place = ClipPlace(left: 0, top: 0, width: 0.5, height: 1)
        half.fit = .stretch
        let over = try GeneratedFilm(
            [VideoItem(.color(.black), duration: .seconds(1))], overlays: [half])
        let mixed = try #require(try over.frames(Self.second).first)
        #expect(abs(mixed.luma(100, 100) - 126) <= 1)
        #expect(mixed.luma(500, 100) == 16)
    }

    @Test("a gradient rises evenly, alike from both ends, and 10 bits have four times the steps")
    func gradient() throws {
        func line(_ bits: Int, _ gradient: Generator.Gradient) throws -> Planes {
            let film = try GeneratedFilm(
                [VideoItem(.gradient(gradient), duration: .seconds(1))], width: 1280, height: 64,
                bits: bits)
            return try #require(try film.frames(Self.second).first)
        }
        for (bits, black, white) in [(8, 16, 235), (10, 64, 940)] {
            let frame = try line(bits, Generator.Gradient([.black, .white], angle: 0))
            let row = (0..<1280).map { frame.luma($0, 30) }
            #expect(zip(row, row.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 <= 1 })
            #expect(row.first == black && row.last == white)
            #expect(Set(row).count == white - black + 1, "no step is left out")
            #expect((0..<640).allSatisfy { abs(row[$0] + row[1279 - $0] - black - white) <= 1 })
            let back = try line(bits, Generator.Gradient([.white, .black], angle: 180))
            #expect((0..<1280).allSatisfy { back.luma($0, 30) == row[$0] })
        }
        let radial = try line(8, Generator.Gradient([.white, .black], shape: .radial))
        #expect(radial.luma(640, 32) == 235 && radial.luma(0, 0) <= 17)
        #expect((0..<640).allSatisfy { radial.luma($0, 10) == radial.luma(1279 - $0, 53) })
        let three = try line(
            8,
            Generator.Gradient(
                [.black, Color(red: 1, green: 0, blue: 0), .white], angle: 0))
        #expect(matches(three.codes(640, 20), [63, 102, 240], within: 1))
    }

    @Test("a film of nothing else is 1920x1080 at 30, and a file's size and rate go before")
    func style() throws {
        let alone = try TimelineBuilder.film(
            loading: Timeline(videos: [VideoItem(.color(.white), duration: .seconds(2))]))
        #expect(alone.videoComposition?.renderSize == PixelSize(width: 1920, height: 1080))
        #expect(alone.videoComposition?.frameDuration == FrameRate(30).frameDuration)
        #expect(alone.composition.duration == .seconds(2))
        #expect(alone.inputPaths.isEmpty && alone.notes.isEmpty && alone.warnings.isEmpty)
        let clip = SampleAsset.clip("a.mp4", seconds: 5, width: 640, height: 480)
        let timeline = Timeline(videos: [
            VideoItem(.bars(.smpte), duration: .seconds(3)), VideoItem("a.mp4"),
            VideoItem(.counter(.init())),
        ])
        #expect(timeline.mediaPaths == ["a.mp4"])
        let mixed = try TimelineBuilder(timeline, assets: [clip]).film()
        #expect(mixed.videoComposition?.renderSize == PixelSize(width: 640, height: 480))
        // three, five, and four as still pictures
        #expect(mixed.composition.duration == .seconds(12))
        #expect(mixed.inputPaths == ["a.mp4"])
        #expect(mixed.assets.count == 3)
    }
}
