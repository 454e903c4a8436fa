import Foundation
import Media
import TestSupport
import Testing

/// Every kind of clip together with every other one and with itself: as many frames and as long as the
/// arithmetic says, the right frames and tones in each half, and a sentence for all that was conformed.
@Suite(
    "Clips that do not match", .serialized,
    .enabled(if: MovieOracle.isAvailable, "ffmpeg makes the clips and reads the films"))
struct MismatchTests {
    /// What `compose --json` prints, as far as this test looks at it.
    private struct Report: Decodable {
        var frames: Int64
        var duration: String
        var notes: [String]
    }

    private struct Film {
        let first: MismatchKind
        let second: MismatchKind
        /// Ticks of the timeline.
        let lengths: [Int64]

        private static let timescale: Int64 = 705_600_000
        /// The clip whose shape and rate are the film's.
        var lead: MismatchKind { first.isAnimation ? second : first }
        var frameTicks: Int64 {
            lead.frameDuration.value * Self.timescale / Int64(lead.frameDuration.timescale)
        }
        var ticks: Int64 { lengths[0] + lengths[1] }
        var seconds: Double { Double(ticks) / Double(Self.timescale) }
        /// The first frame that shows the second clip.
        var border: Int { Int((lengths[0] + frameTicks - 1) / frameTicks) }
        var frames: Int { Int((ticks + frameTicks - 1) / frameTicks) }

        func middle(of clip: Int) -> Double {
            let start = clip == 0 ? 0 : lengths[0]
            return Double(start + lengths[clip] / 2) / Double(Self.timescale)
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    /// Each pair in one of its two orders, so that every kind is the first one in half of its films.
    private static let pairs = MismatchKind.all.indices.flatMap { one in
        (one..<MismatchKind.all.count).map { other in
            (one + other) % 2 == 0 ? (one, other) : (other, one)
        }
    }

    @Test("every pair of kinds becomes the film that its clips say")
    func composed() throws {
        let kinds = MismatchKind.all
        var lengths: [Int64] = []
        for kind in kinds {
            try kind.write(to: folder)
            lengths.append(
                try MovieOracle(folder.file(kind.file)).frameLength()
                    .ticks(per: 705_600_000, rounding: .down))
        }
        for (one, other) in Sweep.part(Self.pairs.count / 3, of: Self.pairs) {
            let film = Film(
                first: kinds[one], second: kinds[other], lengths: [lengths[one], lengths[other]])
            try check(film)
        }
    }

    private func check(_ film: Film) throws {
        let name = "\(film.first.name) and \(film.second.name)"
        let result = try Program.vcap.run(
            ["compose", film.first.file, film.second.file, "-y", "-o", "film.mp4", "--json"],
            environment: ["HOME": folder.path], in: folder.path)
        guard result.status == 0 else {
            Issue.record("\(name): \(result.errorText)")
            return
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output))
        let movie = MovieOracle(folder.file("film.mp4"))
        checkFrames(film, try movie.middleColors(), report, name)
        // the container's length may count the last frame as a whole one
        let length = try movie.duration()
        let whole = Double(film.frames) * film.lead.frameDuration.approximateSeconds
        #expect(length > film.seconds - 0.001, "\(name): \(length) of \(film.seconds)")
        #expect(length < whole + 0.001, "\(name): \(length) of \(whole)")
        if film.first.clip.tone != nil || film.second.clip.tone != nil {
            checkAudio(film, try movie.sound(), name)
        }
        checkNotes(film, report.notes, name)
    }

    private func checkFrames(
        _ film: Film, _ colors: [GeneratedClip.Codes], _ report: Report, _ name: String
    ) {
        #expect(colors.count == film.frames, "\(name)")
        #expect(report.frames == Int64(film.frames), "\(name)")
        for (index, color) in colors.enumerated() {
            let kind = index < film.border ? film.first : film.second
            #expect(
                color.distance(to: kind.clip.color) <= 2,
                "\(name): frame \(index) is \(color), not \(kind.clip.color)")
        }
    }

    /// A fifth of a second in the middle of each half holds its clip's tone, or nothing.
    private func checkAudio(_ film: Film, _ audio: [Float], _ name: String) {
        #expect(abs(Double(audio.count) / 48_000 - film.seconds) < 0.03, "\(name)")
        for (index, kind) in [film.first, film.second].enumerated() {
            let start = Int((film.middle(of: index) - 0.1) * 48_000)
            guard start >= 0, start + 9600 <= audio.count else {
                Issue.record("\(name): no sound in half \(index)")
                continue
            }
            let part = audio[start..<start + 9600]
            let level = (part.reduce(0) { $0 + $1 * $1 } / 9600).squareRoot()
            guard let tone = kind.clip.tone else {
                #expect(level < 0.001, "\(name): half \(index) is not silent")
                continue
            }
            let crossings = zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }
            let wanted = tone.frequency * 2 / 5
            #expect(level > 0.05, "\(name): half \(index) has a level of \(level)")
            #expect(
                abs(crossings - wanted) <= 3, "\(name): half \(index): \(crossings) of \(wanted)")
        }
    }

    private func checkNotes(_ film: Film, _ said: [String], _ name: String) {
        for (index, kind) in [film.first, film.second].enumerated() {
            let subject = "clip \(index + 1) (\(kind.file)): "
            // frames that a rate leaves out are counted elsewhere (FilmUsageTests)
            let own = said.filter { $0.hasPrefix(subject) && !$0.contains("not shown") }
            let wanted = kind.notes(inFilmOf: film.lead)
            #expect(own.count == wanted.count, "\(name): \(own)")
            for parts in wanted {
                let isSaid = own.contains { note in parts.allSatisfy { note.contains($0) } }
                #expect(isSaid, "\(name): \(parts) is not among \(own)")
            }
        }
        let depth = said.filter { $0.hasPrefix("film: ") }
        let wanted = [
            "film: its 10 bits are brought to 8, because the preset highest codes H.264; "
                + "hevc-1080p keeps them"
        ]
        #expect(depth == (film.lead.isDeep ? wanted : []), "\(name)")
    }
}
