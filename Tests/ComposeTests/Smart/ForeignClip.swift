import TestSupport
import Testing

/// A clip that ffmpeg makes, no frame of which is like another.
struct ForeignClip {
    let path: String

    /// - Parameters:
    ///   - seconds: how long it lasts at 30 frames a second.
    ///   - filter: what is done to the test picture.
    ///   - audio: ffmpeg's arguments for a tone, separated by spaces; nil: it has no audio.
    ///   - coding: ffmpeg's arguments, separated by spaces.
    init(
        _ name: String, in folder: TemporaryFolder, seconds: Int = 5, filter: String = "null",
        audio: String? = nil, coding: String
    ) throws {
        let tone = audio == nil ? [] : ["-f", "lavfi", "-i", "sine=440:duration=\(seconds)"]
        path = folder.file(name)
        let made = try #require(Program.tool("ffmpeg")).run(
            [
                "-v", "error", "-y", "-f", "lavfi", "-i",
                "testsrc2=size=320x180:rate=30:duration=\(seconds),\(filter)",
            ] + tone + "\(coding) \(audio ?? "")".split(separator: " ").map(String.init) + [path])
        try #require(made.status == 0, "\(made.errorText)")
    }

    /// A digest of each frame as ffmpeg decodes it, and what it complains about.
    static func decoded(_ path: String) throws -> (frames: [String], complaints: String) {
        let result = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-i", path, "-map", "0:v:0", "-f", "framemd5", "-"])
        let frames = result.outputText.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { String($0.split(separator: ",").last ?? "") }
        return (frames, result.errorText)
    }
}
