import Foundation
import TestSupport
import Testing

/// What the matrix's judge has to see: a film is right, and each of its tampered copies is not.
@Suite(
    "The judge of copied films", .serialized,
    .enabled(if: MovieOracle.isAvailable, "ffmpeg makes the clips and reads the films"))
struct CopiedJudgeTests {
    private let clips: CopiedClips
    private let judge: CopiedJudge

    init() throws {
        clips = CopiedClips(in: try TemporaryFolder())
        let kind = try #require(CopiedKind.named("cavlc"))
        var edit = CopiedEdit(of: kind, and: [kind], seed: 1)
        edit.clips = [edit.clips[0]]
        (edit.clips[0].start, edit.clips[0].end, edit.clips[0].speed) = (nil, nil, nil)
        (edit.title, edit.watermark, edit.range) = (0.2...0.8, nil, nil)
        edit.ending = "mp4"
        judge = try CopiedFilm(clips: clips, edit: edit).make(CopiedFrames())
    }

    private func complaints(
        of film: String? = nil, plan: CopiedPlan? = nil, report: CopiedReport? = nil
    ) throws -> [String] {
        try CopiedJudge(
            plan: plan ?? judge.plan, report: report ?? judge.report, film: film ?? judge.film,
            reference: judge.reference, source: judge.source
        ).verdict().complaints
    }

    /// The film with other bytes.
    private func tampered(_ change: (inout Data) -> Void) throws -> String {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: judge.film))
        change(&bytes)
        let path = clips.folder.file("tampered.mp4")
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("a film as it is made is right; an encoded, a damaged and a torn one are seen")
    func films() throws {
        #expect(try complaints() == [])
        #expect(judge.plan.copiedFrames >= 60)
        let encoded = try complaints(of: judge.reference)
        #expect(encoded.contains { $0.contains("are not those of") })
        let damaged = try complaints(
            of: tampered { bytes in
                let from = bytes.count * 2 / 3
                for index in from..<from + 64 { bytes[index] ^= 0x55 }
            })
        #expect(damaged.contains { $0.contains("are not those of") })
        let torn = try complaints(of: tampered(dropSets))
        #expect(torn.contains { $0.contains("ffmpeg says") }, "\(torn)")
    }

    @Test(
        "a newer FFmpeg sees a torn film as well",
        .enabled(if: PyAV.python != nil, "needs av of PyPI")
    )
    func newer() throws {
        let torn = try complaints(of: tampered(dropSets))
        #expect(torn.contains { $0.contains("a newer FFmpeg") }, "\(torn)")
        // frames of which one is another one's are seen where it is sought
        let pictures = try CopiedPictures(judge.film)
        let time = pictures.times[40] + judge.plan.frameSeconds / 2
        let answer = try #require(try PyAV.play(judge.film, seeking: [time]))
        #expect(answer.played == pictures.count && answer.sought == 1)
        #expect(Array(answer.bytes.suffix(pictures.size)) == Array(pictures[40]))
        #expect(Array(answer.bytes.suffix(pictures.size)) != Array(pictures[41]))
    }

    @Test(
        "Chromium plays a film to its end and sees a torn and a shifted one",
        .enabled(if: Chromium.browser != nil, "needs chromium-headless-shell"))
    func browser() throws {
        let torn = try complaints(of: tampered(dropSets))
        #expect(torn.contains { $0.contains("Chromium") }, "\(torn)")
        let times = [0.5, 1.5]
        let film = judge.film
        let same = try #require(try Chromium.play(film, beside: film, seeking: times))
        #expect(same.likeness == [99, 99] && same.ended == true, "\(same)")
        // neighbours are no reference's frames
        let later = clips.folder.file("later.mp4")
        let tool = try #require(Program.tool("ffmpeg"))
        let shifted = try tool.run([
            "-v", "error", "-i", judge.reference, "-vf", "trim=start_frame=1,setpts=PTS-STARTPTS",
            "-an",
            "-qp", "10", later,
        ])
        try #require(shifted.status == 0, "\(shifted.errorText)")
        let other = try #require(try Chromium.play(film, beside: later, seeking: times))
        let least = CopiedJudge.leastLikenessInColours
        #expect(other.likeness?.allSatisfy { $0 < least } == true, "\(other)")
    }

    /// Overwrites the clip's parameter sets in each place of the record.
    private func dropSets(_ bytes: inout Data) {
        var from = bytes.startIndex
        while let box = bytes.range(of: Data("avcC".utf8), in: from..<bytes.endIndex) {
            // five bytes of the record, how many there are, the length, then the first set: the clip's
            #expect(bytes[box.upperBound + 5] & 31 == 2)
            let set = box.upperBound + 8..<box.upperBound + 20
            bytes.replaceSubrange(set, with: Data(repeating: 0, count: set.count))
            from = box.upperBound
        }
        #expect(from > bytes.startIndex)
    }

    @Test("a plan of other frames, rates and numbers and without a reason is seen")
    func plans() throws {
        func change(
            _ what: String, _ change: (inout CopiedPlan) throws -> Void
        ) throws {
            var plan = judge.plan
            try change(&plan)
            let found = try complaints(plan: plan)
            #expect(found.contains { $0.contains(what) }, "\(found)")
        }
        let copied = try #require(judge.plan.spans.firstIndex { $0.isCopied })
        let from = CopiedPlan.seconds(try #require(judge.plan.spans[copied].from))
        try change("are not those of") {
            $0.spans[copied].from = "\(Int((from * 30).rounded()) + 1)/30"
        }
        try change("are no frames of") {
            $0.spans[copied].from = "\(Int((from * 3000).rounded()) + 47)/3000"
        }
        let encoded = try #require(judge.plan.spans.firstIndex { !$0.isCopied })
        try change("without a reason") { $0.spans[encoded].reason = nil }
        try change("is shown at") { $0.frameDuration = "1001/30000" }
        var report = judge.report
        report.copiedFrames -= 1
        #expect(try complaints(report: report).contains { $0.contains("of the report") })
    }
}
