import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

/// When frames are shown is the same in every container they are copied to.
@Suite("Times of copied frames")
struct CopiedTimesTests {
    private let folder: TemporaryFolder
    private static let containers: [OutputContainer] = [.mp4, .mov, .matroska, .mpegTS]

    init() throws { folder = try TemporaryFolder() }

    // MARK: any order

    @Test(
        "any order of decoding that decoders take is shown at the same instants in mp4, mov, mkv and ts",
        arguments: 0..<64)
    func anyOrder(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed) &* 0x9E37 &+ 13)
        let meant = ReorderedFrames(&random)
        var from = folder.file("source.mov")
        try meant.write(to: from, container: Bool.random(using: &random) ? .mov : .mp4)
        var before = try times(from)
        for (one, other) in zip(before.shown, meant.shown) {
            #expect(abs(one - (meant.time(other) - meant.first)) <= 1)
        }
        for (hop, container) in Self.containers.shuffled(using: &random).enumerated() {
            let path = folder.file("\(hop).\(container.rawValue)")
            try copy(from, to: path, container)
            let after = try times(path)
            try #require(after.shown.count == meant.shown.count, "\(container) of \(from)")
            for (one, other) in zip(before.shown, after.shown) {
                #expect(abs(one - other) <= max(before.tick, after.tick), "\(container) of \(from)")
            }
            for (decode, next) in zip(after.decoded, after.decoded.dropFirst()) {
                #expect(next > decode)
            }
            #expect(zip(after.decoded, after.shown).allSatisfy { $0 <= $1 })
            (from, before) = (path, after)
        }
    }

    @Test("decode times of any order increase and are never after the presentation")
    func decodeOrder() {
        for seed in 0..<400 {
            var random = SplitMix(seed: UInt64(seed))
            let frames = ReorderedFrames(&random)
            var order = DecodeOrder(
                timescale: frames.timescale, isStated: Bool.random(using: &random))
            var found: [SampleBuffer] = []
            for sample in frames.samples(BlockBuffer([0]), .video(ReorderedFrames.format)) {
                order.push(sample)
                while let next = order.next() { found.append(next) }
            }
            order.end()
            while let next = order.next() { found.append(next) }
            #expect(found.map(\.presentationTime.value) == frames.shown)
            let decoded = found.map { ($0.decodeTime ?? $0.presentationTime).value }
            #expect(zip(decoded, frames.shown).allSatisfy { $0 <= $1 }, "seed \(seed)")
            let isApart = zip(decoded, decoded.dropFirst()).allSatisfy { $1 - $0 >= order.unit }
            #expect(isApart, "seed \(seed)")
        }
    }

    // MARK: coders' own

    @Test(
        "a pyramid of B-frames is shown at the same instants in every container",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"),
        arguments: ["a.mkv", "a.ts", "negative.mp4", "unshifted.mov"])
    func pyramid(_ name: String) throws {
        let source = folder.file(name)
        var options = ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-c:v", "libx264"]
        options += ["-x264-params", "b-pyramid=normal:bframes=3:b-adapt=0:keyint=25"]
        if name.contains("t") && !name.hasSuffix("ts") {
            options += ["-movflags", "negative_cts_offsets"]
        }
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        try #require(ffmpeg.run(["-v", "error"] + options + [source]).status == 0)
        let meant = try MovieOracle(source).presentationTimes().since()
        #expect(meant.count == 50)
        for container in Self.containers {
            let path = folder.file("copy-of-\(name).\(container.rawValue)")
            try copy(source, to: path, container)
            let found = try MovieOracle(path).presentationTimes().since()
            #expect(found.count == meant.count)
            #expect(zip(found, meant).allSatisfy { abs($0 - $1) < 0.0011 }, "\(container)")
            #expect(try MovieOracle(path).middleColors().count == 50, "\(container)")
        }
    }

    // MARK: the last frame

    @Test(
        "Matroska says how long the last frame shows, wherever it is decoded",
        arguments: [[0, 1, 2, 3], [0, 3, 1, 2]])
    func lastLength(_ order: [Int64]) throws {
        let frames = ReorderedFrames(
            timescale: 90_000, shown: order.map { $0 * 9000 }, lastLength: 225_000)
        let source = folder.file("a.mp4")
        try frames.write(to: source, container: .mp4)
        let path = folder.file("a.mkv")
        try copy(source, to: path, .matroska)
        #expect(try Asset.load(path).duration == .milliseconds(2800))
        #expect(try Asset.load(path).damagedBytes == 0)
        #expect(try times(path).shown == times(source).shown)
        let back = folder.file("b.mp4")
        try copy(path, to: back, .mp4)
        #expect(try Asset.load(back).duration == .milliseconds(2800))
        if MovieOracle.isAvailable {
            #expect(try MovieOracle(path).presentationTimes().count == 4)
            #expect(try MovieOracle(path).duration() == 2.8)
        }
    }

    @Test("a frame shown last that MPEG-TS says nothing about shows as long as the one before")
    func lastOfTransportStream() throws {
        let frames = ReorderedFrames(
            timescale: 90_000, shown: [0, 9000, 18_000], lastLength: 9000)
        let source = folder.file("a.mp4")
        try frames.write(to: source, container: .mp4)
        try copy(source, to: folder.file("a.ts"), .mpegTS)
        #expect(try Asset.load(folder.file("a.ts")).duration == .milliseconds(300))
        try copy(folder.file("a.ts"), to: folder.file("b.mp4"), .mp4)
        #expect(try times(folder.file("b.mp4")).shown == [0, 100_000_000, 200_000_000])
    }

    @Test("a track whose last sample has no length keeps its last frame")
    func lastWithoutLength() throws {
        let frames = ReorderedFrames(
            timescale: 90_000, shown: [0, 9000, 18_000], lastLength: 7777)
        let source = folder.file("a.mp4")
        try frames.write(to: source, container: .mp4)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source)))
        let row: [UInt8] = [0, 0, 0, 1, 0, 0, 0x1E, 0x61]
        let at = try #require(
            bytes.indices.last { bytes[$0...].prefix(row.count).elementsEqual(row) })
        bytes.replaceSubrange((at + 4)..<(at + 8), with: [0, 0, 0, 0])
        try Data(bytes).write(to: URL(fileURLWithPath: source))
        #expect(try Asset.load(source).duration == .milliseconds(300))
        for container in Self.containers {
            let path = folder.file("b.\(container.rawValue)")
            try copy(source, to: path, container)
            #expect(try times(path).shown == [0, 100_000_000, 200_000_000], "\(container)")
        }
    }

    @Test(
        "an edit list that ends where the last frame begins, as its track does, is taken to show it"
    )
    func editEndsAtLastFrame() throws {
        let header = try TrackHeader(
            ContainerTrack(format: .video(ReorderedFrames.format), timescale: 90_000), id: 1,
            container: .mp4)
        var track = MovieTrack(
            header: header, code: "avc1", format: .video(ReorderedFrames.format),
            edits: [EditListBox.Entry(duration: 200, mediaTime: 0)])
        track.samples = (0..<3).map {
            MovieTrack.Sample(
                offset: 0, size: 1, decodeTime: $0 * 9000, compositionOffset: 0, duration: 9000,
                isSync: true)
        }
        // a film that was cut there
        track.statedDuration = 27_000
        track.settleLastFrame(movieTimescale: 1000)
        #expect(track.edits[0].duration == 200)
        track.statedDuration = 18_000
        track.settleLastFrame(movieTimescale: 1000)
        #expect(track.edits[0].duration == 300)
    }

    // MARK: reading and copying

    private func copy(
        _ source: String, to path: String, _ container: OutputContainer
    ) throws {
        let asset = try Asset.load(source)
        let track = try asset.first(.video)
        let span = CopiedTrack.Span(
            asset: asset, track: track, from: .zero,
            target: MediaTimeRange(start: .zero, duration: track.duration))
        let copy = try MovieCopy(
            [CopiedTrack(spans: [span])], to: path, container: container,
            metadata: MovieMetadata(), movieScale: 705_600_000)
        while try copy.step() != nil {}
        _ = try copy.finish()
    }

    private struct Times {
        /// In order of decoding, from the frame shown first on (ns).
        var shown: [Int64] = []
        var decoded: [Int64] = []
        /// Of the file's ticks (ns).
        var tick: Int64 = 0
    }

    private func times(_ path: String) throws -> Times {
        let asset = try Asset.load(path)
        let track = OrderedTrack.over(try asset.open(asset.first(.video)))
        defer { track.close() }
        var times = Times()
        times.tick = 1_000_000_000 / Int64(try asset.first(.video).timescale) + 1
        while let sample = try track.next() {
            times.shown.append(sample.presentationTime.nanoseconds())
            times.decoded.append((sample.decodeTime ?? sample.presentationTime).nanoseconds())
        }
        let first = times.shown.min() ?? 0
        times.shown = times.shown.since(first: first)
        times.decoded = times.decoded.since(first: first)
        return times
    }
}

extension [Int64] {
    fileprivate func since(first: Int64) -> [Int64] { map { $0 - first } }
}

extension [Double] {
    fileprivate func since() -> [Double] { map { $0 - (self.min() ?? 0) } }
}
