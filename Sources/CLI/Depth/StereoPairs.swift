import Media
import Reading

/// The frames of two movies that are of one moment, in order.
struct StereoPairs {
    /// Frames of the left movie of which the right one has none (frames).
    private(set) var unpaired = 0
    /// Frames of the left movie that are damaged, or whose partner is (frames).
    private(set) var damaged = 0
    private let tolerance: MediaTime
    private var left: AssetReader.Samples.AsyncIterator
    private var right: AssetReader.Samples.AsyncIterator
    /// The last frame of the right movie at or before the one looked for, and the one behind it.
    private var held: SampleBuffer?
    private var ahead: SampleBuffer?
    /// Time of the right frame of the last pair: each is of one.
    private var used: MediaTime?

    /// - Parameter frame: how long most frames of the left movie last (nil: not known): frames closer than half of it
    ///   are of one moment.
    init(left: AssetReader.Samples, right: AssetReader.Samples, frame: MediaTime?) {
        self.left = left.makeAsyncIterator()
        self.right = right.makeAsyncIterator()
        let length = frame.map { $0.nanoseconds() } ?? 0
        tolerance = .nanoseconds(min(1_000_000_000, length > 0 ? length : 33_333_333) / 2)
    }

    /// - Returns: `nil` at the end of either movie.
    mutating func next() async throws(MediaError) -> (left: SampleBuffer, right: SampleBuffer)? {
        while let frame = try await left.next() {
            if held == nil { held = try await right.next() }
            if ahead == nil { ahead = try await right.next() }
            while let one = held, let other = ahead,
                distance(other, frame) <= distance(one, frame)
            {
                (held, ahead) = (other, try await right.next())
            }
            guard let one = held else { return nil }
            guard distance(one, frame) <= tolerance, one.presentationTime != used else {
                unpaired += 1
                continue
            }
            used = one.presentationTime
            if frame.attachments.isDamaged || one.attachments.isDamaged {
                damaged += 1
            } else {
                return (frame, one)
            }
        }
        return nil
    }

    private func distance(_ one: SampleBuffer, _ other: SampleBuffer) -> MediaTime {
        let (a, b) = (one.presentationTime, other.presentationTime)
        return a > b ? a - b : b - a
    }
}
