import LibAV
import Media
import TestSupport
import Testing

/// A short movie of H.264 or HEVC made by another program, as it was coded.
struct CodedMovie {
    let format: VideoFormat
    let samples: [SampleBuffer]

    /// - Parameters:
    ///   - arguments: of ffmpeg's encoder.
    ///   - encoder: its name there.
    ///   - filter: what happens to the test picture.
    init(
        _ arguments: [String], encoder: String = "libx264",
        filter: String = "fade=in:0:20,fade=out:30:20"
    ) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("coded.mp4")
        let made = try #require(Program.tool("ffmpeg")).run(
            [
                "-v", "error", "-y", "-f", "lavfi", "-i",
                "testsrc=size=160x96:rate=25:duration=2,\(filter)", "-c:v", encoder,
                "-threads", "1", "-pix_fmt", "yuv420p",
            ] + arguments + [path])
        try #require(made.status == 0, "\(made.errorText)")
        let demuxer = try Demuxer(path: path)
        samples = try Movies.read(demuxer)[0]
        format = try #require(demuxer.tracks.first?.format.video)
    }

    var blocks: [BlockBuffer] { samples.compactMap(\.block) }

    /// The frames of other samples with these times, as their bytes.
    func frames(_ blocks: [BlockBuffer], record: [UInt8]) throws -> [[UInt8]] {
        var format = format
        format.codecConfiguration = record
        let samples = zip(samples, blocks).map { sample, block in
            var sample = sample
            sample.payload = .coded(block)
            return sample
        }
        return try Movies.decode(format, samples).compactMap(\.pixelBuffer).map(Self.bytes)
    }

    func frames() throws -> [[UInt8]] {
        try frames(blocks, record: format.codecConfiguration)
    }

    static func bytes(_ frame: PixelBuffer) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, layout) in frame.format.layout.planes.enumerated() {
            frame.withPlane(index) { plane in
                for row in 0..<plane.rows {
                    bytes += UnsafeBufferPointer(
                        start: plane.row(row), count: layout.bytesPerRow(width: frame.width))
                }
            }
        }
        return bytes
    }

    /// Units of a sample.
    static func units(_ block: BlockBuffer) -> [[UInt8]] {
        var rest = block.bytes[...]
        var units: [[UInt8]] = []
        while rest.count > 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            units.append(Array(rest.dropFirst(4).prefix(length)))
            rest = rest.dropFirst(4 + length)
        }
        return units
    }
}
