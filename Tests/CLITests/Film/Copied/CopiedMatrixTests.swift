import Foundation
import TestSupport
import Testing

/// Kinds of clips made by script, and of each random films that copy what they can. `make test` tries a part, drawn
/// by `VCAP_SEED`, `VCAP_SOAK=all` all of them, and `VCAP_MATRIX=KIND:SEED` one film or `VCAP_MATRIX=KIND` one kind's.
@Suite(
    "Films that copy of every kind of clip", .serialized,
    .enabled(if: MovieOracle.isAvailable, "ffmpeg makes the clips and reads the films"))
struct CopiedMatrixTests {
    /// Films of one kind.
    struct Row: Sendable, CustomTestStringConvertible {
        let kind: CopiedKind
        let seeds: [UInt64]
        var testDescription: String { kind.name }
    }

    /// Those that this machine can make.
    private static let kinds = CopiedKind.all.filter { CopiedClips.missing(for: $0) == nil }
    private static let seeds = Array(UInt64(1)...25)

    private static let rows: [Row] = {
        let wanted = ProcessInfo.processInfo.environment["VCAP_MATRIX"] ?? ""
        let parts = wanted.split(separator: ":").map(String.init)
        if let kind = parts.first.flatMap(CopiedKind.named) {
            let seed = parts.count > 1 ? UInt64(parts[1]) : nil
            return [Row(kind: kind, seeds: seed.map { [$0] } ?? seeds)]
        }
        let few = Sweep.part(1, of: seeds)
        return Sweep.part(8, of: kinds).map { Row(kind: $0, seeds: few) }
    }()

    private let clips: CopiedClips
    private let frames = CopiedFrames()

    init() throws { clips = CopiedClips(in: try TemporaryFolder()) }

    @Test(
        "copied frames are the clip's own, all are like those of a film that is encoded whole",
        arguments: rows)
    func films(_ row: Row) throws {
        try checkShare(of: row.kind)
        var line = CopiedLine(row.kind)
        for seed in row.seeds {
            let edit = CopiedEdit(of: row.kind, and: Self.kinds, seed: seed)
            let name = "VCAP_MATRIX=\(row.kind.name):\(seed) \(edit)"
            do {
                let film = CopiedFilm(clips: clips, edit: edit)
                let verdict = try film.make(frames).verdict()
                for complaint in verdict.complaints { Issue.record("\(complaint) (\(name))") }
                line.add(verdict)
            } catch {
                Issue.record("\(error) (\(name))")
            }
        }
        if row.seeds.count > 1 { print(line) }
    }

    /// Whether anything is copied of a clip with something drawn over a part of it, as the table says.
    private func checkShare(of kind: CopiedKind) throws {
        let result = try Program.vcap.run(
            [
                "compose", try clips.clip(kind, 0), "--watermark", "W", "--watermark-start", "2s",
                "--watermark-duration", "0.3s", "--plan", "--json", "-o", "share.mp4",
            ] + kind.filmOptions, environment: ["HOME": clips.folder.path], in: clips.folder.path)
        try #require(result.status == 0, "\(kind.name): \(result.errorText)")
        let plan = try JSONDecoder.copied.decode(CopiedPlan.self, from: Data(result.output))
        switch kind.share {
        case .some: #expect(plan.copiedFrames > 0, "\(kind.name): \(plan.spans)")
        case .nothing: #expect(plan.copiedFrames == 0, "\(kind.name): \(plan.spans)")
        }
    }
}

/// A line of the matrix's table.
private struct CopiedLine: CustomStringConvertible {
    private let kind: CopiedKind
    private var films = 0
    private var frames = 0
    private var copied = 0
    private var worstCopied = 99.0
    private var worstEncoded = 99.0
    private var joint = 0.0

    init(_ kind: CopiedKind) { self.kind = kind }

    mutating func add(_ verdict: CopiedJudge.Verdict) {
        films += 1
        frames += verdict.frames
        copied += verdict.copied
        worstCopied = min(worstCopied, verdict.worstCopied ?? 99)
        worstEncoded = min(worstEncoded, verdict.worstEncoded ?? 99)
        joint = min(joint, verdict.joint ?? 0)
    }

    var description: String {
        "\(kind.name): \(films) films, \(100 * copied / max(1, frames)) % of \(frames) frames copied, "
            + String(
                format: "least %.1f dB copied, %.1f encoded, joints %.1f under the median",
                worstCopied, worstEncoded, -joint)
    }
}
