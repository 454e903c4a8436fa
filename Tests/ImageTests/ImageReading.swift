import Foundation
import Media
import TestSupport
import Testing

@testable import Image

/// A picture file of a test's own, and what others make of it.
struct ImageFiles {
    /// Debian's name of ImageMagick's program; other programs are called `convert` as well.
    static let magickName = "convert-im6.q16"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = folder.file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Runs a tool in the folder.
    @discardableResult
    func run(_ name: String, _ words: [String]) throws -> [UInt8] {
        let tool = try #require(Program.tool(name), "\(name) is not installed")
        let result = try tool.run(words, in: folder.path)
        try #require(result.status == 0, "\(name) \(words): \(result.errorText)")
        return result.output
    }

    /// The pictures as ImageMagick sees them, each with those before it under it: RGBA.
    func magick(_ path: String, width: Int, height: Int) throws -> [[UInt8]] {
        let bytes = try run(
            ImageFiles.magickName, [path, "-coalesce", "-alpha", "on", "-depth", "8", "rgba:-"])
        let size = 4 * width * height
        return stride(from: 0, to: bytes.count - size + 1, by: size).map {
            Array(bytes[$0..<($0 + size)])
        }
    }
}

/// All pictures of a file in RGBA of 8 bits, in order.
func pictures(_ path: String, delays: DelayRule = .browsers) throws -> (ImageFile, [[UInt8]]) {
    let file = try ImageFile(path: path, delays: delays)
    let decoder = try ImageDecoder(file)
    return (file, try file.pictures.indices.map { rgba(try decoder.picture(at: $0)) })
}

/// A picture's RGBA; rgb24 is opaque.
func rgba(_ picture: PixelBuffer) -> [UInt8] {
    let step = picture.format == .rgba ? 4 : 3
    return picture.withPlanes { planes in
        (0..<picture.height).flatMap { row -> [UInt8] in
            let line = planes[0].row(row)
            return (0..<picture.width).flatMap { x in
                [
                    line[step * x], line[step * x + 1], line[step * x + 2],
                    step == 4 ? line[4 * x + 3] : 255,
                ]
            }
        }
    }
}

/// The largest difference of two pictures in RGBA; the colour of what is transparent does not count.
func difference(_ first: [UInt8], _ second: [UInt8]) -> Int {
    guard first.count == second.count else { return 256 }
    return stride(from: 0, to: first.count, by: 4).reduce(0) { most, place in
        if first[place + 3] == 0, second[place + 3] == 0 { return most }
        return (place..<(place + 4)).reduce(most) { max($0, abs(Int(first[$1]) - Int(second[$1]))) }
    }
}
