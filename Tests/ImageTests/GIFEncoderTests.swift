import Foundation
import Media
import TestSupport
import Testing

@testable import Image

@Suite("GIF that is written")
struct GIFEncoderTests {
    private static let (width, height) = (20, 12)
    private let files: ImageFiles

    init() throws { files = try ImageFiles() }

    /// A picture by its pixels' colours, 0xAARRGGBB.
    private func picture(_ color: (_ x: Int, _ y: Int) -> UInt32) -> PixelBuffer {
        var picture = PixelBuffer(width: Self.width, height: Self.height, format: .bgra)
        picture.withMutablePlanes { planes in
            for y in 0..<Self.height {
                for x in 0..<Self.width {
                    let code = color(x, y)
                    for byte in 0..<4 {
                        planes[0].row(y)[4 * x + byte] = UInt8(
                            truncatingIfNeeded: code >> (8 * UInt32(byte)))
                    }
                }
            }
        }
        return picture
    }

    /// Few colours, of which a part moves.
    private func moving(_ number: Int) -> PixelBuffer {
        picture { x, y in
            x == number % 20 && y > 3 ? 0xFFFF_8000 : y == 11 ? 0xFF00_40C0 : 0xFF20_2020
        }
    }

    private func write(
        _ name: String, _ pictures: [(PixelBuffer, MediaTime)], end: MediaTime,
        hasAlpha: Bool = false, loops: Int? = nil
    ) throws -> (path: String, leftOut: Int) {
        let encoder = try GIFEncoder(
            width: Self.width, height: Self.height, hasAlpha: hasAlpha, loops: loops)
        var bytes: [UInt8] = []
        for (picture, time) in pictures { bytes += try encoder.append(picture, at: time) }
        bytes += try encoder.finish(at: end)
        return (try files.write(name, bytes), encoder.leftOut)
    }

    private func straight(_ picture: PixelBuffer) -> [UInt8] {
        picture.withPlanes { planes in
            (0..<Self.height).flatMap { y -> [UInt8] in
                let row = planes[0].row(y)
                return (0..<Self.width).flatMap { x in
                    [row[4 * x + 2], row[4 * x + 1], row[4 * x], row[4 * x + 3]]
                }
            }
        }
    }

    @Test(
        "pictures of few colours come back exactly, for us and for ImageMagick, at rounded times without drift"
    )
    func exact() throws {
        let times = (0..<13).map { MediaTime(value: Int64($0) * 1001, timescale: 30_000) }
        let made = (0..<13).map { (moving($0), times[$0]) }
        let end = MediaTime(value: 13 * 1001, timescale: 30_000)
        let (path, leftOut) = try write("a.gif", made, end: end)
        #expect(leftOut == 0)
        let (file, found) = try pictures(path)
        let starts = (times + [end]).map { $0.ticks(per: 100, rounding: .nearest) }
        #expect(file.pictures.map(\.start) == Array(starts.dropLast()))
        #expect(file.duration == MediaTime(value: starts[13], timescale: 100))
        for (index, pair) in made.enumerated() {
            #expect(found[index] == straight(pair.0), "\(index)")
        }
        let others = try files.magick(path, width: Self.width, height: Self.height)
        #expect(others == found)
    }

    @Test(
        "a picture that equals the one before lets it stay, and one that comes too soon is left out and counted"
    )
    func merged() throws {
        let centi = { MediaTime(value: $0, timescale: 100) }
        let made = [
            (moving(1), centi(0)), (moving(1), centi(4)), (moving(2), centi(10)),
            (moving(3), centi(11)), (moving(4), centi(12)),
        ]
        let (path, leftOut) = try write("a.gif", made, end: centi(20))
        #expect(leftOut == 1)
        let (file, found) = try pictures(path)
        #expect(file.pictures.map(\.duration) == [10, 2, 8])
        #expect(found == [1, 2, 4].map { straight(moving($0)) })
    }

