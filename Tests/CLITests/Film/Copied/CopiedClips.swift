import Foundation
import TestSupport

/// Clips of the matrix in a folder, made when they are asked for first.
final class CopiedClips {
    /// What every clip lasts before something is done to it (seconds).
    static let seconds = 4.0

    // immutable
    let folder: TemporaryFolder

    // owned by the test that made it
    private var made: Set<String> = []

    init(in folder: TemporaryFolder) { self.folder = folder }

    /// What is missing on this machine to make clips of a kind; nil: nothing.
    static func missing(for kind: CopiedKind) -> String? {
        switch kind.maker {
        case .ffmpeg, .recorder: nil
        case .composer(_, let clips):
            clips.compactMap { CopiedKind.named(name(of: $0)) }.compactMap(missing).first
        case .gstreamer(let coder, let muxer):
            [coder[0], muxer, "h264parse", "rawvideoparse"].first { element in
                (try? Program.tool("gst-inspect-1.0")?.run(["--exists", element]).status) != 0
            }
        }
    }

    /// The name of a clip's file.
    func clip(_ kind: CopiedKind, _ part: Int) throws -> String {
        let file = kind.file(part)
        guard made.insert(file).inserted else { return file }
        switch kind.maker {
        case .ffmpeg(let options): try make(kind, part, options)
        case .gstreamer(let coder, let muxer): try make(file, part, coder, muxer)
        case .recorder(let options, let ending): try record(file, options, ending)
        case .composer(let options, let names): try compose(file, part, options, names)
        }
        return file
    }

    // MARK: By ffmpeg

    private func make(_ kind: CopiedKind, _ part: Int, _ options: [String]) throws {
        let name = kind.change == nil ? kind.file(part) : "raw-\(kind.file(part))"
        var words = ["-f", "lavfi", "-i", frames(kind.rate, part, kind.filter)]
        if let audio = kind.audio {
            let tone = "sine=\(440 + 220 * part):r=48000:d=\(Self.seconds)"
            words += ["-f", "lavfi", "-i", tone, "-ac", "2", "-c:a", audio]
        }
        if kind.filter.contains("setpts") { words += ["-enc_time_base", "1/90000"] }
        words += ["-fps_mode", "passthrough", "-pix_fmt", kind.pixels]
        try ffmpeg(words + options + [name])
        switch kind.change {
        case nil: break
        case .copied(let before, let behind):
            let maps = behind.contains("-map")
            let again = maps ? ["-i", name] : []
            try ffmpeg(
                before + ["-i", name] + again + ["-c", "copy"] + behind + [kind.file(part)])
        case .beheaded: try behead(name, to: kind.file(part))
        case .joined: try join(name, to: kind.file(part))
        }
    }

    /// Figures that move, a counter and a little noise, so that no two frames are equal.
    private func frames(_ rate: String, _ part: Int, _ filter: String) -> String {
        "testsrc2=s=320x180:r=\(rate):d=\(Self.seconds),hue=h=\(77 * part),"
            + "noise=alls=3:allf=t,\(filter)"
    }

    private func ffmpeg(_ words: [String]) throws {
        try run("ffmpeg", ["-v", "error", "-y"] + words)
    }

    private func behead(_ name: String, to other: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
        let packet = 188
        let kept = bytes.dropFirst(bytes.count / packet / 7 * packet)
        try Data(kept).write(to: URL(fileURLWithPath: folder.file(other)))
    }

    private func join(_ name: String, to file: String) throws {
        try ffmpeg([
            "-f", "lavfi", "-i", frames("30", 3, "trim=end=2"), "-f", "lavfi", "-i",
            "sine=300:r=48000:d=2", "-ac", "2", "-c:a", "aac", "-c:v", "libx264", "-preset",
            "ultrafast", "-x264-params", "ref=3:cabac=1", "-pix_fmt", "yuv420p", "-g", "30",
            "second-\(file)",
        ])
        let list = "file \(name)\nfile second-\(file)\n"
        try list.write(toFile: folder.file("\(file).txt"), atomically: true, encoding: .utf8)
        try ffmpeg(["-f", "concat", "-safe", "0", "-i", "\(file).txt", "-c", "copy", file])
    }

    // MARK: By others

    private func make(_ file: String, _ part: Int, _ coder: [String], _ muxer: String) throws {
        let raw = "\(file).yuv"
        try ffmpeg([
            "-f", "lavfi", "-i", frames("30", part, "null"), "-pix_fmt", "yuv420p", "-f",
            "rawvideo", raw,
        ])
        let form = ["width=320", "height=180", "format=i420", "framerate=30/1"]
        try run(
            "gst-launch-1.0",
            ["-q", "filesrc", "location=\(raw)", "!", "rawvideoparse"] + form + ["!"] + coder
                + ["!", "h264parse", "!", muxer, "!", "filesink", "location=\(file)"])
    }

    private func record(_ file: String, _ options: [String], _ ending: CopiedTake) throws {
        let words = [
            "record", "-c", "test:", "-a", "test:", "-s", "320x180", "-r", "30", "--keys", "none",
            "-q", "-o", file, "--session", "matrix-\(getpid())", "-t",
            ending.isKilled ? "60" : "\(Self.seconds)",
        ]
        let take = try Program.vcap.start(
            words + options, environment: ["HOME": folder.path], in: folder.path)
        switch ending {
        case .whole: break
        case .paused:
            for command in ["pause", "resume", "pause", "resume"] {
                Thread.sleep(forTimeInterval: 0.9)
                try steer(command)
            }
        case .killed:
            Thread.sleep(forTimeInterval: Self.seconds + 1)
            take.end()
            return
        }
        let result = take.wait()
        guard result.status == 0 else { throw MovieOracle.Failure(description: result.errorText) }
    }

    private func steer(_ command: String) throws {
        try vcap(["ctl", "--session", "matrix-\(getpid())", command])
    }

    private func compose(
        _ file: String, _ part: Int, _ options: [String], _ names: [String]
    ) throws {
        let clips = try names.map { name in
            guard let kind = CopiedKind.named(Self.name(of: name)) else {
                throw MovieOracle.Failure(description: "there is no kind \(name)")
            }
            return try clip(kind, part) + name.dropFirst(kind.name.count)
        }
        try vcap(["compose"] + clips + options + ["-q", "-o", file])
    }

    /// Of a part of a clip, such as `closed@1s..2s`.
    private static func name(of clip: String) -> String {
        String(clip.split(separator: "@").first ?? "")
    }

    // MARK: Programs

    private func run(_ tool: String, _ words: [String]) throws {
        guard let program = Program.tool(tool) else {
            throw MovieOracle.Failure(description: "\(tool) is not installed")
        }
        let result = try program.run(words, in: folder.path)
        guard result.status == 0 else {
            throw MovieOracle.Failure(description: "\(tool) \(words): \(result.errorText)")
        }
    }

    private func vcap(_ words: [String]) throws {
        let result = try Program.vcap.run(
            words, environment: ["HOME": folder.path], in: folder.path)
        guard result.status == 0 else {
            throw MovieOracle.Failure(description: "vcap \(words): \(result.errorText)")
        }
    }
}

extension CopiedTake {
    fileprivate var isKilled: Bool { if case .killed = self { true } else { false } }
}
