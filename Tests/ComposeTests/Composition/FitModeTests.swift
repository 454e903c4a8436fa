import Media
import Testing

@testable import Compose

@Suite struct FitModeTests {
    private let frame = PixelSize(width: 1920, height: 1080)

    private func corners(_ mode: FitMode, _ format: VideoFormat) -> [Double] {
        let transform = mode.transform(for: format, in: frame)
        let size = format.uprightSize
        let (left, top) = transform.apply(x: 0, y: 0)
        let (right, bottom) = transform.apply(x: size.width, y: size.height)
        return [left, top, right, bottom].map { ($0 * 1000).rounded() / 1000 }
    }

    @Test func aPortraitFrameStandsInTheMiddle() {
        let portrait = VideoFormat(coding: .coded(.h264), width: 1080, height: 1920)
        #expect(corners(.contain, portrait) == [656.25, 0, 1263.75, 1080])
        #expect(corners(.cover, portrait) == [0, -1166.667, 1920, 2246.667])
        #expect(corners(.stretch, portrait) == [0, 0, 1920, 1080])
        #expect(corners(.blurred, portrait) == corners(.contain, portrait))
        #expect(FitMode.blurred.fill(in: frame) == .blurred(radius: 48))
        #expect(FitMode.contain.fill(in: frame) == .none)
    }

    @Test(arguments: VideoOrientation.Rotation.allCases, [false, true])
    func aFrameOnItsSideIsFittedAsTheUprightOneItWillBe(
        _ rotation: VideoOrientation.Rotation, _ mirrored: Bool
    ) {
        let orientation = VideoOrientation(rotation: rotation, isMirrored: mirrored)
        let stored =
            orientation.swapsAxes
            ? VideoFormat(coding: .coded(.h264), width: 1080, height: 1920)
            : VideoFormat(coding: .coded(.h264), width: 1920, height: 1080)
        var format = stored
        format.orientation = orientation
        #expect(FitMode.contain.transform(for: format, in: frame) == .identity)
    }

    @Test func pixelsThatAreNotSquareAreStretchedOnce() {
        var format = VideoFormat(coding: .coded(.h264), width: 1440, height: 1080)
        format.pixelAspect = PixelAspect(4, 3)
        #expect(FitMode.contain.transform(for: format, in: frame) == .identity)
        format.orientation = VideoOrientation(rotation: .clockwise90)
        #expect(format.uprightPixelSize == PixelSize(width: 1080, height: 1920))
    }

    @Test("the place of a picture of any size in the frame is known, beyond it too")
    func rectangles() {
        let size = Size(width: 400, height: 300)
        let frame = PixelSize(width: 800, height: 400)
        let inside = FitMode.contain.rectangle(of: size, in: frame)
        #expect(abs(inside.x - 400.0 / 3) < 1e-9 && abs(inside.width - 1600.0 / 3) < 1e-9)
        #expect(inside.y == 0 && inside.height == 400)
        #expect(
            FitMode.cover.rectangle(of: size, in: frame)
                == Rectangle(x: 0, y: -100, width: 800, height: 600))
        #expect(
            FitMode.stretch.rectangle(of: size, in: frame)
                == Rectangle(x: 0, y: 0, width: 800, height: 400))
        #expect(FitMode.cover.transform(from: size, in: frame).a == 2)
    }
}
