import Compose
import Media
import Reading

/// How long each picture of a sequence shows.
enum SequenceTiming: Sendable {
    /// All of them so long.
    case even(MediaTime)
    /// As long as it took to the next one, by the camera's clock; the last one for a time of its own, or as
    /// long as the one before.
    case exif(last: MediaTime?)
    /// As a text file says.
    case list(String)
}

/// What `--timing` takes.
enum WantedTiming: Sendable, Equatable {
    case exif
    case list(String)
}

extension ValueKind where Value == WantedTiming {
    static var timing: ValueKind {
        ValueKind(
            "exif|FILE", expected: "exif, or a list of pictures and lengths", completion: .files
        ) {
            $0.isEmpty ? nil : $0 == "exif" ? .exif : .list($0)
        }
    }
}

/// Pictures by the times at which they were taken.
struct ExifTiming {
    let pictures: [SequencePicture]

    /// Pictures that say the same time share the time to the next other one. Blocks.
    /// - Throws: bad data for a picture that does not state.
    init(_ paths: [String], last: MediaTime?) throws {
        var taken: [(path: String, time: MediaTime)] = []
        for path in paths {
            guard let time = try Asset.load(path).captureTime else {
                throw CommandFailure(
                    .badData,
                    "\(path) does not say when it was taken (Exif's DateTimeOriginal): give --fps, -t, "
                        + "or a list with --timing FILE")
            }
            taken.append((path, time))
        }
        // equal times stay in the order of the names
        let order = taken.indices.sorted { (taken[$0].time, $0) < (taken[$1].time, $1) }
        var frames: [SequencePicture] = []
        var first = 0
        while first < order.count {
            let time = taken[order[first]].time
            let next = order[first...].firstIndex { taken[$0].time > time } ?? order.count
            let together = order[first..<next].map { taken[$0].path }
            if next < order.count {
                let span = taken[order[next]].time - time
                frames += Self.shared(span, by: together)
            } else {
                guard let length = last ?? frames.last?.duration else {
                    throw CommandFailure(
                        .badData,
                        "all pictures were taken at the same time: say with -t how long they show")
                }
                frames += together.map { SequencePicture($0, duration: length) }
            }
            first = next
        }
        self.pictures = frames
    }

    /// Equal parts of a time, to the tick of the timeline; all of it together.
    private static func shared(_ span: MediaTime, by paths: [String]) -> [SequencePicture] {
        let ticks = span.scaled(to: Composition.timescale, rounding: .nearest).value
        let count = Int64(paths.count)
        return paths.enumerated().map { index, path in
            let (from, to) = (ticks * Int64(index) / count, ticks * Int64(index + 1) / count)
            return SequencePicture(
                path,
                duration: MediaTime(value: max(1, to - from), timescale: Composition.timescale))
        }
    }
}
