import CLCMS
import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Image

@Suite(
    "Still pictures",
    .enabled(
        if: Program.tool(ImageFiles.magickName) != nil && Program.tool("avifenc") != nil
            && Program.tool("heif-enc") != nil, "needs ImageMagick, avifenc and heif-enc"))
struct StillTests {
    private let files: ImageFiles

    init() throws { files = try ImageFiles() }

    /// Four quarters of different colours, 32x24: no turn of it looks like another one.
    private func make(_ name: String, _ options: [String] = []) throws {
        var words = ["-size", "32x24", "xc:red"]
        for (color, place) in [
            ("lime", "16,0 31,11"), ("blue", "0,12 15,23"), ("white", "16,12 31,23"),
        ] {
            words += ["-fill", color, "-draw", "rectangle \(place)"]
        }
        try files.run(ImageFiles.magickName, words + ["-alpha", "off"] + options + [name])
    }

    /// The upright picture in RGBA.
    private func upright(_ name: String) throws -> (file: ImageFile, rgba: [UInt8]) {
        let file = try ImageFile(path: files.folder.file(name))
        let decoder = try ImageDecoder(file)
        let picture = try decoder.picture(at: 0)
        #expect(decoder.damagedFrames == 0, "\(name)")
        var source = decoder.format
        source.orientation = .upright
        var target = source
        target.coding = .raw(.rgba)
        target.color = .unspecified
        let straight = try PixelConverter(from: source, to: target).convert(picture)
        let rotated = try straight.rotated(by: file.orientation)
        let alpha = picture.format.hasAlpha
        return (file, rgba(rotated).enumerated().map { $0 % 4 == 3 && !alpha ? 255 : $1 })
    }

    /// The largest difference away from the edges of the quarters.
    private func inner(_ first: [UInt8], _ second: [UInt8], width: Int = 32) -> Int {
        guard first.count == second.count else { return 256 }
        return first.indices.reduce(0) { most, place in
            let (x, y) = (place / 4 % width, place / 4 / width)
            let height = first.count / 4 / width
            let (fromX, fromY) = (
                min(x % (width / 2), width / 2 - 1 - x % (width / 2)),
                min(y % (height / 2), height / 2 - 1 - y % (height / 2))
            )
            guard fromX > 2, fromY > 2 else { return most }
            return max(most, abs(Int(first[place]) - Int(second[place])))
        }
    }

    @Test("every kind shows its picture: its sizes, its colours, its depth")
    func kinds() throws {
        try make("a.png")
        let expected = try files.magick("a.png", width: 32, height: 24)[0]
        try make("grey.png", ["-colorspace", "Gray"])
        let grey = try files.magick("grey.png", width: 32, height: 24)[0]
        let cases: [(name: String, options: [String], kind: ImageFile.Kind, layout: PixelFormat)] =
            [
                ("b.png", ["-depth", "16", "-define", "png:bit-depth=16"], .png, .rgb48le),
                ("c.png", ["-type", "Palette"], .png, .rgb24),
                ("d.jpg", ["-sampling-factor", "2x2", "-quality", "95"], .jpeg, .yuv420p),
                ("e.jpg", ["-sampling-factor", "2x1", "-quality", "95"], .jpeg, .yuv422p),
                ("f.jpg", ["-sampling-factor", "1x1", "-quality", "95"], .jpeg, .yuv444p),
                ("g.jpg", ["-interlace", "JPEG", "-quality", "95"], .jpeg, .yuv420p),
                ("h.jpg", ["-colorspace", "CMYK", "-quality", "98"], .jpeg, .rgb24),
                ("i.tif", ["-depth", "8", "-compress", "None"], .tiff, .rgb24),
                ("j.tif", ["-depth", "8", "-compress", "LZW"], .tiff, .rgb24),
                ("k.tif", ["-depth", "16", "-compress", "Zip"], .tiff, .rgb48le),
                ("l.webp", ["-quality", "95"], .webp, .rgb24),
            ]
        for (name, options, kind, layout) in cases {
            try make(name, options)
            let (file, seen) = try upright(name)
            #expect(file.kind == kind && file.isStill && file.orientation == .upright, "\(name)")
            #expect(file.pixelFormat == layout || name == "g.jpg", "\(name) \(file.pixelFormat)")
            #expect(inner(seen, expected) <= 8, "\(name): \(inner(seen, expected))")
        }
        for name in ["grey.jpg", "grey.tif"] {
            try make(name, ["-colorspace", "Gray"])
            let seen = try upright(name).rgba
            #expect(inner(seen, grey) <= 4, "\(name): \(inner(seen, grey))")
        }
        #expect(inner(try upright("grey.png").rgba, grey) <= 1)
        try files.run("avifenc", ["-l", "a.png", "a.avif"])
        try files.run("avifenc", ["-d", "10", "--min", "4", "--max", "10", "a.png", "b.avif"])
        // it takes palettes for grey
        try make("PNG24:full.png")
        try files.run("heif-enc", ["-L", "full.png", "-o", "a.heic"])
        for (name, kind) in [("a.avif", ImageFile.Kind.avif), ("b.avif", .avif), ("a.heic", .heic)]
        {
            let (file, seen) = try upright(name)
            #expect(file.kind == kind, "\(name)")
            #expect(inner(seen, expected) <= 8, "\(name): \(inner(seen, expected))")
        }
        #expect(try upright("b.avif").file.pixelFormat == .rgb48le)
    }

