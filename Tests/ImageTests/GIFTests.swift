import Foundation
import Media
import TestSupport
import Testing

@testable import Image

@Suite("GIF")
struct GIFTests {
    private let files: ImageFiles

    init() throws { files = try ImageFiles() }

    private static let palette: [[UInt8]] = [
        [0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255],
    ]

    private func plain(
        _ delays: [Int?], width: Int = 8, height: Int = 6, loops: Int? = nil
    ) -> GIFMaker {
        GIFMaker(
            width: width, height: height, palette: Self.palette, loops: loops,
            frames: delays.enumerated().map { index, delay in
                GIFMaker.Frame(
                    width: width, height: height,
                    indices: Array(repeating: UInt8(index % 4), count: width * height), delay: delay
                )
            })
    }

    @Test("every delay is exact, the last one too, and 0 and 1 are 10")
    func delays() throws {
        let delays: [Int?] = [7, 0, 1, 2, nil, 30, 65_535, 11]
        let file = try ImageFile(path: files.write("a.gif", plain(delays).bytes))
        let meant: [Int64] = [7, 10, 10, 2, 10, 30, 65_535, 11]
        #expect(file.timescale == 100)
        #expect(file.pictures.map(\.duration) == meant)
        #expect(file.pictures.map(\.start) == meant.indices.map { meant[..<$0].reduce(0, +) })
        #expect(file.duration == MediaTime(value: meant.reduce(0, +), timescale: 100))
    }

    @Test("another bound for short delays than the browsers' may be asked for")
    func otherDelays() throws {
        let path = try files.write("a.gif", plain([0, 1, 2, 5]).bytes)
        let exact = try ImageFile(path: path, delays: .atLeast(.milliseconds(15)))
        #expect(exact.timescale == 200)
        #expect(exact.pictures.map(\.duration) == [3, 3, 4, 10])
        // two pictures never begin at one instant
        let reported = try ImageFile(path: path, delays: .atLeast(.zero))
        #expect(reported.pictures.map(\.duration) == [1, 1, 1, 5])
    }

    @Test("how often it is shown is reported: again as often as written, 0 for ever")
    func loops() throws {
        let cases: [(written: Int?, meant: Int?)] = [
            (nil, 1), (0, nil), (1, 2), (65_535, 65_536),
        ]
        for (written, meant) in cases {
            let bytes = plain([5, 5], loops: written).bytes
            #expect(try ImageFile(path: files.write("a.gif", bytes)).loops == meant)
        }
    }

    @Test("one picture is a still one and has no length")
    func still() throws {
        let file = try ImageFile(path: files.write("a.gif", plain([5]).bytes))
        #expect(file.isStill && file.duration == .zero && file.pictures.count == 1)
        #expect(!file.hasAlpha && file.loops == 1)
    }

    @Test("pictures of any kind are drawn on each other as the specification says, pixel for pixel")
    func composition() throws {
        for seed in 0..<120 {
            let maker = GIFMaker.random(seed: UInt64(seed), isSparse: seed % 3 == 0)
            let (file, seen) = try pictures(files.write("a.gif", maker.bytes))
            #expect((file.width, file.height) == (maker.width, maker.height), "\(seed)")
            let worst = zip(seen, maker.seen).map { difference($0, $1) }.max()
            #expect(seen.count == maker.frames.count && worst == 0, "\(seed)")
        }
    }

