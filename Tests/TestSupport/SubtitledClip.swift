import Foundation

/// A small movie with subtitles, made by ffmpeg of SubRip files.
package struct SubtitledClip: Sendable {
    /// A subtitle as text files have it.
    package struct Line: Sendable, Hashable, CustomStringConvertible {
        /// Milliseconds.
        package var start: Int
        package var end: Int
        package var text: String

        package init(_ start: Int, _ end: Int, _ text: String) {
            (self.start, self.end, self.text) = (start, end, text)
        }

        package var description: String { "\(start)-\(end) \(text.debugDescription)" }

        /// As SubRip writes it.
        fileprivate var subRip: String {
            "1\n\(Self.clock(start)) --> \(Self.clock(end))\n\(text)\n\n"
        }

        private static func clock(_ time: Int) -> String {
            String(
                format: "%02d:%02d:%02d,%03d", time / 3_600_000, time / 60_000 % 60,
                time / 1000 % 60, time % 1000)
        }

        /// What a SubRip text holds.
        package static func read(_ text: String) -> [Line] {
            text.replacingOccurrences(of: "\r", with: "")
                // what the size of timed text's letters becomes
                .replacingOccurrences(of: "</?font[^>]*>", with: "", options: .regularExpression)
                .components(separatedBy: "\n\n")
                .compactMap { block in
                    let lines = block.split(separator: "\n").map(String.init)
                    let clocks = lines.dropFirst().first?.components(separatedBy: " --> ") ?? []
                    guard clocks.count == 2 else { return nil }
                    let times = clocks.map { clock in
                        clock.split { ":,".contains($0) }.compactMap { Int($0) }
                            .reduce((0, 0)) { ($0.0 * ($0.1 == 3 ? 1000 : 60) + $1, $0.1 + 1) }.0
                    }
                    return Line(
                        times[0], times[1], lines.dropFirst(2).joined(separator: "\n"))
                }
        }
    }

    package struct Track: Sendable {
        package var language: String
        package var lines: [Line]

        package init(_ language: String, _ lines: [Line]) {
            (self.language, self.lines) = (language, lines)
        }
    }

    package var tracks: [Track]
    /// ffmpeg's name of the subtitles' coding.
    package var coding = "mov_text"
    /// Codings of frames and audio.
    package var others = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "aac"]
    package var seconds = 4

    package init(_ tracks: [Track]) { self.tracks = tracks }

    /// Writes it; the ending of the name states the container.
    package func write(to path: String) throws {
        guard let ffmpeg = Program.tool("ffmpeg") else {
            throw MovieOracle.Failure(description: "ffmpeg is not installed")
        }
        var words = [
            "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=96x64:r=25:d=\(seconds)", "-f",
            "lavfi", "-i", "sine=f=440:r=48000:d=\(seconds)",
        ]
        var maps = ["-map", "0", "-map", "1"]
        for (number, track) in tracks.enumerated() {
            let text = path + ".\(number).srt"
            try track.lines.map(\.subRip).joined()
                .write(toFile: text, atomically: true, encoding: .utf8)
            words += ["-i", text]
            maps += [
                "-map", "\(number + 2)", "-metadata:s:s:\(number)", "language=\(track.language)",
            ]
        }
        let result = try ffmpeg.run(
            words + maps + ["-pix_fmt", "yuv420p"] + others + ["-c:s", coding, path])
        for number in tracks.indices {
            try? FileManager.default.removeItem(atPath: path + ".\(number).srt")
        }
        guard result.status == 0 else {
            throw MovieOracle.Failure(description: "ffmpeg \(path): \(result.errorText)")
        }
    }
}

extension MovieOracle {
    /// Subtitles of a track as ffmpeg makes a text file of them, at the file's own times.
    package func subtitles(track: Int = 0) throws -> [SubtitledClip.Line] {
        let result = try tool(
            "ffmpeg", ["-copyts", "-i", path, "-map", "0:s:\(track)", "-f", "srt", "-"])
        return SubtitledClip.Line.read(result.outputText)
    }

    /// Codec and language of the subtitle tracks.
    package func subtitleTracks() throws -> [String] {
        let result = try tool(
            "ffprobe",
            [
                "-select_streams", "s", "-show_entries",
                "stream=codec_name:stream_tags=language", "-of", "csv=p=0", path,
            ])
        return result.outputText.split(whereSeparator: \.isNewline).map(String.init)
    }
}
