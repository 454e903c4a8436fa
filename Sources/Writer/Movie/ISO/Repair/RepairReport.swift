public import Media

/// What a repair found and did.
public struct RepairReport: Sendable, Hashable {
    public enum Outcome: Sendable, Hashable {
        /// Nothing had to be done; the file was not touched.
        case alreadyOrdinary
        /// The index was complete and only had to be put in force.
        case indexPutInForce
        /// The index was built again from the fragments.
        case indexRebuilt
        /// The samples were copied into a complete file that took the old one's name.
        case remuxed
        /// The torn end was cut; nothing else was wrong.
        case endCut
    }

    /// Something that could not be kept.
    public enum Loss: Sendable, Hashable {
        /// Bytes at the end: the fragment that was being written when the take ended.
        case cutEnd(bytes: Int64)
        /// Bytes at the end, of samples that were cut off; the whole ones of their fragment are kept.
        case cutSamples(bytes: Int64)
        /// A fragment whose samples are not what was written, and when it began (movie time).
        case damagedFragment(at: MediaTime?, bytes: Int64)
        /// Bytes in the middle that are nothing readable.
        case damagedBytes(Range<Int64>)
        /// A track that vcap does not read, and why, a half-sentence: the new index is without it.
        case unreadTrack(MediaType, reason: String)
    }

    public let path: String
    public let outcome: Outcome
    /// Length of the repaired movie (seconds).
    public let duration: MediaTime
    /// Samples of each track.
    public let sampleCounts: [Int]
    public let losses: [Loss]
    /// Whether the movie is a take of vcap, of which it is known how much was on its way; nil: the file does not
    /// state (MPEG-TS).
    public let isTake: Bool?

    /// What never reached the disk of a take that was cut, at most; docs/design/recording.md, "Loss budget".
    package static let onItsWay = "up to 0.6 s, after a power cut up to 1.5 s"

    /// One line for a user.
    public var sentence: String {
        let length = "\(duration.scaled(to: 1000, rounding: .nearest).approximateSeconds) s"
        switch outcome {
        case .alreadyOrdinary:
            return "\(path) is an ordinary movie of \(length) already; nothing was changed."
        case .indexPutInForce, .indexRebuilt, .remuxed, .endCut:
            let none =
                isTake ?? true
                ? "nothing that had reached the disk was lost" : "nothing in it was left out"
            let lost = losses.isEmpty ? none : losses.map(\.text).joined(separator: ", ")
            let sentence = "\(path) is an ordinary movie of \(length) now; \(lost)."
            guard isTake ?? true else { return sentence }
            return sentence + (isTake == nil ? " If it is a take of vcap, what" : " What")
                + " was on its way when the take was cut (\(Self.onItsWay)) is not in it."
        }
    }
}

extension RepairReport.Loss {
    fileprivate var text: String {
        switch self {
        case .cutEnd(let bytes):
            return "an unfinished fragment of \(bytes) bytes at the end was lost"
        case .cutSamples(let bytes):
            return "\(bytes) bytes at the end, samples that are cut off, were left out"
        case .damagedFragment(let time, let bytes):
            let place = time.map {
                " at \($0.scaled(to: 1000, rounding: .nearest).approximateSeconds) s"
            }
            return "a damaged fragment of \(bytes) bytes\(place ?? "") was left out"
        case .damagedBytes(let range):
            return "\(range.count) damaged bytes at byte \(range.lowerBound) were left out"
        case .unreadTrack(let type, let reason):
            return "a track of \(type.rawValue) was left out, because \(reason)"
        }
    }
}
