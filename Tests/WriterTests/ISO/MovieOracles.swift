import Foundation
import TestSupport

/// What ffprobe and GStreamer say about a movie.
struct MovieOracles {
    let path: String

    struct Stream: Equatable {
        var codec = ""
        var packets = 0
        var frames = 0
        var duration = 0.0
        var tag = ""
    }

    /// ffprobe's streams, every packet read and every frame decoded.
    func streams() throws -> [Stream] {
        let json = try probe(["-count_packets", "-count_frames", "-show_streams"])
        let list = json["streams"] as? [[String: Any]] ?? []
        return list.map { entry in
            Stream(
                codec: entry["codec_name"] as? String ?? "none",
                packets: Int(entry["nb_read_packets"] as? String ?? "") ?? 0,
                frames: Int(entry["nb_read_frames"] as? String ?? "") ?? 0,
                duration: Double(entry["duration"] as? String ?? "") ?? 0,
                tag: entry["codec_tag_string"] as? String ?? "")
        }
    }

    func probe(_ arguments: [String]) throws -> [String: Any] {
        guard let tool = Program.tool("ffprobe") else { return [:] }
        let result = try tool.run(["-v", "error", "-of", "json"] + arguments + [path])
        let json = try JSONSerialization.jsonObject(with: Data(result.output))
        return json as? [String: Any] ?? [:]
    }

    /// What ffmpeg complains about while it decodes everything; "" when it likes the file.
    func complaints() throws -> String {
        guard let tool = Program.tool("ffmpeg") else { return "" }
        return try tool.run(["-v", "error", "-i", path, "-f", "null", "-"]).errorText
    }

    /// The first channel of an audio track, decoded (−1…1).
    func firstChannel() throws -> [Float] {
        guard let tool = Program.tool("ffmpeg") else { return [] }
        let result = try tool.run([
            "-v", "error", "-i", path, "-map", "0:a:0", "-ac", "2", "-f", "f32le", "-",
        ])
        return result.output.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 7, by: 8).map {
                bytes.loadUnaligned(fromByteOffset: $0, as: Float.self)
            }
        }
    }

    /// Buffers that come out of qtdemux's pad of a kind ("video" or "audio").
    func qtdemuxBuffers(_ kind: String) throws -> Int {
        guard let tool = Program.tool("gst-launch-1.0") else { return -1 }
        let result = try tool.run([
            "-v", "filesrc", "location=\(path)", "!", "qtdemux", "name=d", "d.\(kind)_0", "!",
            "identity", "silent=false", "!", "fakesink", "sync=false",
        ])
        guard result.status == 0 else { return -1 }
        return result.outputText.components(separatedBy: "last-message = chain").count - 1
    }

    /// The length GStreamer's discoverer states (seconds).
    func discoveredDuration() throws -> Double {
        guard let tool = Program.tool("gst-discoverer-1.0") else { return -1 }
        let text = try tool.run([path]).outputText
        guard let line = text.split(separator: "\n").first(where: { $0.contains("Duration:") })
        else { return -1 }
        let parts = line.split(separator: ":").dropFirst().compactMap {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        return parts.reduce(0) { $0 * 60 + $1 }
    }
}
