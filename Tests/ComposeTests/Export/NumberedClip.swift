import Foundation
import Media
import Reading
import TestSupport
import Writing

/// A clip whose frames carry their number, with a flash and a beep at each whole second.
struct NumberedClip {
    var width = 192
    var height = 108
    /// Of one frame (seconds).
    var frameDuration = MediaTime(value: 1, timescale: 30)
    var frames = 60
    /// When each picture begins; nil: one frame duration after the one before (seconds).
    var times: [MediaTime]?
    var firstNumber = 0
    /// Luma of all of a frame, by its number, in the place of its number's picture.
    var shade: ((Int) -> Int)?
    var hasAudio = true
    var sampleRate = 48_000
    var channels = 1
    var video = VideoOutputSettings(codec: .h264, rate: .quality(14), preset: "ultrafast")
    var format = PixelFormat.yuv420p
    var orientation = VideoOrientation.upright

    /// Of a metadata track beside them; nil: there is none.
    var metadataFormat: MetadataFormat?
    var metadata: [TimedMetadataGroup] = []

    var duration: MediaTime { begin(of: frames) }

    /// When a picture begins; the last one lasts as long as the frame duration.
    func begin(of frame: Int) -> MediaTime {
        guard let times else { return frameDuration * Int64(frame) }
        if frame < times.count { return times[frame] }
        let (last, step) = ((times.last ?? .zero), frameDuration)
        return last.scaled(to: 705_600_000, rounding: .nearest)
            + step.scaled(to: 705_600_000, rounding: .nearest)
    }

    /// Writes it and reads its structure back.
    func write(to path: String) async throws -> Asset {
        let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
        let source = VideoFormat(
            coding: .raw(format), width: width, height: height, color: .bt709,
            orientation: orientation,
            nominalRate: FrameRate(frameDuration.timescale, per: Int32(frameDuration.value)))
        let pictures = try writer.inputReceiver(for: video, sourceFormat: source)
        let audioFormat = AudioFormat(
            coding: .raw(.float32), sampleRate: sampleRate, channels: channels)
        let sound =
            hasAudio
            ? try writer.inputReceiver(
                for: AudioOutputSettings(codec: .aac), sourceFormat: audioFormat) : nil
        let groups = try metadataFormat.map { try writer.inputReceiver(for: $0, name: "Codes") }
        try writer.startSession(atSourceTime: .zero)
        for group in metadata {
            guard let groups, let metadataFormat else { break }
            try await groups.append(SampleBuffer(group, format: metadataFormat))
        }
        for frame in 0..<frames {
            let time = begin(of: frame)
            if let sound { try await sound.append(self.sound(frame, audioFormat)) }
            try await pictures.append(
                SampleBuffer(
                    payload: .pixels(picture(frame)), format: .video(source),
                    presentationTime: time, duration: times == nil ? frameDuration : nil))
        }
        try writer.endSession(atSourceTime: duration)
        _ = try await writer.finish()
        return try Asset.load(path)
    }

    /// Whether a frame is the first at or after a whole second.
    func isFlash(_ frame: Int) -> Bool {
        let time = begin(of: frame)
        let second = MediaTime.seconds(time.ticks(per: 1, rounding: .down))
        return time - second < frameDuration
    }

    func picture(_ frame: Int) -> PixelBuffer {
        var buffer = PixelBuffer(width: width, height: height, format: format)
        let number = firstNumber + frame
        let shift = format.bitDepth - 8
        buffer.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let columns = index == 0 ? width : (width + 1) / 2
                for row in 0..<plane.rows {
                    for column in 0..<columns {
                        let value = index == 0 ? luma(column, row, number, isFlash(frame)) : 128
                        if shift == 0 {
                            plane.row(row)[column] = UInt8(value)
                        } else {
                            let wide = UInt16(value << shift)
                            plane.row(row)[2 * column] = UInt8(wide & 255)
                            plane.row(row)[2 * column + 1] = UInt8(wide >> 8)
                        }
                    }
                }
            }
        }
        return buffer
    }

    private func luma(_ column: Int, _ row: Int, _ number: Int, _ isFlash: Bool) -> Int {
        if let shade { return shade(number) }
        if row < height / 12 {
            let cell = column * FrameStrip.cells / width
            return number >> (FrameStrip.cells - 1 - cell) & 1 == 1 ? 235 : 16
        }
        return isFlash ? 235 : 40 + (column + row + 2 * number) % 128
    }

    /// The audio frames up to the next frame's.
    private func sound(_ frame: Int, _ format: AudioFormat) -> SampleBuffer {
        let rate = Int32(sampleRate)
        let start = begin(of: frame).ticks(per: rate, rounding: .nearest)
        let end = begin(of: frame + 1).ticks(per: rate, rounding: .nearest)
        var samples: [Float] = []
        for position in start..<end {
            let into = Double(position % Int64(sampleRate)) / Double(sampleRate)
            let value = into < 0.04 ? Float(0.5 * sin(2 * .pi * 1000 * into)) : 0
            samples += Array(repeating: value, count: channels)
        }
        return SampleBuffer(
            payload: .audio(samples.withUnsafeBytes { BlockBuffer($0) }), format: .audio(format),
            presentationTime: MediaTime(value: start, timescale: rate))
    }
}
