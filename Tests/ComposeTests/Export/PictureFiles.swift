import Foundation
import Media
import TestSupport
import Testing

/// Animated and still picture files made byte by byte, and the colours of a film's frames.
enum PictureFiles {
    /// See `PlainGIF`.
    static func gif(
        delays: [Int], width: Int = 16, height: Int = 16, isHalfClear: Bool = false
    ) -> [UInt8] {
        PlainGIF.bytes(delays: delays, width: width, height: height, isHalfClear: isHalfClear)
    }

    /// Of the palette; index 0 is what is transparent.
    static let levels = PlainGIF.levels

    /// The picture of a GIF whose gray is nearest to a decoded one.
    static func index(ofLevel level: UInt8) -> Int? {
        levels.indices.min { distance($0, level) < distance($1, level) }
    }

    private static func distance(_ index: Int, _ level: UInt8) -> Int {
        abs(Int(levels[index]) - Int(level))
    }

    /// A picture file made by ffmpeg.
    static func make(_ path: String, _ source: String, _ options: [String] = []) throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run(
            ["-v", "error", "-f", "lavfi", "-i", source, "-frames:v", "1"] + options + [path])
        try #require(result.status == 0, "\(result.errorText)")
    }

    /// A JPEG with an Exif segment that says how the camera was held.
    static func rotate(_ path: String, orientation: UInt8) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let tiff: [UInt8] = [
            0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0,
            0, 0, 0, 0,
        ]
        let body = Array("Exif\0\0".utf8) + tiff
        bytes.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body, at: 2)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// The decoded frames of a movie as gray levels, `columns` by `rows` areas each.
    static func grayFrames(_ path: String, columns: Int, rows: Int = 1) throws -> [[UInt8]] {
        try frames(path, columns, rows, "gray", 1)
    }

    /// The same in red, green and blue.
    static func colorFrames(_ path: String, columns: Int, rows: Int = 1) throws -> [[UInt8]] {
        try frames(path, columns, rows, "rgb24", 3)
    }

    private static func frames(
        _ path: String, _ columns: Int, _ rows: Int, _ format: String, _ channels: Int
    ) throws -> [[UInt8]] {
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run([
            "-v", "error", "-i", path, "-vf",
            "format=\(format),scale=\(columns):\(rows):flags=area", "-fps_mode",
            "passthrough", "-f", "rawvideo", "-pix_fmt", format, "-",
        ])
        try #require(result.status == 0, "\(result.errorText)")
        let size = columns * rows * channels
        return stride(from: 0, to: result.output.count - size + 1, by: size).map {
            Array(result.output[$0..<($0 + size)])
        }
    }
}
