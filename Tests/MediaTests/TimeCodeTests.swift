import Media
import Testing

@Suite("Time code")
struct TimeCodeTests {
    private static let ntsc = FrameRate(30_000, per: 1001)

    private func rate(_ rate: FrameRate, drop: Bool = false) throws -> TimeCodeRate {
        try #require(TimeCodeRate(rate, isDropFrame: drop))
    }

    /// A counter that is advanced label by label and leaves out what drop frame leaves out.
    private struct SlowCount {
        let base: Int64
        let drops: Bool
        var (hours, minutes, seconds, frames): (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)

        init(base: Int64, drops: Bool) { (self.base, self.drops) = (base, drops) }

        mutating func advance() {
            repeat { step() } while drops && minutes % 10 != 0 && seconds == 0 && frames < base / 15
        }

        private mutating func step() {
            frames += 1
            if frames == base { (frames, seconds) = (0, seconds + 1) }
            if seconds == 60 { (seconds, minutes) = (0, minutes + 1) }
            if minutes == 60 { (minutes, hours) = (0, hours + 1) }
            if hours == 24 { hours = 0 }
        }

        func isText(_ text: TimeCodeText) -> Bool {
            text.hours == hours && text.minutes == minutes && text.seconds == seconds
                && text.frames == frames
        }
    }

    @Test(
        "each number of a day is what a counter shows that is advanced frame by frame",
        arguments: [
            (FrameRate(24), false), (FrameRate(25), false), (ntsc, false), (ntsc, true),
            (FrameRate(60_000, per: 1001), true), (FrameRate(120_000, per: 1001), true),
        ])
    func counted(frameRate: FrameRate, drop: Bool) throws {
        let rate = try rate(frameRate, drop: drop)
        var slow = SlowCount(base: rate.framesPerSecond, drops: drop)
        var wrong: [Int64] = []
        for frame in 0..<rate.framesPerDay {
            // where numbers are left out, and every so often
            if slow.seconds % 59 == 0 && slow.frames % (rate.framesPerSecond - 1) < 5
                || frame % 97 == 0
            {
                let code = TimeCode(frame: frame, rate: rate)
                let back = code.text.timeCode(at: frameRate)
                if !slow.isText(code.text) || back != code, wrong.count < 5 { wrong.append(frame) }
            }
            slow.advance()
        }
        #expect(wrong.isEmpty)
        #expect(slow.isText(TimeCode(frame: 0, rate: rate).text), "a day is whole")
        #expect(TimeCode(frame: rate.framesPerDay, rate: rate).frame == 0)
        #expect(TimeCode(frame: -1, rate: rate).frame == rate.framesPerDay - 1)
    }

