extension Layer {
    /// The image files of the layer and all in it, in the order of the tree.
    var imagePaths: [String] {
        var paths: [String] = []
        if case .image(let image) = contents { paths.append(image.path) }
        return paths + sublayers.flatMap(\.imagePaths)
    }
}

extension VideoComposition {
    /// The image files of titles, watermarks and layer tracks, each once.
    var imagePaths: [String] {
        var seen: Set<String> = []
        return ((animation.map { [$0] } ?? []) + layerTracks.map(\.layer)).flatMap(\.imagePaths)
            .filter { seen.insert($0).inserted }
    }
}
