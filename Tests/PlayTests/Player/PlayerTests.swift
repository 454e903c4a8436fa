import Capture
import Compose
import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Play

@Suite("A player", .serialized)
struct PlayerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func silent(cacheBytes: Int = 192 << 20) -> PlayerSettings {
        PlayerSettings(speaker: .none, cacheBytes: cacheBytes)
    }

    private func item(_ clip: PlayedClip) async throws -> PlayerItem {
        try PlayerItem(try await clip.write(to: folder.file("\(UUID().uuidString).mov")))
    }

    /// Waits until its first frame is there.
    private func ready(_ player: Player) async {
        for await event in player.events() where event == .status(.ready) { return }
    }

    @Test("an item knows its length, frames, size, cuts and chapters")
    func items() async throws {
        let first = try await PlayedClip(frames: 30).write(to: folder.file("a.mov"))
        let second = try await PlayedClip(frames: 45).write(to: folder.file("b.mov"))
        let timeline = Timeline(
            videos: [VideoItem(first.path), VideoItem(second.path)],
            chapters: [Chapter("Middle", at: .milliseconds(1200)), Chapter("Begin", at: .zero)])
        let film = try TimelineBuilder(timeline, assets: [first, second]).film()
        let item = try PlayerItem(film)
        #expect(item.duration == .milliseconds(2500) && item.frameCount == 75)
        #expect(item.frameDuration == MediaTime(value: 1, timescale: 30))
        #expect(item.size == PixelSize(192, 108) && item.hasAudio && item.hasFrames)
        #expect(item.cuts == [.seconds(1)])
        #expect(item.chapters.map(\.title) == ["Begin", "Middle"])
        #expect(item.frame(at: .seconds(1)) == 30 && item.time(ofFrame: 30) == .seconds(1))
        let part = try PlayerItem(
            film, range: MediaTimeRange(start: .milliseconds(900), duration: .seconds(9)))
        #expect(part.duration == .milliseconds(1600) && part.frameCount == 48)
        #expect(part.chapters.map(\.title) == ["Middle"])
        let outside = #expect(throws: MediaError.self) {
            try PlayerItem(film, range: MediaTimeRange(start: .seconds(3), duration: .seconds(1)))
        }
        #expect(outside?.code == .invalidSetting)
    }

    @Test("a still picture and audio alone are items, too")
    func otherAssets() async throws {
        let png = folder.file("still.png")
        let clip = try await PlayedClip(frames: 5).write(to: folder.file("c.mov"))
        let still = try FilmStills(
            TimelineBuilder(
                Timeline(videos: [VideoItem(clip.path)]), assets: [clip]
            ).film()
        ).frame(at: .zero)
        try Data(still).write(to: URL(fileURLWithPath: png))
        let picture = try PlayerItem(Asset.load(png))
        #expect(picture.duration == .seconds(4) && !picture.hasAudio && picture.hasFrames)
        let player = try Player(picture, settings: silent())
        let shown = ShownFrames(player)
        await ready(player)
        #expect(await player.seek(to: .seconds(3)))
        #expect(shown.strips.last == 0)
        await player.stop()

        let wave = folder.file("tone.wav")
        try GeneratedAudio.write(seconds: 1, to: wave)
        let audio = try PlayerItem(Asset.load(wave))
        #expect(audio.hasAudio && audio.duration == .seconds(1))
        let listener = try Player(audio, settings: silent())
        await ready(listener)
        let events = listener.events()
        listener.setRate(8)
        #expect(await listener.wait(for: .ended, in: events))
        #expect(listener.currentTime == .seconds(1) && listener.rate == 0)
        await listener.stop()
    }

    @Test("every frame is shown once and in order, forwards and then backwards", .tags(.realTime))
    func bothWays() async throws {
        let item = try await item(PlayedClip(frames: 45, gop: 12))
        let player = try Player(item, settings: silent())
        let shown = ShownFrames(player)
        await ready(player)
        let events = player.events()
        player.play()
        #expect(await player.wait(for: .ended, in: events))
        #expect(shown.strips == Array(0..<45) || player.counts.dropped > 0, "\(shown.strips)")
        #expect(shown.numbers == shown.strips)
        #expect(player.currentTime == item.range.end && player.rate == 0)
        #expect(player.counts.dropped <= 2)
        let hosts = shown.all.map(\.host)
        let (first, last) = (hosts[1], hosts[hosts.count - 1])
        #expect(
            abs(Double(last - first) / 1e9 - Double(shown.strips.last! - shown.strips[1]) / 30)
                < 0.05)

        shown.clear()
        let back = player.events()
        player.setRate(-1)
        #expect(await player.wait(for: .ended, in: back))
        // the last one is on show already
        #expect(shown.strips == Array((0..<44).reversed()), "\(shown.strips)")
        #expect(player.currentTime == item.range.start)
        await player.stop()
    }

    @Test("backwards each GOP is decoded once, within the bytes that are kept", arguments: [6, 20])
    func backwardsWork(gop: Int) async throws {
        let item = try await item(PlayedClip(frames: 60, gop: gop, hasAudio: false))
        // 48 frames, of which a half is rendered at once
        let settings = silent(cacheBytes: 48 * 192 * 108 * 3 / 2)
        let player = try Player(item, settings: settings)
        let shown = ShownFrames(player)
        await ready(player)
        #expect(await player.seek(to: .seconds(2)))
        shown.clear()
        let begin = player.counts.rendered
        let events = player.events()
        player.setRate(-8)
        #expect(await player.wait(for: .ended, in: events))
        // each fourth frame at 60 a second
        #expect(
            shown.strips == stride(from: 55, through: 3, by: -4).map { $0 }
                || shown.strips.last == 0, "\(shown.strips)")
        #expect(player.counts.rendered - begin <= 18, "\(player.counts)")
        await player.stop()
    }

    @Test("a seek shows exactly the frame of its instant", arguments: [1, 12, 60])
    func seeks(gop: Int) async throws {
        let item = try await item(PlayedClip(frames: 120, gop: gop, hasAudio: false))
        // almost nothing is kept, so that every one is decoded anew
        let player = try Player(item, settings: silent(cacheBytes: 0))
        let shown = ShownFrames(player)
        await ready(player)
        var random = SplitMix(seed: UInt64(gop))
        for _ in 0..<(Sweep.isWhole ? 700 : 150) {
            let ticks = Int64.random(in: 0..<4 * Int64(Composition.timescale), using: &random)
            let time = MediaTime(value: ticks, timescale: Composition.timescale)
            #expect(await player.seek(to: time))
            let wanted = Int(ticks * 30 / Int64(Composition.timescale))
            guard shown.all.last?.strip == wanted, shown.numbers.last == wanted else {
                Issue.record("\(shown.all.last.debugDescription) instead of \(wanted)")
                break
            }
            #expect(player.currentTime == time)
        }
        #expect(await player.seek(to: .seconds(-5)) && shown.strips.last == 0)
        #expect(await player.seek(to: .seconds(99)) && shown.strips.last == 119)
        #expect(player.currentTime == .seconds(4))
        await player.stop()
    }

    @Test("a handler that comes when it begins to play gets the frame on show first")
    func newHandler() async throws {
        let item = try await item(PlayedClip(frames: 60, hasAudio: false))
        let player = try Player(item, settings: silent())
        await ready(player)
        for _ in 0..<10 {
            #expect(await player.seek(to: .milliseconds(500)))
            let shown = ShownFrames(player)
            player.play()
            #expect(waitUntil { shown.all.count >= 2 })
            player.pause()
            #expect(shown.numbers.first == 15, "\(shown.numbers)")
        }
        await player.stop()
    }

    @Test("of many seeks at once the newest is answered, the others give way")
    func superseded() async throws {
        let item = try await item(PlayedClip(frames: 120, gop: 60, hasAudio: false))
        let player = try Player(item, settings: silent(cacheBytes: 0))
        let shown = ShownFrames(player)
        await ready(player)
        let answers = await withTaskGroup(of: (Int, Bool).self) { group in
            for number in 0..<20 {
                group.addTask {
                    // in this order
                    try? await Task.sleep(for: .milliseconds(number))
                    let time = MediaTime(value: Int64(119 - number), timescale: 30)
                    return (number, await player.seek(to: time))
                }
            }
            var answers: [Int: Bool] = [:]
            for await (number, answer) in group { answers[number] = answer }
            return answers
        }
        #expect(answers.count == 20 && answers.values.contains(true))
        #expect(answers.values.contains(false), "\(answers)")
        // the frame on show is the one of the last wish
        let last = try #require(answers.filter(\.value).keys.max())
        #expect(last == 19 && shown.strips.last == 100, "\(answers) \(shown.strips)")
        await player.stop()
    }

    @Test("seeks and steps of one thread are done in its order, and a handler may seek again")
    func inOrder() async throws {
        let clip = PlayedClip(frames: 60, gop: 12, hasAudio: false)
        let player = try Player(try await item(clip), settings: silent())
        await ready(player)
        for turn in 0..<200 {
            // only the last one shows where it went
            for frame in [50, 10, 30, turn % 40] {
                player.seek(to: player.item.time(ofFrame: Int64(frame))) { _ in }
            }
            player.step(byFrames: 2) { _ in }
            let isThere = await withCheckedContinuation { continuation in
                player.step(byFrames: -1) { isFirst in
                    // from within, while others are answered
                    player.step(byFrames: 1) { continuation.resume(returning: isFirst && $0) }
                }
            }
            #expect(isThere)
            let time = player.item.time(ofFrame: Int64(turn % 40 + 2))
            #expect(player.currentTime == time, "\(turn)")
        }
        await player.stop()
    }

    @Test("steps go to the neighbours, and no further than the ends")
    func steps() async throws {
        let item = try await item(PlayedClip(frames: 20, gop: 20, hasAudio: false))
        let player = try Player(item, settings: silent())
        let shown = ShownFrames(player)
        await ready(player)
        #expect(await !player.step(byFrames: -1))
        for number in 1..<20 {
            #expect(await player.step(byFrames: 1))
            #expect(shown.strips.last == number)
        }
        #expect(await !player.step(byFrames: 1))
        #expect(shown.strips.last == 19)
        for number in (0..<19).reversed() {
            #expect(await player.step(byFrames: -1))
            #expect(shown.strips.last == number)
        }
        #expect(await !player.step(byFrames: -7))
        #expect(await player.step(byFrames: 1000) && shown.strips.last == 19)
        #expect(player.currentTime == item.time(ofFrame: 19))
        await player.stop()
    }

    @Test("while it loops its first frame follows its last", .tags(.realTime))
    func loops() async throws {
        let item = try await item(PlayedClip(frames: 12, hasAudio: false))
        let player = try Player(item, settings: silent())
        let shown = ShownFrames(player)
        await ready(player)
        player.setLooping(true)
        player.play()
        #expect(waitUntil { shown.all.count >= 40 })
        let counts = player.counts
        #expect(
            shown.strips.prefix(37) == ArraySlice((0..<37).map { $0 % 12 }) || counts.dropped > 0)
        player.setLooping(false)
        let events = player.events()
        #expect(await player.wait(for: .ended, in: events))
        #expect(shown.strips.last == 11 && player.currentTime == item.range.end)
        // it begins anew
        shown.clear()
        player.play()
        #expect(waitUntil { shown.all.count >= 2 })
        #expect(shown.strips.first == 0)
        await player.stop()
    }

    @Test("it loops backwards, too", .tags(.realTime))
    func loopsBackwards() async throws {
        let item = try await item(PlayedClip(frames: 12, hasAudio: false))
        let player = try Player(item, settings: silent())
        let shown = ShownFrames(player)
        await ready(player)
        player.setLooping(true)
        shown.clear()
        player.setRate(-1)
        #expect(waitUntil { shown.all.count >= 30 })
        await player.stop()
        // it begins at the end, because it stood at the beginning
        #expect(
            shown.strips.prefix(30) == ArraySlice((0..<30).map { 11 - $0 % 12 }), "\(shown.strips)")
    }

    @Test("with a lead frames are handed over so much before they are seen", .tags(.realTime))
    func lead() async throws {
        let item = try await item(PlayedClip(frames: 30, hasAudio: false))
        var settings = silent()
        settings.lead = .milliseconds(50)
        let player = try Player(item, settings: settings)
        let early = Lock<[Double]>([])
        player.setFrameHandler { frame in
            let now = HostClock().now()
            early.withLock { $0.append((frame.hostTime - now).approximateSeconds) }
        }
        await ready(player)
        let events = player.events()
        player.play()
        #expect(await player.wait(for: .ended, in: events))
        await player.stop()
        let met = early.withLock { $0.dropFirst(3) }.sorted()
        #expect(met.count > 20 && (0.035...0.0501).contains(met[met.count / 2]), "\(met)")
    }

    @Test("within its tolerance a seek takes what is at hand")
    func tolerance() async throws {
        let item = try await item(PlayedClip(frames: 60, hasAudio: false))
        let player = try Player(item, settings: silent())
        let shown = ShownFrames(player)
        await ready(player)
        #expect(await player.seek(to: item.time(ofFrame: 30)))
        let made = player.counts.rendered
        #expect(await player.seek(to: item.time(ofFrame: 33), tolerance: .milliseconds(200)))
        #expect(shown.strips.last == 30 && player.counts.rendered == made)
        #expect(player.currentTime == item.time(ofFrame: 30))
        #expect(await player.seek(to: item.time(ofFrame: 50), tolerance: .milliseconds(200)))
        #expect(shown.strips.last == 50)
        await player.stop()
    }

    @Test("frames of a smaller box keep their shape, and a film of 10 bits is played in 8")
    func sizes() async throws {
        let clip = try await PlayedClip(frames: 10, hasAudio: false).write(to: folder.file("s.mov"))
        var film = try TimelineBuilder(Timeline(videos: [VideoItem(clip.path)]), assets: [clip])
            .film()
        film.videoComposition?.pixelFormat = .yuv420p10le
        var settings = silent()
        settings.wantedSize = PixelSize(100, 100)
        let player = try Player(try PlayerItem(film), settings: settings)
        var frames = player.frames().makeAsyncIterator()
        let frame = try #require(await frames.next())
        #expect(frame.pixels.format == .yuv420p && frame.format.color == .bt709)
        #expect(frame.pixels.width == 100 && frame.pixels.height == 56)
        #expect(player.size == PixelSize(100, 56) && player.memoryBound < 200 << 20)
        #expect(await player.seek(to: .milliseconds(200)))
        #expect(FrameStrip.number(in: try #require(await frames.next()).pixels) == 6)
        await player.stop()
    }

    @Test("a player that nobody holds ends its threads")
    func released() async throws {
        func threads() -> Int {
            let tasks =
                (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return tasks.filter { task in
                let name = try? String(
                    contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
                return ["vcap-show\n", "vcap-render\n"].contains(name)
            }.count
        }
        let item = try await item(PlayedClip(frames: 30, hasAudio: false))
        var player: Player? = try Player(item, settings: silent())
        player?.play()
        // decoders have threads of their own, which may have its name
        #expect(waitUntil { threads() >= 2 })
        player = nil
        #expect(waitUntil { threads() == 0 })
    }

    @Test(
        "a task that listens can be cancelled in the instant in which something happens",
        .timeLimit(.minutes(5)))
    func cancelledInTheInstant() async throws {
        let player = try Player(
            try await item(PlayedClip(frames: 300, hasAudio: false)), settings: silent())
        await ready(player)
        let isOver = Lock(false)
        let changing = Task.detached {
            var rate = 0.0
            while !isOver.withLock({ $0 }) {
                rate = rate == 1 ? 2 : 1
                player.setRate(rate)
                // one of few threads, which other tests need too
                await Task.yield()
            }
        }
        for number in 0..<2000 {
            let listening = Task.detached {
                if number % 2 == 0 {
                    for await _ in player.events() {}
                } else {
                    for await _ in player.periodicTimes(every: .milliseconds(1)) {}
                }
            }
            await Task.yield()
            listening.cancel()
            await listening.value
        }
        isOver.withLock { $0 = true }
        await changing.value
        await player.stop()
    }

    @Test("a boundary is reported when it is passed, an interval often", .tags(.realTime))
    func observed() async throws {
        let item = try await item(PlayedClip(frames: 30, hasAudio: false))
        let player = try Player(item, settings: silent())
        await ready(player)
        let boundaries = player.boundaryTimes([.milliseconds(300), .milliseconds(700)])
        let periods = player.periodicTimes(every: .milliseconds(250))
        let events = player.events()
        player.play()
        #expect(await player.wait(for: .ended, in: events))
        await player.stop()
        var met: [MediaTime] = []
        for await time in boundaries { met.append(time) }
        #expect(met == [.milliseconds(300), .milliseconds(700)])
        var periodic: [MediaTime] = []
        for await time in periods { periodic.append(time) }
        #expect((4...8).contains(periodic.count), "\(periodic)")
    }

    @Test("whatever is asked for in whatever order, it is exact in the end", arguments: 1...4)
    func anything(seed: Int) async throws {
        let item = try await item(PlayedClip(frames: 90, gop: 25))
        var settings = silent(cacheBytes: 20 * 192 * 108 * 3 / 2)
        settings.speaker = .standard
        let speaker = SpeakerModel()
        let player = try Player(item, settings: settings) { _ throws(MediaError) in speaker }
        let shown = ShownFrames(player)
        await ready(player)
        var random = SplitMix(seed: UInt64(seed))
        var seeks: [Task<Void, Never>] = []
        for _ in 0..<120 {
            let time = MediaTime.milliseconds(Int64.random(in: -200...3200, using: &random))
            switch Int.random(in: 0..<9, using: &random) {
            case 0: player.play()
            case 1: player.pause()
            case 2: player.setRate([-8, -1, -0.3, 0.5, 1.7, 8].randomElement(using: &random) ?? 1)
            case 3: seeks.append(Task { _ = await player.seek(to: time) })
            case 4: await player.seek(to: time)
            case 5: await player.step(byFrames: Int.random(in: -3...3, using: &random))
            case 6: player.setLooping(Bool.random(using: &random))
            case 7: player.setMuted(Bool.random(using: &random))
            default:
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &random)))
            }
            let now = player.currentTime
            #expect(item.range.contains(now) || now == item.range.end)
        }
        player.pause()
        for seek in seeks { await seek.value }
        for number in [89, 0, 44] as [Int64] {
            #expect(await player.seek(to: item.time(ofFrame: number)))
            #expect(shown.strips.last == Int(number))
        }
        #expect(shown.numbers == shown.strips)
        #expect(player.status == .ready)
        await player.stop()
    }

    @Test("after its end nothing is handed over, and wishes are answered with no")
    func stopped() async throws {
        let item = try await item(PlayedClip(frames: 30, hasAudio: false))
        let player = try Player(item, settings: silent())
        let shown = ShownFrames(player)
        await ready(player)
        player.play()
        await player.stop()
        let count = shown.all.count
        #expect(await !player.seek(to: .zero))
        #expect(await !player.step(byFrames: 1))
        player.play()
        try await Task.sleep(for: .milliseconds(80))
        #expect(shown.all.count == count)
    }
}

/// A tone as a WAVE file.
enum GeneratedAudio {
    static func write(seconds: Int, to path: String) throws {
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let result = try ffmpeg.run([
            "-v", "error", "-y", "-f", "lavfi", "-i",
            "sine=frequency=440:sample_rate=48000:duration=\(seconds)", path,
        ])
        #expect(result.status == 0, "\(result.errorText)")
    }
}
