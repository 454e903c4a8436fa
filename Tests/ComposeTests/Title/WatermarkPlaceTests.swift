import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Compose

@Suite("Where a watermark is")
struct WatermarkPlaceTests {
    private let folder: TemporaryFolder
    private let size = PixelSize(width: 320, height: 200)

    init() throws { folder = try TemporaryFolder() }

    /// A green square.
    private func logo() throws -> String {
        let path = folder.file("logo.png")
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run([
            "-v", "error", "-f", "lavfi", "-i", "color=c=0x00ff00:s=40x40", "-frames:v", "1", path,
        ])
        try #require(result.status == 0, "\(result.errorText)")
        return path
    }

    private func box(_ mark: Watermark) throws -> [Int] {
        var solid = mark
        solid.opacity = 1
        let picture = try TitlePicture(solid.layer(renderSize: size), size)
        let box = try #require(picture.inkBox)
        return [box.left, box.top, box.right, box.bottom]
    }

    @Test("an image is held by corners, edges and the middle, with the margins that are asked for")
    func anchors() throws {
        var mark = Watermark(.image(path: try logo()), size: 0.2)
        // 40 pixels high; 5 % are 16 and 10 pixels
        mark.anchor = .topLeft
        #expect(try box(mark) == [16, 10, 55, 49])
        mark.anchor = .bottom
        #expect(try box(mark) == [140, 150, 179, 189])
        mark.anchor = .center
        #expect(try box(mark) == [140, 80, 179, 119])
        mark.anchor = .right
        #expect(try box(mark) == [264, 80, 303, 119])
        (mark.anchor, mark.horizontalMargin, mark.verticalMargin) = (.bottomRight, 0, 0.1)
        #expect(try box(mark) == [280, 140, 319, 179])
        mark.origin = Point(x: 33, y: 71)
        #expect(try box(mark) == [33, 71, 72, 110])
    }

    @Test("a text is held the same way", arguments: Watermark.Anchor.allCases)
    func texts(_ anchor: Watermark.Anchor) throws {
        var mark = Watermark(.text("vcap"), size: 0.3)
        mark.anchor = anchor
        let box = try box(mark)
        let middle = [Double(box[0] + box[2]) / 640, Double(box[1] + box[3]) / 400]
        let wanted = [anchor.point.x, anchor.point.y]
        for (found, wanted) in zip(middle, wanted) {
            #expect(
                wanted == 0 ? found < 0.35 : wanted == 1 ? found > 0.65 : abs(found - 0.5) < 0.1)
        }
    }

    @Test("a film shows its logo where and for as long as it says, half as strong")
    func film() async throws {
        var clip = NumberedClip()
        (clip.width, clip.height, clip.frames, clip.hasAudio) = (320, 200, 90, false)
        let asset = try await clip.write(to: folder.file("a.mp4"))
        var timeline = Timeline()
        timeline.videos = [VideoItem(asset.path)]
        var mark = Watermark(.image(path: try logo()), opacity: 0.5, size: 0.2)
        mark.origin = Point(x: 100, y: 60)
        mark.timeRange = MediaTimeRange(start: .seconds(1), duration: .seconds(1))
        timeline.watermark = mark
        let film = try TimelineBuilder(timeline, assets: [asset]).film()
        timeline.watermark = nil
        let plain = try TimelineBuilder(timeline, assets: [asset]).film()
        let (shown, bare) = (try ImageGenerator(film: film), try ImageGenerator(film: plain))
        for (time, isThere) in [(500, false), (1050, true), (1950, true), (2050, false)] {
            let at = MediaTime.milliseconds(Int64(time))
            let (with, without) = (
                try await shown.image(at: at).image, try await bare.image(at: at).image
            )
            func pixel(_ picture: PixelBuffer, _ x: Int, _ y: Int) -> [Int] {
                picture.withPlane(0) { plane in (0..<3).map { Int(plane.row(y)[4 * x + $0]) } }
            }
            let (inside, under) = (pixel(with, 120, 80), pixel(without, 120, 80))
            let green = isThere ? [under[0] / 2, (under[1] + 255) / 2, under[2] / 2] : under
            #expect(zip(inside, green).allSatisfy { abs($0 - $1) <= 8 }, "\(time) \(inside)")
            for (x, y) in [(95, 80), (145, 80), (120, 55), (120, 105)] {
                let pair = zip(pixel(with, x, y), pixel(without, x, y))
                #expect(pair.allSatisfy { abs($0 - $1) <= 3 }, "\(time) at \(x), \(y)")
            }
        }
    }

    @Test("a place that cannot be is refused in a sentence")
    func refusals() throws {
        let changes: [(inout Watermark) -> Void] = [
            { $0.horizontalMargin = 1.1 }, { $0.verticalMargin = -0.1 },
            { $0.origin = Point(x: .nan, y: 0) },
            { $0.timeRange = MediaTimeRange(start: .zero, duration: .zero) },
            { $0.timeRange = MediaTimeRange(start: .seconds(-1), duration: .seconds(2)) },
        ]
        for change in changes {
            var mark = Watermark(.text("a"))
            change(&mark)
            var timeline = Timeline()
            timeline.videos = [VideoItem("a.mp4")]
            timeline.watermark = mark
            #expect {
                try timeline.validate()
            } throws: { ($0 as? MediaError)?.subject == "watermark" }
        }
    }

    @Test("a project says all of it and is written as it was read")
    func project() async throws {
        let text =
            "{titles: ['x'], watermark: {text: 'a', anchor: 'top', marginX: 0.1, marginY: 0.2, at: 1, duration: 2}}"
        let path = folder.file("film.vcap.json5")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let timeline = try ProjectFile.read(path)
        var mark = Watermark(.text("a"))
        (mark.anchor, mark.horizontalMargin, mark.verticalMargin) = (.top, 0.1, 0.2)
        mark.timeRange = MediaTimeRange(start: .seconds(1), duration: .seconds(2))
        #expect(timeline.watermark == mark)
        let written = try ProjectFile.text(of: timeline, in: folder.file(""))
        try Data(written.utf8).write(to: URL(fileURLWithPath: path))
        #expect(try ProjectFile.read(path).watermark == mark)
        try Data("{titles: ['x'], watermark: {text: 'a', x: 1}}".utf8).write(
            to: URL(fileURLWithPath: path))
        #expect(throws: MediaError.self) { try ProjectFile.read(path) }
    }
}
