internal import Media
internal import Reading

/// The frames of a cursor in falling order of time: those of a piece of its source are decoded once and kept, as far as
/// the memory allows. Thread-bound.
///
/// Where a group of frames is longer than what is kept it is decoded several times, each time up to the next piece: a
/// group of *n* pieces about *n*/2 times.
final class BackwardFrames {
    /// Most memory of frames that are kept (bytes): 42 of 1080p in 8 bits.
    private static let usualRoom = 128 << 20
    /// Fewest frames kept, however large they are (count).
    private static let least = 2
    /// Of groups shorter than this several are decoded at once (count of frames).
    private static let usual: Int64 = 8

    private let cursor: FrameCursor
    private let room: Int
    /// Between two frames, about (seconds).
    private let step: MediaTime
    /// In order of time, without holes.
    private var kept: [SampleBuffer] = []
    private var asked: MediaTime?

    /// - Parameter room: most memory of frames that are kept (bytes).
    init(_ cursor: FrameCursor, of track: AssetTrack, room: Int = usualRoom) {
        (self.cursor, self.room) = (cursor, room)
        step =
            track.nominalRate?.frameDuration ?? track.commonestFrameDuration ?? .milliseconds(33)
    }

    /// As `FrameCursor.picture(at:)`.
    func picture(at time: MediaTime) throws(MediaError) -> SampleBuffer {
        defer { asked = time }
        if let known = known(at: time) { return known }
        // a player that goes back on the timeline
        if let asked, time >= asked { return try cursor.picture(at: time) }
        kept = []
        let most = Int64(max(Self.least, room / cursor.format.bytesPerFrame))
        let found = try cursor.syncTimes(around: time, before: nil, after: .zero)
        let first = max(
            .zero,
            max(time - step * (most - 1), min(found.before ?? .zero, time - step * Self.usual)))
        var next = min(first, time)
        while true {
            let frame = try cursor.picture(at: next)
            if kept.last?.presentationTime != frame.presentationTime { kept.append(frame) }
            if kept.count > Int(most) { kept.removeFirst() }
            guard let length = frame.duration, length > .zero else { break }
            let end = frame.presentationTime + length
            guard end <= time, end > next else { break }
            next = end
        }
        if let known = known(at: time) { return known }
        return try cursor.picture(at: time)
    }

    private func known(at time: MediaTime) -> SampleBuffer? {
        guard let frame = kept.last(where: { $0.presentationTime <= time }) else { return nil }
        // the last one's end is known where it has a duration
        let isLast = frame.presentationTime == kept.last?.presentationTime
        guard isLast, let length = frame.duration else { return frame }
        return time < frame.presentationTime + length ? frame : nil
    }
}
