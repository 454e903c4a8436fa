internal import Media
internal import Reading

extension VideoItem {
    /// What a track of a source says of where something was seen.
    private struct Detections {
        let samples: [(group: TimedMetadataGroup, places: [DetectedPlace])]
        /// Where the clip ends in its source.
        let until: MediaTime
        /// What could not be read of it; nil: nothing.
        let note: String?
    }

    /// With key frames of its view in the place of what it follows: as a track of its source says.
    /// - Returns: nil where nothing is said, and why; else what could not be read of what is said.
    func following(
        _ kind: FollowedObject, in asset: Asset
    ) throws(MediaError) -> (item: VideoItem?, why: String?) {
        let (detections, why) = detections(of: kind, in: asset)
        guard let detections else { return (nil, why) }
        let until = detections.until
        let groups = detections.samples.filter { group, places in
            !places.isEmpty && group.start < until
                && group.start + (group.duration ?? .zero) > start
        }
        let begin = start.approximateSeconds
        let sightings = Self.sightings(groups).map {
            FollowedPath.Sighting(time: max(0, $0.time - begin), point: $0.point)
        }
        let path = FollowedPath(sightings, length: until.approximateSeconds - begin)
        let steps = isReversed ? path.steps.reversed() : path.steps
        guard let first = steps.first else {
            return (nil, "no \(kind.rawValue) was detected in it")
        }
        var item = self
        let zoom = self.view?.zoom ?? 1
        func led(_ step: FollowedPath.Step) -> PictureMotion.View {
            PictureMotion.View(
                zoom: zoom, x: min(1, max(0, step.point.x)), y: min(1, max(0, step.point.y)))
        }
        item.view = led(first)
        item.fit = fit ?? .cover
        item.follow = nil
        let clock = FollowedClock(self, until: until)
        item.keyframes += steps.dropFirst(isReversed ? 0 : 1).map { step in
            var key = ClipKeyframe(clock.time(ofSource: step.time))
            key.view = led(step)
            return key
        }
        item.keyframes.sort { $0.time < $1.time }
        return (item, detections.note)
    }

    /// Without a look for longer than that much can happen (seconds).
    private static let longestBlindness = 0.6

    /// Effects on each thing of a kind that was detected, in the place of one that follows them.
    /// - Returns: nil where nothing is said, and why; else what could not be read of what is said.
    func covering(
        _ effect: ClipEffect, _ kind: FollowedObject, in asset: Asset
    ) -> (effects: [ClipEffect]?, why: String?) {
        let (detections, why) = detections(of: kind, in: asset)
        guard let detections else { return (nil, why) }
        let begin = start.approximateSeconds
        let samples = detections.samples.map { group, places in
            (time: group.start.approximateSeconds - begin, places: places)
        }
        // what stands still shows one instant
        let until = freeze == nil ? detections.until : start
        let length = max(0, until.approximateSeconds - begin)
        let clock = FollowedClock(self, until: until)
        let areas = FollowedAreas(samples)
        let effects = areas.things.compactMap { sightings -> ClipEffect? in
            var way = areas.way(of: sightings, length: length)
            if isReversed { way.reverse() }
            guard let first = way.first(where: { $0.box != nil })?.box else { return nil }
            var own = effect
            own.follow = nil
            own.area = first.covered(kind)
            if freeze != nil { return own }
            if way[0].box == nil { (own.area.width, own.area.height) = (0, 0) }
            own.keyframes = way.map { time, box in
                var key = AreaKeyframe(clock.time(ofSource: time))
                let area = box?.covered(kind)
                (key.x, key.y) = (area?.x, area?.y)
                (key.width, key.height) = (area?.width ?? 0, area?.height ?? 0)
                return key
            }
            return own
        }
        let gap = freeze == nil ? areas.longestGap(within: length) : 0
        let blind =
            gap > Self.longestBlindness
            ? "for up to \((gap * 10).rounded() / 10) s no frame was looked at, so what came or turned back "
                + "meanwhile may be seen (vcap record --detect-rate)" : nil
        let notes = [detections.note, blind].compactMap(\.self)
        return (effects, notes.isEmpty ? nil : notes.joined(separator: "; "))
    }

