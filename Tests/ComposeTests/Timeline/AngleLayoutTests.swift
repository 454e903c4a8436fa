import Media
import Reading
import Testing

@testable import Compose

@Suite("Cameras that share the frame")
struct AngleLayoutTests {
    /// A take whose cameras last so long (seconds).
    private func take(_ lengths: [Double], _ path: String = "take.mp4") -> Asset {
        let format = SampleAsset.clip("x", sound: false).tracks[0].format?.video
        return SampleAsset.asset(
            path,
            lengths.enumerated().map { index, length in
                SampleAsset.pictures(
                    id: index + 1,
                    format: format ?? VideoFormat(coding: .raw(.yuv420p), width: 2, height: 2),
                    duration: MediaTime(value: Int64(length * 90_000), timescale: 90_000))
            })
    }

    private func arrangement(
        _ layout: AngleLayout, cameras: [Int], clips: Int = 1, behind opening: MediaTime = .zero
    ) throws -> AngleLayout.Arrangement {
        let items = (0..<clips).map { index in
            VideoItem(
                "take.mp4", start: .seconds(Int64(index) * 10),
                end: .seconds(Int64(index) * 10 + 5),
                transition: index > 0 || opening > .zero ? .dissolve(.seconds(1)) : .cut)
        }
        return try layout.arrangement(
            of: items, cameras: items.map { _ in cameras },
            assets: [take([Double](repeating: 60, count: 9))], behind: opening)
    }

    private func boxes(_ arrangement: AngleLayout.Arrangement) -> [[Double]] {
        (arrangement.videos + arrangement.overlays.flatMap(\.videos)).compactMap(\.place).map {
            [$0.left ?? -1, $0.top ?? -1, $0.width ?? -1, $0.height ?? -1].map {
                ($0 * 1000).rounded() / 1000
            }
        }
    }

