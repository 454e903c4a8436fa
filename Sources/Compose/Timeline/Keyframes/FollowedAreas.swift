internal import Media

/// The areas that things lie in which were detected in a clip: one for each of them, with key frames.
struct FollowedAreas {
    /// Of one thing, at an instant.
    struct Sighting: Equatable {
        /// From the clip's beginning in its source (seconds).
        let time: Double
        /// Parts of the upright frame.
        let box: Rectangle
    }

    /// How long something is covered before it is seen and after, and between two sightings twice that (seconds).
    private static let hold = 0.5
    /// By how much the way may be left (parts of the frame).
    private static let tolerance = 0.003
    /// What is nearer to where it was is the same, where nothing numbers them (parts of the frame).
    private static let nearness = 0.15

    /// In the order in which they come.
    let things: [[Sighting]]

    /// - Parameter samples: what is seen at a time, in order (seconds from the clip's beginning in its source).
    init(_ samples: [(time: Double, places: [DetectedPlace])]) {
        var things: [(id: Int64?, sightings: [Sighting])] = []
        for (time, places) in samples {
            var taken: Set<Int> = []
            for place in places {
                let box = Rectangle(
                    x: place.x, y: place.y, width: place.width, height: place.height)
                let sighting = Sighting(time: time, box: box)
                let known = things.indices.filter { index in
                    guard !taken.contains(index), let last = things[index].sightings.last else {
                        return false
                    }
                    if place.objectID != nil || things[index].id != nil {
                        return things[index].id == place.objectID
                    }
                    return time - last.time <= 2 * Self.hold
                        && last.box.distance(to: box) < Self.nearness
                }.min { one, other in
                    let (first, second) = (things[one].sightings.last, things[other].sightings.last)
                    return (first?.box.distance(to: box) ?? 0)
                        < (second?.box.distance(to: box) ?? 0)
                }
                if let known {
                    things[known].sightings.append(sighting)
                    taken.insert(known)
                } else {
                    taken.insert(things.count)
                    things.append((place.objectID, [sighting]))
                }
            }
        }
        self.things = things.map(\.sightings)
    }

    /// What covers a thing, as it is at a time of the clip's source; nil: nothing does. Where it comes and goes there are
    /// two at one time.
    /// - Parameter length: of the clip in its source (seconds).
    static func way(
        of sightings: [Sighting], length: Double
    ) -> [(time: Double, box: Rectangle?)] {
        var way: [(time: Double, box: Rectangle?)] = []
        var run: [Sighting] = []
        func close() {
            guard let first = run.first, let last = run.last else { return }
            let from = max(0, first.time - hold)
            let to = min(length, last.time + hold)
            let kept = run.simplified(within: tolerance, distance)
            run = []
            guard from < to || length == 0 && from == 0 && to >= 0 else { return }
            if from > 0 { way.append((from, nil)) }
            way.append((from, box(at: from, kept)))
            way += kept.map { ($0.time, $0.box) }.filter { $0.0 > from && $0.0 < to }
            if to > from { way.append((to, box(at: to, kept))) }
            if to < length { way.append((to, nil)) }
        }
        for sighting in sightings {
            if let last = run.last, sighting.time - last.time > 2 * hold { close() }
            run.append(sighting)
        }
        close()
        return way
    }

    /// Between the sightings around a time; before the first and after the last it stands still.
    private static func box(at time: Double, _ sightings: [Sighting]) -> Rectangle {
        let next = sightings.firstIndex { $0.time > time } ?? sightings.count
        guard next > 0 else { return sightings[0].box }
        guard next < sightings.count else { return sightings[next - 1].box }
        let (from, to) = (sightings[next - 1], sightings[next])
        return from.box.mixed(to.box, (time - from.time) / (to.time - from.time))
    }

    /// From where a line would be at the sighting's time.
    private static func distance(_ one: Sighting, _ from: Sighting, _ to: Sighting) -> Double {
        let part = to.time > from.time ? (one.time - from.time) / (to.time - from.time) : 0
        let line = from.box.mixed(to.box, part)
        return [
            line.x - one.box.x, line.y - one.box.y, line.width - one.box.width,
            line.height - one.box.height,
        ].map(\.magnitude).max() ?? 0
    }
}

extension Rectangle {
    /// Between the middles.
    fileprivate func distance(to other: Rectangle) -> Double {
        let (across, down) = (
            x + width / 2 - other.x - other.width / 2, y + height / 2 - other.y - other.height / 2
        )
        return (across * across + down * down).squareRoot()
    }
}
