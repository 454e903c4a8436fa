import Compose
import Glibc
import LibAV
import Media
import Testing

/// Prints milliseconds a frame; run by bench/render.sh, optimised and on a quiet machine.
@Suite(
    "Speed of rendering",
    .enabled(
        if: getenv("VCAP_BENCH_RENDER") != nil, "times mean something in bench/render.sh only"),
    .serialized)
struct RenderSpeedTests {
    private let target = RenderFrames.format(1920, 1080)

    /// A frame no two rows of which are equal; waves take long at this size.
    private func picture(_ format: VideoFormat, _ seed: Int) -> PixelBuffer {
        let pixels = format.pixelFormat ?? .yuv420p
        var result = PixelBuffer(width: format.width, height: format.height, format: pixels)
        let layouts = pixels.layout.planes
        result.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let bytes = layouts[index].bytesPerRow(width: format.width)
                for y in 0..<plane.rows {
                    let row = plane.row(y)
                    for x in 0..<bytes {
                        let isHigh = pixels.bitDepth > 8 && x % 2 == 1
                        row[x] =
                            isHigh ? 1 : UInt8(truncatingIfNeeded: 16 + (x + y * 3 + seed) % 200)
                    }
                }
            }
        }
        return result
    }

    /// The best of five runs (milliseconds a frame).
    private func time(_ frames: Int, _ body: (Int) throws -> Void) rethrows -> Double {
        var best = Double.infinity
        try body(0)
        for _ in 0..<5 {
            var (start, end) = (timespec(), timespec())
            clock_gettime(CLOCK_MONOTONIC, &start)
            for frame in 0..<frames { try body(frame) }
            clock_gettime(CLOCK_MONOTONIC, &end)
            let nanoseconds =
                (end.tv_sec - start.tv_sec) * 1_000_000_000
                + (end.tv_nsec - start.tv_nsec)
            best = min(best, Double(nanoseconds) / 1e6 / Double(frames))
        }
        return best
    }

    private func report(_ name: String, _ scene: (Int) -> Scene, _ target: VideoFormat) throws {
        for threads in [1, 2] {
            let compositor = try RenderFrames.compositor(target, threads: threads)
            let milliseconds = try time(20) { _ = try compositor.compose(scene($0)) }
            print(
                "\(name), \(threads) thread(s): \((milliseconds * 100).rounded() / 100) ms a frame")
        }
    }

    @Test("a dissolve of two frames in the film's format")
    func dissolve() throws {
        for pixels in [PixelFormat.yuv420p, .yuv420p10le] {
            let format = RenderFrames.format(1920, 1080, pixels)
            let (old, new) = (picture(format, 1), picture(format, 90))
            try report(
                "dissolve 1080p \(pixels)",
                { frame in
                    Scene(layers: [
                        SceneLayer(picture: old, format: format),
                        SceneLayer(
                            picture: new, format: format, opacity: Double(frame + 1) / 22),
                    ])
                }, format)
        }
    }

    @Test("a title of a third of the frame's width over a picture")
    func tile() throws {
        let back = picture(target, 1)
        let title = RenderFrames.tile(640, 200)
        try report(
            "tile 640x200, its identity known",
            { frame in
                Scene(
                    layers: [SceneLayer(picture: back, format: target)],
                    overlays: [
                        OverlayTile(
                            identity: 1, x: 600, y: 800, image: title,
                            opacity: Double(frame + 1) / 20)
                    ])
            }, target)
        var identity: UInt64 = 10
        try report(
            "tile 640x200, another one each frame",
            { _ in
                identity += 1
                return Scene(
                    layers: [SceneLayer(picture: back, format: target)],
                    overlays: [OverlayTile(identity: identity, x: 600, y: 800, image: title)])
            }, target)
    }

    @Test("pictures of other sizes, each frame another one")
    func conform() throws {
        let kinds: [(String, VideoFormat, Transform2D)] = [
            (
                "conform 4K to 1080p", RenderFrames.format(3840, 2160),
                .scale(x: 0.5, y: 0.5)
            ),
            (
                "conform 720p to 1080p", RenderFrames.format(1280, 720),
                .scale(x: 1.5, y: 1.5)
            ),
            (
                "1080p rotated by 90",
                RenderFrames.format(
                    1080, 1920, orientation: VideoOrientation(rotation: .clockwise90)), .identity
            ),
            (
                "1080p MJPEG camera to BT.709",
                RenderFrames.format(
                    1920, 1080, .yuv422p, color: .jpeg), .identity
            ),
            (
                "1080p rotated by 10 degrees", RenderFrames.format(1920, 1080),
                Transform2D(a: 0.985, b: 0.174, c: -0.174, d: 0.985, tx: 100, ty: -160)
            ),
        ]
        for (name, format, map) in kinds {
            let frames = [picture(format, 1), picture(format, 50)]
            try report(
                name,
                { frame in
                    Scene(layers: [
                        SceneLayer(
                            picture: frames[frame % 2], format: format, transform: map)
                    ])
                }, target)
        }
        let format = RenderFrames.format(1080, 1440)
        let frames = [picture(format, 1), picture(format, 50)]
        try report(
            "portrait over its blurred self (40 pixels)",
            { frame in
                Scene(layers: [
                    SceneLayer(
                        picture: frames[frame % 2], format: format,
                        transform: Transform2D(
                            a: 0.75, b: 0, c: 0, d: 0.75, tx: 555, ty: 0),
                        fill: .blurred(radius: 40))
                ])
            }, target)
        let whole = RenderFrames.format(1920, 1080)
        let moving = [picture(whole, 1), picture(whole, 50)]
        try report(
            "push 1080p by parts of a pixel",
            { frame in
                Scene(
                    layers: moving.enumerated().map { index, picture in
                        SceneLayer(
                            picture: picture, format: whole,
                            transform: .translation(
                                x: Double(index * 1920) - 38.4 * Double(frame + 1), y: 0))
                    })
            }, target)
    }
}
