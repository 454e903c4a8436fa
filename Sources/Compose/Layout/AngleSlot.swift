internal import Media
internal import Reading

/// The span of the film that a clip's cameras share (ticks of the timeline).
struct AngleSlot {
    let clip: VideoItem
    let cameras: [AssetTrack]
    let start: Int64
    let end: Int64
    /// How much of it the clip before still shows.
    let overlap: Int64
    /// Movie time of the source.
    private let sourceEnd: MediaTime?

    /// Ends so near to each other are the take's one end: each camera's last frame came when it came.
    private static let oneEnd = MediaTime.milliseconds(250)

    init(
        _ clip: VideoItem, _ tracks: [Int], of asset: Asset, behind before: Int64,
        stillDuration: MediaTime
    ) throws(MediaError) {
        self.clip = clip
        var cameras: [AssetTrack] = []
        for id in tracks {
            guard let track = asset.tracks.first(where: { $0.id == id && $0.mediaType == .video })
            else {
                throw .setting("layout", "\(clip.path) has no video track \(id)")
            }
            cameras.append(track)
        }
        guard cameras.count < 2 || !clip.isReversed else {
            throw .setting(
                "layout",
                "\(clip.path) plays backwards, which several cameras beside each other cannot; leave "
                    + "reverse or the layout out")
        }
        self.cameras = cameras
        overlap = clip.transition.duration.timelineTicks
        start = clip.at?.timelineTicks ?? (before + clip.gap.timelineTicks - overlap)
        let lead = cameras.first ?? asset.usable(.audio)
        guard let lead else {
            throw .setting("layout", "\(clip.path) has nothing that can be shown or heard")
        }
        // of one camera nothing is changed: a still picture has a length of its own
        sourceEnd = clip.end ?? (cameras.count > 1 ? Self.end(of: cameras) : nil)
        let last = sourceEnd ?? (lead.isStill ? clip.start + stillDuration : lead.reach)
        guard last > clip.start,
            let ticks = clip.run(over: last - clip.start)?.ticks
        else {
            throw .setting(
                "layout",
                "\(clip.path) starts at \(clip.start.spoken), but its cameras last "
                    + (cameras.map(\.reach).max() ?? lead.reach).spoken)
        }
        end = start + ticks
    }

    /// Where a clip of all of a take ends (movie time).
    static func end(of cameras: [AssetTrack]) -> MediaTime {
        let latest = cameras.map(\.reach).max() ?? .zero
        return cameras.map(\.reach).filter { $0 > latest - oneEnd }.min() ?? latest
    }

    /// A camera's part of it; nil: it shows nothing.
    func item(_ camera: Int) -> VideoItem? {
        guard camera < cameras.count else { return nil }
        let track = cameras[camera]
        var item = clip
        if cameras.count > 1 {
            guard track.reach > clip.start else { return nil }
            item.track = track.id
            item.end = sourceEnd.map { min($0, track.reach) }
        }
        if camera > 0 {
            let file = clip.path.split(separator: "/").last.map(String.init) ?? clip.path
            item.name = "\(clip.name ?? file), track \(track.id)"
            item.voices = []
        }
        return item
    }
}

/// One camera's clips, each in its slot (ticks of the timeline).
struct AngleRow {
    private(set) var items: [VideoItem] = []
    private var end: Int64

    init(end: Int64) { self.end = end }

    /// A clip that crosses with the one before it where that lasts until then, and fades in where it does not.
    mutating func add(_ item: VideoItem, _ slot: AngleSlot) {
        var item = item
        let shared = end - slot.start
        item.at = nil
        // a tick more or less is rounding
        if shared > 2, slot.overlap > 0 {
            item.gap = .zero
            item.transition = slot.clip.transition
            item.transition.duration = .timeline(shared)
        } else {
            item.gap = .timeline(max(0, -shared))
            item.transition = .cut
            if slot.overlap > 0 { item.fadeIn = max(item.fadeIn, .timeline(slot.overlap)) }
        }
        items.append(item)
        let length = item.end.flatMap { item.run(over: $0 - item.start)?.ticks }
        end = slot.start + (length ?? (slot.end - slot.start))
    }

    /// The last clip goes while another camera's next one comes.
    mutating func leave(before slot: AngleSlot) {
        guard slot.overlap > 0, let last = items.indices.last, end > slot.start else { return }
        items[last].fadeOut = max(items[last].fadeOut, .timeline(slot.overlap))
    }
}
