public import Media

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
        public var videos: [VideoItem]
        public var overlays: [OverlayTrack]
    }

    /// Makes of each clip one for each camera, all of the same moments. The first camera's is heard as the clip is,
    /// the others are silent.
    /// - Parameters:
    ///   - clips: one after the other; their transitions are cuts and dissolves.
    ///   - cameras: of each clip the video tracks that are shown, in the order of the layout; equally many of each.
    ///   - opening: how long the film is before them (seconds).
    /// - Throws: `invalid-setting` where clips have no or not equally many cameras.
    public func arrangement(
        of clips: [VideoItem], cameras: [[Int]], behind opening: MediaTime = .zero
    ) throws(MediaError) -> Arrangement {
        let count = cameras.first?.count ?? 0
        guard count > 0, clips.count == cameras.count, cameras.allSatisfy({ $0.count == count })
        else {
            throw .setting(
                "layout",
                "the clips of a layout have "
                    + cameras.map { "\($0.count)" }.joined(separator: ", ")
                    + " cameras; name equally many tracks of each")
        }
        func row(_ camera: Int) -> [VideoItem] {
            zip(clips, cameras).map { clip, tracks in
                var item = clip
                item.track = tracks[camera]
                dress(&item, camera, of: count)
                return item
            }
        }
        let overlays = (1..<max(count, 1)).map { camera in
            var items = row(camera)
            for index in items.indices { items[index].voices = [] }
            items[0].begin(behind: opening)
            return OverlayTrack(items)
        }
        return Arrangement(videos: row(0), overlays: overlays)
    }

    /// Puts a camera's clip into its place.
    private func dress(_ item: inout VideoItem, _ camera: Int, of count: Int) {
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

extension VideoItem {
    /// As the first clip of an overlay: what was a transition from the clip before is a fade.
    fileprivate mutating func begin(behind opening: MediaTime) {
        guard at == nil else { return }
        gap = .timeline(
            opening.timelineTicks + gap.timelineTicks - transition.duration.timelineTicks)
        if transition.kind != .cut { fadeIn = max(fadeIn, transition.duration) }
        transition = .cut
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
