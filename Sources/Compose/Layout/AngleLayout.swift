public import Media
public import Reading

/// How the cameras of a take share the film's frame.
public enum AngleLayout: Sendable, Hashable {
    /// The first camera fills the frame and the others are small over it: the second one at the place, further ones
    /// beside it.
    case pictureInPicture(ClipPlace)
    /// All of them beside each other, equally wide.
    case sideBySide
    /// All of them in rows and columns, equally large.
    case grid

    /// Clips that are laid out: a timeline's, and what lies over them.
    public struct Arrangement: Sendable, Hashable {
        /// The first camera's, and clips of one camera.
        public var videos: [VideoItem]
        /// Of each further camera.
        public var overlays: [OverlayTrack]
    }

    /// Makes of each clip one for each camera, all of the same moments. The first camera's is heard as the clip is,
    /// the others are silent. A clip of one camera stays as it is. Where a camera ended early its part shows the
    /// background, and the next clip begins for all cameras at once; ends that are up to a quarter of a second apart
    /// are one.
    /// - Parameters:
    ///   - clips: one after the other; their transitions are cuts and dissolves.
    ///   - cameras: of each clip the video tracks that are shown, in the order of the layout.
    ///   - assets: the clips' files.
    ///   - opening: how long the film is before them (seconds).
    ///   - stillDuration: of still pictures without an end (seconds).
    /// - Throws: `invalid-setting` where a clip's file or camera is not there.
    public func arrangement(
        of clips: [VideoItem], cameras: [[Int]], assets: [Asset],
        behind opening: MediaTime = .zero, stillDuration: MediaTime = Composition.stillDuration
    ) throws(MediaError) -> Arrangement {
        var slots: [AngleSlot] = []
        var end = opening.timelineTicks
        for (clip, tracks) in zip(clips, cameras) {
            guard let asset = assets.first(where: { $0.path == clip.mediaPath }) else {
                throw .setting("layout", "\(clip.path) has not been loaded; give it to the layout")
            }
            let slot = try AngleSlot(
                clip, tracks, of: asset, behind: end, stillDuration: stillDuration)
            slots.append(slot)
            end = slot.end
        }
        let count = slots.map(\.cameras.count).max() ?? 0
        var rows: [[VideoItem]] = []
        for camera in 0..<count {
            var row = AngleRow(end: camera == 0 ? opening.timelineTicks : 0)
            for slot in slots {
                guard var item = slot.item(camera) else {
                    row.leave(before: slot)
                    continue
                }
                if slot.cameras.count > 1 { dress(&item, camera, of: slot.cameras.count) }
                row.add(item, slot)
            }
            rows.append(row.items)
        }
        return Arrangement(
            videos: rows.first ?? [],
            overlays: rows.dropFirst().filter { !$0.isEmpty }.map { OverlayTrack($0) })
    }

    /// Puts a camera's clip into its place.
    func dress(_ item: inout VideoItem, _ camera: Int, of count: Int) {
        guard count > 1 else { return }
        switch self {
        case .pictureInPicture(let place):
            guard camera > 0 else { return }
            item.place = place.beside(camera - 1, of: count - 1)
            item.look.cornerRadius = 0.06
            item.look.shadow = ClipLook.Shadow()
        case .sideBySide:
            let width = 1 / Double(count)
            item.place = ClipPlace(left: Double(camera) * width, top: 0, width: width, height: 1)
        case .grid:
            var columns = 1
            while columns * columns < count { columns += 1 }
            let rows = (count + columns - 1) / columns
            let (row, column) = camera.quotientAndRemainder(dividingBy: columns)
            let (width, height) = (1 / Double(columns), 1 / Double(rows))
            // the last row is in the middle
            let missing = row == rows - 1 ? rows * columns - count : 0
            item.place = ClipPlace(
                left: (Double(column) + Double(missing) / 2) * width, top: Double(row) * height,
                width: width, height: height)
        }
    }
}

extension ClipPlace {
    /// The place of one of several clips that are held at one edge, side by side.
    fileprivate func beside(_ index: Int, of count: Int) -> ClipPlace {
        guard count > 1, left == nil else { return self }
        var place = self
        // a row has to have room in the frame
        let room = 1 - Double(count + 1) * margin
        let wide = min(width ?? 0.3, room / Double(count))
        if width != nil || height == nil { place.width = wide }
        let step = wide + margin
        switch anchor.point.x {
        case 0: place.left = margin + Double(index) * step
        case 1: place.left = 1 - Double(index + 1) * step
        default: place.left = (1 - Double(count) * step + margin) / 2 + Double(index) * step
        }
        return place
    }
}
