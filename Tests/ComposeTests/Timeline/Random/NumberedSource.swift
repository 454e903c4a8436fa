import Media

@testable import Compose
@testable import Movie
@testable import Reading

/// A source of random timelines, as a container holds it: frames of an even rate at times that are rounded to the
/// track's ticks.
struct NumberedSource: Sendable {
    let path: String
    let rate: FrameRate
    let timescale: Int32
    let frames: Int
    /// By how much all frames begin after the movie (ticks of the track; less than half a frame).
    var late: Int128 = 0

    /// When a frame begins (ticks of the track); that behind the last one is the end.
    func tick(ofFrame number: Int) -> Int128 {
        (Fraction(Int128(number)) / Fraction(rate) * Fraction(Int128(timescale))).nearest + late
    }

    /// The last frame that begins at or before a tick; before the first one the first.
    func frame(atTick tick: Int128) -> Int {
        var number = Int(
            clamping: (Fraction(tick - late, Int128(timescale)) * Fraction(rate)).floor)
        number = min(max(number, 0), frames - 1)
        while number > 0, self.tick(ofFrame: number) > tick { number -= 1 }
        while number < frames - 1, self.tick(ofFrame: number + 1) <= tick { number += 1 }
        return number
    }

    /// Whether ticks are finer than 1/600 s: then a time between two of them is meant to be the next one.
    var isFine: Bool { timescale >= 600 }

    var end: MediaTime { MediaTime(value: Int64(tick(ofFrame: frames)), timescale: timescale) }

    /// As the builder is given it: its frames carry their numbers, and are made when they are asked for.
    func asset(_ index: Int) -> Asset {
        let format = VideoFormat(
            coding: .raw(.yuv420p), width: 16, height: 2, color: .bt709, nominalRate: rate)
        var track = SampleAsset.pictures(id: 1, format: format, duration: end)
        track.start = MediaTime(value: Int64(late), timescale: timescale)
        var asset = SampleAsset.asset(path, [track])
        asset.generated = NumberedMedia(source: self, index: index, format: format)
        return asset
    }
}

/// Frames in whose luma the source and the frame's number can be read.
struct NumberedMedia: GeneratedMedia {
    let source: NumberedSource
    let index: Int
    let format: VideoFormat

    func frames(for target: VideoFormat) -> any GeneratedFrames { Frames(media: self) }

    func audio(at frame: Int64, count: Int, sampleRate: Int) -> BlockBuffer {
        BlockBuffer([UInt8](repeating: 0, count: count * 8))
    }

    /// What a frame of a scene shows: its source, and its number there.
    static func identity(of picture: PixelBuffer) -> Shown {
        picture.withPlane(0) { plane in
            let row = plane.row(0)
            return Shown(source: Int(row[0]), frame: Int(row[1]) << 8 | Int(row[2]))
        }
    }

    private final class Frames: GeneratedFrames {
        private let media: NumberedMedia
        private var known: [Int: SampleBuffer] = [:]

        init(media: NumberedMedia) { self.media = media }

        /// As a reader's cursor: the last frame whose time is at or before the instant.
        func picture(at time: MediaTime) throws(MediaError) -> SampleBuffer {
            let ticks = (Fraction(time) * Fraction(Int128(media.source.timescale))).floor
            let number = media.source.frame(atTick: ticks)
            if let sample = known[number] { return sample }
            var picture = PixelBuffer(width: 16, height: 2, format: .yuv420p)
            picture.withMutablePlanes { planes in
                let row = planes[0].row(0)
                (row[0], row[1], row[2]) = (
                    UInt8(media.index), UInt8(number >> 8), UInt8(number & 255)
                )
            }
            let sample = SampleBuffer(
                payload: .pixels(picture), format: .video(media.format),
                presentationTime: MediaTime(
                    value: Int64(media.source.tick(ofFrame: number)),
                    timescale: media.source.timescale))
            known[number] = sample
            return sample
        }
    }
}

/// A frame of a source.
struct Shown: Hashable {
    let source: Int
    let frame: Int

    var text: String { "\(frame) of source \(source)" }
}
