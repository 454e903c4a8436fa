import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Image

@Suite("HEIC files of our own")
struct HEICEncoderTests {
    private let files: ImageFiles

    init() throws { files = try ImageFiles() }

    private static let quarters: [(UInt8, UInt8, UInt8)] = [
        (200, 30, 40), (30, 190, 60), (40, 60, 210), (235, 235, 235),
    ]

    /// Four quarters of different colours.
    private func rgb(_ width: Int, _ height: Int) -> (PixelBuffer, VideoFormat) {
        var frame = PixelBuffer(width: width, height: height, format: .rgb24)
        frame.withMutablePlanes { planes in
            for y in 0..<height {
                for x in 0..<width {
                    let color = Self.quarters[
                        (x * 2 >= width ? 1 : 0) + (y * 2 >= height ? 2 : 0)]
                    let place = planes[0].row(y) + 3 * x
                    (place[0], place[1], place[2]) = color
                }
            }
        }
        return (
            frame,
            VideoFormat(
                coding: .raw(.rgb24), width: width, height: height,
                color: ColorDescription(primaries: 1, transfer: 13, matrix: 0, range: .full))
        )
    }

    /// A frame as a camera of another kind delivers it.
    private func converted(
        _ source: (PixelBuffer, VideoFormat), _ pixels: PixelFormat, _ color: ColorDescription
    ) throws -> (PixelBuffer, VideoFormat) {
        var target = source.1
        target.coding = .raw(pixels)
        target.color = color
        return (
            try PixelConverter(from: source.1, to: target).convert(source.0), target
        )
    }

    /// What heif-convert makes of a file, as RGB, and what our own reader makes of it.
    private func decoded(
        _ bytes: [UInt8], _ width: Int, _ height: Int
    ) throws -> (others: [UInt8], own: [UInt8]) {
        let path = try files.write("a.heic", bytes)
        try files.run("heif-convert", ["a.heic", "a.png"])
        let others = try files.magick("a.png", width: width, height: height)
        let (file, own) = try pictures(path)
        #expect(file.kind == .heic && file.orientation == .upright)
        #expect((file.width, file.height) == (width, height))
        return (try #require(others.first), try #require(own.first))
    }

    /// The largest difference from the quarters' colours, away from their edges.
    private func distance(_ rgba: [UInt8], _ width: Int, _ height: Int) -> Int {
        var most = rgba.count == 4 * width * height ? 0 : 256
        for y in 0..<height where most < 256 {
            for x in 0..<width {
                let edge = min(abs(2 * x + 1 - width), abs(2 * y + 1 - height))
                if edge < 10, width > 10, height > 10 { continue }
                let color = Self.quarters[(x * 2 >= width ? 1 : 0) + (y * 2 >= height ? 2 : 0)]
                let place = 4 * (y * width + x)
                for (seen, wanted) in zip(rgba[place...], [color.0, color.1, color.2]) {
                    most = max(most, abs(Int(seen) - Int(wanted)))
                }
            }
        }
        return most
    }

    private static let tools =
        Program.tool("heif-convert") != nil
        && Program.tool(ImageFiles.magickName) != nil

    @Test(
        "frames of every camera read back in their colours, by others and by us",
        .enabled(if: tools, "needs heif-convert and ImageMagick"),
        arguments: [
            (.rgb24, .bt709), (.yuv420p, .bt709), (.yuv420p, .bt601), (.nv12, .bt709),
            (.yuyv422, .bt601), (.yuv422p, .jpeg), (.yuv444p, .bt709), (.yuv422p10le, .bt709),
            (.bgra, .bt709),
        ] as [(PixelFormat, ColorDescription)])
    func colors(_ pixels: PixelFormat, _ color: ColorDescription) throws {
        var source = rgb(96, 64)
        if pixels != .rgb24 {
            source = try converted(
                source, pixels, pixels.isRGB ? source.1.color : color)
        }
        let bytes = try HEICEncoder.encode(source.0, format: source.1, effort: .best)
        let (others, own) = try decoded(bytes, 96, 64)
        #expect(distance(others, 96, 64) <= 5, "\(distance(others, 96, 64))")
        #expect(distance(own, 96, 64) <= 5, "\(distance(own, 96, 64))")
    }

    @Test(
        "odd and tiny sizes keep every column and row",
        .enabled(if: tools, "needs heif-convert and ImageMagick"),
        arguments: [
            (1, 1), (2, 1), (1, 3), (2, 2), (5, 3), (15, 17), (16, 16), (17, 33), (63, 65),
            (639, 361), (1280, 720),
        ])
    func sizes(_ width: Int, _ height: Int) throws {
        let (frame, format) = rgb(width, height)
        let bytes = try HEICEncoder.encode(frame, format: format, effort: .best)
        let (others, own) = try decoded(bytes, width, height)
        // halved chroma mixes the colours of the smallest
        guard width > 10, height > 10 else { return }
        #expect(distance(others, width, height) <= 6, "\(distance(others, width, height))")
        #expect(distance(own, width, height) <= 6, "\(distance(own, width, height))")
    }

    @Test("a file says what its colours are, and its coded frame the same")
    func stated() throws {
        let (frame, format) = rgb(64, 48)
        let bytes = try HEICEncoder.encode(frame, format: format)
        let nclx = Array("colrnclx".utf8) + [0, 1, 0, 13, 0, 6, 0x80]
        #expect(bytes.indices.contains { bytes[$0...].starts(with: nclx) })
        #expect(!bytes.indices.contains { bytes[$0...].starts(with: "clap".utf8) })
        let path = try files.write("a.heic", bytes)
        #expect(try ImageFile(path: path).color == .pictures)
    }

    @Test("a better quality is nearer to the frame and larger, a faster one smaller")
    func efforts() throws {
        let frame = TestPicture.noise(320, 240)
        let format = VideoFormat(
            coding: .raw(.yuv420p), width: 320, height: 240, color: .jpeg)
        let sizes = try [StillEncoder.Effort.fast, .usual, .best].map {
            try HEICEncoder.encode(frame, format: format, effort: $0).count
        }
        #expect(sizes[0] < sizes[1] && sizes[1] < sizes[2], "\(sizes)")
    }
}

private enum TestPicture {
    /// Grain over a ramp.
    static func noise(_ width: Int, _ height: Int) -> PixelBuffer {
        var random = SplitMix(seed: 1)
        var frame = PixelBuffer(width: width, height: height, format: .yuv420p)
        frame.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                for y in 0..<plane.rows {
                    for x in 0..<(index == 0 ? width : width / 2) {
                        let ramp = index == 0 ? 40 + (x + y) * 160 / (width + height) : 128
                        plane.row(y)[x] = UInt8(ramp + Int.random(in: -12...12, using: &random))
                    }
                }
            }
        }
        return frame
    }
}
