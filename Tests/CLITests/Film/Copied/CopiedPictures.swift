import Foundation
import Media
import TestSupport

/// The decoded frames of a movie's first video track, as ffmpeg sees them.
struct CopiedPictures {
    /// When each is shown, by the container (seconds).
    let times: [Double]
    /// The first instant of any track (seconds).
    let start: Double
    let pixelFormat: String
    /// All of them in their own pixel format.
    let bytes: [UInt8]
    /// Of one frame (bytes).
    let size: Int
    /// What ffmpeg says while it decodes.
    let complaints: String

    var count: Int { size > 0 ? bytes.count / size : 0 }

    /// What ffprobe prints, as far as it is asked for.
    private struct Answer: Decodable {
        struct Stream: Decodable {
            var width: Int
            var height: Int
            var pixFmt: String
        }
        struct Frame: Decodable { var bestEffortTimestampTime: String? }
        struct Format: Decodable { var startTime: String? }
        var frames: [Frame]
        var streams: [Stream]
        var format: Format
    }

    /// - Parameter ignoresEdits: whether frames that an edit list hides are wanted too.
    init(_ path: String, ignoresEdits: Bool = false) throws {
        let input = (ignoresEdits ? ["-ignore_editlist", "1"] : []) + ["-i", path]
        let answer = try JSONDecoder.copied.decode(
            Answer.self,
            from: Data(
                try Self.run(
                    "ffprobe",
                    [
                        "-select_streams", "v:0", "-show_entries",
                        "frame=best_effort_timestamp_time:stream=width,height,pix_fmt"
                            + ":format=start_time", "-of", "json",
                    ] + input
                ).output))
        guard let stream = answer.streams.first else {
            throw MovieOracle.Failure(description: "\(path) shows no frames")
        }
        times = answer.frames.compactMap { $0.bestEffortTimestampTime.flatMap(Double.init) }
        start = answer.format.startTime.flatMap(Double.init) ?? 0
        pixelFormat = stream.pixFmt
        // of the frames that are compared: 4:2:0 of 8 bits
        size = stream.width * stream.height * 3 / 2
        let decoded = try Self.run(
            "ffmpeg",
            input + [
                "-map", "0:v:0", "-fps_mode", "passthrough", "-enc_time_base", "1/90000", "-f",
                "rawvideo", "-",
            ])
        (bytes, complaints) = (decoded.output, decoded.errorText)
    }

    private static func run(_ tool: String, _ words: [String]) throws -> Program.Result {
        guard let program = Program.tool(tool) else {
            throw MovieOracle.Failure(description: "\(tool) is not installed")
        }
        return try program.run(["-v", "error"] + words)
    }

    subscript(frame: Int) -> ArraySlice<UInt8> { bytes[frame * size..<(frame + 1) * size] }

    /// Whether a frame is the same as another movie's, byte for byte.
    func isEqual(_ frame: Int, to other: CopiedPictures, _ its: Int) -> Bool {
        guard size == other.size, frame < count, its >= 0, its < other.count else { return false }
        return bytes.withUnsafeBytes { own in
            other.bytes.withUnsafeBytes { their in
                guard let one = own.baseAddress, let two = their.baseAddress else { return false }
                return memcmp(one + frame * size, two + its * size, size) == 0
            }
        }
    }

    /// How like the same frame of another movie it is (dB); equal ones have 99.
    func likeness(_ frame: Int, to other: CopiedPictures) -> Double {
        guard size == other.size, frame < count, frame < other.count else { return 0 }
        var sum: Int64 = 0
        bytes.withUnsafeBytes { own in
            other.bytes.withUnsafeBytes { their in
                for index in frame * size..<(frame + 1) * size {
                    let difference = Int64(own[index]) &- Int64(their[index])
                    sum &+= difference &* difference
                }
            }
        }
        return sum == 0 ? 99 : 10 * log10(255 * 255 * Double(size) / Double(sum))
    }

    /// Which frame is shown first at a movie time; nil: none begins within a tick of the coarsest container of it.
    /// - Parameter hasOwnZero: whether movie time begins with what the file shows first (no MP4 or QuickTime).
    func frame(at time: Double, hasOwnZero: Bool) -> Int? {
        var zero = 0.0
        if hasOwnZero, let first = times.first {
            // audio that begins just before is a coder's priming
            zero = first - start < 0.05 ? first : start
        }
        let nearest = times.indices.min {
            abs(times[$0] - zero - time) < abs(times[$1] - zero - time)
        }
        return nearest.flatMap { abs(times[$0] - zero - time) < 0.001_5 ? $0 : nil }
    }
}
