internal import Media

/// Something that was found in a frame, before it is known which one it is.
struct Sighting: Sendable {
    var type: MetadataObjectType
    var bounds: NormalizedRect
    var appearance: Appearance
    var confidence = 1.0
    var roll: Double?
    var yaw: Double?
}

/// Knows what is found again from frame to frame. A pure value: times come with the frames.
///
/// ```
///         found          not found             not found for 2 s
///   new ────────▶ seen ────────────▶ missing ────────────────────▶ lost: found again it is another
///                  ▲                   │
///                  └───────────────────┘ found near where it is expected
/// ```
/// Where each is expected follows from its motion. Of those that come near each other, as when two people pass, each
/// is what it looks like: appearances are not learnt while others are near.
struct ObjectTracker: Sendable {
    /// How long something may be out of view and be the same.
    static let limit = MediaTime.seconds(2)
    /// For so long something out of view is expected to move on (seconds).
    fileprivate static let longestMotion = 1.0
    /// What a pair may cost: above it they are two things.
    private static let dearest = 3.6
    /// What share of the newest measurement counts.
    private static let (motionShare, appearanceShare) = (0.6, 0.15)

    struct Track: Sendable {
        let identity: Int
        let type: MetadataObjectType
        fileprivate(set) var bounds: NormalizedRect
        fileprivate(set) var appearance: Appearance
        /// When it was found last.
        fileprivate(set) var time: MediaTime
        /// Of its middle (parts of the frame per second); `nil` while it was found once.
        fileprivate(set) var velocity: (x: Double, y: Double)?
        /// Whether the newest frame shows it.
        fileprivate(set) var isSeen = true
    }

    private(set) var tracks: [Track] = []
    private var lastIdentity = 0

    /// A frame was looked at.
    /// - Returns: which one each sighting is.
    mutating func take(_ sightings: [Sighting], at time: MediaTime) -> [Int] {
        // back in time nothing is known
        tracks.removeAll { time < $0.time || time - $0.time > Self.limit }
        let expected = tracks.map { $0.expectedBounds(at: time) }
        let costs = zip(tracks, expected).map { track, bounds in
            sightings.map { Self.cost(of: $0, track, bounds, at: time) }
        }
        let pairs = Assignment.cheapest(costs, limit: Self.dearest)
        var identities = [Int](repeating: 0, count: sightings.count)
        for index in tracks.indices {
            guard let place = pairs[index] else {
                tracks[index].isSeen = false
                continue
            }
            let isNear = expected.indices.contains {
                $0 != index && expected[$0].sharesPlace(with: sightings[place].bounds)
            }
            tracks[index].take(
                sightings[place], at: time, motionShare: isNear ? 0.2 : Self.motionShare,
                appearanceShare: isNear ? 0 : Self.appearanceShare)
            identities[place] = tracks[index].identity
        }
        for (place, sighting) in sightings.enumerated() where identities[place] == 0 {
            lastIdentity += 1
            identities[place] = lastIdentity
            tracks.append(
                Track(
                    identity: lastIdentity, type: sighting.type, bounds: sighting.bounds,
                    appearance: sighting.appearance, time: time))
        }
        return identities
    }

    /// - Returns: nil where they cannot be the same.
    private static func cost(
        of sighting: Sighting, _ track: Track, _ expected: NormalizedRect, at time: MediaTime
    ) -> Double? {
        guard sighting.type == track.type else { return nil }
        let bounds = sighting.bounds
        let growth = (bounds.width * bounds.height / (expected.width * expected.height))
            .squareRoot()
        guard growth > 0.5, growth < 2 else { return nil }
        // in sizes of its own, so that what is near may move faster
        let x = (bounds.middle.x - expected.middle.x) / max(bounds.width, expected.width)
        let y = (bounds.middle.y - expected.middle.y) / max(bounds.height, expected.height)
        let distance = (x * x + y * y).squareRoot()
        let elapsed = (time - track.time).approximateSeconds
        // of one that was found once it is not known how it moves
        let reach = (track.velocity == nil ? 1.2 : 0.8) + elapsed
        guard distance < reach else { return nil }
        return distance / reach + (1 - bounds.shared(with: expected)) * 0.3
            + sighting.appearance.difference(from: track.appearance) * 3
    }
}

extension ObjectTracker.Track {
    /// Where it is if it moves on as it did.
    func expectedBounds(at time: MediaTime) -> NormalizedRect {
        let seconds = min(
            (time - self.time).approximateSeconds, ObjectTracker.longestMotion)
        var expected = bounds
        expected.x += (velocity?.x ?? 0) * seconds
        expected.y += (velocity?.y ?? 0) * seconds
        return expected
    }

    fileprivate mutating func take(
        _ sighting: Sighting, at time: MediaTime, motionShare: Double, appearanceShare: Double
    ) {
        let seconds = (time - self.time).approximateSeconds
        if seconds > 0 {
            let (from, to) = (bounds.middle, sighting.bounds.middle)
            let measured = (x: (to.x - from.x) / seconds, y: (to.y - from.y) / seconds)
            let before = velocity ?? measured
            velocity = (
                before.x + (measured.x - before.x) * motionShare,
                before.y + (measured.y - before.y) * motionShare
            )
        }
        appearance.follow(sighting.appearance, by: appearanceShare)
        (bounds, self.time, isSeen) = (sighting.bounds, time, true)
    }
}

extension NormalizedRect {
    var middle: NormalizedPoint { NormalizedPoint(x: x + width / 2, y: y + height / 2) }

    /// What two have in common, of what they cover together (0 to 1).
    func shared(with other: NormalizedRect) -> Double {
        let common = common(with: other)
        let all = width * height + other.width * other.height - common
        return all > 0 ? common / all : 0
    }

    /// Whether one covers a part of the other.
    func sharesPlace(with other: NormalizedRect) -> Bool { common(with: other) > 0 }

    private func common(with other: NormalizedRect) -> Double {
        let wide = min(x + width, other.x + other.width) - max(x, other.x)
        let high = min(y + height, other.y + other.height) - max(y, other.y)
        return max(wide, 0) * max(high, 0)
    }
}
