import Media
import Testing

@testable import Compose

@Suite("Layers that cut off what lies outside their bounds")
struct LayerClipTests {
    private let size = PixelSize(width: 120, height: 80)

    private func solid(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Layer {
        Layer(
            contents: .solid(.white), frame: Rectangle(x: x, y: y, width: width, height: height))
    }

    private func hole(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ sublayers: [Layer],
        clips: Bool = true
    ) -> Layer {
        var layer = Layer(
            frame: Rectangle(x: x, y: y, width: width, height: height), sublayers: sublayers)
        layer.clipsToBounds = clips
        return layer
    }

    private func picture(_ layer: Layer, at time: MediaTime = .zero) throws -> TitlePicture {
        try TitlePicture(Layer(covering: size, sublayers: [layer]), size, at: time)
    }

    @Test("what is inside shows, what is outside does not, to the pixel")
    func inside() throws {
        let inner = solid(-10, -10, 100, 100)
        let cut = try picture(hole(20, 10, 40, 30, [inner]))
        for y in 0..<size.height {
            for x in 0..<size.width {
                let isInside = (20..<60).contains(x) && (10..<40).contains(y)
                #expect(cut.alpha(x, y) == (isInside ? 255 : 0))
            }
        }
        // without the flag the layer is as large as it is
        #expect(try picture(hole(20, 10, 40, 30, [inner], clips: false)).ink == 100 * 80)
    }

    @Test("an edge between pixels covers them in part")
    func fraction() throws {
        let cut = try picture(hole(20.5, 10, 40.25, 30, [solid(-10, -10, 100, 100)]))
        #expect((126...129).contains(cut.alpha(20, 20)))
        #expect(cut.alpha(21, 20) == 255)
        #expect((190...193).contains(cut.alpha(60, 20)))
        #expect(cut.alpha(61, 20) == 0)
    }

    @Test("of holes in holes the common part shows")
    func nested() throws {
        let inner = hole(10, 10, 40, 40, [solid(-100, -100, 300, 300)])
        let cut = try picture(hole(20, 20, 30, 30, [inner]))
        let box = try #require(cut.inkBox)
        #expect([box.left, box.top, box.right, box.bottom] == [30, 30, 49, 49])
        let apart = hole(40, 40, 40, 40, [solid(-100, -100, 300, 300)])
        #expect(try picture(hole(20, 20, 10, 10, [apart])).ink == 0)
    }

    @Test("a hole that is rotated is a diamond")
    func rotated() throws {
        var layer = hole(40, 20, 40, 40, [solid(-100, -100, 300, 300)])
        layer.rotation.z = 45
        let cut = try picture(layer)
        #expect(abs(cut.ink - 1600) < 20)
        #expect(cut.alpha(60, 40) == 255 && cut.alpha(60, 14) == 255)
        #expect(cut.alpha(42, 22) == 0 && cut.alpha(78, 58) == 0)
    }

    @Test("what fades together is cut as it is alone")
    func group() throws {
        var layer = hole(20, 10, 40, 30, [solid(-10, -10, 30, 100), solid(10, -10, 100, 100)])
        layer.opacity = 0.5
        let cut = try picture(layer)
        let box = try #require(cut.inkBox)
        #expect([box.left, box.top, box.right, box.bottom] == [20, 10, 59, 39])
        #expect((127...128).contains(cut.alpha(35, 20)))
    }

    @Test("a part that rises comes from behind the edge")
    func rising() throws {
        var part = solid(0, 0, 40, 30)
        part.animations = [
            .basic(
                .positionY, from: 45, to: 15, timing: AnimationTiming(duration: .seconds(3)))
        ]
        let layer = hole(20, 10, 40, 30, [part])
        for (time, rows) in [(0, 0), (1, 10), (2, 20), (3, 30)] as [(Int64, Int)] {
            #expect(try picture(layer, at: .seconds(time)).ink == Double(40 * rows))
        }
    }
}
