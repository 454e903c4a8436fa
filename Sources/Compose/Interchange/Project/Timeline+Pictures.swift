internal import Media
internal import Reading

extension Timeline {
    /// Checks each picture of its sequences as a path of a project is: a link among them may lead anywhere. Reads
    /// their folders.
    /// - Parameter position: of an item, by the name that messages give it.
    func requirePictures(
        _ resolve: ProjectReader.Resolve, at position: (String) -> TextPosition
    ) throws(JSONFailure) {
        for (index, item) in videos.enumerated() {
            try item.requirePictures(resolve) { position(ItemName.clip(index, item)) }
        }
        for (number, track) in overlays.enumerated() {
            for (index, item) in track.videos.enumerated() {
                try item.requirePictures(resolve) {
                    position(ItemName.overlay(number, index, of: track.videos.count, item))
                }
            }
        }
    }
}

extension VideoItem {
    fileprivate func requirePictures(
        _ resolve: ProjectReader.Resolve, _ position: () -> TextPosition
    ) throws(JSONFailure) {
        guard sequence != nil, let pattern = NumberedPath(reading: path) else { return }
        let place = position()
        for number in pattern.numbersOnDisk() { _ = try resolve(pattern.path(number), place) }
    }
}
