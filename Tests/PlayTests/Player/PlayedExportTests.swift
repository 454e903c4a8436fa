import Capture
import Compose
import Foundation
import Media
import Reading
import TestSupport
import Testing
import Writing

@testable import Play

@Suite("What is played and what is exported", .serialized, .tags(.realTime))
struct PlayedExportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Clips with transitions, titles and speeds.
    private func film(seed: UInt64) async throws -> Film {
        var random = SplitMix(seed: seed)
        var items: [VideoItem] = []
        var assets: [Asset] = []
        for clip in 0..<3 {
            let made = PlayedClip(
                rate: [25, 30].randomElement(using: &random) ?? 30,
                frames: Int.random(in: 28...40, using: &random), firstNumber: 1000 * clip,
                gop: Int.random(in: 1...15, using: &random))
            let asset = try await made.write(to: folder.file("\(seed)-\(clip).mov"))
            assets.append(asset)
            let length = MediaTime.milliseconds(Int64.random(in: 200...400, using: &random))
            let transitions: [Transition] = [
                .cut, .dissolve(length), .push(.left, length), .fade(length),
            ]
            items.append(
                VideoItem(
                    asset.path, start: .milliseconds(Int64.random(in: 0...150, using: &random)),
                    volume: Double.random(in: 0.3...1, using: &random),
                    transition: clip == 0
                        ? .cut : transitions.randomElement(using: &random) ?? .cut))
        }
        let timeline = Timeline(
            videos: items,
            titles: [
                TitleItem("Played \(seed)", at: .milliseconds(300), duration: .milliseconds(900))
            ])
        return try TimelineBuilder(timeline, assets: assets).film()
    }

    private func fingerprint(_ frame: PixelBuffer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in 0..<frame.planeCount {
            frame.withPlane(index) { plane in
                let columns = index == 0 ? frame.width : (frame.width + 1) / 2
                for row in 0..<plane.rows {
                    let line = plane.row(row)
                    for column in 0..<columns {
                        hash = (hash ^ UInt64(line[column])) &* 0x100_0000_01B3
                    }
                }
            }
        }
        return hash
    }

    /// Frames and audio of an export without loss.
    private func exported(
        _ film: Film, range: MediaTimeRange?, frames: Int64
    ) async throws -> (frames: [UInt64], audio: [Float]) {
        let preset = ExportPreset(
            name: "lossless", video: VideoOutputSettings(codec: .ffv1),
            audio: AudioOutputSettings(codec: .pcmFloat))
        var settings = ExportSettings(preset: preset)
        settings.range = range
        let path = folder.file("export-\(UUID().uuidString).mkv")
        _ = try await ExportSession(film, settings: settings).export(to: path)
        let asset = try Asset.load(path)
        let video = try #require(asset.tracks.first { $0.mediaType == .video })
        let audio = try #require(asset.tracks.first { $0.mediaType == .audio })
        let cursor = try FrameCursor(asset: asset, track: video)
        let duration = film.videoComposition?.frameDuration ?? .zero
        let prints = try (0..<frames).map { number in
            let middle = duration * (2 * number + 1)
            let time = MediaTime(value: middle.value, timescale: middle.timescale * 2)
            return fingerprint(try #require(try cursor.picture(at: time).pixelBuffer))
        }
        let count = Int(asset.duration.ticks(per: 48_000, rounding: .nearest))
        let block = try AudioCursor(
            asset: asset, track: audio,
            format: AudioFormat(coding: .raw(.float32), sampleRate: 48_000, channels: 2)
        ).read(at: 0, count: count)
        return (prints, block.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) })
    }

    @Test(
        "frames and audio are those of the export, forwards and backwards, of the whole and of a range",
        arguments: Sweep.part(4, of: Array(1...50) as [UInt64]))
    func same(seed: UInt64) async throws {
        let film = try await film(seed: seed)
        let range =
            seed % 2 == 0
            ? MediaTimeRange(start: .milliseconds(470), duration: .milliseconds(1500)) : nil
        let item = try PlayerItem(film, range: range)
        let wanted = try await exported(film, range: range, frames: item.frameCount)
        let speaker = SpeakerModel()
        let player = try Player(item, settings: PlayerSettings()) { _ throws(MediaError) in speaker
        }
        let prints = Lock<[(Int, UInt64)]>([])
        player.setFrameHandler { frame in
            let print = fingerprint(frame.pixels)
            prints.withLock { $0.append((Int(frame.number), print)) }
        }
        let events = player.events()
        player.play()
        #expect(await player.wait(for: .ended, in: events))
        let played = speaker.samples
        for _ in 0..<item.frameCount { await player.step(byFrames: -1) }
        await player.stop()
        let met = prints.withLock { $0 }
        #expect(Set(met.map(\.0)).count == Int(item.frameCount))
        #expect(met.count >= Int(item.frameCount) * 18 / 10, "\(met.count)")
        let wrong = met.filter { wanted.frames[$0.0] != $0.1 }
        #expect(wrong.isEmpty, "\(wrong.map(\.0))")
        // not one picture all the time
        #expect(Set(wanted.frames).count > 20)
        let common = min(played.count, wanted.audio.count)
        #expect(common > 48_000 && common >= wanted.audio.count - 4)
        #expect(Array(played[..<common]) == Array(wanted.audio[..<common]))
    }
}

