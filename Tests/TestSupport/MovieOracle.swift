import Foundation
package import Media

/// What ffmpeg and ffprobe, which share no code with our writer's containers, see in a movie.
package struct MovieOracle: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// Whether the tools are here; a test that needs them is skipped with this reason otherwise.
    package static var isAvailable: Bool {
        Program.tool("ffmpeg") != nil && Program.tool("ffprobe") != nil
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        package init(description: String) { self.description = description }
    }

    func tool(_ name: String, _ arguments: [String]) throws -> Program.Result {
        guard let program = Program.tool(name) else {
            throw Failure(description: "\(name) is not installed")
        }
        let result = try program.run(["-v", "error"] + arguments)
        guard result.status == 0 else {
            throw Failure(description: "\(name) \(path): \(result.errorText)")
        }
        return result
    }

    /// Numbers of the decoded frames of a video track, read from the strip of 24 cells that the test
    /// camera draws over the top twelfth (most significant first, white 1).
    package func frameNumbers(videoTrack: Int = 0) throws -> [Int] {
        let filter = "crop=iw:floor(ih/12):0:0,format=gray,scale=24:1:flags=area"
        let result = try tool(
            "ffmpeg",
            [
                "-i", path, "-map", "0:v:\(videoTrack)", "-vf", filter, "-fps_mode", "passthrough",
                "-f", "rawvideo", "-pix_fmt", "gray", "-",
            ])
        return stride(from: 0, to: result.output.count - 23, by: 24).map { start in
            result.output[start..<(start + 24)].reduce(0) { $0 << 1 | ($1 > 127 ? 1 : 0) }
        }
    }

    /// Mean codes (limited range, 8 bits) of the middle of each decoded frame, a quarter of each side.
    package func middleColors(videoTrack: Int = 0) throws -> [GeneratedClip.Codes] {
        let filter =
            "crop=floor(iw/4):floor(ih/4):floor(iw*3/8):floor(ih*3/8),format=yuv444p,"
            + "scale=1:1:flags=area"
        let result = try tool(
            "ffmpeg",
            [
                "-i", path, "-map", "0:v:\(videoTrack)", "-vf", filter, "-fps_mode", "passthrough",
                "-f", "rawvideo", "-pix_fmt", "yuv444p", "-",
            ])
        return stride(from: 0, to: result.output.count - 2, by: 3).map { start in
            GeneratedClip.Codes(
                Int(result.output[start]), Int(result.output[start + 1]),
                Int(result.output[start + 2]))
        }
    }

    /// Presentation times of a stream's packets in presentation order (seconds), edit lists applied.
    package func presentationTimes(stream: String = "v:0") throws -> [Double] {
        let result = try tool(
            "ffprobe",
            ["-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0", path])
        return result.outputText.split(whereSeparator: \.isNewline)
            .compactMap { Double($0.split(separator: ",").first ?? "") }.sorted()
    }

    /// All decoded samples of an audio track, mixed to one channel (−1…1).
    package func sound(audioTrack: Int = 0, sampleRate: Int = 48_000) throws -> [Float] {
        let result = try tool(
            "ffmpeg",
            [
                "-i", path, "-map", "0:a:\(audioTrack)", "-ac", "1", "-ar", "\(sampleRate)",
                "-f", "f32le", "-",
            ])
        return result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// The exact length of the first video track as the container states it (seconds).
    package func frameLength() throws -> MediaTime {
        let result = try tool(
            "ffprobe",
            [
                "-select_streams", "v:0", "-show_entries", "stream=time_base,duration_ts", "-of",
                "csv=p=0", path,
            ])
        let fields = result.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
            .split(separator: ",")
        guard fields.count == 2, let ticks = Int64(fields[1]),
            let scale = Int32(fields[0].split(separator: "/").last ?? "")
        else { throw Failure(description: "\(path) states no length of its pictures") }
        return MediaTime(value: ticks, timescale: scale)
    }

    /// The length the container states (seconds).
    package func duration() throws -> Double {
        let result = try tool(
            "ffprobe", ["-show_entries", "format=duration", "-of", "csv=p=0", path])
        let text = result.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let seconds = Double(text) else {
            throw Failure(description: "\(path) states no duration: \(text)")
        }
        return seconds
    }
}