    @Test("every camera has its part of the frame, and only the first is heard")
    func boxes() throws {
        let side = try arrangement(.sideBySide, cameras: [1, 2])
        #expect(boxes(side) == [[0, 0, 0.5, 1], [0.5, 0, 0.5, 1]])
        #expect(side.videos[0].track == 1 && side.videos[0].voices == nil)
        #expect(side.overlays[0].videos[0].track == 2)
        #expect(side.overlays[0].videos[0].voices == [])
        let grid = try arrangement(.grid, cameras: [5, 2, 3])
        #expect(boxes(grid) == [[0, 0, 0.5, 0.5], [0.5, 0, 0.5, 0.5], [0.25, 0.5, 0.5, 0.5]])
        #expect(
            try boxes(arrangement(.grid, cameras: Array(1...9))).last == [
                0.667, 0.667, 0.333, 0.333,
            ])
    }

    @Test("small cameras lie beside each other from their place on")
    func pictureInPicture() throws {
        let two = try arrangement(.pictureInPicture(ClipPlace()), cameras: [1, 2])
        #expect(two.videos[0].place == nil && two.overlays[0].videos[0].place == ClipPlace())
        let four = try arrangement(
            .pictureInPicture(ClipPlace(.topLeft, margin: 0.05, width: 0.2)), cameras: [1, 2, 3, 4])
        #expect(boxes(four).map { $0[0] } == [0.05, 0.3, 0.55])
        // no more than there is room for
        let many = try arrangement(.pictureInPicture(ClipPlace(.bottom)), cameras: Array(1...8))
        #expect(boxes(many).allSatisfy { $0[0] >= 0 && $0[0] + $0[2] <= 1 })
    }

    @Test("clips behind an opening stay together in all rows")
    func rows() throws {
        let result = try arrangement(
            .pictureInPicture(ClipPlace()), cameras: [1, 2], clips: 2, behind: .seconds(8))
        let row = result.overlays[0].videos
        #expect(row[0].gap == .seconds(7) && row[0].fadeIn == .seconds(1))
        #expect(row[0].transition == .cut && row[1].transition == .dissolve(.seconds(1)))
        let opening = VideoItem("opening.mp4")
        let timeline = Timeline(
            videos: [opening] + result.videos, overlays: result.overlays)
        let take = take([20, 20])
        let film = try TimelineBuilder(
            timeline, assets: [SampleAsset.clip("opening.mp4", seconds: 8), take]
        ).film()
        for tick in stride(from: Int64(7), to: 16, by: 1) {
            let time = MediaTime.timeline(tick * 705_600_000 + 1000)
            let sources = film.composition.tracks(of: .video).compactMap {
                $0.segment(at: time)?.mapping.sourceTime(
                    atTarget: time, timescale: 705_600_000, rounding: .down)
            }
            let instruction = film.videoComposition?.instruction(at: time)
            #expect((instruction?.layers.count ?? 0) >= 2)
            // every moment of the take is there once for each camera
            let takes = Dictionary(grouping: sources, by: \.self).filter { $0.key < .seconds(20) }
            #expect(takes.values.contains { $0.count == 2 }, "\(tick)")
        }
    }

    /// When each clip of a row begins and ends in the film (seconds), by the builder's own arithmetic.
    private func spans(
        _ result: AngleLayout.Arrangement, _ assets: [Asset]
    ) throws -> [[[Double]]] {
        let timeline = Timeline(videos: result.videos, overlays: result.overlays)
        let builder = TimelineBuilder(timeline, assets: assets)
        _ = try builder.film()
        let rows: [[PlacedClip]] = [try builder.placedClips()] + (try builder.placedOverlays())
        return rows.map { row in
            row.map { [Double($0.start) / 705_600_000, Double($0.end) / 705_600_000] }
        }
    }

    @Test("where a camera ends early the next clip begins for all of them at once")
    func early() throws {
        let assets = [take([3, 2, 2.9], "a.mp4"), take([2, 3], "b.mp4"), take([4], "c.mp4")]
        let clips = ["a.mp4", "b.mp4", "c.mp4", "a.mp4"].map { VideoItem($0) }
        let cut = try AngleLayout.sideBySide.arrangement(
            of: clips, cameras: [[1, 2, 3], [1, 2], [1], [1, 2, 3]], assets: assets)
        #expect(
            try spans(cut, assets) == [
                [[0, 2.9], [2.9, 4.9], [5.9, 9.9], [9.9, 12.8]],
                [[0, 2], [2.9, 5.9], [9.9, 11.9]],
                [[0, 2.9], [9.9, 12.8]],
            ])
        // a clip of one camera fills the frame
        #expect(cut.videos[2].place == nil && cut.videos[2].track == nil)
        let dissolved = try AngleLayout.sideBySide.arrangement(
            of: clips.enumerated().map { index, clip in
                var clip = clip
                if index > 0 { clip.transition = .dissolve(.milliseconds(500)) }
                return clip
            }, cameras: [[1, 2, 3], [1, 2], [1], [1, 2, 3]], assets: assets)
        #expect(
            try spans(dissolved, assets) == [
                [[0, 2.9], [2.4, 4.4], [4.9, 8.9], [8.4, 11.3]],
                [[0, 2], [2.4, 5.4], [8.4, 10.4]],
                [[0, 2.9], [8.4, 11.3]],
            ])
        #expect(
            dissolved.overlays[0].videos.map(\.fadeIn) == [
                .zero, .milliseconds(500), .milliseconds(500),
            ])
        #expect(dissolved.overlays[0].videos[1].fadeOut == .milliseconds(500))
        #expect(dissolved.videos.map(\.transition.kind) == [.cut, .dissolve, .cut, .dissolve])
    }

    @Test("a part that a camera does not reach is not shown, and one that none reaches is refused")
    func refused() throws {
        let late = VideoItem("a.mp4", start: .milliseconds(2500), end: .seconds(3))
        let result = try AngleLayout.grid.arrangement(
            of: [late], cameras: [[1, 2]], assets: [take([3, 2], "a.mp4")])
        #expect(result.videos.count == 1 && result.overlays.isEmpty)
        for (clip, cameras) in [
            (VideoItem("a.mp4", start: .seconds(4)), [1, 2]), (VideoItem("a.mp4"), [1, 9]),
            (VideoItem("b.mp4"), [1, 2]),
        ] {
            #expect(throws: MediaError.self) {
                try AngleLayout.grid.arrangement(
                    of: [clip], cameras: [cameras], assets: [take([3, 2], "a.mp4")])
            }
        }
    }
}
