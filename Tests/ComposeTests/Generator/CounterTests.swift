import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Counters and tones that are generated")
struct CounterTests {
    private static let rates = [FrameRate(25), FrameRate(30), FrameRate(30_000, per: 1001)]

    /// Where audio begins after silence: the first sample that is heard, less the silent one with which a sine begins.
    private func beginnings(_ audio: [Float]) -> [Int] {
        audio.indices.filter { index in
            audio[index] != 0 && (1...40).allSatisfy { index < $0 || audio[index - $0] == 0 }
        }.map { $0 - 1 }
    }

    @Test(
        "a beep begins with the first frame of each second of the time code, to the sample",
        arguments: CounterTests.rates)
    func beeps(_ rate: FrameRate) throws {
        let frames = Int64(rate.approximate.rounded())
        let length = rate.frameDuration * (3 * frames + 5)
        let film = try GeneratedFilm(
            [VideoItem(.counter(.init()), duration: length)], width: 64, height: 36, rate: rate)
        let audio = try film.audio()
        let seconds = (0...3).map { Int64($0) * frames }
        let wanted = seconds.map {
            Int((rate.frameDuration * $0).ticks(per: 48_000, rounding: .nearest))
        }
        #expect(beginnings(audio) == wanted)
        let ends = seconds.map {
            Int((rate.frameDuration * ($0 + 1)).ticks(per: 48_000, rounding: .nearest))
        }
        for (start, end) in zip(wanted, ends) where end + 40 < audio.count {
            #expect(audio[end..<end + 40].allSatisfy { $0 == 0 }, "it is as long as the frame")
            #expect(audio[end - 30..<end].contains { $0 != 0 })
            // a tenth of full scale, 48 samples a turn
            #expect((audio[start + 480..<start + 960].max() ?? 0) > 0.0999)
            #expect(abs(audio[start + 492] - 0.1) < 0.0001)
        }
        // the frames with which they come are lighter: their disc is white
        let light = try film.frames().map { $0.count(200...255) }
        let flashes = light.indices.filter { light[$0] > 300 }
        #expect(flashes == seconds.map(Int.init))
    }

    @Test("the hand goes round once a second, and digits are those of the time code")
    func hand() throws {
        let film = try GeneratedFilm(
            [VideoItem(.counter(.init()), duration: .seconds(3))], width: 320, height: 180)
        let frames = try film.frames()
        // what the hand has passed is lighter than the disc
        let swept = frames.map { $0.count(85...110) }
        for second in 0..<3 {
            let part = swept[second * 25 + 1..<second * 25 + 25]
            #expect(zip(part, part.dropFirst()).allSatisfy { $0 < $1 + 20 })
            // but for what the band hides and edges add, from one part of 25 to 24
            #expect((part.last ?? 0) - (part.first ?? 0) > 5000)
        }
        func digits(_ frame: Int, _ columns: Range<Int>) -> Int {
            (70..<110).flatMap { y in columns.map { frames[frame].luma($0, y) > 160 } }.hashValue
        }
        // the last two digits, frames, are alike a second later; the two before are not
        let (late, seconds) = (234..<282, 168..<218)
        #expect(digits(7, late) == digits(32, late))
        #expect(digits(7, late) != digits(8, late))
        #expect(digits(7, seconds) == digits(8, seconds))
        #expect(digits(7, seconds) != digits(32, seconds))
    }

    @Test("the clock counts up and down, across hours, and at rates between whole numbers")
    func clock() {
        func texts(
            _ counter: Generator.Counter, _ rate: FrameRate, _ indices: [Int64]
        ) -> [String] {
            let clock = CounterClock(counter, step: rate.frameDuration)
            return indices.map { "\(clock.reading(at: $0))" }
        }
        #expect(
            texts(.init(), FrameRate(25), [0, 24, 25, 90_000])
                == ["00:00:00:00", "00:00:00:24", "00:00:01:00", "01:00:00:00"])
        #expect(
            texts(.init(.down, from: .seconds(10)), FrameRate(24), [0, 1, 24, 240, 250])
                == ["00:00:10:00", "00:00:09:23", "00:00:09:00", "00:00:00:00", "00:00:00:00"])
        #expect(
            texts(.init(from: .seconds(3599)), FrameRate(30_000, per: 1001), [29, 30])
                == ["00:59:59:29", "01:00:00:00"])
        #expect(texts(.init(from: .milliseconds(1500)), FrameRate(24), [0]) == ["00:00:01:12"])
        // 12.5 a second: 13 and 12 frames in turn
        #expect(
            texts(.init(), FrameRate(25, per: 2), [12, 13, 24, 25])
                == ["00:00:00:12", "00:00:01:00", "00:00:01:11", "00:00:02:00"])
        #expect(
            texts(.init(from: .seconds(86_399)), FrameRate(25), [24, 25])
                == ["23:59:59:24", "00:00:00:00"])
    }

    @Test("bars have a tone of 1 kHz at their standard's level, which follows volume and fades")
    func tone() throws {
        for (bars, peak) in [(Generator.Bars.smpte, 0.1), (.ebu, 0.12589), (.ebu100, 0.12589)] {
            let film = try GeneratedFilm(
                [VideoItem(.bars(bars), duration: .seconds(1))], width: 64, height: 36)
            let audio = try film.audio()
            #expect(audio.count == 48_000)
            #expect(abs(Double(audio.max() ?? 0) - peak) < 0.0001, "\(bars)")
            #expect(abs(Double(audio[24_012]) - peak) < 0.0001 && audio[24_024].magnitude < 1e-6)
        }
        var quiet = VideoItem(.bars(.smpte), duration: .seconds(2))
        quiet.volume = 0.5
        quiet.fadeIn = .seconds(1)
        let audio = try GeneratedFilm([quiet], width: 64, height: 36).audio()
        #expect(abs((audio[48_000...].max() ?? 0) - 0.05) < 0.0005)
        #expect((audio[..<4800].max() ?? 0) < 0.01)
        var silent = VideoItem(.bars(.smpte), duration: .seconds(1))
        silent.voices = []
        let film = try GeneratedFilm([silent], width: 64, height: 36).film
        #expect(film.composition.tracks(of: .audio).isEmpty)
    }
}
