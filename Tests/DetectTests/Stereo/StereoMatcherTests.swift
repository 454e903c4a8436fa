import Media
import TestSupport
import Testing

@testable import Detect

@Suite("A stereo pair")
struct StereoMatcherTests {
    private func sample(_ frame: PixelBuffer) -> SampleBuffer {
        SampleBuffer(
            payload: .pixels(frame),
            format: .video(
                VideoFormat(coding: .raw(frame.format), width: frame.width, height: frame.height)),
            presentationTime: .zero)
    }

    private func depth(_ scene: StereoScene, right: PixelBuffer? = nil) throws -> DepthData {
        let matcher = try StereoMatcher(.init(calibration: scene.calibration))
        return try matcher.depth(
            left: sample(scene.left), right: sample(right ?? scene.right))
    }

    /// The share of known points off the edges that are within a quarter of a pixel of the truth, and of known ones.
    private func judge(_ data: DepthData, _ scene: StereoScene) -> (right: Double, known: Double) {
        var (good, known, all) = (0.0, 0.0, 0.0)
        for y in 8..<scene.height - 8 {
            for x in 72..<scene.width - 8 {
                all += 1
                guard let found = data.value(x: x, y: y) else { continue }
                known += 1
                if abs(found - Double(scene.disparity(x, y))) <= 0.25 { good += 1 }
            }
        }
        return (good / max(1, known), known / all)
    }

    @Test("a rendered scene of known depth is found where both cameras see it")
    func rendered() throws {
        let scene = StereoScene()
        let data = try depth(scene)
        #expect(data.format.calibration == scene.calibration)
        #expect(data.kind == .disparity)
        let (right, known) = judge(data, scene)
        #expect(right > 0.98, "\(right)")
        #expect(known > 0.9, "\(known)")
        // and as a distance: 24 px × m
        let wall = try #require(data.distance(x: 280, y: 20))
        let box = try #require(data.distance(x: 200, y: 80))
        #expect(abs(wall - 2) < 0.05 && abs(box - 1) < 0.02, "\(wall) m, \(box) m")
        let metres = try data.converted(to: .metres(0.001))
        #expect(abs(Int(metres.steps[80 * scene.width + 200]) - 1000) <= 20)
    }

    @Test("frames that do not show the same are known hardly anywhere: a control")
    func control() throws {
        let scene = StereoScene()
        var random = SplitMix(seed: 5)
        var noise = PixelBuffer(width: scene.width, height: scene.height, format: .gray)
        noise.withMutablePlanes { planes in
            for y in 0..<scene.height {
                for x in 0..<scene.width { planes[0].row(y)[x] = UInt8(random.next() % 256) }
            }
        }
        let known = judge(try depth(scene, right: noise), scene).known
        #expect(known < 0.1, "\(known)")
    }

    @Test("frames of two sizes, and settings that none can be, are refused with a sentence")
    func refusals() throws {
        let scene = StereoScene()
        let small = PixelBuffer(width: 64, height: 48, format: .gray)
        #expect(throws: MediaError.self) { try depth(scene, right: small) }
        let matcher = try StereoMatcher(.init(calibration: scene.calibration))
        #expect(throws: MediaError.self) {
            try matcher.depth(left: sample(small), right: sample(small))
        }
        for (maximum, block) in [(0, 5), (24, 5), (1024, 5), (64, 4), (64, 13)] {
            #expect(throws: MediaError.self) {
                try StereoMatcher(
                    .init(
                        calibration: scene.calibration, maximumDisparity: maximum,
                        blockSize: block))
            }
        }
    }

    @Test("without the library a sentence names what is missing and the package that brings it")
    func absent() {
        let error = #expect(throws: MediaError.self) {
            try StereoLibrary(paths: ["/nowhere/libvcap-stereo.so"])
        }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("libopencv-calib3d406") == true)
        #expect(error?.message.contains("match a stereo pair") == true)
    }
}
