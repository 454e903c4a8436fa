import Media
import TestSupport
import Testing

@testable import Detect

/// Frames in which faces are at known places.
private struct FaceScene {
    let width = 640
    let height = 360
    /// Of the faces' boxes (pixels).
    let size = 90.0
    /// Middles of the faces in a frame.
    let places: @Sendable (Int) -> [(x: Double, y: Double)]

    func frame(_ number: Int) -> SampleBuffer {
        var canvas = LumaCanvas(width: width, height: height)
        for place in places(number) { canvas.draw(.face, x: place.x, y: place.y, width: size) }
        return .planar(
            canvas.luma, width: width, height: height,
            at: MediaTime(value: Int64(number), timescale: 30))
    }
}

/// What a filter makes of frames that come one after the other, each processed when others behind it were looked at.
private func filtered(
    _ scene: FaceScene, frames: Int, by processor: any FrameProcessor, ahead: MediaTime? = nil
) throws -> [PixelBuffer] {
    let ahead = ahead ?? processor.lookAhead
    var waiting: [SampleBuffer] = []
    var results: [PixelBuffer] = []
    for number in 0..<frames {
        let frame = scene.frame(number)
        try processor.look(at: frame)
        waiting.append(frame)
        while let first = waiting.first, frame.presentationTime - first.presentationTime >= ahead {
            results.append(try processor.process(waiting.removeFirst()))
        }
    }
    for frame in waiting { results.append(try processor.process(frame)) }
    return results
}

@Suite("filters over faces")
struct FaceFilterTests {
    /// How many neighbouring pixels differ in a box around a face's middle (0 to 1): all but those at the edges of
    /// cells are the same in a mosaic.
    private func detail(
        _ frame: PixelBuffer, _ place: (x: Double, y: Double), side: Double
    ) -> Double {
        let luma = frame.luma
        let columns =
            max(0, Int(place.x - side / 2))..<min(frame.width - 1, Int(place.x + side / 2))
        let rows = max(0, Int(place.y - side / 2))..<min(frame.height, Int(place.y + side / 2))
        guard !columns.isEmpty, !rows.isEmpty else { return 0 }
        var count = 0
        for row in rows {
            for column in columns {
                let base = row * frame.width + column
                count += luma[base] == luma[base + 1] ? 0 : 1
            }
        }
        return Double(count) / Double(columns.count * rows.count)
    }

    /// The frames in which something of a face can be seen.
    private func leaks(_ scene: FaceScene, _ frames: [PixelBuffer]) -> [Int] {
        frames.indices.filter { number in
            scene.places(number).contains {
                detail(frames[number], $0, side: scene.size * 0.8) > 0.15
            }
        }
    }

    private static let scenes: [(String, FaceScene)] = [
        ("still from the first frame on", FaceScene { _ in [(200, 180)] }),
        ("two of them", FaceScene { _ in [(150, 180), (480, 170)] }),
        // a third of its width each frame
        ("fast", FaceScene { [(Double(60 + $0 * 30 % 520), 180)] }),
        ("comes into view between two looks", FaceScene { $0 < 7 ? [] : [(400, 150)] }),
        ("goes to and fro", FaceScene { [(320 + 200 * ($0 % 20 < 10 ? 1 : -1) * 0.8, 180)] }),
    ]

    @Test(
        "a face shows nothing of itself in any frame, and what is far from it is as it was",
        arguments: 0..<5)
    func mosaic(_ number: Int) throws {
        let (name, scene) = Self.scenes[number]
        let filter = try MosaicFilter()
        let frames = try filtered(scene, frames: 24, by: filter)
        #expect(frames.count == 24)
        #expect(leaks(scene, frames).isEmpty, "\(name): \(leaks(scene, frames))")
        #expect(filter.covered >= 24 - 7)
        // control: the frames as they are
        let own = (0..<24).compactMap { scene.frame($0).pixelBuffer }
        #expect(leaks(scene, own).count >= 24 - 7)
        // a corner that no face comes near
        for (frame, plain) in zip(frames, own) {
            #expect(frame.luma.suffix(640 * 20) == plain.luma.suffix(640 * 20))
        }
    }

    @Test(
        "a face that comes into view is covered in each frame also where no later one was looked at",
        arguments: [0, 1])
    func unsurrounded(_ frames: Int) throws {
        let scene = Self.scenes[3].1
        let made = try filtered(
            scene, frames: 24, by: try MosaicFilter(),
            ahead: MediaTime(value: Int64(frames), timescale: 30))
        #expect(made.count == 24 && leaks(scene, made).isEmpty, "\(leaks(scene, made))")
    }

    /// Finds nothing, and notes when it looked.
    private final class NotingFinder: FaceFinding {
        private let looks = Lock<[MediaTime]>([])
        var times: [MediaTime] { looks.withLock { $0 } }

        func sightings(in frame: SampleBuffer) throws(MediaError) -> [Sighting] {
            looks.withLock { $0.append(frame.presentationTime) }
            return []
        }
    }

