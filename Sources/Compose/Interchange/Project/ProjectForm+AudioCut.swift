internal import Media

/// An audio cut's keys as an object.
struct LongAudioCut: Sendable {
    /// For how long the clip is heard before it is seen; or for how long the one before is when it no longer is.
    var lead: MediaTime?
    var lag: MediaTime?
    var crossfade: MediaTime?

    init() {}

    init(_ cut: AudioCut) {
        if cut.offset < .zero { lead = -cut.offset } else if cut.offset > .zero { lag = cut.offset }
        crossfade = cut.crossfade
    }

    var cut: AudioCut {
        AudioCut(offset: lead.map { -$0 } ?? lag ?? .zero, crossfade: crossfade)
    }
}

extension ProjectTables {
    static let audioCut = ProjectTable<LongAudioCut>(
        "an audio cut", usual: LongAudioCut(), alternatives: ["j", "l"],
        [
            .optional(
                "j", \.lead, .time, "for how long the clip is heard before it is seen"),
            .optional(
                "l", \.lag, .time,
                "for how long the clip before is heard when it is no longer seen"),
            .optional(
                "crossfade", \.crossfade, .time,
                "how long both cross over from there on (default: as long as the transition)"),
        ])
}

extension ProjectForm<AudioCut> {
    static var audioCut: ProjectForm {
        let phrase = ProjectKind.phrase(
            "an audio cut such as \"j:500ms\", \"l:1s\" or \"crossfade:200ms\"",
            pattern: SchemaPattern.audioCut)
        let word = ProjectForm(phrase) { node in
            node.text.flatMap { AudioCut(projectText: $0) }
        } _: {
            .string($0.projectText ?? "")
        }
        let keys = ProjectForm<LongAudioCut>.record(ProjectTables.audioCut)
        let object = ProjectForm(keys.kind) { node, what, reader throws(JSONFailure) in
            let long = try keys.read(node, what, &reader)
            guard long.lead == nil || long.lag == nil else {
                throw JSONFailure(
                    position: node["l"]?.position ?? node.position,
                    message: "an audio cut has either \"j\" or \"l\": leave one of them out")
            }
            return long.cut
        } writes: { cut, writer in
            keys.write(LongAudioCut(cut), writer)
        }
        return .short(word, or: object) { $0.projectText != nil }
    }
}
