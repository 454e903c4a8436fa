internal import Media

/// The areas that things lie in which were detected in a clip: one for each of them, with key frames. What is between two
/// looks is not known: there all is covered that lies between the places at both.
struct FollowedAreas {
    /// Of one thing, at an instant.
    struct Sighting: Equatable {
        /// From the clip's beginning in its source (seconds).
        let time: Double
        /// At which of the instants at which frames were looked at.
        let look: Int
        /// Parts of the upright frame.
        let box: Rectangle
    }

    /// What covers a thing from an instant on; nil: nothing does. From one to the next it goes evenly; of two at one time
    /// the first one is come to.
    typealias Key = (time: Double, box: Rectangle?)

    /// How long something is covered before it is seen and after, at least, and between two sightings twice that
    /// (seconds).
    private static let hold = 0.5
    /// Between sightings that are no further apart things go evenly (seconds).
    private static let even = 0.25
    /// By how much the way may be left (parts of the frame).
    private static let tolerance = 0.003
    /// What is nearer to where it was is the same though a look missed it, where nothing numbers them (parts of the
    /// frame).
    private static let nearness = 0.15

    /// In the order in which they come.
    let things: [[Sighting]]
    /// When frames were looked at.
    private let looks: [Double]

    /// - Parameter samples: what is seen at a time, nothing among them, in order (seconds from the clip's beginning in its
    ///   source).
    init(_ samples: [(time: Double, places: [DetectedPlace])]) {
        var things: [(id: Int64?, sightings: [Sighting])] = []
        for (look, sample) in samples.enumerated() {
            let seen = sample.places.map { place in
                (
                    id: place.objectID,
                    sighting: Sighting(
                        time: sample.time, look: look,
                        box: Rectangle(
                            x: place.x, y: place.y, width: place.width, height: place.height))
                )
            }
            // the nearest first: those of the look before wherever they are, others only where they are near
            var pairs: [(thing: Int, place: Int, distance: Double)] = []
            for (place, found) in seen.enumerated() {
                for (thing, known) in things.enumerated() {
                    guard let last = known.sightings.last, known.id == found.id else { continue }
                    let distance = last.box.distance(to: found.sighting.box)
                    let isRecent =
                        known.id != nil || last.look == look - 1
                        || sample.time - last.time <= 2 * Self.hold && distance < Self.nearness
                    if isRecent { pairs.append((thing, place, distance)) }
                }
            }
            pairs.sort { ($0.distance, $0.thing, $0.place) < ($1.distance, $1.thing, $1.place) }
            var (taken, placed): (Set<Int>, Set<Int>) = ([], [])
            for pair in pairs where !taken.contains(pair.thing) && !placed.contains(pair.place) {
                things[pair.thing].sightings.append(seen[pair.place].sighting)
                taken.insert(pair.thing)
                placed.insert(pair.place)
            }
            for (place, found) in seen.enumerated() where !placed.contains(place) {
                things.append((found.id, [found.sighting]))
            }
        }
        self.things = things.map(\.sightings)
        looks = samples.map(\.time)
    }

    /// The longest time without a look in a clip (seconds).
    /// - Parameter length: of the clip in its source (seconds).
    func longestGap(within length: Double) -> Double {
        let inner = looks.filter { $0 > 0 && $0 < length }
        let ends = [max(0, looks.last { $0 <= 0 } ?? 0)] + inner + [length]
        return zip(ends, ends.dropFirst()).map { $1 - $0 }.max() ?? 0
    }

    /// What covers a thing in a clip; empty: nothing of it is ever seen.
    /// - Parameter length: of the clip in its source (seconds).
    func way(of sightings: [Sighting], length: Double) -> [Key] {
        var keys: [Key] = []
        var run: [Sighting] = []
        for sighting in sightings {
            if let last = run.last, !continues(last, sighting) {
                keys += self.keys(of: run)
                run = []
            }
            run.append(sighting)
        }
        keys += self.keys(of: run)
        return Self.clipped(keys, to: length)
    }

    /// Whether something is covered from one sighting to the next one.
    private func continues(_ one: Sighting, _ next: Sighting) -> Bool {
        next.look == one.look + 1 || next.time - one.time <= 2 * Self.hold
            || end(after: one) >= begin(before: next)
    }

    /// Until when something may be there that was seen last: nobody knows before the next look.
    private func end(after last: Sighting) -> Double {
        last.look + 1 < looks.count ? max(last.time + Self.hold, looks[last.look + 1]) : .infinity
    }

    private func begin(before first: Sighting) -> Double {
        first.look > 0 ? min(first.time - Self.hold, looks[first.look - 1]) : -.infinity
    }

    /// Of sightings that continue.
    private func keys(of run: [Sighting]) -> [Key] {
        guard let first = run.first, let last = run.last else { return [] }
        var keys: [Key] = []
        let begin = begin(before: first)
        if begin > -.infinity { keys.append((begin, nil)) }
        let before = first.box.around(Self.led(from: run.dropFirst().first, to: first))
        keys += [(max(begin, -1e9), before), (first.time, before)]
        var even = [first]
        func close() {
            keys += even.simplified(within: Self.tolerance, Self.distance).map { ($0.time, $0.box) }
        }
        for (one, next) in zip(run, run.dropFirst()) {
            if next.time - one.time <= Self.even {
                even.append(next)
                continue
            }
            close()
            let both = one.box.around(next.box)
            keys += [(one.time, both), (next.time, both)]
            even = [next]
        }
        close()
        let end = end(after: last)
        let after = last.box.around(Self.led(from: run.dropLast().last, to: last))
        keys += [(last.time, after), (min(end, 1e9), after)]
        if end < .infinity { keys.append((end, nil)) }
        return keys
    }

    /// Where something would be that continues its way for as long as it is covered.
    private static func led(from other: Sighting?, to one: Sighting) -> Rectangle {
        guard let other, other.time != one.time else { return one.box }
        let part = hold / (one.time - other.time).magnitude
        // no further than half of the frame
        func step(_ from: Double, _ to: Double) -> Double {
            max(-0.5, min(0.5, (to - from) * part))
        }
        var box = one.box
        box.x += step(other.box.x + other.box.width / 2, one.box.x + one.box.width / 2)
        box.y += step(other.box.y + other.box.height / 2, one.box.y + one.box.height / 2)
        return box
    }

    /// Those that rule in a clip.
    private static func clipped(_ keys: [Key], to length: Double) -> [Key] {
        /// - Parameter isBefore: what is come to from before, where it jumps.
        func box(at time: Double, before isBefore: Bool) -> Rectangle? {
            let next = keys.firstIndex { isBefore ? $0.time >= time : $0.time > time } ?? keys.count
            guard next > 0 else { return nil }
            let from = keys[next - 1]
            guard next < keys.count, let start = from.box, let end = keys[next].box,
                keys[next].time > from.time
            else { return from.box }
            return start.mixed(end, (time - from.time) / (keys[next].time - from.time))
        }
        let inner = keys.filter { $0.time > 0 && $0.time < length }
        var result: [Key] = [(0, box(at: 0, before: false))] + inner
        if length > 0 { result.append((length, box(at: length, before: true))) }
        return result.contains { $0.box != nil } ? result : []
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

    /// The smallest one that holds both.
    fileprivate func around(_ other: Rectangle) -> Rectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Rectangle(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }
}
