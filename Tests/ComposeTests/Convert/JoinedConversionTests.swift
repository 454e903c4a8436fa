import Glibc
import LibAV
import Media
import Movie
import Reading
import TestSupport
import Testing

@testable import Compose

/// Parts of movies in mkv, which has no edit lists: the frames that need others from outside are encoded, the others
/// are the source's.
@Suite("Conversions that copy most frames", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct JoinedConversionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func convert(
        _ path: String, _ range: MediaTimeRange, to name: String,
        _ change: (inout ConversionSettings) -> Void = { _ in }
    ) async throws -> (plan: ConversionPlan, report: ConversionReport, path: String) {
        var settings = ConversionSettings()
        settings.range = range
        settings.overwrites = true
        change(&settings)
        let session = ConversionSession(
            Conversion(try Asset.load(path), settings: settings))
        let output = folder.file(name)
        let plan = try session.plan(for: try #require(OutputContainer(path: output)))
        return (plan, try await session.convert(to: output), output)
    }

    private static func part(_ start: Int64, _ end: Int64) -> MediaTimeRange {
        MediaTimeRange(start: .milliseconds(start), duration: .milliseconds(end - start))
    }

    /// How like two frames are, as ffmpeg decodes them (dB), frame after frame.
    private func likeness(
        _ path: String, _ source: String, from rank: Int, count: Int
    ) throws -> [Double] {
        func bytes(_ path: String, _ filter: String) throws -> [UInt8] {
            let result = try #require(Program.tool("ffmpeg")).run([
                "-v", "error", "-i", path, "-vf", filter, "-fps_mode", "passthrough", "-pix_fmt",
                "gray", "-f", "rawvideo", "-",
            ])
            #expect(result.status == 0, "\(result.errorText)")
            return Array(result.output)
        }
        let own = try bytes(path, "null")
        let wanted = try bytes(source, "select='between(n,\(rank),\(rank + count - 1))'")
        try #require(own.count == wanted.count && own.count % max(1, count) == 0)
        let size = own.count / max(1, count)
        return (0..<count).map { frame in
            var sum = 0.0
            for place in frame * size..<(frame + 1) * size {
                let difference = Double(own[place]) - Double(wanted[place])
                sum += difference * difference
            }
            return sum == 0 ? 200 : 10 * (255 * 255 * Double(size) / sum).log10
        }
    }

    /// Clips of other programs, and frames at least that are copied of 3.71 s (of 30 a second).
    private static let kinds: [(name: String, coding: String, least: Int64)] = [
        ("closed.mp4", "-c:v libx264 -g 30 -bf 3 -pix_fmt yuv420p", 80),
        ("open.mkv", "-c:v libx264 -g 24 -bf 3 -x264-params open-gop=1 -pix_fmt yuv420p", 0),
        ("plain.mkv", "-c:v libx264 -g 40 -bf 0 -pix_fmt yuvj420p", 70),
        ("hevc.mp4", "-c:v libx265 -x265-params log-level=none:keyint=24 -pix_fmt yuv420p", 70),
        (
            "deep.mkv",
            "-c:v libx265 -x265-params log-level=none:keyint=24:open-gop=0 -pix_fmt yuv420p10le", 80
        ),
        ("ts.ts", "-c:v libx264 -g 30 -bf 2 -pix_fmt yuv420p", 80),
    ]

    @Test("copied frames are the source's and encoded ones like it", arguments: kinds)
    func frames(kind: (name: String, coding: String, least: Int64)) async throws {
        let source = try ForeignClip(kind.name, in: folder, coding: kind.coding).path
        let wanted = try ForeignClip.decoded(source).frames
        let (plan, report, path) = try await convert(source, Self.part(633, 4343), to: "part.mkv")
        let track = try #require(plan.tracks.first)
        guard let joint = track.joint else {
            #expect(kind.least == 0, "nothing is copied")
            return
        }
        #expect(report.tracks[0].copiedFrames == joint.plan.copiedFrames)
        #expect(joint.plan.copiedFrames >= kind.least)
        let (own, complaints) = try ForeignClip.decoded(path)
        // from the one that is on show at the beginning: 18 or 19 are over by then
        let first = try #require(
            [18, 19].first { rank in
                joint.plan.runs.allSatisfy { run in
                    !run.isCopied
                        || own[Int(run.frames.lowerBound)..<Int(run.frames.upperBound)]
                            == wanted[
                                rank + Int(run.frames.lowerBound)..<rank
                                    + Int(run.frames.upperBound)]
                }
            })
        #expect(complaints.isEmpty && own.count == Int(report.frames))
        #expect((111...113).contains(own.count))
        for like in try likeness(path, source, from: first, count: own.count) {
            #expect(like >= 42)
        }
        let times = try MovieOracle(path).presentationTimes()
        for (frame, time) in times.enumerated().dropFirst() {
            let due = Double(first + frame) / 30 - 0.633
            #expect(abs(time - times[0] - due) < 0.002, "frame \(frame)")
        }
    }

    @Test("frames of any distance keep their own times")
    func uneven() async throws {
        let path = folder.file("uneven.mkv")
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=5,format=yuv420p",
            "-vf", "setpts='(PTS*TB+0.012*mod(N*7,3)/3)/TB'", "-fps_mode", "vfr",
            "-enc_time_base", "1/1000", "-c:v", "libx264", "-g", "20", "-bf", "2", path,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        let all = try MovieOracle(path).presentationTimes()
        let (plan, _, part) = try await convert(path, Self.part(700, 4100), to: "part.mkv")
        #expect((plan.tracks.first?.joint?.plan.copiedFrames ?? 0) > 60)
        let wanted = all.filter { $0 > 0.7 && $0 < 4.1 }.map { $0 - 0.7 }
        let times = try MovieOracle(part).presentationTimes()
        #expect(times.count == wanted.count + 1)
        for (time, due) in zip(times.dropFirst(), wanted) { #expect(abs(time - due) < 0.001_1) }
    }

    @Test(
        "where two frames begin within a millisecond, all are encoded, and the lost one is reported"
    )
    func close() async throws {
        let path = folder.file("close.mp4")
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=5,format=yuv420p",
            "-vf", "settb=1/90000,setpts='(N/30-if(eq(N,50),0.0332,0))/TB'", "-fps_mode",
            "passthrough",
            "-enc_time_base", "1/90000", "-video_track_timescale", "90000", "-c:v", "libx264", "-g",
            "30", "-bf", "2", path,
        ])
        try #require(made.status == 0, "\(made.errorText)")
        let (plan, report, part) = try await convert(path, Self.part(500, 4500), to: "part.mkv")
        #expect(plan.tracks.first?.joint == nil)
        #expect(report.notes.contains { $0.contains("1 of 120 frames are left out") })
        let (frames, complaints) = try ForeignClip.decoded(part)
        #expect(report.frames == 119 && frames.count == 119 && complaints.isEmpty)
    }

    @Test("what is asked for, interlaced or without a refresh is encoded whole")
    func whole() async throws {
        let plain = "-c:v libx264 -g 30 -bf 3 -pix_fmt yuv420p"
        let source = try ForeignClip("a.mp4", in: folder, coding: plain).path
        func joint(
            _ path: String, _ end: Int64 = 4000, to name: String = "part.mkv",
            _ change: (inout ConversionSettings) -> Void = { _ in }
        ) async throws -> ConversionJoint? {
            try await convert(path, Self.part(300, end), to: name, change).plan.tracks[0].joint
        }
        #expect(try await joint(source) != nil)
        #expect(try await joint(source) { $0.rate = .quality(25) } == nil)
        #expect(try await joint(source) { $0.size = PixelSize(width: 160, height: 90) } == nil)
        #expect(try await joint(source) { $0.keyFrameInterval = .seconds(1) } == nil)
        // before the first refresh
        #expect(try await joint(source, 900) == nil)
        // edit lists hide what is not wanted
        #expect(try await joint(source, to: "part.mp4") == nil)
        #expect(try await joint(source, to: "part.ts") == nil)
        let fields = try ForeignClip("b.mp4", in: folder, coding: plain + " -flags +ildct").path
        #expect(try await joint(fields) == nil)
    }

    @Test("copying alone is still refused where something would be encoded")
    func refused() async throws {
        let source = try ForeignClip(
            "a.mp4", in: folder, coding: "-c:v libx264 -g 30 -pix_fmt yuv420p"
        ).path
        await #expect(throws: MediaError.self) {
            try await convert(source, Self.part(300, 4000), to: "part.mkv") { $0.video = .copy }
        }
    }

    @Test("audio keeps its place beside joined frames")
    func audio() async throws {
        let source = try ForeignClip(
            "a.mkv", in: folder, audio: "-c:a aac",
            coding: "-c:v libx264 -g 30 -bf 2 -pix_fmt yuv420p"
        ).path
        let (plan, report, path) = try await convert(source, Self.part(450, 3950), to: "part.mkv")
        #expect(plan.tracks[0].joint != nil && report.tracks.count == 2)
        #expect(report.duration == .milliseconds(3500))
        let (frames, complaints) = try ForeignClip.decoded(path)
        #expect(frames.count == Int(report.frames) && complaints.isEmpty)
    }
}

extension Double {
    fileprivate var log10: Double { Glibc.log10(self) }
}