    @Test(
        "pictures that somebody holds stay as they are, and what is marked as different is all that does"
    )
    func held() throws {
        var reported = 0
        for seed in 300..<340 {
            let maker = GIFMaker.random(seed: UInt64(seed), isSparse: seed % 2 == 0)
            let file = try ImageFile(path: files.write("a.gif", maker.bytes))
            let decoder = try ImageDecoder(file)
            // forwards, with a leap back, and some of them let go of
            let order = Array(file.pictures.indices) + [0] + Array(file.pictures.indices)
            var held: [(index: Int, picture: PixelBuffer)] = []
            var before: PixelBuffer?
            for (place, index) in order.enumerated() {
                let picture = try decoder.picture(at: index)
                if let before, let change = picture.change, change.follows(before.change) {
                    let (now, then) = (rgba(picture), rgba(before))
                    let differing = (0..<(file.width * file.height)).filter { pixel in
                        (4 * pixel..<4 * pixel + 4).contains { now[$0] != then[$0] }
                    }
                    let isStated = differing.allSatisfy {
                        change.spans[$0 / file.width].contains($0 % file.width)
                    }
                    #expect(isStated, "\(seed): \(index)")
                    let columns = change.spans.rows.reduce(0) { $0 + change.spans[$1].count }
                    reported += columns < file.width * file.height ? 1 : 0
                }
                if place % 3 != 1 { held.append((index, picture)) }
                before = picture
            }
            for (index, picture) in held {
                #expect(difference(rgba(picture), maker.seen[index]) == 0, "\(seed): \(index)")
            }
        }
        #expect(reported > 100)
    }

    /// A file's pictures, one of which cannot be read once, as on a disk that comes back.
    private final class Interrupted: AnimationPatches {
        private let patches: GIFPatches
        private let path: String
        private var failing: Int?

        init(_ path: String, _ structure: GIFStructure, failing: Int) throws(MediaError) {
            patches = GIFPatches(try FileBytes(path), structure)
            (self.path, self.failing) = (path, failing)
        }

        func patch(_ index: Int) throws(MediaError) -> AnimationPatch {
            guard index == failing else { return try patches.patch(index) }
            failing = nil
            throw .overLimit(path, "for now, it")
        }
    }

    @Test("after an error of the disk pictures are seen with those before under them, as ever")
    func interrupted() throws {
        // each picture covers a part
        let maker = GIFMaker(
            width: 8, height: 6, palette: Self.palette,
            frames: (0..<4).map { index in
                GIFMaker.Frame(
                    x: index == 0 ? 0 : 2 * index, y: 0, width: index == 0 ? 8 : 2, height: 6,
                    indices: Array(repeating: UInt8(index), count: index == 0 ? 48 : 12), delay: 5)
            })
        let file = try ImageFile(path: files.write("a.gif", maker.bytes))
        guard case .gif(let structure) = file.contents else { throw MediaError.cutOff(file.path) }
        let pictures = AnimationPictures(
            file, structure.pictures.map(\.placement),
            try Interrupted(file.path, structure, failing: 2))
        _ = try pictures.picture(at: 0)
        _ = try pictures.picture(at: 1)
        #expect(throws: MediaError.self) { _ = try pictures.picture(at: 2) }
        for index in [2, 3] {
            #expect(difference(rgba(try pictures.picture(at: index)), maker.seen[index]) == 0)
        }
    }

    @Test(
        "what ImageMagick and gifsicle make of the pictures is what is seen",
        .enabled(
            if: Program.tool(ImageFiles.magickName) != nil && Program.tool("gifsicle") != nil,
            "needs ImageMagick and gifsicle"))
    func others() throws {
        for seed in 200..<216 {
            let maker = GIFMaker.random(seed: UInt64(seed))
            let path = try files.write("a.gif", maker.bytes)
            let (_, seen) = try pictures(path)
            let magick = try files.magick(path, width: maker.width, height: maker.height)
            #expect(zip(seen, magick).allSatisfy { difference($0, $1) == 0 }, "\(seed)")
            #expect(seen.count == magick.count)
            // what another program made smaller is seen as before
            try files.run("gifsicle", ["-O3", "-o", "b.gif", "a.gif"])
            let (_, smaller) = try pictures(files.folder.file("b.gif"))
            if smaller.count == seen.count {
                #expect(zip(seen, smaller).allSatisfy { difference($0, $1) == 0 }, "\(seed)")
            }
        }
    }

    @Test("every delay from 0 to 3,000 hundredths is exact")
    func everyDelay() throws {
        let maker = plain((0...3000).map { $0 }, width: 1, height: 1)
        let file = try ImageFile(path: files.write("a.gif", maker.bytes))
        let meant = (0...3000).map { Int64($0 < 2 ? 10 : $0) }
        #expect(file.timescale == 100 && file.pictures.map(\.duration) == meant)
    }

