import Media
import Play

/// What came of playing a film, for people and programs.
struct PlayListing: Sendable {
    let deck: PlayDeck
    let notes: PlayControls.Notes
    /// Whether a person has noted something that the project does not say.
    let isNoted: Bool
    /// Frames that the display left out.
    let late: Int
    let stills: [String]
    /// The operand, where `compose` has words for a part of it.
    let clip: String?
    /// Whether a part of the film is played, whose ends hold where none was set.
    let isRange: Bool
    /// Why it ended before its time.
    let failure: String?

    /// Frames that the display took.
    private func shown(_ counts: PlayerCounts) -> Int { max(0, counts.shown - late) }

    var line: String {
        let counts = deck.counts
        var parts = [
            Amounts.count(shown(counts), "frame") + " shown",
            counts.dropped > 0 ? "\(counts.dropped) dropped" : "none dropped",
        ]
        if late > 0 { parts.append("\(late) replaced by the display") }
        if counts.stalls > 0 { parts.append(Amounts.count(counts.stalls, "stall")) }
        if counts.damaged > 0 { parts.append("\(counts.damaged) damaged") }
        return parts.joined(separator: ", ")
    }

    /// The part between in and out in the words of `compose` and `--range`; `nil` where there is none.
    var part: String? {
        guard notes.start != nil || notes.end != nil else { return nil }
        let range = isRange ? deck.item.range : nil
        let (first, last) = (notes.start ?? range?.start, notes.end ?? range?.end)
        if let first, let last, first >= last { return nil }
        let (start, end) = (first.map(Self.words) ?? "", last.map(Self.words) ?? "")
        return (clip.map { $0 + "@" } ?? "") + "\(start)..\(end)"
    }

    /// `part`, where it is news.
    var newPart: String? { isNoted ? part : nil }

    /// Microseconds, rounded up: a frame that begins at a third of one is meant, not the one before.
    static func words(_ time: MediaTime) -> String {
        let micros = time.ticks(per: 1_000_000, rounding: .up)
        var digits = String(micros % 1_000_000 + 1_000_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(micros / 1_000_000)\(digits.isEmpty ? "" : "." + digits)s"
    }

    var json: JSONValue {
        let (counts, item) = (deck.counts, deck.item)
        return .members([
            "schema": "vcap.play/1",
            "duration": .number(item.duration.approximateSeconds),
            "width": item.size.map { .integer(Int64($0.width)) },
            "height": item.size.map { .integer(Int64($0.height)) },
            "frames": .integer(item.frameCount),
            "frames_shown": .integer(Int64(shown(counts))),
            "frames_dropped": .integer(Int64(counts.dropped)),
            "frames_replaced": .integer(Int64(late)),
            "stalls": .integer(Int64(counts.stalls)),
            "audio": .bool(deck.player.hasAudio),
            "audio_gaps": .integer(Int64(counts.audioGaps)),
            "damaged": .integer(Int64(counts.damaged)),
            "in": notes.start.map { .number($0.approximateSeconds) },
            "out": notes.end.map { .number($0.approximateSeconds) },
            "part": part.map { .string($0) },
            "markers": .array(notes.markers.map { .number($0.approximateSeconds) }),
            "stills": .array(stills.map { .string($0) }),
            "error": failure.map { .string($0) },
            "exit_code": failure.map { _ in .integer(Int64(ExitCode.noDevice.rawValue)) },
        ])
    }
}
