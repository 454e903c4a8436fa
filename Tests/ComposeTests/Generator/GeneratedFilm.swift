import Compose
import Foundation
import Media
import Reading
import TestSupport
import Testing

/// A film of what is generated, and what is in it.
struct GeneratedFilm {
    let film: Film

    init(
        _ videos: [VideoItem], overlays: [VideoItem] = [], width: Int = 640, height: Int = 360,
        rate: FrameRate = FrameRate(25), bits: Int = 8, color: ColorDescription = .bt709
    ) throws {
        let settings = TimelineSettings(
            renderSize: PixelSize(width: width, height: height), frameRate: rate, color: color,
            pixelFormat: bits == 8 ? .yuv420p : .yuv420p10le)
        film = try TimelineBuilder.film(
            loading: Timeline(
                settings: settings, videos: videos, overlays: overlays.map { OverlayTrack([$0]) }))
    }

    /// Its frames, as they are before they are encoded.
    func frames(_ range: MediaTimeRange? = nil) throws -> [Planes] {
        let output = try VideoCompositionOutput(film: film)
        return try Self.samples(output, range).compactMap { $0.pixelBuffer.map { Planes($0) } }
    }

    /// Its audio, one side of it.
    func audio(at rate: Int = 48_000) throws -> [Float] {
        FlashBeep.channel(
            0, of: try Self.samples(AudioMixOutput(film: film, sampleRate: rate), nil))
    }

    private static func samples(
        _ output: some AssetReaderOutput, _ range: MediaTimeRange?
    ) throws -> [SampleBuffer] {
        let reader = AssetReader()
        reader.timeRange = range
        try reader.add(output)
        try reader.start()
        var samples: [SampleBuffer] = []
        while let sample = try output.next() { samples.append(sample) }
        return samples
    }
}

/// The codes of a planar frame.
struct Planes {
    let width: Int
    let height: Int
    private let planes: [[Int]]

    init(_ frame: PixelBuffer) {
        (width, height) = (frame.width, frame.height)
        let bytes = frame.format.bitDepth > 8 ? 2 : 1
        let (columns, rows) = ((frame.width + 1) / 2, (frame.height + 1) / 2)
        planes = (0..<3).map { index in
            let (across, down) = index == 0 ? (frame.width, frame.height) : (columns, rows)
            return frame.withPlane(index) { plane in
                (0..<down).flatMap { row in
                    (0..<across).map { x in
                        let line = plane.row(row)
                        return bytes == 1
                            ? Int(line[x]) : Int(line[2 * x]) | Int(line[2 * x + 1]) << 8
                    }
                }
            }
        }
    }

    /// Of 4:2:0 in 8 bits, as ffmpeg writes it.
    init(_ bytes: ArraySlice<UInt8>, width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        let all = bytes.map(Int.init)
        let (luma, chroma) = (width * height, width * height / 4)
        planes = [
            Array(all[..<luma]), Array(all[luma..<luma + chroma]),
            Array(all[(luma + chroma)..<(luma + 2 * chroma)]),
        ]
    }

    /// The three codes at a pixel.
    func codes(_ x: Int, _ y: Int) -> [Int] {
        let chroma = (y / 2) * ((width + 1) / 2) + x / 2
        return [planes[0][y * width + x], planes[1][chroma], planes[2][chroma]]
    }

    func luma(_ x: Int, _ y: Int) -> Int { planes[0][y * width + x] }

    /// Pixels of which the luma lies within a range (count).
    func count(_ range: ClosedRange<Int>) -> Int { planes[0].count { range.contains($0) } }
}