    @Test(
        "a last picture of which less than 2/100 s is left begins earlier, or is left out: the whole is as long as the source"
    )
    func shortLast() throws {
        // 15 frames a second of 3.337 s: the last one begins at 3.333 s
        let times = (0..<51).map { MediaTime(value: Int64($0), timescale: 15) }
        let end = MediaTime(value: 3337, timescale: 1000)
        let (path, leftOut) = try write(
            "a.gif", times.enumerated().map { (moving($0.offset), $0.element) }, end: end)
        let (file, found) = try pictures(path)
        #expect(file.duration == MediaTime(value: 334, timescale: 100))
        #expect(leftOut == 0 && found == (0..<51).map { straight(moving($0)) })
        let starts = times.map { $0.ticks(per: 100, rounding: .nearest) }
        #expect(file.pictures.map(\.start) == starts.dropLast() + [332])
        // nothing is left to take from the picture before
        let centi = { MediaTime(value: $0, timescale: 100) }
        let dense = try write(
            "b.gif", [(moving(1), centi(0)), (moving(2), centi(8)), (moving(3), centi(10))],
            end: centi(11))
        let (short, kept) = try pictures(dense.path)
        #expect(dense.leftOut == 1 && short.duration == centi(11))
        #expect(short.pictures.map(\.start) == [0, 8])
        #expect(kept == [1, 2].map { straight(moving($0)) })
    }

    @Test("a picture that lasts longer than a delay can say is written again")
    func longDelay() throws {
        let made = [(moving(1), MediaTime.zero), (moving(2), MediaTime.seconds(1000))]
        let (path, _) = try write(
            "a.gif", made, end: MediaTime(value: 100_000 + 65_536, timescale: 100))
        let (file, found) = try pictures(path)
        #expect(file.duration == MediaTime(value: 165_536, timescale: 100))
        #expect(file.pictures.map(\.duration) == [65_535, 34_465, 65_533, 3])
        #expect(found == [1, 1, 2, 2].map { straight(moving($0)) })
    }

    @Test("what becomes transparent again is, and half opaque and more is opaque")
    func transparent() throws {
        let disc = { (number: Int) in
            self.picture { x, y in
                let distance = (x - number - 6) * (x - number - 6) + (y - 6) * (y - 6)
                return distance < 10 ? 0xFFC0_2000 : distance < 16 ? 0x80C0_2000 : 0x4000_00FF
            }
        }
        let made = (0..<5).map { (disc($0), MediaTime(value: Int64($0) * 7, timescale: 100)) }
        let (path, _) = try write(
            "a.gif", made, end: MediaTime(value: 35, timescale: 100), hasAlpha: true)
        let (_, found) = try pictures(path)
        for (index, pair) in made.enumerated() {
            let wanted = straight(pair.0)
            for pixel in stride(from: 0, to: wanted.count, by: 4) {
                #expect(found[index][pixel + 3] == (wanted[pixel + 3] >= 128 ? 255 : 0))
                if wanted[pixel + 3] >= 128 {
                    #expect(found[index][pixel..<(pixel + 3)] == wanted[pixel..<(pixel + 3)])
                }
            }
        }
        let others = try files.magick(path, width: Self.width, height: Self.height)
        for (ours, theirs) in zip(found, others) {
            #expect(stride(from: 3, to: ours.count, by: 4).allSatisfy { ours[$0] == theirs[$0] })
        }
    }

    @Test("loops are written as asked", arguments: [nil, 1, 2, 7])
    func loops(_ loops: Int?) throws {
        let made = [(moving(1), MediaTime.zero), (moving(2), MediaTime.milliseconds(100))]
        let (path, _) = try write("a.gif", made, end: .milliseconds(200), loops: loops)
        #expect(try ImageFile(path: path).loops == loops)
        let reported = String(decoding: try files.run("gifsicle", ["-I", path]), as: UTF8.self)
        switch loops {
        case nil: #expect(reported.contains("loop forever"), "\(reported)")
        case 1: #expect(!reported.contains("loop"), "\(reported)")
        case let count?: #expect(reported.contains("loop count \(count - 1)"), "\(reported)")
        }
    }

    @Test("a picture of many colours is near them on average, and of no more than 256")
    func manyColors() throws {
        let smooth = picture { x, y in
            255 << 24 | UInt32(x * 12) << 16 | UInt32(y * 21) << 8 | UInt32(128 + x * 3 - y * 5)
        }
        let (path, _) = try write("a.gif", [(smooth, .zero)], end: .seconds(1))
        let (_, found) = try pictures(path)
        let wanted = straight(smooth)
        let error = zip(found[0], wanted).map { abs(Int($0) - Int($1)) }.reduce(0, +)
        #expect(Double(error) / Double(wanted.count) < 6)
    }
}
