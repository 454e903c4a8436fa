import Compose
import Media

/// What became of one input.
struct ConvertOutcome {
    let input: String
    let result: Result<ConversionReport, CommandFailure>

    var failure: CommandFailure? {
        if case .failure(let failure) = result { failure } else { nil }
    }

    var json: JSONValue {
        switch result {
        case .failure(let failure):
            return .members([
                "input": .string(input), "error": .string(failure.message),
                "exit_code": .integer(Int64(failure.code.rawValue)),
            ])
        case .success(let report):
            return .members([
                "input": .string(input),
                "path": .string(report.path),
                "duration": .string(report.duration.description),
                "frames": .integer(report.frames),
                "bytes": .integer(report.bytes),
                "width": report.size.map { .integer(Int64($0.width)) },
                "height": report.size.map { .integer(Int64($0.height)) },
                "tracks": .array(
                    report.tracks.map {
                        .members([
                            "kind": .string($0.mediaType.rawValue), "codec": .string($0.codec),
                            "work": .string($0.isCopied ? "copied" : "encoded"),
                            "copied_frames": $0.copiedFrames > 0
                                ? .integer($0.copiedFrames) : nil,
                        ])
                    }),
                "text_tracks": .array(
                    report.textTracks.map {
                        .members([
                            "language": $0.language.map { .string($0) },
                            "cues": .integer(Int64($0.cues)),
                        ])
                    }),
                "metadata_tracks": .array(report.metadataTracks.map(\.json)),
                "filters": report.filters.isEmpty
                    ? nil : .array(report.filters.map(\.json)),
                "damaged_pictures": .integer(Int64(report.damagedFrames)),
                "damaged_audio_samples": .integer(Int64(report.damagedAudio)),
                "notes": .array(report.notes.map { .string($0) }),
                "elapsed_ms": .integer(report.elapsed.ticks(per: 1000, rounding: .nearest)),
            ])
        }
    }
}

/// What became of one live photo whose photo was wanted.
enum PhotoOutcome {
    case written(input: String, path: String, bytes: Int)
    case failed(input: String, CommandFailure)

    var failure: CommandFailure? {
        if case .failed(_, let failure) = self { failure } else { nil }
    }

    var json: JSONValue {
        switch self {
        case .written(let input, let path, let bytes):
            .members([
                "input": .string(input), "path": .string(path), "bytes": .integer(Int64(bytes)),
            ])
        case .failed(let input, let failure):
            .members([
                "input": .string(input), "error": .string(failure.message),
                "exit_code": .integer(Int64(failure.code.rawValue)),
            ])
        }
    }
}
