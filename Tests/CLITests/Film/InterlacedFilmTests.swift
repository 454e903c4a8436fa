import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

/// Interlaced clips become whole frames, at the right times and of the right fields.
@Suite(
    "Interlaced clips", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct InterlacedFilmTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    @discardableResult
    private func ffmpeg(_ words: [String]) throws -> Program.Result {
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run(["-v", "error"] + words, in: folder.path)
        try #require(result.status == 0, "\(words): \(result.errorText)")
        return result
    }

    private func run(_ words: [String]) throws {
        let result = try Program.vcap.run(
            words, environment: ["HOME": folder.path], in: folder.path)
        try #require(result.status == 0, "\(words): \(result.errorText)")
    }

    private static let fields = ["-flags", "+ildct+ilme", "-bf", "2", "-g", "8"]
    private static let codings: [String: [String]] = [
        "h264": ["-c:v", "libx264", "-qp", "0", "-preset", "ultrafast"] + fields,
        "mpeg2": ["-c:v", "mpeg2video", "-q:v", "2"] + fields,
    ]

    /// One second of 25 frames of two fields each.
    /// - Parameter drawing: what is drawn 50 times a second.
    private func make(
        _ name: String, _ coding: String, isTopFirst: Bool, drawing: String = "null"
    ) throws {
        let mode = isTopFirst ? "interleave_top" : "interleave_bottom"
        try ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=s=160x96:r=50:d=1", "-vf",
                "format=yuv420p,\(drawing),tinterlace=\(mode),setfield=\(isTopFirst ? "tff" : "bff")",
                "-color_primaries", "5", "-color_trc", "6", "-colorspace", "5", "-color_range",
                "tv",
            ] + (Self.codings[coding] ?? []) + ["-top", isTopFirst ? "1" : "0", name])
    }

    /// Of each frame, its samples' sum.
    private func sums(_ name: String, _ filter: String = "null") throws -> [String] {
        try ffmpeg(["-i", name, "-map", "0:v", "-vf", filter, "-f", "framemd5", "-"]).outputText
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: " ").last.map(String.init) }
    }

    @Test(
        "a film of twice the frame rate has each field as a frame, another one the first of each: those of bwdif",
        arguments: ["h264", "mpeg2"], [true, false])
    func exact(_ coding: String, isTopFirst: Bool) throws {
        let clip = "i.\(coding == "h264" ? "mp4" : "ts")"
        try make(clip, coding, isTopFirst: isTopFirst)
        let both = try sums(clip, "bwdif=send_field")
        let first = try sums(clip, "bwdif=send_frame")
        try #require(both.count == 50 && first.count == 25)
        let film = ["compose", clip, "--codec", "ffv1", "-o"]
        try run(film + ["both.mkv", "--fps", "50"])
        #expect(try sums("both.mkv") == both)
        try run(film + ["first.mkv"])
        #expect(try sums("first.mkv") == first)
        // a part, whose first frame has one before it
        try run([
            "compose", "\(clip)@0.4s..0.72s", "--codec", "ffv1", "--fps", "50", "-o", "part.mkv",
        ])
        #expect(try sums("part.mkv") == Array(both[20..<36]))
        // conversions
        try run(["convert", clip, "--codec", "ffv1", "-o", "first-c.mkv"])
        #expect(try sums("first-c.mkv") == first)
        try run(["convert", clip, "--codec", "ffv1", "--fps", "50", "-o", "both-c.mkv"])
        #expect(try sums("both-c.mkv") == both)
    }

    @Test("what moves is where it was at each field's time", arguments: [true, false])
    func places(isTopFirst: Bool) throws {
        // a bar that is moved by two pixels with each field
        try make(
            "i.mp4", "h264", isTopFirst: isTopFirst,
            drawing: "geq=lum='if(between(X-2*N,20,39),200,16)':cb=128:cr=128")
        try run(["compose", "i.mp4", "--codec", "ffv1", "--fps", "50", "-o", "film.mkv"])
        try ffmpeg([
            "-i", "film.mkv", "-vf", "extractplanes=y,crop=160:1:0:48", "-f", "rawvideo", "-y",
            "rows",
        ])
        let bytes = try Data(contentsOf: URL(filePath: folder.file("rows")))
        try #require(bytes.count == 160 * 50)
        for frame in 2..<48 {
            let row = bytes[(160 * frame)..<(160 * frame + 160)].map { Double($0) - 16 }
            let center =
                zip(row.indices, row).reduce(0) { $0 + Double($1.0) * $1.1 }
                / row.reduce(0, +)
            #expect(abs(center - (29.5 + 2 * Double(frame))) < 0.75, "frame \(frame): \(center)")
        }
    }

    @Test("other rates show fields at their times, also slower ones and those that go back")
    func otherRates() throws {
        try make("i.mp4", "h264", isTopFirst: true)
        let both = try sums("i.mp4", "bwdif=send_field")
        // every fifth field
        try run(["compose", "i.mp4", "--codec", "ffv1", "--fps", "10", "-o", "slow.mkv"])
        #expect(try sums("slow.mkv") == stride(from: 0, to: 50, by: 5).map { both[$0] })
        try run(["convert", "i.mp4", "--codec", "ffv1", "--fps", "10", "-o", "slow-c.mkv"])
        #expect(try sums("slow-c.mkv") == stride(from: 0, to: 50, by: 5).map { both[$0] })
        // parts that lie back, the second of them beginning with a second field
        try run([
            "compose", "i.mp4@0.6s..0.7s", "i.mp4@0.22s..0.3s", "--codec", "ffv1", "--fps", "50",
            "-o", "back.mkv",
        ])
        #expect(try sums("back.mkv") == Array(both[30..<35] + both[11..<15]))
        // held behind its end
        try run([
            "compose", "i.mp4", "--overlay", "i.mp4@0.8s..1s,left=0,top=0,width=1", "--codec",
            "ffv1", "--fps", "50", "-o", "over.mkv",
        ])
        #expect(try sums("over.mkv").prefix(10) == both[40...])
    }

    @Test("of frames that are interlaced in part the others stay as they are")
    func mixed() throws {
        try make("i.mp4", "h264", isTopFirst: true)
        try ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=1", "-vf", "format=yuv420p"]
                + ["-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", "-bf", "2", "-g", "8"]
                + [
                    "-color_primaries", "5", "-color_trc", "6", "-colorspace", "5",
                    "-color_range", "tv", "p.ts",
                ])
        try ffmpeg(["-i", "i.mp4", "-c", "copy", "i.ts"])
        try Data("file i.ts\nfile p.ts\nfile i.ts\n".utf8)
            .write(to: URL(filePath: folder.file("list")))
        try ffmpeg(["-f", "concat", "-i", "list", "-c", "copy", "mixed.mkv"])
        let wanted = try sums("mixed.mkv", "bwdif=send_frame:deint=interlaced")
        try run(["compose", "mixed.mkv", "--codec", "ffv1", "-o", "film.mkv"])
        #expect(try sums("film.mkv") == wanted)
    }
}
