import Foundation
import LibAV
import Media
import Movie
import Reading
import TestSupport
import Testing

/// Which field was first, as containers state it.
@Suite("The order of fields in containers", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ContainerFieldsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ words: [String]) throws -> Asset {
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let result = try ffmpeg.run(
            ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.4"] + words
                + [folder.file(name)])
        try #require(result.status == 0, "\(result.errorText)")
        return try Asset.load(folder.file(name))
    }

    private func video(_ asset: Asset) throws -> VideoFormat {
        try #require(asset.tracks.first?.format?.video)
    }

    private func copy(_ assets: [Asset], _ name: String) throws -> Asset {
        var start = MediaTime.zero
        var spans: [CopiedTrack.Span] = []
        for asset in assets {
            let track = try #require(asset.tracks.first)
            let target = MediaTimeRange(start: start, duration: track.duration)
            spans.append(CopiedTrack.Span(asset: asset, track: track, from: .zero, target: target))
            start = target.end
        }
        let container = try #require(OutputContainer(path: name))
        let movie = try MovieCopy(
            [CopiedTrack(spans: spans)], to: folder.file(name), container: container,
            metadata: MovieMetadata(), movieScale: 705_600_000)
        while try movie.step() != nil {}
        _ = try movie.finish()
        return try Asset.load(folder.file(name))
    }

    @Test(
        "is read, and kept by copies from one into the other",
        arguments: [
            ("tt", FieldOrder.topFirst), ("tb", .topFirst), ("bb", .bottomFirst),
            ("bt", .bottomFirst),
        ])
    func kept(_ order: String, _ wanted: FieldOrder) throws {
        for name in ["a.mov", "a.mp4", "a.mkv"] {
            let asset = try make(name, ["-c:v", "mjpeg", "-field_order", order])
            #expect(try video(asset).fieldOrder == wanted, "\(name)")
            #expect(asset.tracks.first?.isInterlaced == true, "\(name)")
            for other in ["b.mov", "b.mp4", "b.mkv"] {
                let copied = try copy([asset], other)
                #expect(try video(copied).fieldOrder == wanted, "\(name) into \(other)")
            }
        }
        let whole = try make("a.mov", ["-c:v", "mjpeg", "-field_order", "progressive"])
        #expect(try video(whole).fieldOrder == nil)
        #expect(try video(copy([whole], "b.mkv")).fieldOrder == nil)
    }

    @Test("clips that differ in it join where their frames say it themselves")
    func joins() throws {
        let jpeg = ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-field_order"]
        let fields = try make("fields.mov", jpeg + ["tt"])
        let whole = try make("whole.mov", jpeg + ["progressive"])
        let same = try make("same.mov", jpeg + ["tb"])
        let (one, other) = (try video(fields), try video(whole))
        #expect(!FormatDescription.video(one).joins(.video(other)))
        #expect(FormatDescription.video(one).joins(.video(try video(same))))
        let plain = try make("plain.mp4", ["-c:v", "libx264"])
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: plain.path)))
        let at = try #require(
            bytes.indices.first { bytes[$0...].prefix(4).elementsEqual("btrt".utf8) })
        bytes.replaceSubrange(at..<(at + 6), with: Array("fiel".utf8) + [2, 14])
        try Data(bytes).write(to: URL(filePath: folder.file("stated.mp4")))
        let stated = try Asset.load(folder.file("stated.mp4"))
        #expect(try video(stated).fieldOrder == .bottomFirst)
        #expect(stated.tracks.first?.isInterlaced == false)
        let (h264, marked) = (try video(plain), try video(stated))
        #expect(FormatDescription.video(h264).joins(.video(marked)))
        // and a movie of both states nothing
        #expect(try video(copy([stated, plain], "both.mp4")).fieldOrder == nil)
        #expect(try video(copy([stated, stated], "twice.mp4")).fieldOrder == .bottomFirst)
    }

    @Test("a box of fields that is cut short or unknown says nothing")
    func box() throws {
        for (bytes, order) in [
            ([2, 1], FieldOrder.topFirst), ([2, 9], .topFirst), ([2, 6], .bottomFirst),
            ([2, 14], .bottomFirst), ([1, 0], nil), ([2, 0], nil), ([2, 7], nil), ([9, 9], nil),
            ([2], nil), ([], nil),
        ] as [([UInt8], FieldOrder?)] {
            var builder = BoxBuilder()
            builder.box("fiel") { $0.raw(bytes) }
            var root = BoxReader(type: "root", bytes: builder.bytes, at: 0, file: "x")
            var box = try #require(try root.child())
            #expect(try FieldBox(from: &box).order == order, "\(bytes)")
        }
    }
}
