import Media
import TestSupport
import Testing

@testable import Capture

@Suite("what several outputs have for one moment")
struct MomentMatcherTests {
    @Test(
        "of random rates, delays and losses each pair is within half a frame, and no loss passes for absence nor the reverse"
    )
    func schedules() {
        var outcomes: [SynchronizedSamples.Outcome: Int] = [:]
        var complaints: [String] = []
        for seed in Sweep.part(2_000, of: 0..<100_000) {
            let schedule = SynchronizerSchedule(seed: seed)
            let (decisions, held) = schedule.run()
            var judge = SynchronizerJudge(schedule)
            judge.judge(decisions)
            complaints += judge.complaints.map { "seed \(seed): \($0)" }
            outcomes.merge(judge.outcomes) { $0 + $1 }
            for (source, count) in zip(schedule.sources, held) {
                // a delay of at most 700 ms may bring many at once, whatever is kept afterwards
                let span = 2 * (schedule.timeout + schedule.sources[0].interval) + 700_000_000
                if Int64(count) > span / source.interval + 3 {
                    complaints.append("seed \(seed): \(count) frames held")
                }
            }
        }
        #expect(complaints.isEmpty, "\(complaints.count): \(complaints.prefix(10))")
        for outcome in SynchronizedSamples.Outcome.allCases {
            #expect(outcomes[outcome, default: 0] > 1000, "\(outcome)")
        }
    }

    @Test("the control: of losses that are not reported the judge says that they pass for absence")
    func unreported() {
        var complaints = 0
        for seed in UInt64(0)..<200 {
            let schedule = SynchronizerSchedule(seed: seed)
            let (decisions, _) = schedule.run { if case .dropped = $0 { true } else { false } }
            var judge = SynchronizerJudge(schedule)
            judge.judge(decisions)
            complaints += judge.complaints.count
        }
        #expect(complaints > 400)
    }

    @Test(
        "audio comes from each moment to the next, every audio frame once",
        arguments: Sweep.part(300, of: UInt64(0)..<10_000))
    func audio(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let rate = [44_100, 48_000].randomElement(using: &random) ?? 48_000
        let frameRate = FrameRate(Int32.random(in: 5...60, using: &random))
        let interval = frameRate.frameDuration.nanoseconds()
        var video = VideoFormat(coding: .raw(.yuv420p), width: 16, height: 16)
        video.nominalRate = frameRate
        let audio = AudioFormat(coding: .raw(.int16), sampleRate: rate, channels: 1)
        var events: [SynchronizerSchedule.Arrival] = []
        for number in 0..<2_000_000_000 / interval {
            let time = 1_000_000_000 + number * interval
            let sample = SampleBuffer(
                payload: .coded(BlockBuffer([])), format: .video(video),
                presentationTime: .nanoseconds(time))
            events.append(.init(source: 0, time: time + 20_000_000, event: .sample(sample)))
        }
        var first = 0
        while first < 2 * rate {
            let count = Int.random(in: 64...2048, using: &random)
            let values = (first..<first + count).map { UInt16(truncatingIfNeeded: $0) }
            let begin = MediaTime(value: Int64(rate + first), timescale: Int32(rate))
            let sample = SampleBuffer(
                payload: .audio(values.withUnsafeBytes { BlockBuffer($0) }), format: .audio(audio),
                presentationTime: begin)
            first += count
            let delay = Int64.random(in: 0...80_000_000, using: &random)
            let end = begin.nanoseconds() + Int64(count) * 1_000_000_000 / Int64(rate)
            let last = events.last { $0.source == 1 }?.time ?? 0
            events.append(
                .init(source: 1, time: max(last, end + delay), event: .sample(sample)))
        }
        events.sort { ($0.time, $0.source) < ($1.time, $1.source) }
        var matcher = MomentMatcher([.video(video), .audio(audio)], timeout: 200_000_000)
        var expected = 0
        var moments: [MomentMatcher.Moment] = []
        for arrival in events {
            matcher.take(arrival.event, from: arrival.source, arrival: arrival.time)
            while let moment = matcher.next(at: arrival.time) { moments.append(moment) }
        }
        let tick = 1_000_000_000 / Int64(rate) + 2
        for (moment, next) in zip(moments, moments.dropFirst()) {
            let samples = moment.sources[1].samples
            #expect(moment.sources[1].outcome == .delivered)
            let begin = try #require(samples.first).presentationTime.nanoseconds()
            #expect((moment.time..<moment.time + tick).contains(begin))
            for sample in samples {
                let place = MediaTime(value: Int64(rate + expected), timescale: Int32(rate))
                #expect(abs((sample.presentationTime - place).nanoseconds()) <= 1)
                let values = sample.block?.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
                let count = sample.audioFrameCount
                #expect(
                    values == (expected..<expected + count).map { UInt16(truncatingIfNeeded: $0) })
                expected += count
            }
            let end = MediaTime(value: Int64(rate + expected), timescale: Int32(rate)).nanoseconds()
            #expect((next.time..<next.time + tick).contains(end))
        }
        #expect(moments.count > 8)
    }

    @Test(
        "audio that nobody asks for, because the first source is silent, is let go and reported as lost"
    )
    func silentLead() throws {
        let video = VideoFormat(coding: .raw(.yuv420p), width: 16, height: 16)
        let audio = AudioFormat(coding: .raw(.int16), sampleRate: 1000, channels: 1)
        var matcher = MomentMatcher([.video(video), .audio(audio)], timeout: 100_000_000)
        for number in Int64(0)..<100 {
            let sample = SampleBuffer(
                payload: .audio(BlockBuffer([UInt8](repeating: 0, count: 200))),
                format: .audio(audio), presentationTime: .milliseconds(number * 100))
            matcher.take(.sample(sample), from: 1, arrival: number * 100_000_000)
        }
        #expect(matcher.held[1] <= 500)
        let frame = SampleBuffer(
            payload: .coded(BlockBuffer([])), format: .video(video),
            presentationTime: .milliseconds(9_900))
        matcher.take(.sample(frame), from: 0, arrival: 9_950_000_000)
        matcher.take(.ended(at: .seconds(10)), from: 0, arrival: 9_950_000_000)
        let decided = matcher.next(at: 10_100_000_000)
        let moment = try #require(decided)
        let (samples, drops) = (moment.sources[1].samples, moment.sources[1].drops)
        let count = samples.reduce(0) { $0 + $1.audioFrameCount }
        #expect(drops.allSatisfy { $0.cause == .late } && drops.count == 1)
        // from the moment to one nominal frame behind it; all before was lost
        #expect(count == 34)
        #expect((drops.first?.count ?? 0) + count == 9_934)
    }
}