    private func detections(
        of kind: FollowedObject, in asset: Asset
    ) -> (Detections?, why: String?) {
        guard asset.usable(.video) != nil else { return (nil, "it has no video") }
        guard let track = asset.detections(of: kind, besideVideo: track) else {
            return (
                nil,
                asset.hasDetections
                    ? "what was detected in it is of other kinds (vcap record --detect)"
                    : "it has no track of what was detected (vcap record --detect)"
            )
        }
        let reading: Asset.MetadataReading
        do throws(MediaError) { reading = try asset.readMetadata(of: track) } catch {
            return (
                nil,
                "track \(track.id), which says where they are, cannot be read: \(error.message)"
            )
        }
        let frames = asset.tracks.first { $0.id == self.track } ?? asset.usable(.video)
        let samples = reading.samples.compactMap(\.metadata).map { group in
            (group, DetectedPlace.places(of: kind.rawValue, in: group))
        }
        return (
            Detections(
                samples: samples,
                until: min(end ?? .timeline(.max / 2), frames?.reach ?? asset.duration),
                note: reading.note(of: track, in: asset.path)), nil
        )
    }

    /// Of the one that is seen largest and longest; of codes, which have no numbers, of the largest in each frame.
    private static func sightings(
        _ groups: [(TimedMetadataGroup, [DetectedPlace])]
    ) -> [FollowedPath.Sighting] {
        var sizes: [Int64: Double] = [:]
        for place in groups.flatMap(\.1) {
            guard let id = place.objectID else { continue }
            sizes[id, default: 0] += place.width * place.height
        }
        let main = sizes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        return groups.compactMap { group, places in
            let largest = places.max { $0.width * $0.height < $1.width * $1.height }
            guard
                let place = main == nil ? largest : places.first(where: { $0.objectID == main })
            else { return nil }
            return FollowedPath.Sighting(
                time: group.start.approximateSeconds,
                point: Point(x: place.x + place.width / 2, y: place.y + place.height / 2))
        }
    }
}

/// When what a clip's source shows is seen in the film.
private struct FollowedClock {
    private let length: MediaTime
    private let isReversed: Bool
    private let speed: Double
    private let course: SourceCourse?

    /// - Parameter until: where the clip ends in its source.
    init(_ item: VideoItem, until: MediaTime) {
        length = max(.zero, until - item.start)
        (isReversed, speed) = (item.isReversed, item.speed.approximate)
        course = item.run(over: length)?.course
    }

    /// From the clip's beginning in the film.
    /// - Parameter seconds: from the clip's beginning in its source.
    func time(ofSource seconds: Double) -> MediaTime {
        let time = isReversed ? length.approximateSeconds - seconds : seconds
        let played = max(0, time) * Double(Composition.timescale)
        return .timeline(
            course?.target(ofSource: Int64(played)) ?? Int64((played / speed).rounded()))
    }
}

extension Rectangle {
    /// What covers something whose place was detected (parts of the frame): all of its rectangle, and of what is not
    /// a code something around it, because heads are larger than what is found of faces.
    fileprivate func covered(_ kind: FollowedObject) -> FrameArea {
        let (shape, factor): (FrameArea.Shape, Double) =
            kind == .code ? (.rectangle, 1.2) : (.ellipse, 2.0.squareRoot() * 1.1)
        return FrameArea(
            shape, x: min(4, max(-4, x + width / 2)), y: min(4, max(-4, y + height / 2)),
            width: min(4, max(0, width * factor)), height: min(4, max(0, height * factor)))
    }
}

extension AssetTrack {
    /// Whether it says what was detected in frames, of whatever kind.
    var isOfDetections: Bool {
        format?.metadata?.keys.contains {
            $0.identifier.hasPrefix(DetectedPlace.identifier(of: ""))
        } ?? false
    }
}

extension Asset {
    fileprivate var hasDetections: Bool { tracks.contains(where: \.isOfDetections) }

    /// The track that says where something is in a video track: a take has one for each camera, in their order.
    /// - Parameter track: the video track that is shown (nil: the first).
    fileprivate func detections(of kind: FollowedObject, besideVideo track: Int?) -> AssetTrack? {
        let wanted = DetectedPlace.identifier(of: kind.rawValue)
        let found = tracks.filter {
            $0.format?.metadata?.keys.contains { $0.identifier == wanted } ?? false
        }
        let cameras = tracks.filter { $0.mediaType == .video }.map(\.id)
        let index = track.flatMap { cameras.firstIndex(of: $0) } ?? 0
        guard cameras.count > 1 else { return found.first }
        // which camera's it is can be known only where all have one
        return found.count == cameras.count ? found[index] : nil
    }
}
