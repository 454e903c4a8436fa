import Foundation
import TestSupport
import Testing

/// Photos that lie in all eight ways, through the program.
@Suite(
    "Turned pictures", .serialized,
    .enabled(
        if: SmallFiles.isPossible,
        "needs ffmpeg, ImageMagick and the tools of WebP, AVIF, HEIC and animated PNG"))
struct OrientationConvertTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func tool(_ name: String, _ words: [String]) throws {
        let result = try #require(Program.tool(name)).run(words, in: folder.path)
        try #require(result.status == 0, "\(name) \(words): \(result.errorText)")
    }

    /// How a picture is stored that is to be rotated as Exif's values 1 to 8 say.
    private static let stored = [
        [], ["-flop"], ["-rotate", "180"], ["-flip"], ["-transpose"], ["-rotate", "-90"],
        ["-transverse"], ["-rotate", "90"],
    ]

    private static let names = [
        "TopLeft", "TopRight", "BottomRight", "BottomLeft", "LeftTop", "RightTop", "RightBottom",
        "LeftBottom",
    ]

    /// The same as turns counterclockwise and mirrors of AVIF and HEIC: the box of a turn comes first.
    private static let avif: [(rotation: Int, mirror: Int?)] = [
        (0, nil), (0, 1), (2, nil), (0, 0), (3, 1), (3, nil), (1, 1), (1, nil),
    ]

    private func exif(_ value: Int) -> [UInt8] {
        [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(value), 0, 0,
            0, 0, 0, 0,
        ]
    }

    private func insert(_ bytes: [UInt8], at place: Int, into name: String) throws {
        let url = URL(fileURLWithPath: folder.file(name))
        var whole = [UInt8](try Data(contentsOf: url))
        whole.insert(contentsOf: bytes, at: place)
        try Data(whole).write(to: url)
    }

    /// A picture of four quarters that is upright when it is rotated as stated.
    private func make(_ name: String, _ value: Int) throws {
        try tool(
            MixedAlbum.magick,
            [
                "-size", "64x32", "xc:red", "-fill", "lime", "-draw", "rectangle 32,0 63,15",
                "-fill", "blue", "-draw", "rectangle 0,16 31,31", "-fill", "white", "-draw",
                "rectangle 32,16 63,31",
            ] + Self.stored[value - 1] + ["+repage", "-alpha", "off", "PNG24:stored.png"])
        switch name {
        case "a.jpg":
            try tool(
                MixedAlbum.magick,
                ["stored.png", "-quality", "98", "-sampling-factor", "1x1", name])
            try insert(LivePhotoBuilder.segment("Exif\0\0", exif(value)), at: 2, into: name)
        case "a.png":
            try tool("cp", ["stored.png", name])
            try insert(Bombs.chunk("eXIf", exif(value)), at: 33, into: name)
        case "a.webp":
            try tool("cwebp", ["-quiet", "-lossless", "stored.png", "-o", "plain.webp"])
            try Data(exif(value)).write(to: URL(fileURLWithPath: folder.file("exif")))
            try tool("webpmux", ["-set", "exif", "exif", "plain.webp", "-o", name])
        case "a.tif":
            try tool(MixedAlbum.magick, ["stored.png", "-orient", Self.names[value - 1], name])
        case "a.heic":
            // as telephones write it: the file's own turn, and in Exif the same once more
            try tool(
                MixedAlbum.magick,
                ["stored.png", "-quality", "98", "-sampling-factor", "1x1", "plain.jpg"])
            try insert(LivePhotoBuilder.segment("Exif\0\0", exif(value)), at: 2, into: "plain.jpg")
            try tool("heif-enc", ["-q", "98", "-p", "chroma=444", "plain.jpg", "-o", "plain.heic"])
            let plain = [UInt8](
                try Data(contentsOf: URL(fileURLWithPath: folder.file("plain.heic"))))
            let (rotation, mirror) = Self.avif[value - 1]
            let rotated = try #require(RotatedHEIC.make(plain, quarters: rotation, mirror: mirror))
            try Data(rotated).write(to: URL(fileURLWithPath: folder.file(name)))
        default:
            let (rotation, mirror) = Self.avif[value - 1]
            try tool(
                "avifenc",
                ["-l", "--irot", "\(rotation)"] + (mirror.map { ["--imir", "\($0)"] } ?? [])
                    + ["stored.png", name])
        }
    }

    /// The first picture, 64x32 in RGB.
    private func shown(_ name: String) throws -> [UInt8] {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file(name), "-frames:v", "1", "-f", "rawvideo", "-pix_fmt",
            "rgb24", "-",
        ])
        return result.output
    }

    @Test(
        "all eight ways become one and the same movie",
        arguments: ["a.jpg", "a.png", "a.webp", "a.tif", "a.avif", "a.heic"])
    func eight(_ name: String) throws {
        var upright: [UInt8] = []
        for value in 1...8 {
            try make(name, value)
            let result = try Program.vcap.run(
                ["convert", name, "-t", "40ms", "-o", "clip.mp4", "-y", "--crf", "4"],
                environment: ["HOME": folder.path], in: folder.path)
            try #require(result.status == 0, "\(value): \(result.errorText)")
            let seen = try shown("clip.mp4")
            try #require(seen.count == 3 * 64 * 32, "\(value): \(seen.count)")
            if value == 1 { upright = seen }
            let worst = zip(seen, upright).map { abs(Int($0) - Int($1)) }.max() ?? 256
            #expect(worst <= 4, "\(value): \(worst)")
        }
        // and that one is upright
        for (x, y, color) in [
            (8, 8, [255, 0, 0]), (56, 8, [0, 255, 0]), (8, 24, [0, 0, 255]),
            (56, 24, [255, 255, 255]),
        ] {
            let place = 3 * (64 * y + x)
            let found = upright[place..<(place + 3)].map { Int($0) }
            #expect(zip(found, color).allSatisfy { abs($0 - $1) <= 12 }, "\(x) \(y): \(found)")
        }
    }
}
