import Foundation
import Media
import TestSupport
import Testing

@testable import Image

@Suite(
    "WebP",
    .enabled(
        if: Program.tool("cwebp") != nil && Program.tool(ImageFiles.magickName) != nil,
        "needs ImageMagick and cwebp")
)
struct WebPTests {
    private let files: ImageFiles

    init() throws { files = try ImageFiles() }

    /// Coded pictures with every kind of opacity; the first covers 24x18 and is opaque.
    private func patches() throws -> [WebPMaker.Patch] {
        var chance = SplitMix(seed: 77)
        return try [(24, 18), (6, 4), (9, 7), (4, 10), (24, 18)].enumerated().map { index, size in
            let rgba = (0..<(size.0 * size.1)).flatMap { place -> [UInt8] in
                let alpha: UInt8 = index == 0 ? 255 : [0, 255, 128, 3][(place / 3) % 4]
                return (0..<3).map { _ in UInt8.random(in: 0...255, using: &chance) } + [alpha]
            }
            _ = try files.write("p.rgba", rgba)
            try files.run(
                ImageFiles.magickName,
                ["-size", "\(size.0)x\(size.1)", "-depth", "8", "p.rgba", "PNG32:p.png"])
            try files.run("cwebp", ["-quiet", "-lossless", "-exact", "p.png", "-o", "p.webp"])
            let bytes = [UInt8](
                try Data(contentsOf: URL(fileURLWithPath: files.folder.file("p.webp"))))
            return WebPMaker.Patch(
                width: size.0, height: size.1, rgba: rgba, chunks: Array(bytes[12...]))
        }
    }

