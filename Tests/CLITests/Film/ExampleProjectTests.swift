import Foundation
import Media
import TestSupport
import Testing

/// The projects of docs/examples, made of media that a script makes: what they show and say, in what another program
/// decodes. Their contact sheets are docs/images/example-….jpg; they are made anew with VCAP_UPDATE_GOLDEN=1.
@Suite("Example projects", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ExampleProjectTests {
    /// Those with a test below.
    private static let tested = ["lecture", "product", "time-lapse", "vertical", "wedding"]

    @Test("each of them has a test, a picture and a row on its page, and there is nothing else")
    func all() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: ExampleFilm.folder.path)
        let files = Self.tested.map { "\($0).vcap.json5" } + ["README.md", "make-media"]
        #expect(names.filter { $0 != "media" }.sorted() == files.sorted())
        let pages = try ["README.md", "../../README.md"].map {
            try String(contentsOf: ExampleFilm.folder.appending(path: $0), encoding: .utf8)
        }
        for name in Self.tested {
            #expect(pages[0].contains("](\(name).vcap.json5)"), "\(name)")
            for page in pages { #expect(page.contains("images/example-\(name).jpg"), "\(name)") }
        }
    }

    /// What holds of each of them: its length, its loudness, no warning, the same film when it is written anew, and
    /// its contact sheet.
    private func check(
        _ film: ExampleFilm, frames: Int, rate: Int, loudness: Double, sheetWidth: Int = 960
    ) throws {
        #expect(film.warnings == [])
        #expect(try film.movie.presentationTimes().count == frames)
        #expect(
            try film.movie.frameLength() == MediaTime(value: Int64(frames), timescale: Int32(rate)))
        #expect(abs(try film.audioLength() - Double(frames) / Double(rate)) < 0.0001)
        let heard = try film.loudness()
        #expect(abs(heard - loudness) < 0.35, "\(heard)")

        let plan = try film.plan()
        #expect(plan["frames"] as? Int == frames)
        let written = try Program.vcap.run(
            ["export", "\(film.name).vcap.json5", "-o", "again.vcap.json5"], in: film.place.path)
        #expect(written.status == 0 && written.errorText.isEmpty, "\(written.errorText)")
        // the digest is another one: a theme's ground is written in 8 bits; times are measured
        let documents = [plan, try film.plan("again.vcap.json5")].map { document in
            document.filter { !["digest", "expected_ms"].contains($0.key) } as NSDictionary
        }
        #expect(documents[0] == documents[1])

        let made = try film.sheet(width: sheetWidth)
        let known = ExampleFilm.folder.appending(path: "../images/example-\(film.name).jpg")
            .standardized
        if ProcessInfo.processInfo.environment["VCAP_UPDATE_GOLDEN"] == "1" {
            try? FileManager.default.removeItem(at: known)
            try FileManager.default.copyItem(atPath: made, toPath: known.path)
        }
        let pictures = [try gray(made), try gray(known.path)]
        try #require(pictures[0].count == pictures[1].count)
        let off = zip(pictures[0], pictures[1]).filter { abs(Int($0) - Int($1)) > 40 }.count
        #expect(off < pictures[0].count / 200, "\(off) of \(pictures[0].count)")
    }

    private func gray(_ path: String) throws -> [UInt8] {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-",
        ])
        return Array(result.output)
    }

    @Test("a wedding: titles, photos that move, a grade, music that gives way to a voice")
    func wedding() throws {
        let film = try ExampleFilm("wedding")
        try check(film, frames: 625, rate: 25, loudness: -16)
        #expect(
            try film.chapters() == [
                "0.000000,The evening", "4.000000,The vows", "9.000000,Photos",
                "17.000000,The dance",
            ])
        let shown = try film.frames(10, 60, 105, 180, 380, 402, 600)
        let isPaper: (Int, Int, Int) -> Bool = { $0 > 225 && $1 > 215 && $2 > 195 }
        // the opener's band, which is not there yet at 0.4 s
        #expect(shown[0].share(y: 0.3...0.7, isPaper) < 20)
        #expect(shown[1].share(x: 0...0.25, y: 0.35...0.65, isPaper) > 900)
        // a name on its boxes
        let name = [shown[2], shown[3]].map { $0.share(x: 0.06...0.16, y: 0.73...0.79, isPaper) }
        #expect(name[0] == 0 && name[1] > 500, "\(name)")
        // warmer than the clip: blue falls behind red in the bride's white
        let clip = try film.frames(75, of: film.place.file("media/vows.mp4"))[0]
        let white = [shown[3].pixel(0.28, 0.6), clip.pixel(0.28, 0.6)]
        #expect(white[0][0] - white[0][2] > white[1][0] - white[1][2], "\(white)")
        // the cake's photo moves
        let moved = zip(shown[4].bytes, shown[5].bytes).filter { abs(Int($0) - Int($1)) > 30 }
        #expect(moved.count > shown[4].bytes.count / 50, "\(moved.count)")
        #expect(shown[6].share(isPaper) > 850)

        let sound = try film.movie.sound()
        let before = ExampleLevel.tone(3136, sound, 10.02...10.27)
        let under = ExampleLevel.tone(3136, sound, 11.2...12.8)
        #expect(abs(before - under - 14) < 1.5, "\(before) \(under)")
    }

    @Test("a lecture: the camera small over the slides, beside them and alone, a clean voice")
    func lecture() throws {
        let film = try ExampleFilm("lecture")
        try check(film, frames: 675, rate: 25, loudness: -16)
        #expect(try film.chapters().count == 5)
        let text = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", film.movie.path, "-map", "0:s:0", "-f", "srt", "-",
        ]).outputText
        #expect(text.contains("00:00:03,500 --> 00:00:06,000"), "\(text)")
        #expect(text.contains("Good morning. Today: how lenses make images."))
        #expect(text.components(separatedBy: " --> ").count == 8)

        let shown = try film.frames(40, 250, 460, 640)
        let isBoard: (Int, Int, Int) -> Bool = { $1 > $0 + 15 && $1 > $2 && $0 < 90 }
        let isSlide: (Int, Int, Int) -> Bool = { $0 > 225 && $1 > 225 && $2 > 215 }
        let isGround: (Int, Int, Int) -> Bool = { $0 < 60 && $1 < 80 && $2 > 60 && $2 < 120 }
        // the opening's card is dark, with white letters
        #expect(shown[0].share(isSlide) < 60 && shown[0].share(isSlide) > 5)
        // small, with its white border, in the lower right corner of the slide
        #expect(shown[1].share(x: 0.78...0.96, y: 0.69...0.8, isBoard) > 400)
        #expect(shown[1].share(isBoard) < 60)
        #expect(shown[1].share(x: 0...0.7, y: 0.1...0.9, isSlide) > 700)
        // beside the slide: the ground above and below both
        #expect(shown[2].share(y: 0.02...0.18, isGround) > 850)
        #expect(shown[2].share(y: 0.82...0.98, isGround) > 900)
        #expect(shown[2].share(x: 0.04...0.58, y: 0.25...0.75, isSlide) > 700)
        #expect(shown[2].share(x: 0.63...0.96, y: 0.25...0.5, isBoard) > 300)
        // alone
        #expect(shown[3].share(isBoard) > 200 && shown[3].share(isSlide) < 80)
        // the mark
        let corner = shown[1].share(x: 0.88...0.96, y: 0.06...0.16) { $2 > $0 + 30 && $0 < 120 }
        #expect(corner > 150, "\(corner)")

        // hum and noise between two sentences are gone
        let sound = try film.movie.sound()
        let speech = ExampleLevel.all(sound, 3.6...5.2)
        let pause = ExampleLevel.all(sound, 5.9...6.4)
        let source = try MovieOracle(film.place.file("media/lecturer.mp4")).sound()
        #expect(speech - pause > 35, "\(speech) \(pause)")
        #expect(ExampleLevel.all(source, 0.6...2.2) - ExampleLevel.all(source, 2.9...3.4) < 25)
    }

    @Test("a product: keyed over a gradient, slow, its serial number hidden, a price")
    func product() throws {
        let film = try ExampleFilm("product")
        try check(film, frames: 375, rate: 25, loudness: -16)
        let shown = try film.frames(0, 55, 100, 125, 225, 350)
        let isScreen: (Int, Int, Int) -> Bool = { $1 > $0 + 50 && $1 > $2 + 50 }
        let isOrange: (Int, Int, Int) -> Bool = { $0 > 220 && $1 > 110 && $2 < 215 }
        let clip = try film.frames(50, of: film.place.file("media/device.mp4"))[0]
        #expect(clip.share(isScreen) > 600)
        #expect(shown[0].share(isOrange) > 900)
        #expect(shown[1].share(isScreen) == 0 && shown[5].share(isScreen) == 0)
        #expect(shown[1].share(x: 0...0.1, y: 0...0.5, isOrange) > 900)
        #expect(shown[1].share(x: 0.3...0.7, y: 0.3...0.6) { max($0, $1, $2) < 130 } > 700)
        // the iris: the lens in the middle, the ground in the corners
        #expect(shown[2].share(x: 0...0.05, y: 0...0.1, isOrange) > 900)
        #expect(shown[2].share(x: 0.45...0.55, y: 0.45...0.55, isOrange) == 0)
        // the caption's box
        let caption = [shown[2], shown[3]].map {
            $0.share(x: 0.3...0.7, y: 0.84...0.96) { min($0, $1, $2) > 180 }
        }
        #expect(caption[0] == 0 && caption[1] > 20, "\(caption)")
        // 2.2 s after the label came: its number is squares, what stands above it is not
        let label = try film.frames(55, of: film.place.file("media/label.mp4"))[0]
        let number = (x: 0.36...0.66, y: 0.66...0.75)
        let model = (x: 0.36...0.66, y: 0.36...0.46)
        let kept = shown[4].detail(x: model.x, y: model.y) / label.detail(x: model.x, y: model.y)
        let hidden =
            shown[4].detail(x: number.x, y: number.y) / label.detail(x: number.x, y: number.y)
        #expect(kept > 0.7 && hidden < 0.4, "\(kept) \(hidden)")
        // the price on its block
        let isAmber: (Int, Int, Int) -> Bool = { $0 > 230 && $1 > 150 && $1 < 210 && $2 < 60 }
        #expect(shown[5].share(x: 0.45...1, y: 0.55...0.95, isAmber) > 60)
    }

    /// Where the middle of a countdown's ring is bright.
    private func digit(_ frame: ExampleFilm.Frame) -> [Bool] {
        (0..<1600).map { index in
            let (row, column) = (Double(index / 40), Double(index % 40))
            return frame.pixel(0.42 + column * 0.004, 0.2 + row * 0.003)[0] > 128
        }
    }

    @Test("a short: the view follows what moves, quick cuts, words one after the other, stickers")
    func vertical() throws {
        let film = try ExampleFilm("vertical", width: 180, height: 320)
        try check(film, frames: 396, rate: 30, loudness: -14, sheetWidth: 440)
        let shown = try film.frames(8, 45, 80, 130, 165, 204, 206, 300, 380)
        // the rider's shirt
        let isShirt: (Int, Int, Int) -> Bool = { $0 > 200 && $1 < 110 && $2 > 60 && $2 < 150 }
        for frame in shown[0...2] {
            let middle = frame.share(x: 0.25...0.85, y: 0.45...0.75, isShirt)
            #expect(middle > 25, "\(middle)")
        }
        // the clip's own bicycle goes from edge to edge meanwhile
        let clip = try film.frames(20, 95, of: film.place.file("media/ride.mp4"))
        #expect(clip[0].share(x: 0.5...1, isShirt) == 0 && clip[1].share(x: 0...0.5, isShirt) == 0)
        // three, two, one: other digits in the ring
        let digits = shown[0...2].map(digit)
        for pair in zip(digits, digits.dropFirst()) {
            #expect(zip(pair.0, pair.1).filter { $0 != $1 }.count > 100)
        }
        // more words have the accent's colour later
        let isAccent: (Int, Int, Int) -> Bool = { $0 > 190 && $1 < 110 && $2 < 150 }
        let words = shown[3...5].map { $0.share(x: 0.05...0.95, y: 0.68...0.82, isAccent) }
        #expect(words[0] < words[1] && words[1] < words[2], "\(words)")
        // the star, gone at its end
        let isStar: (Int, Int, Int) -> Bool = { $0 > 220 && $1 > 180 && $2 < 90 }
        #expect(shown[4].share(x: 0.05...0.42, y: 0.14...0.4, isStar) > 60)
        #expect(shown[7].share(x: 0...0.4, y: 0.6...0.9) { $0 > 220 && $1 < 190 && $2 < 60 } > 10)
        #expect(shown[8].share { max($0, $1, $2) < 60 } > 700)
    }

    @Test("a time-lapse: the day of many photos, a street whose lights draw lines")
    func timeLapse() throws {
        let film = try ExampleFilm("time-lapse")
        try check(film, frames: 294, rate: 24, loudness: -18)
        let shown = try film.frames(2, 60, 72, 150, 280)
        // from night to day
        let isDark: (Int, Int, Int) -> Bool = { $0 + $1 + $2 < 200 }
        #expect(shown[0].share(isDark) > 700 && shown[2].share(y: 0...0.5, isDark) < 150)
        // the place, white on the theme's ground
        let letters = [shown[0], shown[1]].map {
            $0.share(x: 0.05...0.4, y: 0.05...0.3) { min($0, $1, $2) > 200 }
        }
        #expect(letters[0] == 0 && letters[1] > 20, "\(letters)")
        // one frame of the street is eight of the clip: a headlight is longer
        let clip = try film.frames(40, of: film.place.file("media/street.mp4"))[0]
        let lamps = [shown[3], clip].map {
            $0.longestRun(y: 0.93...0.99) { $0 > 50 && $1 > 45 && $2 > 0 }
        }
        #expect(lamps[1] > 10 && lamps[0] > lamps[1] * 5 / 4, "\(lamps)")
        #expect(shown[4].share(isDark) > 800)
    }
}
