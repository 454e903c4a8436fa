import Media
import TestSupport
import Testing

@testable import Compose

/// Films of clips with trims, speeds, transitions and rates of all kinds have as many frames as the
/// arithmetic says, and each shows the frame that it says. Arithmetic here is in whole ticks of the
/// timeline, of frames where they were meant to be, whatever a container made of their times.
@Suite("Films to the frame", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct FrameExactTests {
    /// Ticks of the timeline in a second.
    private static let second: Int64 = 705_600_000

    /// A clip and what is known of it without reading it.
    private struct Part {
        var name: String
        /// When each frame of the source begins (ticks).
        var pictures: [Int64]
        /// The number that the first frame carries.
        var firstNumber: Int
        /// Of the source (ticks).
        var from: Int64
        var to: Int64
        var speed = Speed.normal
        /// By which the clip begins earlier than the one before ends (ticks).
        var overlap: Int64 = 0
        /// How coarse the container's times are: so much before a frame either may be shown (ticks).
        var grain: Int64 = 0
        var isReversed = false
        /// Half of the time between two frames on average, where that differs: the frame is shown that is on in the middle
        /// of the film's, but not so much later (ticks).
        var half: Int64 = 0

        var ticks: Int64 { (to - from) * Int64(speed.denominator) / Int64(speed.numerator) }

        /// The frames that may be on show so many ticks into the clip: one, but for the last moment
        /// before another.
        /// - Parameter frame: how long one of the film is (ticks).
        func numbers(at tick: Int64, of frame: Int64) -> Set<Int> {
            // both sides times the denominator, so that nothing is rounded
            let part = Int64(speed.denominator)
            let ahead = min(half * part, frame * Int64(speed.numerator) / 2)
            // that is rounded as well
            let rounding = half > 0 ? grain * part : 0
            if isReversed {
                // the frame that was on show until then
                let wanted = max(from * part + 1, to * part - tick * Int64(speed.numerator) - ahead)
                let index = pictures.lastIndex { $0 * part < wanted } ?? 0
                let early = pictures.lastIndex { $0 * part < wanted - grain * part } ?? 0
                let late = pictures.lastIndex { $0 * part < wanted + rounding } ?? 0
                return [firstNumber + index, firstNumber + early, firstNumber + late]
            }
            let wanted = min(to * part - 1, from * part + tick * Int64(speed.numerator) + ahead)
            let index = pictures.lastIndex { $0 * part <= wanted } ?? 0
            let late = pictures.lastIndex { $0 * part < wanted + grain * part } ?? 0
            let early = pictures.lastIndex { $0 * part <= wanted - rounding } ?? 0
            return [firstNumber + index, firstNumber + early, firstNumber + late]
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func ticks(_ rate: FrameRate) -> Int64 {
        rate.frameDuration.ticks(per: Int32(second), rounding: .nearest)
    }

    /// Of each frame of the film the numbers it may show; nil where two clips are mixed.
    private static func numbers(_ parts: [Part], frame: Int64) -> [Set<Int>?] {
        var starts: [Int64] = []
        var length: Int64 = 0
        for part in parts {
            starts.append(length - part.overlap)
            length += part.ticks - part.overlap
        }
        return (0..<(length + frame - 1) / frame).map { index in
            let time = index * frame
            let shown = zip(parts, starts).filter { $1 <= time && time < $1 + $0.ticks }
            guard shown.count == 1, let (part, start) = shown.first else { return nil }
            return part.numbers(at: time - start, of: frame)
        }
    }

    // MARK: Sources

    private static let count = 40
    private static let ntsc = FrameRate(30_000, per: 1001)
    private static let film = FrameRate(24_000, per: 1001)

    /// One whose frames have a regular rate.
    private func regular(
        _ name: String, _ rate: FrameRate, number: Int, byFFmpeg: Bool = false
    ) async throws -> Part {
        let path = folder.file(name)
        if byFFmpeg {
            var clip = GeneratedClip()
            (clip.width, clip.height, clip.frames) = (96, 54, Self.count)
            (clip.rate, clip.firstNumber) = ("\(rate.numerator)/\(rate.denominator)", number)
            clip.coding = ["-c:v", "libx264", "-preset", "superfast", "-bf", "2", "-crf", "10"]
            try clip.write(to: path)
        } else {
            var clip = NumberedClip(width: 96, height: 54, frames: Self.count, firstNumber: number)
            clip.frameDuration = rate.frameDuration
            _ = try await clip.write(to: path)
        }
        let step = Self.ticks(rate)
        return Part(
            name: name, pictures: (0..<Int64(Self.count)).map { $0 * step }, firstNumber: number,
            from: 5 * step, to: 35 * step, grain: Self.grain(name))
    }

    /// Two ticks, of 1 ms in Matroska and of 1/90,000 s elsewhere: times are rounded, and then moved by
    /// what is rounded as well.
    private static func grain(_ name: String) -> Int64 {
        name.hasSuffix("mkv") ? second / 500 : second / 45_000
    }

    /// One whose frames last 10 to 70 ms.
    private func irregular(_ name: String, number: Int) async throws -> Part {
        var clip = NumberedClip(width: 96, height: 54, frames: Self.count, firstNumber: number)
        var random = SplitMix(seed: 11)
        var time: Int64 = 0
        clip.times = (0..<Self.count).map { _ in
            defer { time += Int64(10 + random.next() % 61) }
            return .milliseconds(time)
        }
        _ = try await clip.write(to: folder.file(name))
        let pictures = (clip.times ?? []).map { $0.ticks(per: Int32(Self.second), rounding: .down) }
        return Part(
            name: name, pictures: pictures, firstNumber: number, from: pictures[3],
            to: pictures[36], grain: Self.grain(name),
            half: (pictures[Self.count - 1] - pictures[0]) / Int64(Self.count - 1) / 2)
    }

    private func parts() async throws -> [Part] {
        let rate = FrameRate(30)
        return [
            try await regular("a.mp4", rate, number: 1000),
            try await regular("b.mkv", rate, number: 2000),
            try await regular("c.mp4", Self.ntsc, number: 3000),
            try await regular("d.mkv", Self.ntsc, number: 4000),
            try await regular("e.mp4", Self.film, number: 5000),
            try await regular("f.mov", FrameRate(25), number: 6000, byFFmpeg: true),
            try await regular("g.ts", FrameRate(60_000, per: 1001), number: 7000, byFFmpeg: true),
            try await irregular("h.mp4", number: 8000),
            try await irregular("i.mkv", number: 9000),
        ]
    }

    // MARK: Films

    private func export(_ parts: [Part], at rate: FrameRate) async throws -> [Int] {
        var timeline = Timeline()
        timeline.settings.frameRate = rate
        timeline.videos = parts.map { part in
            var item = VideoItem(
                folder.file(part.name), start: .timeline(part.from), end: .timeline(part.to),
                speed: part.speed,
                transition: part.overlap > 0 ? .dissolve(.timeline(part.overlap)) : .cut)
            item.isReversed = part.isReversed
            return item
        }
        let film = try TimelineBuilder.film(loading: timeline)
        var settings = ExportSettings()
        settings.overwrites = true
        let path = folder.file("film.mp4")
        let report = try await ExportSession(film, settings: settings).export(to: path)
        let numbers = try MovieOracle(path).frameNumbers()
        #expect(report.frames == Int64(numbers.count))
        return numbers
    }

    private func check(_ parts: [Part], at rate: FrameRate) async throws {
        let wanted = Self.numbers(parts, frame: Self.ticks(rate))
        let found = try await export(parts, at: rate)
        #expect(found.count == wanted.count, "\(rate)")
        let wrong = zip(found, wanted).enumerated()
            .filter { _, pair in pair.1.map { !$0.contains(pair.0) } ?? false }
            .map { "\($0): \($1.0), not \($1.1 ?? [])" }
        #expect(wrong.isEmpty, "at \(rate): \(wrong)")
        // nearly every frame has but one possible number
        #expect(wanted.count { $0?.count == 1 } > wanted.count { $0?.count == 2 } * 5)
    }

    @Test("every frame shows its picture through trims, speeds, directions, transitions and rates")
    func everyFrame() async throws {
        var parts = try await parts()
        let speeds = [
            Speed.normal, Speed(2), Speed(1, per: 2), Speed(3, per: 2), Speed(2, per: 3),
        ]
        let rates = [
            FrameRate(24), Self.film, FrameRate(25), Self.ntsc, FrameRate(30), FrameRate(60),
        ]
        for (rotate, rate) in rates.enumerated() {
            for index in parts.indices {
                parts[index].speed = speeds[(index + rotate) % speeds.count]
                // every third one is a cut, the others overlap by six frames of 30
                parts[index].overlap = index % 3 == 0 ? 0 : Self.second / 5
                parts[index].isReversed = (index + rotate) % 4 == 1
            }
            try await check(parts, at: rate)
        }
    }

    @Test(
        "a clip at its own rate is shown frame for frame, whatever its container's ticks",
        arguments: [
            ("30.mkv", FrameRate(30)), ("29.97.mkv", ntsc), ("23.976.mp4", film),
            ("23.976.mkv", film), ("59.94.ts", FrameRate(60_000, per: 1001)),
        ])
    func ownRate(name: String, rate: FrameRate) async throws {
        var part = try await regular(name, rate, number: 100, byFFmpeg: name.hasSuffix(".ts"))
        part.from = 0
        #expect(try await export([part], at: rate) == Array(100..<135))
        part.isReversed = true
        #expect(try await export([part], at: rate) == Array((100..<135).reversed()))
    }

    @Test("a frame that begins where a trim ends is not shown")
    func trimmed() async throws {
        let part = try await regular("a.mkv", FrameRate(30), number: 0)
        // to the end of frame 4, shown twice as often
        var short = part
        (short.from, short.to) = (0, 5 * Self.second / 30)
        #expect(
            try await export([short], at: FrameRate(60)) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    }
}
