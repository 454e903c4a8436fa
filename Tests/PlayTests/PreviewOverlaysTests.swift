import Media
import Testing

@testable import Play

@Suite("Overlays of a preview")
struct PreviewOverlaysTests {
    private func marks(
        _ overlays: PreviewOverlays, _ pixels: PixelBuffer
    ) -> OverlayMarks { OverlayMarks(overlays, luma: LumaPlane(pixels, range: .limited)) }

    @Test("zebra stripes lie where the frame is overexposed, and nowhere else")
    func zebra() {
        let pixels = DrawnPicture.frame(48, 32) { x, _ in x < 24 ? 235 : 180 }
        let marks = marks(.zebra, pixels)
        let bright = (0..<32).flatMap { y in (0..<24).map { marks[$0, y] } }
        #expect(bright.count { $0 == .dark } == bright.count / 2)
        #expect((0..<32).allSatisfy { y in (24..<48).allSatisfy { marks[$0, y] == .none } })
    }

    @Test("peaking marks a sharp edge, and not the same edge out of focus")
    func peaking() {
        let sharp = DrawnPicture.frame(64, 32) { x, _ in x < 32 ? 40 : 200 }
        let soft = DrawnPicture.frame(64, 32) { x, _ in UInt8(40 + max(0, min(160, (x - 16) * 5))) }
        #expect(marks(.peaking, sharp).marks.count { $0 == .red } == 2 * 30)
        #expect(marks(.peaking, soft).marks.allSatisfy { $0 == .none })
    }

    @Test("guides lie at the thirds and in the middle")
    func guides() {
        let marks = marks(.guides, DrawnPicture.frame(90, 60) { _, _ in 100 })
        #expect(marks[30, 5] == .light && marks[60, 5] == .light && marks[31, 5] == .none)
        #expect(marks[3, 20] == .light && marks[3, 40] == .light && marks[45, 30] == .light)
    }

    @Test("they are drawn into a copy, in both formats of pixels, and nothing else changes")
    func painting() throws {
        let pixels = DrawnPicture.frame(64, 32) { x, _ in x < 32 ? 40 : 200 }
        let before = pixels.copy()
        let drawn = PreviewOverlays.peaking.applied(to: pixels)
        #expect(!drawn.sharesPixels(with: pixels))
        func luma(_ pixels: PixelBuffer, _ x: Int) -> UInt8 {
            pixels.withPlane(0) { $0.row(16)[x] }
        }
        #expect(luma(pixels, 31) == luma(before, 31))
        #expect(luma(drawn, 31) == 93 && luma(drawn, 20) == 40)
        #expect(drawn.withPlane(2) { $0.row(8)[15] } == 229)
        let box = PixelSize(64, 32)
        let fitter = PreviewFitter()
        let frame = DrawnPicture.preview(pixels)
        let plain = try fitter.picture(of: frame, in: box)
        let marked = try fitter.picture(of: frame, in: box, overlays: .peaking)
        #expect(marked[31, 16] == RGB(255, 32, 32) && marked[10, 16] == plain[10, 16])
        #expect(PreviewOverlays().applied(to: pixels).sharesPixels(with: pixels))
    }

    @Test("a frame smaller than any overlay is drawn, too")
    func tiny() {
        for (width, height) in [(1, 1), (2, 2), (3, 1), (2, 5)] {
            let pixels = DrawnPicture.frame(width, height) { _, _ in 240 }
            let all: PreviewOverlays = [.guides, .zebra, .peaking]
            #expect(all.applied(to: pixels).width == width)
        }
    }
}
