import Foundation
import Media
import TestSupport
import Testing

@testable import Image

@Suite("Animated PNG")
struct APNGTests {
    private let files: ImageFiles

    init() throws { files = try ImageFiles() }

    private func plain(_ delays: [(Int, Int)]) -> PNGMaker {
        PNGMaker(
            width: 3, height: 2,
            frames: delays.map {
                PNGMaker.Frame(
                    width: 3, height: 2, rgba: Array(repeating: 255, count: 24), delay: $0)
            })
    }

    @Test("delays of any fractions are exact, the last one too")
    func delays() throws {
        let maker = plain([(1, 24), (1, 30), (0, 7), (3, 0), (65_535, 1), (1001, 24_000)])
        let file = try ImageFile(path: files.write("a.png", maker.bytes))
        let meant = [
            MediaTime(value: 1, timescale: 24), MediaTime(value: 1, timescale: 30),
            .milliseconds(100), .milliseconds(30), .seconds(65_535),
            MediaTime(value: 1001, timescale: 24_000),
        ]
        #expect(file.kind == .apng && file.timescale == 24_000 && file.loops == nil)
        for (picture, length) in zip(file.pictures, meant) {
            #expect(MediaTime(value: picture.duration, timescale: 24_000) == length)
        }
    }

    @Test("where no timescale holds all delays, no errors add up")
    func oddDelays() throws {
        let odd = [65_521, 65_519, 65_497, 65_479, 65_449]
        let delays = (0..<1000).map { (1000 + $0, odd[$0 % 5]) }
        let file = try ImageFile(path: files.write("a.png", plain(delays).bytes))
        #expect(file.timescale == 705_600_000)
        let exact = delays.reduce(0.0) { $0 + Double($1.0) / Double($1.1) }
        #expect(abs(file.duration.approximateSeconds - exact) < 1e-8)
    }

    @Test("pictures are drawn on each other, taken away and given back as the specification says")
    func composition() throws {
        for seed in 0..<80 {
            let maker = PNGMaker.random(seed: UInt64(seed))
            let (file, seen) = try pictures(files.write("a.png", maker.bytes))
            #expect(file.loops == (maker.loops == 0 ? nil : maker.loops))
            let worst = zip(seen, maker.seen).map { difference($0, $1) }.max() ?? 256
            #expect(seen.count == maker.frames.count && worst <= 1, "\(seed): \(worst)")
        }
    }

    @Test(
        "what apngdis makes of the pictures is what is seen",
        .enabled(if: Program.tool("apngdis") != nil, "needs apngdis"))
    func others() throws {
        for seed in 100..<106 {
            var maker = PNGMaker.random(seed: UInt64(seed))
            maker.hasDefaultFrame = false
            let path = try files.write("a.png", maker.bytes)
            let (_, seen) = try pictures(path)
            try files.run("apngdis", ["a.png", "frame\(seed)-"])
            for (index, picture) in seen.enumerated() {
                let others = try files.magick(
                    "frame\(seed)-\(index + 1).png", width: maker.width, height: maker.height)
                let worst = opaqueDifference(picture, others[0])
                #expect(worst <= 2, "\(seed) \(index): \(worst)")
            }
        }
    }

    @Test(
        "what apngasm makes of pictures, with palettes and without opacity, shows them",
        .enabled(
            if: Program.tool("apngasm") != nil && Program.tool(ImageFiles.magickName) != nil,
            "needs ImageMagick and apngasm"))
    func assembled() throws {
        for (name, options) in [
            ("rgb", ["PNG24"]), ("palette", ["PNG8"]), ("alpha", ["PNG32"]),
        ] {
            var expected: [[UInt8]] = []
            for (index, color) in ["red", "#00ff0080", "blue"].enumerated() {
                let words = ["-size", "20x16", "xc:white", "-fill", color]
                let place = "\(index * 4),2 \(index * 4 + 6),9"
                let picture = "\(name)\(index).png"
                try files.run(
                    ImageFiles.magickName,
                    words + ["-draw", "rectangle \(place)", "\(options[0]):\(picture)"])
                expected += try files.magick(picture, width: 20, height: 16)
            }
            try files.run("apngasm", ["\(name).png", "\(name)0.png", "1", "24", "-kp", "-kc"])
            let (file, seen) = try pictures(files.folder.file("\(name).png"))
            #expect(file.pictures.count == 3 && file.duration == MediaTime(value: 3, timescale: 24))
            #expect(zip(seen, expected).allSatisfy { difference($0, $1) <= 1 }, "\(name)")
        }
    }

    private func opaqueDifference(_ first: [UInt8], _ second: [UInt8]) -> Int {
        stride(from: 0, to: first.count, by: 4).reduce(0) { most, place in
            let alpha = abs(Int(first[place + 3]) - Int(second[place + 3]))
            guard first[place + 3] > 100 else { return max(most, alpha) }
            return (place..<(place + 3)).reduce(max(most, alpha)) {
                max($0, abs(Int(first[$1]) - Int(second[$1])))
            }
        }
    }

    @Test("a file that is cut off anywhere is refused in one sentence")
    func cutOff() throws {
        let bytes = plain([(1, 10), (1, 10)]).bytes
        // before acTL it is no animation yet
        for count in 45..<bytes.count {
            let path = try files.write("a.png", Array(bytes[..<count]))
            let error = try #require(
                #expect(throws: MediaError.self, "\(count)") { try ImageFile(path: path) })
            #expect(error.code == .damagedFile, "\(count)")
        }
    }

    @Test("files with any bytes changed are read or refused, and nothing else happens")
    func changed() throws {
        let bytes = PNGMaker.random(seed: 7).bytes
        var chance = SplitMix(seed: 12)
        var (read, refused) = (0, 0)
        for _ in 0..<200 {
            var changed = bytes
            for _ in 0..<3 {
                changed[Int.random(in: 8..<bytes.count, using: &chance)] = UInt8.random(
                    in: 0...255, using: &chance)
            }
            let path = try files.write("a.png", changed)
            do throws(MediaError) {
                let file = try ImageFile(path: path)
                guard file.width * file.height < 1 << 20 else { continue }
                let decoder = try ImageDecoder(file)
                for index in file.pictures.indices { _ = try decoder.picture(at: index) }
                read += 1
            } catch {
                #expect(error.message.contains(path), "\(error)")
                refused += 1
            }
        }
        #expect(read > 0 && refused > 0, "\(read) read, \(refused) refused")
    }
}
