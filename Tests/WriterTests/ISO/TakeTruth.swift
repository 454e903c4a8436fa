import Media

@testable import Movie

/// What must come back from a movie: each track's samples as they went in.
struct TakeTruth {
    struct Sample: Equatable {
        var time: Int64
        var size: Int
        var isSync: Bool
        var hash: UInt64
    }

    var tracks: [[Sample]]

    /// The take as it went in, times from movie time zero in track ticks.
    init(_ take: CodedTake) {
        tracks = take.tracks.map { _ in [] }
        for (track, sample) in take.samples {
            guard let block = sample.block else { continue }
            tracks[track].append(
                Sample(
                    time: sample.presentationTime.value, size: block.count, isSync: sample.isSync,
                    hash: block.withUnsafeBytes { FragmentChecksumBox.checksum(of: $0) }))
        }
    }

    /// The movie as it is on a disk.
    init(_ movie: MovieFile, content: [UInt8]) {
        tracks = movie.tracks.map { track in
            track.samples.map { sample in
                let range = Int(sample.offset)..<Int(sample.offset) + Int(sample.size)
                let hash = content[range].withUnsafeBytes { FragmentChecksumBox.checksum(of: $0) }
                return Sample(
                    time: sample.presentationTime - track.firstShown, size: Int(sample.size),
                    isSync: sample.isSync, hash: hash)
            }
        }
    }

    /// Whether this is what a take of that truth looks like after its end was lost.
    func isPrefix(of whole: TakeTruth) -> Bool {
        tracks.count == whole.tracks.count
            && zip(tracks, whole.tracks).allSatisfy { $0.count <= $1.count && $1.starts(with: $0) }
    }

    var counts: [Int] { tracks.map(\.count) }
}

extension MovieTrack {
    /// What track time is to be taken off to come to movie time (ticks).
    fileprivate var firstShown: Int64 {
        guard let empty = edits.first, empty.mediaTime == nil else { return movieShift }
        // the tests' movie timescale is a multiple of the tracks'
        return movieShift
    }
}