    private func random(_ patches: [WebPMaker.Patch], seed: UInt64) -> WebPMaker {
        var chance = SplitMix(seed: seed)
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &chance) }
        return WebPMaker(
            width: 24, height: 18, loops: number(0..<4),
            frames: (0..<number(2..<9)).map { _ in
                let patch = patches[number(0..<patches.count)]
                return WebPMaker.Frame(
                    x: number(0..<((24 - patch.width) / 2 + 1)) * 2,
                    y: number(0..<((18 - patch.height) / 2 + 1)) * 2, patch: patch,
                    delay: number(0..<200), isCleared: number(0..<3) == 0,
                    isBlended: number(0..<2) == 0)
            })
    }

    @Test("delays are exact, those of 10 ms and less are 100, and loops are as written")
    func delays() throws {
        let patch = try patches()[0]
        let delays = [70, 0, 10, 11, 16_777_215, 33]
        let maker = WebPMaker(
            width: 24, height: 18, loops: 3,
            frames: delays.map { WebPMaker.Frame(patch: patch, delay: $0) })
        let file = try ImageFile(path: files.write("a.webp", maker.bytes))
        #expect(file.kind == .webp && file.timescale == 1000 && file.loops == 3)
        #expect(file.pictures.map(\.duration) == [70, 100, 100, 11, 16_777_215, 33])
        #expect(!file.hasAlpha)
    }

    @Test("pictures are drawn on each other and taken away as the specification says")
    func composition() throws {
        let patches = try patches()
        for seed in 0..<60 {
            let maker = random(patches, seed: UInt64(seed))
            let (file, seen) = try pictures(files.write("a.webp", maker.bytes))
            #expect(file.loops == (maker.loops == 0 ? nil : maker.loops))
            // codes of half-transparent pixels are rounded once for each picture
            let worst = zip(seen, maker.seen).map { difference($0, $1) }.max() ?? 256
            #expect(seen.count == maker.frames.count && worst <= 1, "\(seed): \(worst)")
        }
    }

    @Test("libwebp's own animation decoder sees the same")
    func others() throws {
        let patches = try patches()
        for seed in 100..<140 {
            let maker = random(patches, seed: UInt64(seed))
            let (_, seen) = try pictures(files.write("a.webp", maker.bytes))
            let others = WebPAnimation.pictures(maker.bytes, width: 24, height: 18)
            // its blending goes in steps of 1/256
            let worst = zip(seen, others).map { opaqueDifference($0, $1) }.max() ?? 256
            #expect(seen.count == others.count && worst <= 3, "\(seed): \(worst)")
        }
    }

    /// Of pixels that are nearly opaque; in the others a code of the colour is less than one of light.
    private func opaqueDifference(_ first: [UInt8], _ second: [UInt8]) -> Int {
        stride(from: 0, to: first.count, by: 4).reduce(0) { most, place in
            let alpha = abs(Int(first[place + 3]) - Int(second[place + 3]))
            guard first[place + 3] > 100 else { return max(most, alpha) }
            return (place..<(place + 3)).reduce(max(most, alpha)) {
                max($0, abs(Int(first[$1]) - Int(second[$1])))
            }
        }
    }

    @Test(
        "what gif2webp makes of a GIF shows what the GIF shows",
        .enabled(if: Program.tool("gif2webp") != nil, "needs gif2webp"))
    func converted() throws {
        for seed in 400..<406 {
            let maker = GIFMaker.random(seed: UInt64(seed))
            _ = try files.write("a.gif", maker.bytes)
            try files.run("gif2webp", ["-quiet", "-min_size", "a.gif", "-o", "a.webp"])
            let (file, seen) = try pictures(files.folder.file("a.webp"))
            guard seen.count == maker.frames.count, !file.isStill else { continue }
            #expect(zip(seen, maker.seen).allSatisfy { difference($0, $1) == 0 }, "\(seed)")
        }
    }

    @Test(
        "a still picture is what dwebp makes of it, with and without loss, with and without opacity"
    )
    func stills() throws {
        try files.run(
            ImageFiles.magickName,
            [
                "-size", "40x30", "gradient:red-blue", "-alpha", "set", "-channel", "A", "-fx",
                "i/w", "PNG32:a.png",
            ])
        for options in [["-lossless"], ["-q", "70"], ["-q", "70", "-noalpha"]] {
            try files.run("cwebp", ["-quiet"] + options + ["a.png", "-o", "a.webp"])
            try files.run("dwebp", ["-quiet", "a.webp", "-o", "b.png"])
            let expected = try files.magick("b.png", width: 40, height: 30)
            let (file, seen) = try pictures(files.folder.file("a.webp"))
            #expect(file.isStill && file.duration == .zero)
            #expect(file.hasAlpha == !options.contains("-noalpha"))
            #expect(difference(seen[0], expected[0]) == 0, "\(options)")
        }
    }

    @Test("a file that is cut off anywhere is refused in one sentence")
    func cutOff() throws {
        let patches = try patches()
        let bytes = random(patches, seed: 5).bytes
        for count in 0..<bytes.count {
            let path = try files.write("a.webp", Array(bytes[..<count]))
            let error = try #require(
                #expect(throws: MediaError.self, "\(count)") { try ImageFile(path: path) })
            #expect(error.code == (count < 12 ? .unsupported : .damagedFile), "\(count)")
        }
    }

    @Test("a file that says to be shorter than its own header is refused")
    func emptyByItsWord() throws {
        var bytes = random(try patches(), seed: 5).bytes
        for length in UInt8(0)...11 {
            bytes.replaceSubrange(4..<8, with: [length, 0, 0, 0])
            let path = try files.write("a.webp", bytes)
            let error = #expect(throws: MediaError.self) { try ImageFile(path: path) }
            #expect(error?.code == .damagedFile, "\(length)")
        }
    }

    @Test("files with any bytes changed are read or refused, and nothing else happens")
    func changed() throws {
        let bytes = random(try patches(), seed: 6).bytes
        var chance = SplitMix(seed: 10)
        for _ in 0..<200 {
            var changed = bytes
            for _ in 0..<3 {
                changed[Int.random(in: 12..<bytes.count, using: &chance)] = UInt8.random(
                    in: 0...255, using: &chance)
            }
            let path = try files.write("a.webp", changed)
            do throws(MediaError) {
                let file = try ImageFile(path: path)
                guard file.width * file.height < 1 << 20 else { continue }
                let decoder = try ImageDecoder(file)
                for index in file.pictures.indices { _ = try decoder.picture(at: index) }
            } catch {
                #expect(error.message.contains(path))
            }
        }
    }
}
