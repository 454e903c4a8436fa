import Foundation
import TestSupport

/// A movie as ffmpeg and ffprobe see it: what the lab asks beyond `MovieOracle`.
struct Movie {
    let url: URL
    var oracle: MovieOracle { MovieOracle(url.path) }

    struct Stream: Decodable {
        let codecType: String
        let codecName: String
        let width: Int?
        let height: Int?
        let colorRange: String?
        let colorSpace: String?
        let startTime: String?
        let duration: String?
    }

    struct Frame {
        /// Presentation time (s).
        let time: Double
        /// Of the decoded frame.
        let hash: String
    }

    func streams() throws -> [Stream] {
        struct Answer: Decodable { let streams: [Stream] }
        let answer = try Installation.tool(
            "ffprobe", ["-v", "error", "-show_streams", "-of", "json", url.path])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Answer.self, from: Data(answer.output)).streams
    }

    /// Every frame of a video track, decoded without an error, in presentation order.
    func frames(track: Int = 0) throws -> [Frame] {
        let options = ["-fps_mode", "passthrough", "-enc_time_base", "1:90000"]
        return try lines(track, ["-xerror"], options).map { fields in
            Frame(time: (Double(fields[2]) ?? .nan) / 90_000, hash: fields[5])
        }
    }

    /// MD5 of each coded sample of a video track.
    func codedSamples(track: Int = 0) throws -> [String] {
        try lines(track, [], ["-c", "copy"]).map { $0[5] }
    }

    /// Presentation times of a video track's sync samples (s).
    func syncSamples(track: Int = 0) throws -> [Double] {
        let answer = try Installation.tool(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v:\(track)", "-show_entries",
                "packet=pts_time,flags", "-of", "csv=p=0", url.path,
            ])
        return answer.outputText.split(separator: "\n").filter { $0.contains("K") }
            .compactMap { Double($0.split(separator: ",")[0]) }
    }

    private func lines(
        _ track: Int, _ before: [String], _ options: [String]
    ) throws -> [[String]] {
        let decoded = try Installation.tool(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + before + ["-i", url.path, "-map", "0:v:\(track)"]
                + options + ["-f", "framemd5", "-"])
        return decoded.outputText.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter { $0.count == 6 }
    }

    /// Mean brightness of every frame of a video track (0…255), with its time (s).
    func levels(track: Int) throws -> [(time: Double, level: Double)] {
        let means = try Installation.tool(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", url.path, "-map", "0:v:\(track)", "-fps_mode",
                "passthrough", "-vf", "format=gray,scale=1:1:flags=area", "-f", "rawvideo", "-",
            ]
        ).output
        return zip(try frames(track: track), means).map { ($0.time, Double($1)) }
    }

    /// Every frame, 80 by 45 pixels in grey.
    func thumbnails() throws -> [[UInt8]] {
        let size = 80 * 45
        let pictures = try Installation.tool(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", url.path, "-fps_mode", "passthrough",
                "-vf", "scale=80:45:flags=area,format=gray", "-f", "rawvideo", "-",
            ]
        ).output
        return stride(from: 0, to: pictures.count - size + 1, by: size)
            .map { Array(pictures[$0..<$0 + size]) }
    }

    /// The colour in the middle of the first frame: red, green, blue.
    func middleColour() throws -> [Int] {
        let pixel = try Installation.tool(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", url.path, "-frames:v", "1", "-vf",
                "crop=16:16,scale=in_range=auto,format=rgb24,scale=1:1:flags=area",
                "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
            ])
        return pixel.output.map { Int($0) }
    }

    /// Six seconds of Motion-JPEG, every picture different, one known colour in the middle.
    static func makeFootage(_ url: URL) throws {
        try Installation.tool(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi",
                "-i", "testsrc2=size=320x180:rate=10:duration=6", "-vf",
                "drawbox=x=100:y=50:w=120:h=80:color=0xC04020:t=fill,format=yuvj422p",
                "-c:v", "mjpeg", "-q:v", "3", url.path,
            ])
    }
}
