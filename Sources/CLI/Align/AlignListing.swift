import Compose
import Media

/// Where recordings lie, for people and programs.
struct AlignListing {
    /// A file and where it lies, or why nobody can say.
    private struct Row {
        let path: String
        /// Nil: of the reference, where nothing could be compared with it.
        let placement: Result<RecordingAlignment.Placement?, CommandFailure>
        let notes: [String]
    }

    private let rows: [Row]

    /// - Parameters:
    ///   - inputs: all files in the order in which they were named; the first one can be read.
    ///   - alignment: of those that can be read; nil: only the first can.
    init(_ inputs: [AlignInput], _ alignment: RecordingAlignment?) {
        var recordings = (alignment?.recordings ?? [])[...]
        rows = inputs.map { input in
            if let failure = input.failure {
                return Row(
                    path: input.path, placement: .failure(.of(failure)), notes: [])
            }
            guard let recording = recordings.popFirst() else {
                return Row(path: input.path, placement: .success(nil), notes: [])
            }
            return Row(
                path: input.path,
                placement: recording.placement.map { $0 }.mapError(CommandFailure.of),
                notes: recording.notes)
        }
    }

    /// Why files are not aligned.
    var failures: [CommandFailure] {
        rows.compactMap { if case .failure(let failure) = $0.placement { failure } else { nil } }
    }

    var text: String {
        var table = Table("FILE", "BEGAN", "DRIFT", "SPREAD", "CONFIDENCE")
        for (index, row) in rows.enumerated() {
            guard case .success(let placement) = row.placement else {
                table.add(row.path, "-", "-", "-", "not aligned")
                continue
            }
            guard index > 0, let placement else {
                table.add(row.path, Self.seconds(.zero), "-", "-", "reference")
                continue
            }
            table.add(
                row.path, Self.seconds(placement.offset),
                placement.method == .slate ? "-" : Self.signed(placement.drift, 1) + " ppm",
                Amounts.decimal(placement.spread * 1000, 3) + " ms",
                Amounts.decimal(placement.confidence * 100, 0) + " %"
                    + (placement.isInverted ? ", polarity inverted" : "")
                    + (placement.method == .slate ? ", by slate" : ""))
        }
        return table.text
    }

    private static func seconds(_ time: MediaTime) -> String {
        signed(time.approximateSeconds, 5) + " s"
    }

    private static func signed(_ value: Double, _ digits: Int) -> String {
        let text = Amounts.decimal(value, digits)
        return text.hasPrefix("-") ? text : "+" + text
    }

    /// - Parameter written: paths of what was made of it.
    func document(written: [String]) -> JSONValue {
        .members([
            "schema": "vcap.align/1",
            "reference": rows.first.map { .string($0.path) },
            "least_confidence": .shortNumber(RecordingAlignment.leastConfidence),
            "files": .array(rows.enumerated().map { Self.json($1, isReference: $0 == 0) }),
            "written": .array(written.map { .string($0) }),
        ])
    }

    private static func json(_ row: Row, isReference: Bool) -> JSONValue {
        switch row.placement {
        case .failure(let failure):
            return .members([
                "path": .string(row.path), "error": .string(failure.message),
                "exit_code": .integer(Int64(failure.code.rawValue)),
                "notes": .array(row.notes.map { .string($0) }),
            ])
        case .success(nil):
            return .members([
                "path": .string(row.path), "notes": .array(row.notes.map { .string($0) }),
            ])
        case .success(let placement?):
            func rounded(_ value: Double, _ scale: Double) -> JSONValue {
                .shortNumber((value * scale).rounded() / scale)
            }
            let overlap = placement.overlap
            return .members([
                "path": .string(row.path),
                "offset": .string(placement.offset.description),
                "offset_seconds": rounded(placement.offset.approximateSeconds, 1e6),
                "method": isReference ? nil : .string(placement.method.rawValue),
                "drift_ppm": placement.method == .slate ? nil : rounded(placement.drift, 1e3),
                "confidence": rounded(placement.confidence, 1e3),
                "spread_ms": isReference ? nil : rounded(placement.spread * 1000, 1e4),
                "measurements": isReference ? nil : .integer(Int64(placement.measurements)),
                "overlap_start": rounded(overlap.start.approximateSeconds, 1e6),
                "overlap_seconds": rounded(overlap.duration.approximateSeconds, 1e6),
                "is_inverted": .bool(placement.isInverted),
                "is_same_audio": .bool(placement.isSameAudio),
                "notes": .array(row.notes.map { .string($0) }),
            ])
        }
    }
}

extension CommandFailure {
    /// Of one of the files.
    fileprivate static func of(_ error: MediaError) -> CommandFailure {
        CommandFailure(error, while: .film)
    }
}
