import Media
import Testing

@testable import Compose
@testable import Reading

@Suite("The rate of a film")
struct FilmRateTests {
    private func animation(_ steps: ClosedRange<Int64>, average: Double) -> AssetTrack {
        var track = AssetTrack(
            id: 1, mediaType: .video,
            format: .video(VideoFormat(coding: .coded(.gif), width: 32, height: 32)),
            codecTag: "gif", timescale: 100, duration: .seconds(2), sampleCount: 20,
            syncSampleCount: 20, bytes: 100, edits: [], averageRate: average,
            frameDurations: MediaTime(
                value: steps.lowerBound, timescale: 100)...MediaTime(
                    value: steps.upperBound, timescale: 100),
            language: nil, name: nil, isEnabled: true)
        track.isAnimation = true
        return track
    }

    @Test("an animation's film has a usual rate, on which equal delays fall")
    func animations() {
        #expect(FrameRate.film(of: animation(10...10, average: 10)) == FrameRate(30))
        #expect(FrameRate.film(of: animation(4...4, average: 25)) == FrameRate(25))
        #expect(FrameRate.film(of: animation(8...8, average: 12.5)) == FrameRate(25))
        #expect(FrameRate.film(of: animation(2...2, average: 50)) == FrameRate(50))
        // 14.3 a second divide none, and different delays have no rate
        #expect(FrameRate.film(of: animation(7...7, average: 14.3)) == FrameRate(30))
        #expect(FrameRate.film(of: animation(5...40, average: 8)) == FrameRate(30))
    }

    @Test("a variable rate is that of most frames, to the tick", arguments: [90_000, 1000, 600])
    func variable(timescale: Int32) {
        let format = VideoFormat(
            coding: .coded(.h264), width: 64, height: 36, nominalRate: FrameRate(29))
        var track = SampleAsset.pictures(id: 1, format: format, duration: .seconds(10))
        track = AssetTrack(
            id: 1, mediaType: .video, format: track.format, codecTag: "avc1",
            timescale: timescale, duration: .seconds(10), sampleCount: 290, syncSampleCount: 1,
            bytes: 100, edits: [], averageRate: 29,
            frameDurations: MediaTime(
                value: Int64(timescale / 30), timescale: timescale)...MediaTime(
                    value: Int64(timescale / 15), timescale: timescale),
            language: nil, name: nil, isEnabled: true)
        track.commonestFrameDuration = MediaTime(value: Int64(timescale / 30), timescale: timescale)
        #expect(FrameRate.usual(of: track) == FrameRate(30))
        // the control: by its average it has an odd one
        track.commonestFrameDuration = nil
        #expect(FrameRate.usual(of: track) == FrameRate(29))
    }

    @Test("pictures that find no frame in the film are counted")
    func losses() {
        let span = MediaTimeMapping(
            source: .seconds(1, 2), target: .seconds(3, 2))
        func loss(_ rate: FrameRate, in film: FrameRate, from first: Int = 0) -> RateLoss {
            let times = (first..<(4 * Int(rate.approximate))).map { rate.frameDuration * Int64($0) }
            return RateLoss(
                times, span, SourcePhase(timescale: 90_000), frameDuration: film.frameDuration)
        }
        #expect(loss(FrameRate(60), in: FrameRate(30)) == RateLoss(pictures: 120, missing: 60))
        #expect(loss(FrameRate(30), in: FrameRate(30)) == RateLoss(pictures: 60, missing: 0))
        #expect(loss(FrameRate(25), in: FrameRate(60)) == RateLoss(pictures: 50, missing: 0))
        #expect(loss(FrameRate(30), in: FrameRate(25)) == RateLoss(pictures: 60, missing: 10))
        // nothing is shown before the first one
        #expect(loss(FrameRate(60), in: FrameRate(30), from: 90).pictures == 90)
    }

    /// A track of so many frames a second, each so early or late (seconds).
    private func uneven(
        average: Double, by reach: Double, commonest: Double? = nil, stated: FrameRate? = nil,
        longest: Double? = nil
    ) -> AssetTrack {
        func ticks(_ seconds: Double) -> MediaTime {
            MediaTime(value: Int64((seconds * 90_000).rounded()), timescale: 90_000)
        }
        var track = AssetTrack(
            id: 1, mediaType: .video,
            format: .video(
                VideoFormat(coding: .coded(.h264), width: 64, height: 36, nominalRate: stated)),
            codecTag: "avc1", timescale: 90_000, duration: .seconds(10), sampleCount: 300,
            syncSampleCount: 1, bytes: 100, edits: [], averageRate: average,
            frameDurations: ticks(1 / average - reach)...ticks(longest ?? 1 / average + reach),
            language: nil, name: nil, isEnabled: true)
        track.commonestFrameDuration = commonest.map(ticks)
        return track
    }

