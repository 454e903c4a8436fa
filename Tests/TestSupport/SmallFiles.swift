import FoundationEssentials

/// One small file of each kind of picture and movie that is read, made by other programs.
package struct SmallFiles: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case gif = "anim.gif"
        case animatedWebP = "anim.webp"
        case apng = "anim.png"
        case webp = "still.webp"
        case png = "still.png"
        case jpeg = "still.jpg"
        case tiff = "still.tif"
        case avif = "still.avif"
        case avifSequence = "sequence.avif"
        case heic = "still.heic"
        /// The index in front, as for networks.
        case mp4 = "movie.mp4"
        case fragmentedMP4 = "fragments.mp4"
        /// The index at the end.
        case mov = "movie.mov"
        case matroska = "movie.mkv"

        package var name: String { rawValue }

        package var isMovie: Bool {
            switch self {
            case .mp4, .fragmentedMP4, .mov, .matroska: true
            default: false
            }
        }

        package var isAnimation: Bool {
            switch self {
            case .gif, .animatedWebP, .apng, .avifSequence: true
            default: false
            }
        }
    }

    /// Debian's name of ImageMagick's program.
    private static let magick = "convert-im6.q16"

    /// Whether all the tools are here.
    package static var isPossible: Bool {
        [magick, "cwebp", "gif2webp", "apngasm", "avifenc", "heif-enc", "ffmpeg"]
            .allSatisfy { Program.tool($0) != nil }
    }

    private let folder: TemporaryFolder

    package init() throws { folder = try TemporaryFolder() }

    package func bytes(of kind: Kind) throws -> [UInt8] {
        let path = folder.file(kind.name)
        if !FileManager.default.fileExists(atPath: path) { try make(kind) }
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    private func make(_ kind: Kind) throws {
        let name = kind.name
        switch kind {
        case .gif: try animation(name)
        case .animatedWebP:
            try animation("plain.gif")
            try run("gif2webp", ["-quiet", "plain.gif", "-o", name])
        case .apng: try run("apngasm", [name] + pictures() + ["1", "10"])
        case .avifSequence:
            try run("avifenc", ["-s", "10", "--duration", "2"] + pictures() + [name])
        case .webp: try run("cwebp", ["-quiet", "-lossless", still(), "-o", name])
        case .png, .jpeg, .tiff: try run(Self.magick, [still(), "-alpha", "off", name])
        case .avif: try run("avifenc", ["-s", "10", still(), name])
        case .heic: try run("heif-enc", [still(), "-o", name])
        case .mp4: try movie(name, ["-movflags", "+faststart"])
        case .fragmentedMP4: try movie(name, ["-movflags", "frag_keyframe+empty_moov"])
        case .mov, .matroska: try movie(name, [])
        }
    }

    private func animation(_ name: String) throws {
        let bytes = PlainGIF.bytes(delays: [7, 5, 9], width: 32, height: 24)
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
    }

    private func still() throws -> String {
        let size = ["-size", "32x24", "gradient:red-blue"]
        try run(Self.magick, size + ["-alpha", "off", "PNG24:source.png"])
        return "source.png"
    }

    private func pictures() throws -> [String] {
        try (0..<3).map { number in
            let place = "rectangle \(4 * number),2 \(4 * number + 6),9"
            let words = ["-size", "32x24", "xc:white", "-fill", "red", "-draw", place]
            try run(Self.magick, words + ["PNG24:picture\(number).png"])
            return "picture\(number).png"
        }
    }

    private func movie(_ name: String, _ options: [String]) throws {
        let source = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.2", "-f", "lavfi", "-i"]
        let coding = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "2", "-pix_fmt", "yuv420p"]
        let audio = ["sine=d=0.2", "-c:a", "aac", "-b:a", "32k"]
        try run("ffmpeg", ["-v", "error", "-y"] + source + audio + coding + options + [name])
    }

    private func run(_ name: String, _ words: [String]) throws {
        guard let tool = Program.tool(name) else {
            throw MovieOracle.Failure(description: "\(name) is not installed")
        }
        let result = try tool.run(words, in: folder.path)
        guard result.status == 0 else {
            throw MovieOracle.Failure(description: "\(name) \(words): \(result.errorText)")
        }
    }
}