    @Test("drop frame stays with the clock: an hour of it is an hour to a tenth of a second")
    func hour() throws {
        let code = try #require(TimeCodeText("01:00:00;00")?.timeCode(at: Self.ntsc))
        #expect(code.frame == 107_892)
        let time = code.rate.time(ofFrames: code.frame)
        #expect((time.approximateSeconds - 3600).magnitude < 0.01)
        let whole = try #require(TimeCodeText("01:00:00:00")?.timeCode(at: Self.ntsc))
        #expect(whole.frame == 108_000)
        #expect(
            (whole.rate.time(ofFrames: whole.frame).approximateSeconds - 3603.6).magnitude < 1e-6)
    }

    @Test(
        "what drop frame leaves out, frames that a second does not have and other texts are no time code"
    )
    func refused() {
        for text in ["00:01:00;00", "00:01:00;01", "23:59:00;01"] {
            #expect(TimeCodeText(text)?.timeCode(at: Self.ntsc) == nil, "\(text)")
        }
        for text in ["00:00:00;00", "00:10:00;00", "00:01:00;02", "00:01:00.02", "23:59:59;29"] {
            #expect(TimeCodeText(text)?.timeCode(at: Self.ntsc) != nil, "\(text)")
        }
        #expect(TimeCodeText("00:00:00:25")?.timeCode(at: FrameRate(25)) == nil)
        #expect(TimeCodeText("00:00:00;00")?.timeCode(at: FrameRate(25)) == nil)
        #expect(TimeCodeText("00:00:00:119")?.timeCode(at: FrameRate(120))?.frame == 119)
        for text in [
            "", "1:00:00:00", "24:00:00:00", "00:60:00:00", "00:00:60:00", "00:00:00:0", "00:00:00",
            "-1:00:00:00", "00:00:00:0000", "00:00:00:00:00", "aa:00:00:00", "00;00:00:00",
            "00:00:00,00",
            "00:00:00: 1", "00:00:00:٠٠",
        ] { #expect(TimeCodeText(text) == nil, "\(text)") }
    }

    @Test(
        "a rate that is near no whole number has no time code, and only multiples of 30 drop frames"
    )
    func rates() {
        for wrong in [FrameRate(15, per: 2), FrameRate(1, per: 3), FrameRate(300), FrameRate(.max)]
        {
            #expect(TimeCodeRate(wrong) == nil, "\(wrong)")
        }
        #expect(TimeCodeRate(FrameRate(24_000, per: 1001))?.framesPerSecond == 24)
        #expect(TimeCodeRate(FrameRate(24_000, per: 1001), isDropFrame: true) == nil)
        #expect(TimeCodeRate(ofClockAt: FrameRate(30))?.isDropFrame == false)
        #expect(TimeCodeRate(ofClockAt: Self.ntsc)?.isDropFrame == true)
        #expect(TimeCodeRate(ofClockAt: FrameRate(60_000, per: 1001))?.isDropFrame == true)
        #expect(TimeCodeRate(ofClockAt: FrameRate(24_000, per: 1001))?.isDropFrame == false)
    }

    @Test("a clock's code shows the clock's own hours, minutes and seconds")
    func clock() throws {
        let day: Int64 = 86_400
        let drop = try rate(Self.ntsc, drop: true)
        for second in stride(from: Int64(0), to: day, by: 59) {
            for part: Int64 in [0, 500_000_000, 999_999_999] {
                let text = TimeCode(timeOfDay: second * 1_000_000_000 + part, rate: drop).text
                #expect(text.hours * 3600 + text.minutes * 60 + text.seconds == second)
            }
        }
        let half = TimeCode(timeOfDay: 36_000_500_000_000, rate: try rate(FrameRate(25)))
        #expect(half.description == "10:00:00:12")
    }

    @Test(
        "a movie's code counts on by time, jumps where it says, and keeps its place when the movie is cut"
    )
    func movie() throws {
        let rate = try rate(FrameRate(25))
        var code = MovieTimeCode(TimeCode(frame: 100, rate: rate), runsInPauses: true)
        code.noteResumed(at: .seconds(2), paused: .seconds(10))
        code.noteResumed(at: .milliseconds(4000), paused: .milliseconds(10_500))
        #expect(code.jumps.map(\.timeCode.frame) == [400, 463])
        #expect(code.timeCode(at: .milliseconds(1960)).frame == 149)
        #expect(code.timeCode(at: .seconds(2)).frame == 400)
        #expect(code.timeCode(at: .milliseconds(2040)).frame == 401)
        // between two frames the earlier one is shown; 1 ms before a frame it is as good as there
        #expect(code.timeCode(at: .milliseconds(1955)).frame == 148)
        #expect(code.timeCode(at: .milliseconds(1959)).frame == 149)
        #expect(code.from(.milliseconds(3039)).start.frame == 426)
        #expect(code.from(.milliseconds(3030)).start.frame == 425)
        let fast = MovieTimeCode(TimeCode(frame: 0, rate: try self.rate(FrameRate(240))))
        #expect(fast.timeCode(at: MediaTime(value: 9, timescale: 480)).frame == 4)
        let cut = code.from(.seconds(3), to: .milliseconds(4500))
        #expect(cut.start.frame == 425)
        #expect(cut.jumps == [.init(time: .seconds(1), timeCode: TimeCode(frame: 463, rate: rate))])
        #expect(code.from(.seconds(3), to: .seconds(4)).jumps.isEmpty)
        var recordRun = MovieTimeCode(TimeCode(frame: 100, rate: rate))
        recordRun.noteResumed(at: .seconds(2), paused: .seconds(10))
        #expect(recordRun.jumps.isEmpty)
    }
}
