import Foundation
import TestSupport
import Testing

/// Pictures of a disc with soft edges on nothing, whose invisible pixels are black, as straight RGBA.
struct SoftDisc {
    var width = 161
    var height = 121
    var pictures = 3
    /// One red; otherwise colours that change from left to right.
    var isRed = false

    private var radius: Double { Double(min(width, height)) / 3 }

    /// Four bytes a pixel.
    func pixels(_ number: Int) -> [UInt8] {
        let (left, top) = (Double(width) / 3 + 8 * Double(number), Double(height) / 2)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let (across, down) = (Double(x) - left, Double(y) - top)
                let edge = (radius - (across * across + down * down).squareRoot()) / 6
                let alpha = UInt8((max(0, min(1, edge)) * 255).rounded())
                let color =
                    isRed
                    ? [255, 0, 0] : [UInt8(40 + x), UInt8(200 - x), UInt8(30 + 40 * number)]
                bytes += alpha == 0 ? [0, 0, 0, 0] : color + [alpha]
            }
        }
        return bytes
    }

    var all: [UInt8] { (0..<pictures).flatMap { pixels($0) } }

    /// Written by ffmpeg in a coding of its own; ten frames a second.
    func write(_ path: String, _ options: [String] = []) throws {
        let raw = path + ".rgba"
        try Data(all).write(to: URL(fileURLWithPath: raw))
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run(
            [
                "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", "\(width)x\(height)",
                "-r", "10", "-i", raw,
            ] + options + [path])
        try #require(result.status == 0, "\(result.errorText)")
    }
}

/// The pixels of a movie as ffmpeg decodes them, four bytes each.
struct DecodedPixels {
    let bytes: [UInt8]

    init(_ path: String, as format: String = "rgba") throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run([
            "-v", "error", "-i", path, "-fps_mode", "passthrough", "-sws_flags",
            "bicubic+accurate_rnd+full_chroma_int", "-f", "rawvideo", "-pix_fmt", format, "-",
        ])
        try #require(result.status == 0, "\(result.errorText)")
        bytes = result.output
    }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func pixel(_ x: Int, _ y: Int, width: Int) -> [Int] {
        let start = (y * width + x) * 4
        return bytes[start..<(start + 4)].map(Int.init)
    }

    /// The largest differences of what can be seen.
    func difference(from other: [UInt8]) -> (alpha: Int, color: Int, isSameSize: Bool) {
        guard bytes.count == other.count else { return (255, 255, false) }
        var (alpha, color) = (0, 0)
        for start in stride(from: 0, to: bytes.count, by: 4) {
            alpha = max(alpha, abs(Int(bytes[start + 3]) - Int(other[start + 3])))
            guard other[start + 3] > 0 else { continue }
            for place in start..<(start + 3) {
                color = max(color, abs(Int(bytes[place]) - Int(other[place])))
            }
        }
        return (alpha, color, true)
    }

    /// What remains of a red disc scaled: seen pixels (count) and the largest distance of their colour from red.
    func redness() -> (seen: Int, soft: Int, distance: Int) {
        var (seen, soft, distance) = (0, 0, 0)
        for start in stride(from: 0, to: bytes.count, by: 4) where bytes[start + 3] > 8 {
            seen += 1
            if bytes[start + 3] < 247 { soft += 1 }
            distance = max(
                distance, 255 - Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]))
        }
        return (seen, soft, distance)
    }
}
