import Media
import Testing

@testable import Recording

/// A frame of one colour, its first plane filled with a repeated group of bytes.
private func picture(
    _ format: PixelFormat, _ group: [UInt8], _ width: Int = 322, _ height: Int = 182
)
    -> PixelBuffer
{
    var picture = PixelBuffer(width: width, height: height, format: format)
    picture.withMutablePlanes { planes in
        for plane in planes {
            for row in 0..<plane.rows {
                for index in 0..<plane.bytesPerRow {
                    plane.row(row)[index] = group[index % group.count]
                }
            }
        }
    }
    return picture
}

struct FrameGlanceTests {
    /// Groups of the first plane that are black, and as bright as a quarter of white.
    static let groups: [(format: PixelFormat, black: [UInt8], gray: [UInt8])] = [
        (.yuv420p, [16], [71]), (.nv12, [16], [71]), (.gray, [16], [71]),
        (.yuyv422, [16, 128], [71, 128]), (.uyvy422, [128, 16], [128, 71]),
        (.yuv420p10le, [64, 0], [28, 1]), (.p010le, [0, 16], [0, 71]),
        (.gray12le, [0, 1], [112, 4]), (.gray16le, [0, 16], [0, 71]),
        (.rgb24, [0, 0, 0], [64, 64, 64]), (.bgra, [0, 0, 0, 255], [64, 64, 64, 255]),
        (.rgb48le, [9, 0, 9, 0, 9, 0], [0, 64, 0, 64, 0, 64]),
        (.rgba64le, [9, 0, 9, 0, 9, 0, 255, 255], [0, 64, 0, 64, 0, 64, 255, 255]),
        (.rgb565le, [0, 0], [0x08, 0x42]),
    ]

    @Test("black is known in every kind of frame", arguments: groups)
    func black(_ item: (format: PixelFormat, black: [UInt8], gray: [UInt8])) {
        #expect(FrameGlance(picture(item.format, item.black), range: .limited).isBlack)
        #expect(!FrameGlance(picture(item.format, item.gray), range: .limited).isBlack)
    }

    @Test("black in full range is 0, and what is dark in limited range is not black in full range")
    func ranges() {
        #expect(FrameGlance(picture(.yuv420p, [0]), range: .full).isBlack)
        #expect(FrameGlance(picture(.yuv420p, [36]), range: .limited).isBlack)
        #expect(!FrameGlance(picture(.yuv420p, [36]), range: .full).isBlack)
    }

    @Test(
        "one pixel that has changed is another frame; what coding changes is the same of a coded one"
    )
    func sameness() {
        let still = picture(.yuv420p, [120])
        var moved = picture(.yuv420p, [120])
        moved.withMutablePlanes { $0[0].row(101)[203] = 121 }
        let (first, second) = (
            FrameGlance(still, range: .limited), FrameGlance(moved, range: .limited)
        )
        #expect(first.isSame(as: FrameGlance(still, range: .limited), isRecoded: false))
        #expect(!first.isSame(as: second, isRecoded: false))
        #expect(first.isSame(as: second, isRecoded: true))
        let other = FrameGlance(picture(.yuv420p, [124]), range: .limited)
        #expect(!first.isSame(as: other, isRecoded: true))
    }

    @Test(
        "frames smaller than the tiny luma, and single pixels, are looked at too",
        arguments: [1, 3, 40])
    func small(_ side: Int) {
        #expect(FrameGlance(picture(.yuv420p, [16], side, side), range: .limited).isBlack)
        #expect(!FrameGlance(picture(.yuv420p, [90], side, side), range: .limited).isBlack)
    }

    @Test("a few bright points do not make a frame bright; a line of text does")
    func brightParts() {
        var some = picture(.gray, [0], 640, 360)
        some.withMutablePlanes { planes in for x in 0..<40 { planes[0].row(5)[x] = 255 } }
        #expect(FrameGlance(some, range: .full).isBlack)
        var text = picture(.gray, [0], 640, 360)
        text.withMutablePlanes { planes in
            for y in 100..<120 { for x in 0..<400 { planes[0].row(y)[x] = 255 } }
        }
        #expect(!FrameGlance(text, range: .full).isBlack)
    }

    @Test("depth is black where nothing is known of it, however near all is")
    func depth() {
        let unknown = PixelBuffer(
            steps: Array(repeating: 0, count: 64 * 36), width: 64, height: 36)
        let near = PixelBuffer(steps: Array(repeating: 40, count: 64 * 36), width: 64, height: 36)
        #expect(FrameGlance(unknown, range: .unspecified, isDepth: true).isBlack)
        #expect(!FrameGlance(near, range: .unspecified, isDepth: true).isBlack)
        // as light, 40 of 65,535 is black
        #expect(FrameGlance(near, range: .unspecified).isBlack)
    }
}