    @Test("opacity is kept", arguments: ["a.png", "b.png", "c.tif", "d.webp", "e.avif", "f.heic"])
    func opacity(_ name: String) throws {
        let words = [
            "-size", "32x24", "xc:none", "-fill", "#ff000080", "-draw", "rectangle 0,0 15,23",
        ]
        try files.run(ImageFiles.magickName, words + ["PNG32:s.png"])
        switch name {
        case "e.avif": try files.run("avifenc", ["-l", "s.png", name])
        case "f.heic": try files.run("heif-enc", ["-L", "s.png", "-o", name])
        case "b.png":
            try files.run(ImageFiles.magickName, ["s.png", "-depth", "16", "PNG64:\(name)"])
        default: try files.run(ImageFiles.magickName, ["s.png", "-quality", "100", name])
        }
        let (file, seen) = try upright(name)
        #expect(file.hasAlpha)
        #expect(abs(Int(seen[3]) - 128) <= 2 && seen[0] > 245 && seen[1] < 10, "\(seen[..<4])")
        #expect(seen[4 * 31 + 3] <= 1)
    }

    @Test(
        "all eight orientations of Exif end upright, in JPEG, PNG, WebP and TIFF", arguments: 1...8)
    func orientations(_ value: Int) throws {
        let names = [
            "TopLeft", "TopRight", "BottomRight", "BottomLeft", "LeftTop", "RightTop",
            "RightBottom", "LeftBottom",
        ]
        try make("plain.png", ["-orient", names[value - 1]])
        // what others show of it
        try files.run(
            ImageFiles.magickName,
            ["plain.png", "-orient", names[value - 1], "-auto-orient", "+repage", "up.png"])
        let isTall = value > 4
        let (width, height) = isTall ? (24, 32) : (32, 24)
        let expected = try files.magick("up.png", width: width, height: height)[0]
        try make("plain.jpg", ["-quality", "98", "-sampling-factor", "1x1"])
        var bytes = [UInt8](
            try Data(contentsOf: URL(fileURLWithPath: files.folder.file("plain.jpg"))))
        let exif = Self.exif(UInt8(value))
        let segment = Array("Exif\0\0".utf8) + exif
        bytes.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment, at: 2)
        _ = try files.write("a.jpg", bytes)
        bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: files.folder.file("plain.png"))))
        bytes.insert(contentsOf: PNGMaker.chunk("eXIf", exif), at: 33)
        _ = try files.write("a.png", bytes)
        try make("a.tif", ["-orient", names[value - 1]])
        for name in ["a.jpg", "a.png", "a.tif"] {
            let (file, seen) = try upright(name)
            #expect(file.orientation == VideoOrientation(exif: value), "\(name)")
            #expect(inner(seen, expected, width: width) <= 8, "\(name)")
        }
    }

    private static func exif(_ orientation: UInt8) -> [UInt8] {
        [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0,
            0, 0, 0, 0,
        ]
    }

    @Test("AVIF's turns and mirrors end upright, as libheif shows them")
    func properties() throws {
        try make("a.png")
        for angle in 0..<4 {
            for mirror in [nil, 0, 1] {
                var words = ["-l", "--irot", "\(angle)"]
                if let mirror { words += ["--imir", "\(mirror)"] }
                try files.run("avifenc", words + ["a.png", "a.avif"])
                try files.run("heif-convert", ["a.avif", "up.png"])
                let width = angle % 2 == 1 ? 24 : 32
                let expected = try files.magick("up.png", width: width, height: 56 - width)[0]
                let (file, seen) = try upright("a.avif")
                #expect((file.width, file.height) == (32, 24))
                #expect(
                    inner(seen, expected, width: width) <= 2,
                    "\(angle) \(String(describing: mirror))")
            }
        }
    }

    @Test("16 bits stay 16")
    func deep() throws {
        let codes: [UInt16] = (0..<32).flatMap { [UInt16($0 * 2048 + 3), 65_535, 257] }
        _ = try files.write("a.rgb", codes.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        let words = ["-size", "32x1", "-depth", "16", "-endian", "LSB", "rgb:a.rgb"]
        for name in ["a.png", "a.tif"] {
            try files.run(ImageFiles.magickName, words + [name])
            let file = try ImageFile(path: files.folder.file(name))
            let picture = try ImageDecoder(file).picture(at: 0)
            let found = picture.withPlane(0) { plane in
                Array(
                    UnsafeBufferPointer(
                        start: plane.base.assumingMemoryBound(to: UInt16.self), count: 96))
            }
            #expect(found == codes, "\(name)")
        }
    }

    @Test("an embedded profile is applied, and sRGB's changes nothing")
    func profiles() throws {
        // red and green have changed places
        let odd = try #require(Self.profile(red: (0.30, 0.60), green: (0.64, 0.33)))
        _ = try files.write("odd.icc", odd)
        for name in ["a.png", "a.jpg", "a.tif", "a.webp"] {
            try make(name, ["-quality", "98", "-profile", "odd.icc"])
            let seen = try upright(name).rgba
            let (left, right) = (4 * (32 * 5 + 5), 4 * (32 * 5 + 24))
            let (first, second) = (Array(seen[left..<(left + 3)]), Array(seen[right..<(right + 3)]))
            #expect(first[1] > 235 && first[0] < 40, "\(name) \(first)")
            #expect(second[0] > 235 && second[1] < 40, "\(name) \(second)")
        }
    }

    private static func profile(
        red: (Double, Double), green: (Double, Double)
    ) -> [UInt8]? {
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: red.0, y: red.1, Y: 1),
            Green: cmsCIExyY(x: green.0, y: green.1, Y: 1),
            Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
        guard let curve = cmsBuildGamma(nil, 2.2) else { return nil }
        defer { cmsFreeToneCurve(curve) }
        var curves: [OpaquePointer?] = [curve, curve, curve]
        guard let profile = cmsCreateRGBProfile(&white, &primaries, &curves) else { return nil }
        defer { cmsCloseProfile(profile) }
        var size: UInt32 = 0
        cmsSaveProfileToMem(profile, nil, &size)
        var bytes = [UInt8](repeating: 0, count: Int(size))
        return cmsSaveProfileToMem(profile, &bytes, &size) != 0 ? bytes : nil
    }

    @Test("a JPEG is made smaller while it is decoded, no smaller than wanted")
    func fitting() throws {
        try files.run(ImageFiles.magickName, ["-size", "640x400", "gradient:red-blue", "a.jpg"])
        let file = try ImageFile(path: files.folder.file("a.jpg"))
        let cases = [
            (640, 400, 640), (320, 200, 320), (319, 400, 320), (321, 201, 640), (1, 1, 80),
        ]
        for (width, height, expected) in cases {
            let decoder = try ImageDecoder(file, fitting: (width, height))
            let picture = try decoder.picture(at: 0)
            #expect(picture.width == expected && decoder.format.width == expected)
            #expect(picture.height == expected * 5 / 8)
        }
    }

    @Test("a picture of any other kind is made smaller right behind its decoding, by opacity")
    func reduction() throws {
        let words = ["-size", "64x40", "xc:red", "-alpha", "set", "-channel", "A", "-evaluate"]
        let halves = ["set", "100%", "-region", "32x40+32+0", "-evaluate", "set", "0%", "+channel"]
        try files.run(ImageFiles.magickName, words + halves + ["PNG32:a.png"])
        let file = try ImageFile(path: files.folder.file("a.png"))
        for (width, height, expected) in [(64, 40, 64), (32, 20, 32), (31, 40, 32), (33, 21, 64)] {
            let decoder = try ImageDecoder(file, fitting: (width, height))
            let picture = try decoder.picture(at: 0)
            #expect(picture.width == expected && decoder.format.width == expected)
            #expect(picture.height == expected * 5 / 8)
        }
        var picture = PixelBuffer(width: 2, height: 1, format: .rgba)
        picture.withMutablePlanes { planes in
            for (place, code) in [200, 10, 0, 255, 0, 250, 90, 0].enumerated() {
                planes[0].row(0)[place] = UInt8(code)
            }
        }
        // what is not seen colours nothing
        #expect(rgba(picture.reduced(by: 2)) == [200, 10, 0, 128])
    }

    @Test(
        "a PNG is the same made smaller row by row and as a whole, of every kind and filter",
        arguments: [0, 2, 4, 6], [8, 16])
    func rows(_ kind: Int, _ depth: Int) throws {
        var chance = SplitMix(seed: UInt64(kind * 100 + depth))
        let (width, height) = (37, 29)
        let bytesPerPixel = [0: 1, 2: 3, 4: 2, 6: 4][kind, default: 1] * depth / 8
        for parts in [1, 7] {
            let lines = (0..<height).map { line in
                [UInt8(line % 5)]
                    + (0..<width * bytesPerPixel).map { _ in
                        UInt8.random(in: 0...255, using: &chance)
                    }
            }
            let path = files.folder.file("rows.png")
            try Data(PNGMaker.still(width, height, depth, kind, lines, parts: parts))
                .write(to: URL(fileURLWithPath: path))
            let file = try ImageFile(path: path)
            let whole = try ImageDecoder(file).picture(at: 0)
            for (side, factor) in [(18, 2), (9, 4), (1, 16)] {
                let decoder = try ImageDecoder(file, fitting: (side, side))
                let picture = try decoder.picture(at: 0)
                #expect(decoder.damagedFrames == 0)
                #expect(picture.width == width / factor && picture.height == height / factor)
                #expect(codes(picture) == codes(whole.reduced(by: factor)), "\(factor)")
            }
        }
    }

    private func codes(_ picture: PixelBuffer) -> [UInt8] {
        let count = picture.format.layout.planes[0].bytesPerRow(width: picture.width)
        return picture.withPlane(0) { plane in
            (0..<picture.height).flatMap {
                Array(UnsafeBufferPointer(start: plane.row($0), count: count))
            }
        }
    }

    @Test("a PNG whose rows end too soon shows those there are, and is damaged")
    func missingRows() throws {
        let lines = (0..<10).map { _ in [UInt8(0)] + [UInt8](repeating: 200, count: 60) }
        let path = files.folder.file("short.png")
        try Data(PNGMaker.still(20, 40, 8, 2, lines)).write(to: URL(fileURLWithPath: path))
        let decoder = try ImageDecoder(ImageFile(path: path), fitting: (10, 20))
        let picture = try decoder.picture(at: 0)
        #expect(decoder.damagedFrames == 1)
        #expect(codes(picture).prefix(150).allSatisfy { $0 == 200 })
        #expect(codes(picture).suffix(450).allSatisfy { $0 == 0 })
        let wrong = lines.map { [UInt8(7)] + $0.dropFirst() }
        try Data(PNGMaker.still(20, 10, 8, 2, wrong)).write(to: URL(fileURLWithPath: path))
        #expect(throws: MediaError.self) {
            try ImageDecoder(ImageFile(path: path), fitting: (5, 5)).picture(at: 0)
        }
    }

    @Test("a side above 16,384 is made smaller where less is wanted, and refused where it is not")
    func longSides() throws {
        try files.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "color=red:s=20000x64", "-frames:v", "1"]
                + ["-pix_fmt", "rgb24", "a.png"])
        let file = try ImageFile(path: files.folder.file("a.png"))
        let picture = try ImageDecoder(file, fitting: (16_384, 16_384)).picture(at: 0)
        #expect(picture.width == 10_000 && picture.height == 32)
        let error = try #require(#expect(throws: MediaError.self) { try ImageDecoder(file) })
        #expect(error.message.contains("20000x64") && error.message.contains("smaller size"))
    }

    @Test("a camera's time of a picture is read, to the fraction and its offset")
    func captureTime() throws {
        try make("plain.jpg")
        var details: [UInt8] = []
        func text(_ tag: [UInt8], _ value: String, at place: UInt8) -> [UInt8] {
            tag + [0, 2, 0, 0, 0, UInt8(value.utf8.count + 1)] + [0, 0, 0, place]
        }
        // the details' directory at 26, their texts behind it
        details += [0, 3] + text([0x90, 0x03], "2026:11:22 03:04:05", at: 68)
        details += text([0x90, 0x11], "+01:00", at: 88)
        details += [0x92, 0x91, 0, 2, 0, 0, 0, 4] + Array("250\0".utf8) + [0, 0, 0, 0]
        var exif: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1]
        exif += [0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
        exif += details + Array("2026:11:22 03:04:05\0+01:00\0".utf8)
        let segment = Array("Exif\0\0".utf8) + exif
        var bytes = [UInt8](
            try Data(contentsOf: URL(fileURLWithPath: files.folder.file("plain.jpg"))))
        bytes.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment, at: 2)
        let time = try #require(try ImageFile(path: files.write("a.jpg", bytes)).captureTime)
        #expect(time.text == "2026:11:22 03:04:05")
        #expect(time.fraction == "250" && time.offset == "+01:00")
    }

    @Test("a picture that is cut off anywhere is refused in one sentence")
    func cutOff() throws {
        try files.run(ImageFiles.magickName, ["-size", "8x6", "gradient:red-blue", "a.png"])
        for name in ["a.jpg", "a.tif", "a.webp"] {
            try files.run(ImageFiles.magickName, ["a.png", name])
        }
        try files.run("avifenc", ["-s", "10", "a.png", "a.avif"])
        try files.run("heif-enc", ["a.png", "-o", "a.heic"])
        for name in ["a.png", "a.jpg", "a.tif", "a.webp", "a.avif", "a.heic"] {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: files.folder.file(name))))
            for count in 0..<bytes.count {
                let path = try files.write("b", Array(bytes[..<count]))
                do throws(MediaError) {
                    _ = try ImageDecoder(try ImageFile(path: path)).picture(at: 0)
                    // ImageMagick's TIFF ends with what says nothing of the picture
                    if name != "a.tif" { Issue.record("\(name) of \(count) bytes was taken") }
                } catch {
                    #expect(error.code == .damagedFile || error.code == .unsupported, "\(error)")
                    #expect(error.message.contains(path), "\(error)")
                }
            }
        }
    }

    @Test("files with any bytes changed are read or refused, and nothing else happens")
    func changed() throws {
        try make("a.png")
        for name in ["a.jpg", "a.tif"] { try make(name) }
        try files.run("avifenc", ["-s", "10", "a.png", "a.avif"])
        try files.run("heif-enc", ["a.png", "-o", "a.heic"])
        var chance = SplitMix(seed: 11)
        for name in ["a.png", "a.jpg", "a.tif", "a.avif", "a.heic"] {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: files.folder.file(name))))
            for _ in 0..<60 {
                var changed = bytes
                for _ in 0..<3 {
                    changed[Int.random(in: 8..<bytes.count, using: &chance)] = UInt8.random(
                        in: 0...255, using: &chance)
                }
                let path = try files.write("b", changed)
                do throws(MediaError) {
                    let file = try ImageFile(path: path)
                    guard file.width * file.height < 1 << 20 else { continue }
                    _ = try ImageDecoder(file).picture(at: 0)
                } catch {
                    #expect(error.message.contains(path), "\(error)")
                }
            }
        }
    }
}
