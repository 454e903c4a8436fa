import Foundation
import Media
import TestSupport
import Testing

/// Animated and still picture files made byte by byte, and the colours of a film's frames.
enum PictureFiles {
    /// A GIF of plain pictures: gray levels of `levels`, one after the other.
    /// - Parameters:
    ///   - delays: of each picture, as written (hundredths of a second).
    ///   - isHalfClear: whether the right half is transparent.
    static func gif(
        delays: [Int], width: Int = 16, height: Int = 16, isHalfClear: Bool = false
    ) -> [UInt8] {
        var bytes = Array("GIF89a".utf8) + short(width) + short(height) + [0x80 | 2, 0, 0]
        for level in levels { bytes += [level, level, level] }
        for (index, delay) in delays.enumerated() {
            // disposal 1: it stays, as most GIFs have it
            bytes += [0x21, 0xF9, 4, 1 << 2 | (isHalfClear ? 1 : 0)] + short(delay) + [0, 0]
            bytes += [0x2C, 0, 0, 0, 0] + short(width) + short(height) + [0]
            let pixels = (0..<(width * height)).map { place in
                isHalfClear && place % width >= width / 2 ? 0 : 1 + index % 7
            }
            bytes += coded(pixels)
        }
        return bytes + [0x3B]
    }

    /// Of the palette; index 0 is what is transparent.
    static let levels: [UInt8] = [0, 40, 70, 100, 130, 160, 190, 220]

    /// The picture of a GIF whose gray is nearest to a decoded one.
    static func index(ofLevel level: UInt8) -> Int? {
        levels.indices.min { distance($0, level) < distance($1, level) }
    }

    private static func distance(_ index: Int, _ level: UInt8) -> Int {
        abs(Int(levels[index]) - Int(level))
    }

    private static func short(_ value: Int) -> [UInt8] {
        [UInt8(value & 255), UInt8(value >> 8 & 255)]
    }

    /// Codes of four bits, with the table cleared before each six pixels, so that it never grows.
    private static func coded(_ pixels: [Int]) -> [UInt8] {
        var codes: [Int] = []
        for (index, pixel) in pixels.enumerated() {
            if index % 6 == 0 { codes.append(8) }
            codes.append(pixel)
        }
        codes.append(9)
        if codes.count % 2 == 1 { codes.append(0) }
        let bytes = stride(from: 0, to: codes.count, by: 2).map {
            UInt8(codes[$0] | codes[$0 + 1] << 4)
        }
        var result: [UInt8] = [3]
        for start in stride(from: 0, to: bytes.count, by: 255) {
            let part = bytes[start..<min(start + 255, bytes.count)]
            result += [UInt8(part.count)] + part
        }
        return result + [0]
    }

    /// A picture file made by ffmpeg.
    static func make(_ path: String, _ source: String, _ options: [String] = []) throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run(
            ["-v", "error", "-f", "lavfi", "-i", source, "-frames:v", "1"] + options + [path])
        try #require(result.status == 0, "\(result.errorText)")
    }

    /// A JPEG with an Exif segment that says how the camera was held.
    static func turn(_ path: String, orientation: UInt8) throws {
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
