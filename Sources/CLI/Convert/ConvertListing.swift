import Compose
import Media
import Reading
import Writing

/// A conversion's plan for people and for programs.
struct ConvertListing {
    let text: String
    let json: JSONValue

    /// - Parameter notes: on the source.
    init(_ plan: ConversionPlan, of input: String, notes: [String]) {
        let cautions = notes + plan.cautions
        var lines = [
            Self.heading(input, plan.range, plan.container.rawValue)
        ]
        for track in plan.tracks {
            let why = track.reasons.isEmpty ? "" : ": " + track.reasons.joined(separator: "; ")
            lines.append(
                "  track \(track.source.id)  \(track.source.mediaType.rawValue)  \(Self.work(track))\(why)"
            )
        }
        lines += (plan.losses + cautions).map { "  \($0)" }
        text = lines.joined(separator: "\n") + "\n"
        json = .members([
            "input": .string(input),
            "container": .string(plan.container.rawValue),
            "start": .string(plan.range.start.description),
            "duration": .string(plan.range.duration.description),
            "tracks": .array(
                plan.tracks.map { track in
                    .members([
                        "track": .integer(track.source.id),
                        "kind": .string(track.source.mediaType.rawValue),
                        "work": .string(Self.word(track.treatment)),
                        "codec": Self.codec(track).map { .string($0) },
                        "frames": Self.joined(track).map { .integer($0.frames) },
                        "copied_frames": Self.joined(track).map { .integer($0.copied) },
                        "transparency_kept": track.keepsTransparency ? .bool(true) : nil,
                        "reasons": .array(track.reasons.map { .string($0) }),
                    ])
                }),
            "notes": plan.losses.isEmpty ? nil : .array(plan.losses.map { .string($0) }),
            "cautions": cautions.isEmpty ? nil : .array(cautions.map { .string($0) }),
        ])
    }

    init(_ plan: PictureOutputPlan, of input: String, notes: [String]) {
        let notes = notes + plan.losses
        let rate = plan.frameRate.map { ", \($0) a second" } ?? ""
        let track = "  track \(plan.source.id)  video  encode \(plan.output.codec)\(rate)"
        let lines =
            [Self.heading(input, plan.range, plan.output.codec), track]
            + notes.map { "  " + $0 }
        text = lines.joined(separator: "\n") + "\n"
        json = .members([
            "input": .string(input),
            "container": .string(plan.output.codec),
            "start": .string(plan.range.start.description),
            "duration": .string(plan.range.duration.description),
            "tracks": .array([
                .members([
                    "track": .integer(plan.source.id), "kind": .string("video"),
                    "work": .string("encode"), "codec": .string(plan.output.codec),
                    "reasons": .array([]),
                ])
            ]),
            "notes": .array(notes.map { .string($0) }),
        ])
    }

    private static func heading(
        _ input: String, _ range: MediaTimeRange, _ kind: String
    ) -> String {
        "\(input)  \(Amounts.clock(range.start, fractionDigits: 3)) to "
            + "\(Amounts.clock(range.end, fractionDigits: 3)) as \(kind)"
    }

    private static func work(_ track: ConversionPlan.Track) -> String {
        ([word(track.treatment)] + [codec(track)].compactMap { $0 }).joined(separator: " ")
            + (track.keepsTransparency ? ", transparency kept" : "")
            + (joined(track).map { ", \($0.copied) of \($0.frames) frames copied" } ?? "")
    }

    private static func joined(
        _ track: ConversionPlan.Track
    ) -> (frames: Int64, copied: Int64)? {
        if case .join(_, let frames, let copied) = track.treatment { (frames, copied) } else { nil }
    }

    private static func word(_ treatment: ConversionPlan.Treatment) -> String {
        switch treatment {
        case .copy: "copy"
        case .encodeVideo, .encodeAudio, .join: "encode"
        case .carryText, .carryMetadata: "carry"
        case .leaveOut: "leave-out"
        }
    }

    private static func codec(_ track: ConversionPlan.Track) -> String? {
        switch track.treatment {
        case .encodeVideo(let settings, _, _), .join(let settings, _, _): settings.codec.rawValue
        case .encodeAudio(let settings, _, _): settings.codec.rawValue
        case .copy: track.source.codecTag
        case .carryText, .carryMetadata, .leaveOut: nil
        }
    }
}
