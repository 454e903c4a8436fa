import Media
import Testing

@testable import Compose

@Suite("Pan and zoom")
struct PictureMotionTests {
    private static let motions: [PictureMotion] = [
        .inwards, .outwards, .leftwards, .rightwards, .upwards, .downwards,
        PictureMotion(
            from: .init(zoom: 1, x: 0, y: 1), to: .init(zoom: 3, x: 0.9, y: 0.1)),
    ]
    private static let frame = PixelSize(width: 320, height: 180)

    private func picture(_ width: Int, _ height: Int) -> VideoFormat {
        VideoFormat(coding: .raw(.rgb24), width: width, height: height)
    }

    @Test(
        "the picture covers the frame all along",
        arguments: [(400, 300), (300, 400), (4000, 500), (160, 90)])
    func covers(_ width: Int, _ height: Int) {
        for motion in Self.motions {
            for step in 0...20 {
                let map = motion.transform(
                    for: picture(width, height), in: Self.frame, at: Double(step) / 20)
                #expect(map.tx < 1e-9 && map.ty < 1e-9, "\(motion) \(step)")
                #expect(map.tx + map.a * Double(width) > 320 - 1e-9, "\(motion) \(step)")
                #expect(map.ty + map.d * Double(height) > 180 - 1e-9, "\(motion) \(step)")
                #expect(map.a == map.d && map.b == 0 && map.c == 0)
            }
        }
    }

    @Test("a zoom grows by equal factors in equal times, and its middle stands still")
    func evenZoom() {
        let map = {
            PictureMotion.inwards.transform(
                for: self.picture(400, 300), in: Self.frame, at: $0)
        }
        let scales = (0...10).map { map(Double($0) / 10).a }
        for (a, b) in zip(scales, scales.dropFirst()) {
            #expect(abs(b / a - scales[1] / scales[0]) < 1e-12)
        }
        #expect(abs(scales[10] / scales[0] - 1.2) < 1e-12)
        for step in 0...10 {
            let now = map(Double(step) / 10)
            #expect(abs(200 * now.a + now.tx - 160) < 1e-9)
            #expect(abs(150 * now.d + now.ty - 90) < 1e-9)
        }
    }

    @Test("between two views what stands still in both stands still all along")
    func fixedPoint() {
        let motion = PictureMotion(
            from: .init(zoom: 1, x: 0.5, y: 0.5), to: .init(zoom: 2, x: 0.6, y: 0.5))
        let format = picture(320, 180)
        let (first, last) = (
            motion.transform(for: format, in: Self.frame, at: 0),
            motion.transform(for: format, in: Self.frame, at: 1)
        )
        // where both put a point of the picture at the same place
        let x = (last.tx - first.tx) / (first.a - last.a)
        for step in 0...10 {
            let now = motion.transform(for: format, in: Self.frame, at: Double(step) / 10)
            #expect(abs(x * now.a + now.tx - (x * first.a + first.tx)) < 1e-9)
        }
    }

    @Test("a pan moves by equal steps from edge to edge")
    func evenPan() {
        let format = picture(640, 180)
        let places = (0...8).map {
            PictureMotion.rightwards.transform(
                for: format, in: Self.frame, at: Double($0) / 8
            ).tx
        }
        #expect(abs(places[0]) < 1e-9)
        #expect(abs(places[8] + 640 * 1.15 - 320) < 1e-9)
        for (a, b) in zip(places, places.dropFirst()) {
            #expect(abs((b - a) - (places[1] - places[0])) < 1e-9)
        }
    }

    @Test("views outside the picture are refused")
    func refused() {
        for view in [
            PictureMotion.View(zoom: 0.9), .init(zoom: 11), .init(x: 1.1), .init(y: -0.1),
        ] {
            #expect(throws: MediaError.self) {
                try PictureMotion(from: .init(), to: view).validate()
            }
        }
    }
}
