internal import Media

/// Where faces are in every frame, of looks at some of them. A pure value.
///
/// What two looks saw of a face is joined: a frame between them shows it somewhere between. A face that a look finds for
/// the first time was there before it, one that a look misses is where it was found or where it was going, for as long
/// as the tracker expects it (2 s). Of a frame behind the last look nothing is known.
struct FaceFollower: Sendable {
    /// A face in one frame.
    struct Place: Sendable {
        /// The face, as well as is known (parts of the frame; may lie outside).
        var bounds: NormalizedRect
        /// All of the frame that may show a part of it.
        var cover: NormalizedRect
        /// How far it is tilted, clockwise (degrees).
        var roll: Double
    }

    private struct Face: Sendable {
        var bounds: NormalizedRect
        /// Where it was found last: `bounds` are further on where it was missed since.
        var found: NormalizedRect
        var roll: Double?
        /// For how long it was not found (seconds).
        var unseen: Double
    }

    private struct Look: Sendable {
        let time: MediaTime
        /// By which one they are; `nil`: the look failed.
        let faces: [Int: Face]?
        let failure: MediaError?
    }

    /// What lies around what the detector calls a face: hair, ears, chin (parts of its sides).
    let margin: Double
    /// For how long a face is said to have been there before it was found, and how far behind a frame a look may lie.
    static let reach = MediaTime.nanoseconds(250_000_000)
    /// How much wider the place of a face becomes for each second in which it is not found (parts of its sides).
    private static let growth = 0.5

    private var tracker = ObjectTracker()
    private var looks: [Look] = []

    init(margin: Double) { self.margin = margin }

    /// When a frame was looked at last.
    var lastLook: MediaTime? { looks.last?.time }

    /// - Parameter sightings: what the look at a frame found, or why it could not be.
    mutating func take(_ sightings: Result<[Sighting], MediaError>, at time: MediaTime) {
        if let last = looks.last, time <= last.time { looks = [] }
        looks.removeAll { time - $0.time > .seconds(2) }
        switch sightings {
        case .failure(let failure):
            looks.append(Look(time: time, faces: nil, failure: failure))
        case .success(let found):
            let identities = tracker.take(found, at: time)
            var faces: [Int: Face] = [:]
            for track in tracker.tracks {
                let roll = identities.firstIndex(of: track.identity).flatMap { found[$0].roll }
                faces[track.identity] = Face(
                    bounds: track.isSeen ? track.bounds : track.expectedBounds(at: time),
                    found: track.bounds,
                    roll: roll ?? looks.last?.faces?[track.identity]?.roll,
                    unseen: max(0, (time - track.time).approximateSeconds))
            }
            looks.append(Look(time: time, faces: faces, failure: nil))
        }
    }

    /// The faces that a frame may show.
    /// - Throws: where nobody looked at it or soon behind it, or a look next to it failed.
    func places(at time: MediaTime) throws(MediaError) -> [Place] {
        let before = looks.last { $0.time <= time }
        let behind = looks.first { $0.time > time }
        if let failure = before?.failure ?? behind?.failure { throw failure }
        // since an earlier look faces may have come
        guard before?.time == time || behind.map({ $0.time - time <= Self.reach }) ?? false else {
            throw MediaError(
                code: .decoderFailed, subject: "faces",
                message: "Neither the frame nor one soon behind it was looked at for faces.")
        }
        let (old, new) = (before?.faces ?? [:], behind?.faces ?? [:])
        var places: [Place] = []
        for (identity, face) in old.sorted(by: { $0.key < $1.key }) {
            guard let next = new[identity], let before, let behind else {
                places.append(place(face))
                continue
            }
            let share =
                (time - before.time).approximateSeconds
                / (behind.time - before.time).approximateSeconds
            places.append(place(from: face, to: next, share))
        }
        for (identity, face) in new.sorted(by: { $0.key < $1.key }) where old[identity] == nil {
            places.append(appearing(face, old, new))
        }
        return places + laterFaces(behind: behind, time, known: Set(old.keys).union(new.keys))
    }

    /// Faces that only looks behind the next one found.
    private func laterFaces(
        behind next: Look?, _ time: MediaTime, known: Set<Int>
    ) -> [Place] {
        guard let next else { return [] }
        var known = known
        var places: [Place] = []
        for look in looks where look.time > next.time && look.time - time <= Self.reach {
            for (identity, face) in look.faces ?? [:] where known.insert(identity).inserted {
                places.append(place(face))
            }
        }
        return places
    }

    /// One that was missed may have stopped where it was found, or have moved further.
    private func place(_ face: Face) -> Place {
        let growth = margin + min(face.unseen, 1) * Self.growth
        return Place(
            bounds: face.bounds,
            cover: face.bounds.grown(by: growth).joined(with: face.found.grown(by: growth)),
            roll: face.roll ?? 0)
    }

    /// Somewhere on the way from one place to another.
    private func place(from one: Face, to other: Face, _ share: Double) -> Place {
        let (first, second) = (place(one), place(other))
        return Place(
            bounds: one.bounds.between(other.bounds, share),
            cover: first.cover.joined(with: second.cover),
            roll: share < 0.5 ? first.roll : second.roll)
    }

    /// A new face may be one that the look before knew as another, and that moved faster than it could follow.
    private func appearing(_ face: Face, _ old: [Int: Face], _ new: [Int: Face]) -> Place {
        let lost = old.filter { identity, face in
            face.unseen == 0 && (new[identity]?.unseen ?? 1) > 0
        }
        let nearest = lost.values.min {
            $0.bounds.middle.distance(to: face.bounds.middle)
                < $1.bounds.middle.distance(to: face.bounds.middle)
        }
        var result = place(face)
        if let nearest { result.cover = result.cover.joined(with: place(nearest).cover) }
        return result
    }
}

extension NormalizedPoint {
    fileprivate func distance(to other: NormalizedPoint) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}

extension NormalizedRect {
    /// With a margin on each side, in parts of its sides.
    func grown(by margin: Double) -> NormalizedRect {
        NormalizedRect(
            x: x - width * margin, y: y - height * margin, width: width * (1 + 2 * margin),
            height: height * (1 + 2 * margin))
    }

    /// The smallest that holds both.
    fileprivate func joined(with other: NormalizedRect) -> NormalizedRect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return NormalizedRect(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }

    /// Where it is on the way to another.
    fileprivate func between(_ other: NormalizedRect, _ share: Double) -> NormalizedRect {
        func mix(_ one: Double, _ two: Double) -> Double { one + (two - one) * share }
        return NormalizedRect(
            x: mix(x, other.x), y: mix(y, other.y), width: mix(width, other.width),
            height: mix(height, other.height))
    }
}