    /// Four pictures: a whole one, two of one manner, and a small one that shows what those left.
    private func animation(
        disposal: Int, isPartial: Bool, isClear: Bool, isInterlaced: Bool, hasPalette: Bool
    ) -> GIFMaker {
        let own: [[UInt8]] = [[9, 9, 9], [250, 200, 0], [0, 200, 250], [250, 0, 200]]
        func frame(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> GIFMaker.Frame {
            GIFMaker.Frame(
                x: x, y: y, width: width, height: height,
                indices: (0..<(width * height)).map { UInt8(($0 + $0 / width + x) % 4) }, delay: 5)
        }
        var frames = [frame(0, 0, 16, 12), frame(0, 0, 16, 12), frame(0, 0, 16, 12)]
        if isPartial { (frames[1], frames[2]) = (frame(3, 2, 7, 9), frame(6, 1, 9, 8)) }
        for index in 1...2 {
            frames[index].disposal = disposal
            frames[index].transparent = isClear ? 2 : nil
            frames[index].isInterlaced = isInterlaced
            frames[index].palette = hasPalette ? own : nil
        }
        return GIFMaker(
            width: 16, height: 12, palette: Self.palette, frames: frames + [frame(1, 1, 2, 2)])
    }

    @Test(
        "each disposal of whole and partial pictures, clear or not, shows what ImageMagick shows",
        .enabled(if: Program.tool(ImageFiles.magickName) != nil, "needs ImageMagick"),
        arguments: 0...3)
    func everyManner(_ disposal: Int) throws {
        for bits in 0..<16 {
            let flags = (0..<4).map { bits >> $0 & 1 == 1 }
            let maker = animation(
                disposal: disposal, isPartial: flags[0], isClear: flags[1],
                isInterlaced: flags[2], hasPalette: flags[3])
            let path = try files.write("a.gif", maker.bytes)
            let (_, seen) = try pictures(path)
            let others = try files.magick(path, width: 16, height: 12)
            #expect(seen.count == 4 && others.count == 4)
            for (index, picture) in seen.enumerated() {
                let meant = difference(picture, maker.seen[index])
                let other = difference(picture, others[index])
                #expect(meant == 0 && other == 0, "\(disposal) \(flags) \(index)")
            }
        }
    }

    @Test("pictures can be asked for in any order")
    func anyOrder() throws {
        for seed in 300..<310 {
            let maker = GIFMaker.random(seed: UInt64(seed))
            let file = try ImageFile(path: files.write("a.gif", maker.bytes))
            let decoder = try ImageDecoder(file)
            var chance = SplitMix(seed: UInt64(seed))
            for _ in 0..<20 {
                let index = Int.random(in: file.pictures.indices, using: &chance)
                let seen = rgba(try decoder.picture(at: index))
                #expect(difference(seen, maker.seen[index]) == 0, "\(seed) \(index)")
            }
        }
    }

    @Test("a picture beyond the screen: the first enlarges it, others are cut")
    func beyond() throws {
        var maker = plain([5, 5])
        maker.frames[0].x = 3
        maker.frames[1].x = 100
        let (file, seen) = try pictures(files.write("a.gif", maker.bytes))
        #expect((file.width, file.height) == (11, 6))
        #expect(seen[0] == seen[1] && file.hasAlpha)
    }

    @Test(
        "odd files that browsers show are read: no palette, no trailer's data, comments, old version"
    )
    func odd() throws {
        var maker = plain([5, nil])
        maker.version = "GIF87a"
        maker.prefix = [0x21, 0xFE, 2, 0x41, 0x42, 0, 0x21, 0xAB, 1, 0, 0, 0]
        var (file, seen) = try pictures(files.write("a.gif", maker.bytes + [1, 2, 3]))
        #expect(seen.count == 2 && file.duration == MediaTime(value: 15, timescale: 100))
        maker.palette = nil
        maker.frames[0].indices = maker.frames[0].indices.map { _ in 77 }
        (file, seen) = try pictures(files.write("b.gif", maker.bytes))
        #expect(Array(seen[0][..<4]) == [77, 77, 77, 255])
        // a screen without a size has its first picture's
        maker = plain([5, 5])
        (maker.width, maker.height) = (0, 0)
        (file, seen) = try pictures(files.write("c.gif", maker.bytes))
        #expect((file.width, file.height) == (8, 6) && seen.count == 2)
    }

    @Test("a picture that ends too soon shows what is there, and is counted")
    func short() throws {
        let maker = plain([5, 5, 5])
        var bytes = maker.bytes
        // the second picture's data: a clear code and the end
        let coded = GIFMaker.blocks(GIFMaker.codes(maker.frames[1].indices, 2))
        let start = try #require(bytes.firstRange(of: coded)?.lowerBound)
        bytes.replaceSubrange(
            start..<(start + coded.count), with: GIFMaker.blocks(GIFMaker.codes([1, 1], 2)))
        let file = try ImageFile(path: files.write("a.gif", bytes))
        let decoder = try ImageDecoder(file)
        let seen = try (0..<3).map { rgba(try decoder.picture(at: $0)) }
        #expect(decoder.damagedFrames == 1)
        #expect(Array(seen[1][..<12]) == [255, 0, 0, 255, 255, 0, 0, 255, 0, 0, 0, 255])
        #expect(Array(seen[2][..<4]) == [0, 255, 0, 255])
    }

    @Test("a file that is cut off anywhere but behind a picture is refused in one sentence")
    func cutOff() throws {
        let bytes = plain([5, 5], loops: 0).bytes
        // behind a picture, and behind the block that announces the next one
        let first = plain([5], loops: 0).bytes.count - 1
        let ends = [first, first + 8, bytes.count - 1]
        for count in 0..<bytes.count where !ends.contains(count) {
            let path = try files.write("a.gif", Array(bytes[..<count]))
            let error = try #require(
                #expect(throws: MediaError.self, "\(count)") { try ImageFile(path: path) })
            #expect(error.code == (count < 6 ? .unsupported : .damagedFile), "\(count)")
            #expect(!error.message.dropLast().contains(". "), "\(error)")
        }
    }

    @Test("sizes and counts are checked before anything is decoded")
    func bombs() throws {
        var maker = plain([5, 5])
        (maker.width, maker.height) = (65_535, 65_535)
        var path = try files.write("size.gif", maker.bytes)
        #expect(throws: MediaError.self) { try ImageFile(path: path) }
        maker = plain(Array(repeating: 2, count: 20), width: 1, height: 1)
        path = try files.write("count.gif", maker.bytes)
        var limits = ImageLimits()
        limits.pictures = 19
        #expect(throws: MediaError.self) { try ImageFile(path: path, limits: limits) }
        limits.pictures = 20
        #expect(try ImageFile(path: path, limits: limits).pictures.count == 20)
        limits.allPixels = 19
        #expect(throws: MediaError.self) { try ImageFile(path: path, limits: limits) }
        limits = ImageLimits()
        limits.duration = .milliseconds(399)
        #expect(throws: MediaError.self) { try ImageFile(path: path, limits: limits) }
    }

    @Test("files with any bytes changed are read or refused, and nothing else happens")
    func changed() throws {
        let bytes = GIFMaker.random(seed: 4).bytes
        var chance = SplitMix(seed: 9)
        var (read, refused) = (0, 0)
        for _ in 0..<300 {
            var changed = bytes
            for _ in 0..<3 {
                changed[Int.random(in: 6..<bytes.count, using: &chance)] = UInt8.random(
                    in: 0...255, using: &chance)
            }
            let path = try files.write("a.gif", changed)
            do {
                let file = try ImageFile(path: path)
                guard file.width * file.height < 1 << 20 else { continue }
                let decoder = try ImageDecoder(file)
                for index in file.pictures.indices { _ = try decoder.picture(at: index) }
                read += 1
            } catch { refused += 1 }
        }
        #expect(read > 0 && refused > 0)
    }
}
