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
            return RateLoss(times, span, timescale: 90_000, frameDuration: film.frameDuration)
        }
        #expect(loss(FrameRate(60), in: FrameRate(30)) == RateLoss(pictures: 120, missing: 60))
        #expect(loss(FrameRate(30), in: FrameRate(30)) == RateLoss(pictures: 60, missing: 0))
        #expect(loss(FrameRate(25), in: FrameRate(60)) == RateLoss(pictures: 50, missing: 0))
        #expect(loss(FrameRate(30), in: FrameRate(25)) == RateLoss(pictures: 60, missing: 10))
        // nothing is shown before the first one
        #expect(loss(FrameRate(60), in: FrameRate(30), from: 90).pictures == 90)
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
