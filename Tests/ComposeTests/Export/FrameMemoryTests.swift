import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Compose

@Suite(
    "Pictures in memory while a film is made", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct FrameMemoryTests {
    /// No other test has frames of this size.
    private static let size = (width: 1120, height: 960)
    private static let bytes = size.width * size.height * 3 / 2
    /// Of one clip (frames); two of them belong to a transition as well.
    private static let clipLength = 8

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Files of their own, each dissolving into the next.
    private func film(clips: Int) throws -> Film {
        let first = folder.file("clip0.mp4")
        if !FileManager.default.fileExists(atPath: first) {
            let ffmpeg = try #require(Program.tool("ffmpeg"))
            let frame = "testsrc2=s=\(Self.size.width)x\(Self.size.height):r=30"
            let run = try ffmpeg.run(
                ["-v", "error", "-f", "lavfi", "-i", frame, "-frames:v", "\(Self.clipLength)"]
                    + GeneratedClip.h264 + ["-pix_fmt", "yuv420p", first])
            try #require(run.status == 0)
        }
        var timeline = Timeline()
        for number in 0..<clips {
            let path = folder.file("clip\(number).mp4")
            if number > 0, !FileManager.default.fileExists(atPath: path) {
                try FileManager.default.copyItem(atPath: first, toPath: path)
            }
            var item = VideoItem(path)
            if number > 0 { item.transition = .dissolve(MediaTime(value: 2, timescale: 30)) }
            timeline.videos.append(item)
        }
        return try TimelineBuilder.film(loading: timeline)
    }

    private var alive: Int { PixelHeap.shared.lentBlocks(holding: Self.bytes) }

    /// The most frames in existence while a film is read, each dropped or kept by the reader.
    private func most(_ film: Film, keeping: Bool = false) throws -> Int {
        let output = try VideoCompositionOutput(film: film)
        let reader = AssetReader()
        try reader.add(output)
        try reader.start()
        var kept: [SampleBuffer] = []
        var most = 0
        while let sample = try output.next() {
            most = max(most, alive)
            if keeping { kept.append(sample) }
        }
        return withExtendedLifetime(kept) { most }
    }

    @Test("a film of many clips needs as few frames as one of two, and gives all of them back")
    func clips() throws {
        let two = try most(film(clips: 2))
        let many = try film(clips: 9)
        #expect(try most(many) <= two + 1)
        #expect(two > 1 && two <= 14)
        #expect(alive == 0)
        // the control: what is kept is seen
        #expect(try most(many, keeping: true) > two + 2 * Self.clipLength)
        #expect(alive == 0)
    }

    /// The most frames in existence while a film is exported.
    private func mostExporting(_ film: Film, to path: String) async throws -> Int {
        let most = Lock(0)
        let clock = AskedClock()
        defer { clock.forget() }
        clock.onAsk { [self] _ in
            let now = alive
            most.withLock { $0 = max($0, now) }
        }
        _ = try await ExportSession(film, clock: clock).export(to: path)
        return most.withLock { $0 }
    }

    @Test("an export holds few frames outside the encoder, however many clips there are")
    func export() async throws {
        let two = try await mostExporting(try film(clips: 2), to: folder.file("two.mp4"))
        let nine = try await mostExporting(try film(clips: 9), to: folder.file("nine.mp4"))
        // how far the encoder is behind changes from run to run
        #expect(nine <= two + 4)
        #expect(two > 1 && two <= 24)
        #expect(alive == 0)
    }
}
