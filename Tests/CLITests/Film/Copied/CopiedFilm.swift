import Foundation
import TestSupport

/// A film of the matrix: made twice by the program, and looked at by others.
struct CopiedFilm {
    let clips: CopiedClips
    let edit: CopiedEdit

    private var folder: TemporaryFolder { clips.folder }
    private var file: String { "film.\(edit.ending)" }

    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    /// Makes it.
    /// - Parameter frames: decoded ones of clips, kept for the films that follow.
    func make(_ frames: CopiedFrames) throws -> CopiedJudge {
        try edit.project(clips).write(
            toFile: folder.file("matrix.vcap.json5"), atomically: true, encoding: .utf8)
        let words = ["export", "matrix.vcap.json5"] + edit.options
        let coded = words + (edit.clips.first?.kind.filmOptions ?? [])
        let plan = try JSONDecoder.copied.decode(
            CopiedPlan.self, from: run(coded + ["--plan", "--json", "-o", file]))
        let report = try JSONDecoder.copied.decode(
            CopiedReport.self, from: run(coded + ["-y", "--json", "-o", file]))
        _ = try run(words + ["--copy", "never", "--crf", "1", "-y", "-q", "-o", "reference.mp4"])
        let (folder, several) = (folder, Set(edit.clips.filter(\.kind.hasSeveralEdits).map(\.file)))
        return CopiedJudge(
            plan: plan, report: report, film: folder.file(file),
            reference: folder.file("reference.mp4"),
            source: { path in
                let name = Self.name(path)
                return try frames.of(folder.file(name), ignoresEdits: several.contains(name))
            }, codec: edit.clips.first?.kind.film ?? "h264",
            hasSeveralEdits: { several.contains(Self.name($0)) })
    }

    private static func name(_ path: String) -> String {
        URL(fileURLWithPath: path).lastPathComponent
    }

    private func run(_ words: [String]) throws -> Data {
        let result = try Program.vcap.run(
            words, environment: ["HOME": folder.path], in: folder.path)
        guard result.status == 0 else {
            throw Refused(
                description: "exit \(result.status) of vcap \(words): \(result.errorText)")
        }
        return Data(result.output)
    }
}

extension CopiedEdit.Clip {
    fileprivate var file: String { kind.file(part) }
}

/// Decoded frames of clips, the last few.
final class CopiedFrames {
    // owned by the test that made it
    private var known: [(path: String, pictures: CopiedPictures)] = []

    func of(_ path: String, ignoresEdits: Bool) throws -> CopiedPictures {
        if let pictures = known.first(where: { $0.path == path })?.pictures { return pictures }
        let pictures = try CopiedPictures(path, ignoresEdits: ignoresEdits)
        known = known.suffix(5) + [(path, pictures)]
        return pictures
    }
}