/// A compositor whose frames take a while.
private struct SlowCompositor: VideoCompositor {
    /// By the width of the frames (pixels, ms).
    let milliseconds: [Int: Int]
    /// Of the timeline: a frame that it refuses.
    var failsAt: MediaTime?

    func compose(_ request: CompositionRequest) throws -> PixelBuffer {
        if let failsAt, request.time >= failsAt {
            throw MediaError(
                code: .compositorFailed, subject: "test", message: "No frame for a test.")
        }
        usleep(UInt32(1000 * (milliseconds[request.context.format.width] ?? 0)))
        var frame = try request.context.makeFrame()
        frame.withMutablePlanes { planes in
            for plane in planes {
                for row in 0..<plane.rows {
                    plane.row(row).update(repeating: 128, count: plane.bytesPerRow)
                }
            }
        }
        return frame
    }
}

@Suite("A player that cannot keep up", .serialized, .tags(.realTime))
struct PlayerQualityTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func player(
        _ compositor: SlowCompositor?, frames: Int = 90
    ) async throws -> Player {
        let clip = try await PlayedClip(frames: frames, hasAudio: false)
            .write(to: folder.file("\(UUID().uuidString).mov"))
        var film = try TimelineBuilder(
            Timeline(videos: [VideoItem(clip.path)]), assets: [clip]
        ).film()
        film.videoComposition?.compositor = compositor
        let player = try Player(try PlayerItem(film), settings: PlayerSettings(speaker: .none))
        for await event in player.events() where event == .status(.ready) { break }
        return player
    }

    @Test("frames become smaller until they come in time, none is late, and a paused one is whole")
    func falls() async throws {
        let player = try await player(SlowCompositor(milliseconds: [192: 90, 96: 60, 48: 2]))
        let shown = ShownFrames(player)
        let events = player.events()
        player.play()
        #expect(await player.wait(for: .quality(.half), in: events))
        let later = player.events()
        #expect(await player.wait(for: .quality(.quarter), in: later))
        let before = shown.all.count
        #expect(waitUntil { shown.all.count > before + 15 || player.rate == 0 })
        let counts = player.counts
        #expect(counts.dropped > 5 && counts.shown > 10, "\(counts)")
        player.pause()
        #expect(waitUntil { shown.all.last?.quality == .full })
        #expect(player.quality == .full && shown.all.last?.width == 192)
        #expect(Set(shown.all.map(\.width)).isSuperset(of: [192, 48]))
        #expect(shown.all.filter(\.isLate).count == 0)
        await player.stop()
    }

    @Test("the control: what comes in time stays whole, and a slow handler is no reason either")
    func stays() async throws {
        let fast = try await player(SlowCompositor(milliseconds: [:]))
        let shown = ShownFrames(fast)
        let events = fast.events()
        fast.play()
        #expect(await fast.wait(for: .ended, in: events))
        #expect(shown.all.allSatisfy { $0.quality == .full } && fast.counts.dropped <= 3)
        await fast.stop()

        let slow = try await player(SlowCompositor(milliseconds: [:]), frames: 60)
        let late = ShownFrames(slow, delay: 80_000_000)
        let ends = slow.events()
        slow.play()
        #expect(await slow.wait(for: .ended, in: ends))
        #expect(late.all.allSatisfy { $0.quality == .full })
        #expect(slow.counts.dropped > 20, "\(slow.counts)")
        #expect(late.numbers == late.numbers.sorted())
        await slow.stop()
    }

    @Test("nothing for half a second is a stall, said at its beginning and its end")
    func stalls() async throws {
        let player = try await player(SlowCompositor(milliseconds: [192: 900, 96: 1, 48: 1]))
        let events = player.events()
        player.play()
        #expect(await player.wait(for: .stalled, in: events))
        let later = player.events()
        #expect(await player.wait(for: .resumed, in: later))
        #expect(player.counts.stalls >= 1)
        await player.stop()
    }

    @Test("a frame that cannot be made ends the playing with its sentence")
    func fails() async throws {
        let player = try await player(
            SlowCompositor(milliseconds: [:], failsAt: .milliseconds(500)))
        let events = player.events()
        player.play()
        var reason = ""
        for await event in events {
            if case .status(.failed(let error)) = event {
                reason = error.message
                break
            }
        }
        #expect(reason == "No frame for a test.")
        #expect(waitUntil { player.rate == 0 })
        #expect(await !player.seek(to: .zero))
        await player.stop()
    }

    @Test("damage is counted and said once for its file, and the rest plays")
    func damaged() async throws {
        let path = folder.file("damaged.mov")
        _ = try await PlayedClip(frames: 60).write(to: path)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let middle = bytes.count / 2
        for place in stride(from: middle - 9000, to: middle + 9000, by: 2) { bytes[place] ^= 0x5A }
        try bytes.write(to: URL(fileURLWithPath: path))
        let item = try PlayerItem(try Asset.load(path))
        let player = try Player(item, settings: PlayerSettings(speaker: .none))
        let events = player.events()
        player.play()
        var said: [String] = []
        for await event in events {
            if case .damaged(let sentence) = event { said.append(sentence) }
            if event == .ended { break }
        }
        #expect(said.count == 1 && said[0].hasPrefix("\(path) is damaged"), "\(said)")
        #expect(player.counts.damaged > 0)
        await player.stop()
    }
}
