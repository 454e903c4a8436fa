import Media
import Testing

@testable import Play

@Suite("A frame in the pixels of a display")
struct PreviewFitterTests {
    @Test("it fits into its box and keeps its shape")
    func fitting() {
        #expect(PixelSize(1280, 720).fitted(into: PixelSize(100, 100)) == PixelSize(100, 56))
        #expect(PixelSize(720, 1280).fitted(into: PixelSize(100, 40)) == PixelSize(23, 40))
        #expect(PixelSize(16, 9).fitted(into: PixelSize(1600, 900)) == PixelSize(1600, 900))
        let small = PixelSize(16, 9).fitted(into: PixelSize(160, 90), grows: false)
        #expect(small == PixelSize(16, 9))
        #expect(PixelSize(10_000, 1).fitted(into: PixelSize(10, 10)) == PixelSize(10, 1))
    }

    @Test("its colours are a display's, whatever the codes of its frames")
    func colors() throws {
        let white = DrawnPicture.frame(64, 36) { x, _ in x < 32 ? 235 : 16 }
        let picture = try PreviewFitter().picture(
            of: DrawnPicture.preview(white), in: PixelSize(32, 18))
        #expect(picture.width == 32 && picture.height == 18)
        #expect(picture[4, 9].distance(to: RGB(255, 255, 255)) <= 1)
        #expect(picture[28, 9].distance(to: RGB(0, 0, 0)) <= 1)
    }

    @Test("mirrored, left is right")
    func mirrored() throws {
        let half = DrawnPicture.frame(64, 36) { x, _ in x < 32 ? 235 : 16 }
        let picture = try PreviewFitter().picture(
            of: DrawnPicture.preview(half), in: PixelSize(32, 18), isMirrored: true)
        #expect(picture[4, 9].red < 4 && picture[28, 9].red > 250)
    }

    @Test("zoomed, it is the frame's own pixels around its middle")
    func zoomed() throws {
        let frame = DrawnPicture.frame(200, 100) { x, y in
            (90..<110).contains(x) && (45..<55).contains(y) ? 235 : 16
        }
        let picture = try PreviewFitter().picture(
            of: DrawnPicture.preview(frame, isZoomed: true), in: PixelSize(40, 20))
        #expect(picture.width == 40 && picture.height == 20)
        // the square is as large as in the frame
        #expect(picture[9, 10].red < 40 && picture[10, 10].red > 200)
        #expect(picture[29, 10].red > 200 && picture[30, 10].red < 40)
        #expect(picture[20, 4].red < 40 && picture[20, 6].red > 200)
    }

    @Test("pixels that are not square are shown as they look")
    func anamorphic() throws {
        let pixels = DrawnPicture.frame(72, 58) { _, _ in 100 }
        var format = DrawnPicture.format(pixels)
        format.pixelAspect = PixelAspect(64, 45)
        let frame = PreviewFrame(
            time: .zero, pixels: pixels, format: format, cameraSize: PixelSize(72, 58))
        let picture = try PreviewFitter().picture(of: frame, in: PixelSize(102, 200))
        #expect(picture.width == 102 && picture.height == 58)
    }
}
