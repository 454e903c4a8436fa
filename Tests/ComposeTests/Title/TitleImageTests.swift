import Foundation
import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Images in titles")
struct TitleImageTests {
    private let folder: TemporaryFolder
    private let size = PixelSize(width: 120, height: 80)

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ source: String, _ extra: [String] = []) throws -> String {
        let path = folder.file(name)
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run(
            ["-v", "error", "-f", "lavfi", "-i", source, "-frames:v", "1"] + extra + [path])
        try #require(result.status == 0, "\(result.errorText)")
        return path
    }

    private func picture(_ image: ImageContents, _ frame: Rectangle) throws -> TitlePicture {
        try TitlePicture(Layer(contents: .image(image), frame: frame), size)
    }

    private func isClose(_ first: [Int], _ second: [Int], _ most: Int = 3) -> Bool {
        zip(first, second).allSatisfy { abs($0 - $1) <= most }
    }

    @Test("contain, cover and stretch put a wide image where they say")
    func fits() throws {
        let path = try make("wide.png", "color=c=0x2040c0:s=80x40")
        let frame = Rectangle(x: 10, y: 10, width: 60, height: 60)
        let contained = try picture(ImageContents(path: path), frame)
        let box = try #require(contained.inkBox)
        #expect(box.left == 10 && box.right == 69 && box.top == 25 && box.bottom == 54)
        #expect(isClose(contained.color(40, 40), [0x20, 0x40, 0xC0]))
        let high = try #require(
            try picture(ImageContents(path: path, alignment: Point(x: 0.5, y: 0)), frame).inkBox)
        #expect(high.top == 10 && high.bottom == 39)
        for fit in [ImageContents.Fit.cover, .stretch] {
            let whole = try picture(ImageContents(path: path, fit: fit), frame)
            #expect(whole.ink == 3600)
        }
    }

    @Test("transparency is kept, and a small image at its own size is exact")
    func transparency() throws {
        let path = try make(
            "half.png",
            "color=c=0xff8000:s=40x30,format=rgba,geq=r='255':g='128':b='0':a='if(lt(X,20),255,64)'"
        )
        let drawn = try picture(
            ImageContents(path: path), Rectangle(x: 0, y: 0, width: 40, height: 30))
        #expect(drawn.color(5, 5) == [255, 128, 0] && drawn.alpha(5, 5) == 255)
        #expect(drawn.alpha(30, 5) == 64)
        // premultiplied
        #expect(isClose(drawn.color(30, 5), [64, 32, 0], 1))
    }

    @Test("JPEG, GIF and a movie's first picture serve as well")
    func kinds() throws {
        // ffmpeg's GIF has two bits of blue
        for (name, most, extra) in [
            ("a.jpg", 6, ["-q:v", "2"]), ("a.gif", 90, []), ("a.mp4", 6, ["-pix_fmt", "yuv420p"]),
        ] {
            let path = try make(name, "color=c=0x0000ff:s=64x48", extra)
            let drawn = try picture(
                ImageContents(path: path), Rectangle(x: 0, y: 0, width: 64, height: 48))
            #expect(isClose(drawn.color(32, 24), [0, 0, 255], most), "\(name)")
        }
    }

    /// A JPEG with an Exif segment that says how the camera was held.
    private func photograph(_ orientation: UInt8, isLittle: Bool = true) throws -> String {
        let path = try make(
            "plain.jpg", "color=c=red:s=32x16,drawbox=x=16:w=16:h=16:c=blue:t=fill",
            ["-y", "-q:v", "2", "-pix_fmt", "yuvj444p"])
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let tiff: [UInt8] =
            isLittle
            ? [
                0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0,
                0,
            ]
            : [
                0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0,
                0,
            ]
        let body = Array("Exif\0\0".utf8) + tiff + [0, 0, 0, 0]
        bytes.insert(
            contentsOf: [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body, at: 2)
        let rotated = folder.file("photo-\(orientation)-\(isLittle).jpg")
        try Data(bytes).write(to: URL(fileURLWithPath: rotated))
        return rotated
    }

    @Test("a photograph stands upright however the camera was held", arguments: 1...8)
    func photographs(_ orientation: Int) throws {
        // stored: red left, blue right
        let path = try photograph(UInt8(orientation), isLittle: orientation % 2 == 0)
        let isTall = orientation > 4
        let drawn = try picture(
            ImageContents(path: path, fit: .stretch),
            Rectangle(x: 0, y: 0, width: isTall ? 16 : 32, height: isTall ? 32 : 16))
        let still = try StillPicture(path: path, maximumPixels: 1 << 20)
        #expect(still.originalSize == Size(width: isTall ? 16 : 32, height: isTall ? 32 : 16))
        // where red is: the table of Exif 2.3
        let isRedFirst = [1, 4, 5, 6].contains(orientation)
        let first = drawn.color(4, 4)
        let last = isTall ? drawn.color(4, 28) : drawn.color(28, 4)
        #expect(isRedFirst ? first[0] > 200 && first[2] < 50 : first[2] > 200 && first[0] < 50)
        #expect(isRedFirst ? last[0] < 50 : last[0] > 200)
    }

    @Test("a large image is made smaller when it is read")
    func large() throws {
        let path = try make("large.png", "testsrc=s=1600x900")
        let still = try StillPicture(path: path, maximumPixels: 100_000)
        #expect(still.image.width * still.image.height <= 101_000)
        #expect(still.originalSize == Size(width: 1600, height: 900))
    }

    @Test("an image that cannot be decoded whole is drawn and reported, a whole one is not")
    func damaged() throws {
        let path = try make("photo.jpg", "testsrc2=s=320x240", ["-q:v", "2"])
        func renderer() throws -> LayerRenderer {
            let frame = Rectangle(x: 0, y: 0, width: 60, height: 45)
            let layer = Layer(contents: .image(ImageContents(path: path)), frame: frame)
            let again = Layer(contents: .image(ImageContents(path: path)), frame: frame)
            let both = Layer(frame: frame, sublayers: [layer, again])
            let renderer = try LayerRenderer(both, renderSize: size)
            #expect(try !renderer.tiles(at: .zero).isEmpty)
            return renderer
        }
        #expect(try renderer().warnings.isEmpty)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        // an even number of bytes, so that no FF makes a marker with what follows
        let third = bytes.count / 6 * 2
        for index in third..<2 * third { bytes[index] = index % 2 == 0 ? 0xFF : 0 }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(
            try renderer().warnings.map(\.message) == [
                "\(path) is damaged: its picture could not be decoded whole (what could be shows)."
            ])
    }

    @Test("missing, broken, oversize and disguised files are refused before anything is drawn")
    func refused() throws {
        func refusal(_ path: String) throws -> MediaError {
            try #require(
                #expect(throws: MediaError.self) {
                    try LayerRenderer(
                        Layer(
                            contents: .image(ImageContents(path: path)),
                            frame: Rectangle(x: 0, y: 0, width: 9, height: 9)), renderSize: size)
                })
        }
        #expect(try refusal(folder.file("none.png")).code == .noSuchFile)
        let good = try make("good.png", "color=c=red:s=16x16")
        for name in ["concat:\(good)|\(good)", "file:\(good)", "subfile:,start,0,end,9,,:\(good)"] {
            #expect(try refusal(name).code == .noSuchFile, "\(name)")
        }
        let list = folder.file("list.png")
        try Data("ffconcat version 1.0\nfile '\(good)'\n".utf8).write(
            to: URL(fileURLWithPath: list))
        #expect(try refusal(list).code == .unsupported)
        // a header that claims 60,000 x 60,000
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: good)))
        bytes.replaceSubrange(16..<24, with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
        let bomb = folder.file("bomb.png")
        try Data(bytes).write(to: URL(fileURLWithPath: bomb))
        let error = try refusal(bomb)
        #expect(error.subject == bomb && error.message.contains(bomb))
    }
}
