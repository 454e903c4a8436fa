internal import Media
internal import Reading

extension VideoItem {
    /// With key frames of its view in the place of what it follows: as a track of its source says.
    /// - Returns: nil where nothing is said, and why; else what could not be read of what is said.
    func following(
        _ kind: FollowedObject, in asset: Asset
    ) throws(MediaError) -> (item: VideoItem?, why: String?) {
        guard asset.usable(.video) != nil else { return (nil, "it has no video") }
        guard let track = asset.detections(of: kind, besideVideo: track) else {
            return (nil, "it has no track of what was detected (vcap record --detect)")
        }
        let reading: Asset.MetadataReading
        do throws(MediaError) { reading = try asset.readMetadata(of: track) } catch {
            return (
                nil,
                "track \(track.id), which says where they are, cannot be read: \(error.message)"
            )
        }
        let frames = asset.tracks.first { $0.id == self.track } ?? asset.usable(.video)
        let until = min(end ?? .timeline(.max / 2), frames?.reach ?? asset.duration)
        let groups = reading.samples.compactMap(\.metadata).map { group in
            (group, DetectedPlace.places(of: kind.rawValue, in: group))
        }.filter { group, places in
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
        let length = max(.zero, until - start)
        let course = run(over: length)?.course
        item.keyframes += steps.dropFirst(isReversed ? 0 : 1).map { step in
            let time = isReversed ? length.approximateSeconds - step.time : step.time
            let played = max(0, time) * Double(Composition.timescale)
            let ticks =
                course?.target(ofSource: Int64(played))
                ?? Int64((played / speed.approximate).rounded())
            var key = ClipKeyframe(.timeline(ticks))
            key.view = led(step)
            return key
        }
        item.keyframes.sort { $0.time < $1.time }
        return (item, reading.note(of: track, in: asset.path))
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

extension Asset {
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
