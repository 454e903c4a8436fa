import Media
import TestSupport
import Testing

@testable import Compose

/// Up to when films are one and the same, against what they show and let hear.
@Suite("Up to when films agree", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct FilmAgreementTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two films of one clip that are made of random parts: mostly the same, with something else from somewhere on.
    private struct Pair {
        var random: SplitMix
        let path: String

        mutating func time(_ range: ClosedRange<Int64>) -> MediaTime {
            MediaTime(value: Int64.random(in: range, using: &random), timescale: 30)
        }

        mutating func timeline() -> Timeline {
            var videos: [VideoItem] = []
            for index in 0..<Int.random(in: 1...3, using: &random) {
                let start = time(0...60)
                var item = VideoItem(path, start: start, end: start + time(20...50))
                let isFaded = Int.random(in: 0..<5, using: &random) == 0
                if index > 0, !isFaded, Bool.random(using: &random) {
                    item.transition = .dissolve(.milliseconds(300))
                }
                if Int.random(in: 0..<5, using: &random) == 0 { item.volume = 0.5 }
                if Int.random(in: 0..<5, using: &random) == 0 { item.speed = Speed(2, per: 1) }
                if isFaded { item.fadeIn = .milliseconds(200) }
                videos.append(item)
            }
            var timeline = Timeline(videos: videos)
            for index in 0..<Int.random(in: 0...2, using: &random) {
                timeline.titles.append(
                    TitleItem("Title \(index)", at: time(0...9), duration: time(10...30)))
            }
            return timeline
        }

        /// The same but for one thing.
        mutating func changed(_ timeline: Timeline) -> Timeline {
            var other = timeline
            let last = other.videos.count - 1
            switch Int.random(in: 0..<8, using: &random) {
            case 0: other.videos[last].end = (other.videos[last].end ?? .zero) + time(1...20)
            case 1: other.videos.append(VideoItem(path, end: time(20...40)))
            case 2:
                other.titles.append(
                    TitleItem("Late", at: time(3...9), duration: time(10...20)))
            case 3: other.videos[last].volume = 0.25
            case 4: other.videos[last].fadeOut = .milliseconds(300)
            case 5: other.videos[last].grade.saturation = 0.5
            case 6: other.videos[0].start = other.videos[0].start + time(1...3)
            default:
                other.music = [AudioItem(path, at: time(3...9), volume: 0.3)]
            }
            return other
        }
    }

    @Test("frames and audio before it are equal in random films")
    func random() async throws {
        let path = folder.file("clip.mp4")
        _ = try await NumberedClip(width: 96, height: 54, frames: 150).write(to: path)
        var agreeing = 0
        for seed in 0..<40 where try await isAgreeing(seed, path) { agreeing += 1 }
        // else nothing has been looked at
        #expect(agreeing >= 20)
    }

    /// - Returns: whether two random films agree for a while.
    private func isAgreeing(_ seed: Int, _ path: String) async throws -> Bool {
        var pair = Pair(random: SplitMix(seed: UInt64(seed) &* 77 &+ 5), path: path)
        let timeline = pair.timeline()
        let films = [
            try await LoadedTimeline(loading: timeline).film(),
            try await LoadedTimeline(loading: pair.changed(timeline)).film(),
        ]
        let agreed = films[0].agreement(with: films[1])
        #expect(agreed == films[1].agreement(with: films[0]))
        #expect(films[0].agreement(with: films[0]) >= films[0].composition.duration)
        guard agreed > .zero else { return false }
        let frames = try films.map { film in
            try VideoCompositionOutput(film: film, threads: 1)
        }
        var number: Int64 = 0
        let whole = films.map { MediaTimeRange(start: .zero, duration: $0.composition.duration) }
        for (output, range) in zip(frames, whole) { try output.begin(range) }
        while MediaTime(value: number, timescale: 30) < agreed {
            let made = try frames.map { try #require(try $0.produce()?.pixelBuffer) }
            for plane in 0..<3 {
                #expect(
                    made[0].codes(ofPlane: plane) == made[1].codes(ofPlane: plane),
                    "seed \(seed): frame \(number) of those before \(agreed)")
            }
            number += 1
        }
        for output in frames { output.end() }
        let count = Int(agreed.ticks(per: 48_000, rounding: .down)) - 9000
        guard count > 0, !films[0].composition.tracks(of: .audio).isEmpty else {
            return true
        }
        let shelves = films.map { SourceShelf($0.assets) }
        let heard = try zip(films, shelves).map { film, shelf in
            try film.sound(sampleRate: 48_000, shelf: shelf).read(from: 0, count: count)
                .withUnsafeBytes { Array($0) }
        }
        #expect(heard[0] == heard[1], "seed \(seed): audio before \(agreed)")
        return true
    }

    @Test("a longer clip agrees to the end of the shorter, a later title to its begin")
    func known() async throws {
        let path = folder.file("clip.mp4")
        _ = try await NumberedClip(frames: 150).write(to: path)
        func film(_ seconds: Int64, _ titles: [TitleItem] = []) async throws -> Film {
            try await LoadedTimeline(
                loading: Timeline(videos: [VideoItem(path, end: .seconds(seconds))], titles: titles)
            ).film()
        }
        let (short, long) = (try await film(2), try await film(4))
        #expect(short.agreement(with: long) == .seconds(2))
        let title = TitleItem("Late", at: .seconds(1), duration: .seconds(1))
        #expect(try await film(4, [title]).agreement(with: long) == .seconds(1))
        // the third clip is on the first one's track again
        func clips(_ count: Int) async throws -> Film {
            let items = (0..<count).map { index in
                VideoItem(
                    path, start: .seconds(Int64(index)), end: .seconds(Int64(index + 1)),
                    transition: index == 0 ? .cut : .dissolve(.milliseconds(200)))
            }
            return try await LoadedTimeline(loading: Timeline(videos: items)).film()
        }
        #expect(try await clips(2).agreement(with: clips(3)) == .milliseconds(1600))
        var loud = long
        loud.audioMix.loudness = LoudnessTarget(integrated: -20, truePeak: -1)
        #expect(long.agreement(with: loud) == .zero)
        var coded = long
        coded.startTimeCode = TimeCode(
            frame: 0, rate: try #require(TimeCodeRate(FrameRate(30, per: 1))))
        #expect(long.agreement(with: coded) == .zero)
    }
}
