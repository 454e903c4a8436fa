import Media
import TestSupport

@testable import Writing

/// Frames with their number in a strip and, each second, a flash with a beep: made in memory and
/// delivered to a writer in order of time, pauses included.
struct SyntheticTake {
    static let rate = 48_000
    static let start: Int64 = 77_123_456_789

    struct Pause {
        /// When each is asked for (ns since the take's start).
        let at: Int64
        let resume: Int64
    }

    enum Sound {
        /// 40 ms of 1 kHz with each flash.
        case beeps
        /// One unbroken tone (Hz).
        case tone(Double)
    }

    var width = 192
    var height = 108
    var frameRate = 30
    var seconds = 4
    var pauses: [Pause] = []
    var sound = Sound.beeps
    var format: PixelFormat = .yuv420p

    var videoFormat: VideoFormat {
        VideoFormat(
            coding: .raw(format), width: width, height: height, color: .bt601,
            nominalRate: FrameRate(Int32(frameRate)))
    }

    var audioFormat: AudioFormat {
        AudioFormat(coding: .raw(.float32), sampleRate: Self.rate, channels: 1)
    }

    var frameCount: Int { seconds * frameRate }

    /// Of a frame, since the take's start (ns); frames jitter by up to 3 ms.
    func time(of frame: Int) -> Int64 {
        let even = Int64(frame) * 1_000_000_000 / Int64(frameRate)
        return even + (frame % frameRate == 0 ? 0 : Int64(frame * 7919 % 3_000_001))
    }

    /// Where the movie must be cut: from the first frame at or after the pause to the first at or
    /// after the resume.
    var cuts: [(start: Int64, end: Int64)] {
        let times = (0..<frameCount).map(time(of:))
        return pauses.map { pause in
            let start = times.first { $0 >= pause.at } ?? pause.at
            return (start, times.first { $0 >= pause.resume } ?? pause.resume)
        }
    }

    /// Numbers and movie times (ns) of the frames that must be in the movie.
    var expected: [(number: Int, time: Int64)] {
        (0..<frameCount).compactMap { frame in
            let time = time(of: frame)
            if cuts.contains(where: { $0.start <= time && time < $0.end }) { return nil }
            return (frame, movieTime(time))
        }
    }

    /// Length of the movie (ns).
    var length: Int64 { movieTime(Int64(seconds) * 1_000_000_000) }

    private func movieTime(_ time: Int64) -> Int64 {
        time - cuts.filter { $0.end <= time }.reduce(0) { $0 + $1.end - $1.start }
    }

    func picture(_ frame: Int) -> PixelBuffer {
        var picture = PixelBuffer(width: width, height: height, format: format)
        let isFlash = frame % frameRate == 0
        picture.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                for row in 0..<plane.rows {
                    let value: UInt8 = index > 0 ? 128 : isFlash ? 235 : 60
                    plane.row(row).update(repeating: value, count: plane.bytesPerRow)
                }
            }
            for row in 0..<height / 12 {
                for column in 0..<width {
                    let bit = frame >> (23 - column * 24 / width) & 1
                    planes[0].row(row)[column] = bit == 1 ? 235 : 16
                }
            }
        }
        return picture
    }

    func frameSample(_ frame: Int) -> SampleBuffer {
        SampleBuffer(
            payload: .pixels(picture(frame)), format: .video(videoFormat),
            presentationTime: .nanoseconds(Self.start + time(of: frame)))
    }

    /// Audio frames from `first` on.
    func audioSample(from first: Int, count: Int) -> SampleBuffer {
        let block = BlockBuffer(count: count * 4) { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            for index in 0..<count { samples[index] = level(first + index) }
        }
        let time = TickSequence.ticks(Int64(first), from: Int64(Self.rate), to: 1_000_000_000)
        return SampleBuffer(
            payload: .audio(block), format: .audio(audioFormat),
            presentationTime: .nanoseconds(Self.start + time))
    }

    private func level(_ frame: Int) -> Float {
        switch sound {
        case .tone(let hertz):
            return 0.5 * Sine.value(cycles: hertz * Double(frame) / Double(Self.rate))
        case .beeps:
            let into = frame % Self.rate
            guard into < Self.rate * 40 / 1000 else { return 0 }
            return 0.8 * Sine.value(cycles: 1000 * (Double(into) + 0.5) / Double(Self.rate))
        }
    }

    /// Delivers everything to a writer that has been made for it, waiting as needed.
    func deliver(
        to writer: AssetWriter, video: SampleBufferReceiver?, audio: SampleBufferReceiver?
    ) async throws {
        try writer.startSession(atSourceTime: .nanoseconds(Self.start))
        let run = Self.rate / 100
        var frame = 0
        var commands = pauses.flatMap { [($0.at, true), ($0.resume, false)] }[...]
        for step in 0..<seconds * 100 {
            let now = Int64(step) * 10_000_000
            while let (time, pauses) = commands.first, time < now + 10_000_000 {
                commands.removeFirst()
                let at = MediaTime.nanoseconds(Self.start + time)
                if pauses { try writer.pause(at: at) } else { try writer.resume(at: at) }
            }
            try await audio?.append(audioSample(from: step * run, count: run))
            while frame < frameCount, time(of: frame) < now + 10_000_000 {
                try await video?.append(frameSample(frame))
                frame += 1
            }
        }
        try writer.endSession(
            atSourceTime: .nanoseconds(Self.start + Int64(seconds) * 1_000_000_000))
    }

    /// Writes the take as a movie.
    func write(
        to path: String, video: VideoOutputSettings?, audio: AudioOutputSettings?,
        change: (inout AssetWriterConfiguration) -> Void = { _ in }
    ) async throws -> AssetWriterResult {
        var configuration = try AssetWriterConfiguration(outputPath: path, mode: .offline)
        change(&configuration)
        let writer = try AssetWriter(configuration)
        let frames = try video.map {
            try writer.inputReceiver(for: $0, sourceFormat: videoFormat)
        }
        let sound = try audio.map { try writer.inputReceiver(for: $0, sourceFormat: audioFormat) }
        try await deliver(to: writer, video: frames, audio: sound)
        return try await writer.finish()
    }
}
