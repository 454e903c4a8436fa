import Capture
import Media

/// A row of photos as it is taken. Nothing happens in silence: a photo of another moment than the one asked for, frames
/// between photos and photos that were not taken are reported.
struct PhotoRow {
    /// From one frame of the camera to the next.
    let frame: MediaTime
    /// Of the newest photo's frame (bytes).
    private(set) var frameBytes = 0
    private var last: (time: MediaTime, sequence: UInt64?)?
    private var saidSame = false
    private var saidMissed = false
    /// Photos that were not taken, because those before them were not encoded yet (count).
    private(set) var missed = 0
    /// Frames between photos that are to follow each other (count).
    private(set) var between: UInt64 = 0

    init(frame: MediaTime?) { self.frame = frame ?? .milliseconds(33) }

    /// - Parameters:
    ///   - isTimed: whether it was asked for at a time, and not as the next frame.
    ///   - isBracket: whether frames between are meant to be.
    mutating func take(_ photo: CapturedPhoto, isTimed: Bool, isBracket: Bool) {
        frameBytes = photo.byteCount
        defer { last = (photo.presentationTime, photo.sequence) }
        if isTimed { return look(at: photo) }
        if !isBracket, let number = photo.sequence, let before = last?.sequence, number > before {
            between += number - before - 1
        }
    }

    private mutating func look(at photo: CapturedPhoto) {
        let distance = photo.presentationTime - photo.shutterTime
        if photo.presentationTime == last?.time, !saidSame {
            saidSame = true
            Console.shared.warning(
                "photos are the same frame: the camera gives fewer than --every asks for")
        }
        guard max(distance, -distance) > frame * 2 else { return }
        let milliseconds = distance.nanoseconds() / 1_000_000
        Console.shared.warning(
            "a photo is \(abs(milliseconds)) ms \(milliseconds < 0 ? "early" : "late"): the camera or the "
                + "machine is slower than --every asks for")
    }

    /// A shutter without room for its frame.
    mutating func miss(_ number: Int, _ held: (count: Int, bytes: Int)) {
        missed += 1
        guard !saidMissed else { return }
        saidMissed = true
        Console.shared.warning(
            "photo \(number + 1) is not taken: \(held.count) photos (\(held.bytes >> 20) MB) are not encoded "
                + "yet")
    }

    /// What is said when the row is over.
    /// - Parameter isHidden: whether the row ends with another failure than its own.
    func warn(isHidden: Bool) {
        for sentence in cautions(isHidden: isHidden) { Console.shared.warning(sentence) }
    }

    /// - Parameter isHidden: whether the row ends with another failure than its own.
    func cautions(isHidden: Bool) -> [String] {
        var sentences: [String] = []
        if isHidden, missed > 0 {
            sentences.append(
                "\(Amounts.count(missed, "photo")) of the row \(missed == 1 ? "was" : "were") not taken, because "
                    + "those before them were not encoded yet")
        }
        if between > 0 {
            sentences.append(
                "\(Amounts.count(Int(clamping: between), "frame")) of the camera between the photos of the row "
                    + "\(between == 1 ? "is" : "are") left out: frames were lost, or the encoder is slower than "
                    + "the camera")
        }
        return sentences
    }

    /// `nil` where all were taken.
    func failure(of count: Int) -> CommandFailure? {
        guard missed > 0 else { return nil }
        return CommandFailure(
            .failedRunning,
            "\(missed) of \(count) photos were not taken, because those before them were not encoded yet: take "
                + "them less often, with --quality speed, smaller or as .jpg")
    }
}
