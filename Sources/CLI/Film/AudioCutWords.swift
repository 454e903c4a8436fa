import Compose
import Media

/// The audio cuts of `--audio-cut`.
struct AudioCutWords {
    let arguments: Arguments

    /// An audio cut, and into which clip.
    private struct Typed {
        var cut: AudioCut
        /// Nil: into each that has one before it.
        var clip: Int?

        static let keys: [TypedKey<Typed>] = [
            .init("crossfade", expected: ValueKind.instant.expected) { text, typed in
                guard let time = ValueKind.instant.parse(text), typed.cut.crossfade == nil else {
                    return false
                }
                typed.cut.crossfade = time
                return true
            },
            .init("clip", .integer("CLIP", in: 1...10_000)) { $1.clip = $0 - 1 },
        ]
    }

    /// The one into a clip: that of its own, or that of all.
    /// - Parameter index: of the clip, as it is typed.
    func cut(into index: Int) throws(CommandFailure) -> AudioCut? {
        let all = try all()
        return (all.last { $0.clip == index } ?? all.last { $0.clip == nil })?.cut
    }

    /// - Parameters:
    ///   - count: of the clips that are typed.
    ///   - others: whether clips of a template come before.
    /// - Throws: where one is into a clip that is not there, or has none before it.
    func check(clips count: Int, behind others: Bool) throws(CommandFailure) {
        for typed in try all() {
            guard others || count > 1 else {
                throw CommandFailure(
                    .usage, "--audio-cut is for two clips or more, and there is one: leave it out")
            }
            guard let clip = typed.clip else { continue }
            guard clip < count else {
                throw CommandFailure(
                    .usage,
                    "--audio-cut: it is into clip \(clip + 1), and there \(count == 1 ? "is one" : "are \(count)"); "
                        + "clips are counted from 1, as they are typed")
            }
            guard clip > 0 || others else {
                throw CommandFailure(
                    .usage, "--audio-cut: it is into clip 1, which has none before it")
            }
        }
    }

    /// What a take's clips have no use for.
    func refuseForTake() throws(CommandFailure) {
        guard try !all().isEmpty else { return }
        throw CommandFailure(
            .usage,
            "--audio-cut is for clips of their own, and those of a take continue one another: leave it out"
        )
    }

    private func all() throws(CommandFailure) -> [Typed] {
        var cuts: [Typed] = []
        for value in try arguments.all(ComposeOptions.audioCut) {
            var typed = Typed(cut: value.cut)
            try TypedKey<Typed>.read(value.keys, of: Typed.keys, into: &typed) {
                CommandFailure(.usage, "--audio-cut: \($0)")
            }
            if cuts.contains(where: { $0.clip == typed.clip }) {
                throw CommandFailure(
                    .usage,
                    "--audio-cut is there twice for \(typed.clip.map { "clip \($0 + 1)" } ?? "every clip"): leave one "
                        + "out, or give it clip=N")
            }
            cuts.append(typed)
        }
        return cuts
    }
}