    @Test(
        "frames are looked at by the interval, and the newest behind the last look when one is settled"
    )
    func looks() throws {
        let scene = FaceScene { _ in [] }
        let finder = NotingFinder()
        let filter = MosaicFilter(
            looks: FaceLooks(finder, interval: .nanoseconds(100_000_000), margin: 0.3))
        func time(_ frame: Int64) -> MediaTime { MediaTime(value: frame, timescale: 30) }
        for number in 0..<6 { filter.look(at: scene.frame(number)) }
        #expect(finder.times == [time(0), time(3)])
        for number in 0..<6 { _ = try filter.process(scene.frame(number)) }
        // control: 1 and 2 lie between two looks
        #expect(finder.times == [time(0), time(3), time(5)])
    }

    @Test(
        "in front of a gap the last frame that was passed over is looked at, so that no frame is unknown"
    )
    func gap() throws {
        let scene = FaceScene { _ in [] }
        let finder = NotingFinder()
        let filter = MosaicFilter(
            looks: FaceLooks(finder, interval: .nanoseconds(100_000_000), margin: 0.3))
        for number in [0, 1, 2, 14] { filter.look(at: scene.frame(number)) }
        #expect(finder.times == [0, 2, 14].map { MediaTime(value: $0, timescale: 30) })
        for number in [0, 1, 2, 14] { _ = try filter.process(scene.frame(number)) }
        #expect(finder.times.count == 3)
    }

    @Test("a sticker lies over the face, follows its size, and leaves the rest of the frame alone")
    func sticker() throws {
        var picture = PixelBuffer(width: 40, height: 40, format: .bgra)
        picture.withMutablePlanes { planes in
            for row in 0..<40 {
                for column in 0..<40 {
                    // opaque red
                    let pixel = planes[0].row(row).advanced(by: column * 4)
                    (pixel[0], pixel[1], pixel[2], pixel[3]) = (0, 0, 255, 255)
                }
            }
        }
        for size in [80.0, 120] {
            let scene = SizedScene(size: size)
            let filter = try StickerFilter(picture, scale: 1)
            let frame = scene.frame
            filter.look(at: frame)
            let pixels = try filter.process(frame)
            let red = pixels.codes(ofPlane: 2)
            let width = pixels.width / 2
            let places = red.indices.filter { red[$0] > 200 }
            let middle = (
                x: Double(places.reduce(0) { $0 + $1 % width }) / Double(places.count) * 2 + 1,
                y: Double(places.reduce(0) { $0 + $1 / width }) / Double(places.count) * 2 + 1
            )
            let side = Double(places.count * 4).squareRoot()
            let found = try #require(
                try ObjectDetector(types: [.face]).objects(in: frame).first)
            #expect(abs(middle.x - found.bounds.middle.x * 640) < 2, "\(middle)")
            #expect(abs(middle.y - found.bounds.middle.y * 360) < 2, "\(middle)")
            #expect(abs(side - found.bounds.width * 640) < 4, "\(side)")
            #expect(abs(middle.x - 300) < 12 && abs(middle.y - 180) < 14)
            // BT.709's codes of red
            let code = pixels.luma[180 * 640 + 300]
            #expect(abs(Int(code) - 63) <= 1, "\(code)")
            #expect(pixels.luma.prefix(640 * 40) == frame.pixelBuffer?.luma.prefix(640 * 40))
            #expect(filter.covered == 1)
        }
    }

    private struct SizedScene {
        let size: Double
        var frame: SampleBuffer {
            var canvas = LumaCanvas(width: 640, height: 360)
            canvas.draw(.face, x: 300, y: 180, width: size)
            return .planar(canvas.luma, width: 640, height: 360, at: .zero)
        }
    }

    private struct FailingFinder: FaceFinding {
        func sightings(in frame: SampleBuffer) throws(MediaError) -> [Sighting] {
            throw MediaError(code: .decoderFailed, subject: "faces", message: "The look failed.")
        }
    }

    @Test("where a look fails no frame passes as it is, whether it was looked at before or not")
    func failing() throws {
        let filter = MosaicFilter(
            looks: FaceLooks(FailingFinder(), interval: .zero, margin: 0.3))
        let frame = FaceScene { _ in [(200, 180)] }.frame(0)
        #expect(throws: MediaError.self) { try filter.process(frame) }
        filter.look(at: frame)
        #expect(throws: MediaError.self) { try filter.process(frame) }
        #expect(filter.fallback == .black && filter.covered == 0)
    }

    @Test("frames of other formats, or that are not upright, are refused with what to do")
    func formats() throws {
        let filter = try MosaicFilter()
        var format = try #require(FaceScene { _ in [] }.frame(0).format.video)
        try filter.check(format)
        format.orientation = VideoOrientation(rotation: .half)
        #expect(throws: MediaError.self) { try filter.check(format) }
        format.orientation = .upright
        format.coding = .raw(.nv12)
        #expect(throws: MediaError.self) { try filter.check(format) }
        #expect(throws: MediaError.self) {
            try MosaicFilter(FaceFilterSettings(interval: .seconds(1)))
        }
        #expect(throws: MediaError.self) { try MosaicFilter(FaceFilterSettings(margin: 2)) }
    }
}
