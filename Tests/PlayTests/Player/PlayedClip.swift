import Foundation
import Media
import Reading
import TestSupport
import Testing
import Writing

@testable import Play

extension Tag {
    /// Runs as long as what it plays.
    @Tag static var realTime: Tag
    /// Of those in real time, what takes a quarter of one processor at most: scripts/test runs them beside the others.
    @Tag static var mostlyWaits: Tag
}

/// A movie whose frames carry their numbers, with a flash and a beep at each whole second.
struct PlayedClip {
    var width = 192
    var height = 108
    var rate: Int32 = 30
    var frames = 60
    var firstNumber = 0
    /// Frames of a GOP.
    var gop = 12
    var hasAudio = true

    func write(to path: String) async throws -> Asset {
        let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
        let source = VideoFormat(
            coding: .raw(.yuv420p), width: width, height: height, color: .bt709,
            nominalRate: FrameRate(rate, per: 1))
        var video = VideoOutputSettings(codec: .h264, rate: .quality(14), preset: "ultrafast")
        video.keyFrameIntervalFrames = gop
        let pictures = try writer.inputReceiver(for: video, sourceFormat: source)
        let format = AudioFormat(coding: .raw(.float32), sampleRate: 48_000, channels: 1)
        let audio =
            hasAudio
            ? try writer.inputReceiver(
                for: AudioOutputSettings(codec: .pcm16), sourceFormat: format) : nil
        try writer.startSession(atSourceTime: .zero)
        let perFrame = Int(48_000 / rate)
        for frame in 0..<frames {
            let time = MediaTime(value: Int64(frame), timescale: rate)
            if let audio {
                let samples = (0..<perFrame).map { position -> Float in
                    let into = (frame * perFrame + position) % 48_000
                    return into < 1920 ? Float(0.5 * sin(2 * .pi * Double(into) / 48)) : 0
                }
                try await audio.append(
                    SampleBuffer(
                        payload: .audio(samples.withUnsafeBytes { BlockBuffer($0) }),
                        format: .audio(format), presentationTime: time))
            }
            try await pictures.append(
                SampleBuffer(
                    payload: .pixels(picture(frame)), format: .video(source),
                    presentationTime: time, duration: MediaTime(value: 1, timescale: rate)))
        }
        try writer.endSession(atSourceTime: MediaTime(value: Int64(frames), timescale: rate))
        _ = try await writer.finish()
        return try Asset.load(path)
    }

    private func picture(_ frame: Int) -> PixelBuffer {
        var buffer = PixelBuffer(width: width, height: height, format: .yuv420p)
        let number = firstNumber + frame
        let isFlash = frame % Int(rate) == 0
        buffer.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                for row in 0..<plane.rows {
                    for column in 0..<(index == 0 ? width : width / 2) {
                        plane.row(row)[column] =
                            index > 0 ? 128 : luma(column, row, number, isFlash)
                    }
                }
            }
        }
        return buffer
    }

    private func luma(_ column: Int, _ row: Int, _ number: Int, _ isFlash: Bool) -> UInt8 {
        if row < height / 12 {
            let cell = column * FrameStrip.cells / width
            return number >> (FrameStrip.cells - 1 - cell) & 1 == 1 ? 235 : 16
        }
        return isFlash ? 235 : UInt8(40 + (column / 8 + row / 8 + 2 * number) % 128)
    }
}

/// What a player has handed over.
final class ShownFrames: Sendable {
    struct Shown: Sendable {
        let number: Int
        /// In the frame's own strip.
        let strip: Int
        let host: Int64
        let isFlash: Bool
        let width: Int
        let quality: PlayerQuality
        let isLate: Bool
    }

    private let state = BlockingLock<[Shown]>([])

    /// Takes all frames of a player.
    /// - Parameter delay: what each takes (ns).
    init(_ player: Player, delay: Int64 = 0) {
        player.setFrameHandler { [state] frame in
            let now = HostClock().now()
            let end = frame.hostTime + player.item.frameDuration
            let shown = Shown(
                number: Int(frame.number), strip: FrameStrip.number(in: frame.pixels),
                host: frame.hostTime.nanoseconds(), isFlash: FrameStrip.isFlash(frame.pixels),
                width: frame.pixels.width, quality: frame.quality, isLate: now > end)
            state.withLock { $0.append(shown) }
            if delay > 0 { usleep(UInt32(delay / 1000)) }
        }
    }

    var all: [Shown] { state.read { $0 } }
    var numbers: [Int] { all.map(\.number) }
    var strips: [Int] { all.map(\.strip) }

    func clear() { state.withLock { $0 = [] } }
}

extension Player {
    /// Waits for an event.
    func wait(
        for event: PlayerEvent, in events: AsyncStream<PlayerEvent>, seconds: Int = 20
    ) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await met in events where met == event { return true }
                return false
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(seconds))
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
