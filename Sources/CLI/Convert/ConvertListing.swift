import Compose
import Media
import Writer

/// A conversion's plan for people and for programs.
enum ConvertListing {
    static func text(_ plan: ConversionPlan, of input: String) -> String {
        var lines = [
            "\(input)  \(Amounts.clock(plan.range.start, fractionDigits: 3)) to "
                + "\(Amounts.clock(plan.range.end, fractionDigits: 3)) as \(plan.container.rawValue)"
        ]
        for track in plan.tracks {
            let why = track.reasons.isEmpty ? "" : ": " + track.reasons.joined(separator: "; ")
            lines.append(
                "  track \(track.source.id)  \(track.source.mediaType.rawValue)  \(work(track))\(why)"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func json(_ plan: ConversionPlan, of input: String) -> JSONValue {
        .members([
            "input": .string(input),
            "container": .string(plan.container.rawValue),
            "start": .string(plan.range.start.description),
            "duration": .string(plan.range.duration.description),
            "tracks": .array(
                plan.tracks.map { track in
                    .members([
                        "track": .integer(track.source.id),
                        "kind": .string(track.source.mediaType.rawValue),
                        "work": .string(word(track.treatment)),
                        "codec": codec(track).map { .string($0) },
                        "transparency_kept": track.keepsTransparency ? .bool(true) : nil,
                        "reasons": .array(track.reasons.map { .string($0) }),
                    ])
                }),
        ])
    }

    private static func work(_ track: ConversionPlan.Track) -> String {
        ([word(track.treatment)] + [codec(track)].compactMap { $0 }).joined(separator: " ")
            + (track.keepsTransparency ? ", transparency kept" : "")
    }

    private static func word(_ treatment: ConversionPlan.Treatment) -> String {
        switch treatment {
        case .copy: "copy"
        case .encodeVideo, .encodeAudio: "encode"
        case .carryText: "carry"
        case .leaveOut: "leave-out"
        }
    }

    private static func codec(_ track: ConversionPlan.Track) -> String? {
        switch track.treatment {
        case .encodeVideo(let settings, _, _): settings.codec.rawValue
        case .encodeAudio(let settings, _, _): settings.codec.rawValue
        case .copy: track.source.codecTag
        case .carryText, .leaveOut: nil
        }
    }
}