    @Test("frames that come somewhat early or late have the rate that they keep on average")
    func steady() {
        // times between frames that swing gather at their longest and shortest
        let swinging = uneven(average: 30, by: 0.004, commonest: 1 / 29)
        #expect(FrameRate.usual(of: swinging) == FrameRate(30))
        let short = uneven(
            average: 29.975, by: 0.004, commonest: 1 / 29, stated: FrameRate(30))
        #expect(FrameRate.usual(of: short) == FrameRate(30))
        // some are left out: those that are there come at another rate
        let holed = uneven(average: 29, by: 0.004, commonest: 1 / 30, longest: 2.0 / 30)
        #expect(FrameRate.usual(of: holed) == FrameRate(30))
        // one that comes late makes no other rate
        let late = uneven(average: 29.964, by: 0.001, commonest: 1 / 30, longest: 0.045)
        #expect(FrameRate.usual(of: late) == FrameRate(30))
        // a file that counts fields
        let fields = uneven(average: 30, by: 0, stated: FrameRate(60))
        #expect(FrameRate.usual(of: fields) == FrameRate(30))
        // what a file states is more exact than its ticks
        let stated = uneven(average: 29.98, by: 0, stated: FrameRate(30000, per: 1001))
        #expect(FrameRate.usual(of: stated) == FrameRate(30000, per: 1001))
    }

    @Test("of frames that come early or late within half of one none is left out or shown twice")
    func jitter() {
        let span = MediaTimeMapping(
            source: .seconds(0, 10), target: .seconds(0, 10))
        for reach in [9, 150, 1300] as [Int64] {
            // the first one comes in time: where it does not, it is as any other one
            let times = (0..<Int64(300)).map { frame in
                let late = frame * 7919 % (2 * reach + 1) - reach
                return MediaTime(value: 3000 * frame + (frame == 0 ? 0 : late), timescale: 90_000)
            }
            let track = uneven(average: 30, by: Double(2 * reach) / 90_000, commonest: 1 / 30)
            func loss(_ phase: SourcePhase) -> Int {
                RateLoss(times, span, phase, frameDuration: FrameRate(30).frameDuration).missing
            }
            #expect(loss(track.phase) == 0, "\(reach) ticks")
            // the control: by the frame that is on when a frame of the film begins
            #expect(loss(SourcePhase(timescale: 90_000)) > 10, "\(reach) ticks")
            // closer than a frame of it, each comes in a film of twice the rate, in one of half of it every second one
            for (rate, missing) in [(60, 0), (15, 150)] as [(Int32, Int)] where reach < 750 {
                let film = FrameRate(rate).frameDuration
                let found = RateLoss(times, span, track.phase, frameDuration: film)
                #expect(found.missing == missing)
            }
        }
        // of two fields the first one is looked at
        var fields = uneven(average: 30, by: 0.004, commonest: 1 / 30)
        fields.isInterlaced = true
        #expect(fields.phase.halfStep == 750)
        // even ones are looked at where the film's frames begin
        #expect(uneven(average: 30, by: 0).phase == SourcePhase(timescale: 90_000))
        #expect(uneven(average: 30, by: 0.000_004).phase == SourcePhase(timescale: 90_000))
        // nothing is shown of what begins behind a clip's end
        let phase = SourcePhase(timescale: 90_000, halfStep: 1500)
        let part = MediaTimeMapping(source: .seconds(0, 1), target: .seconds(0, 1))
        let last = part.frameTime(
            at: .milliseconds(999), of: phase, every: FrameRate(30).frameDuration)
        #expect(last == MediaTime(value: 89_999, timescale: 90_000))
    }

    @Test("a composition that begins with an animation goes by its first movie")
    func automatic() throws {
        let gif = SampleAsset.asset("a.gif", [animation(5...40, average: 8)])
        let movie = SampleAsset.clip("b.mp4", seconds: 4, rate: FrameRate(25))
        var composition = Composition()
        try composition.insert(gif, at: .zero)
        try composition.insert(movie, at: .seconds(2))
        let video = try VideoComposition(propertiesOf: composition, assets: [gif, movie])
        #expect(video.frameDuration == FrameRate(25).frameDuration)
        #expect(video.renderSize == PixelSize(width: 160, height: 96))
    }
}
