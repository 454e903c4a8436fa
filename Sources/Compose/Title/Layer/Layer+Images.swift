extension Layer {
    /// The image files of the layer and all in it, in the order of the tree.
    var imagePaths: [String] {
        var paths: [String] = []
        if case .image(let image) = contents { paths.append(image.path) }
        return paths + sublayers.flatMap(\.imagePaths)
    }
}

extension VideoComposition {
    /// The image files of titles, watermarks, layer tracks and masks, and the lookup tables of grades, each once.
    var imagePaths: [String] {
        var seen: Set<String> = []
        let layers = (animation.map { [$0] } ?? []) + layerTracks.map(\.layer)
        return (layers.flatMap(\.imagePaths) + maskPaths + tablePaths)
            .filter { seen.insert($0).inserted }
    }

    /// The lookup tables of grades, some more than once.
    var tablePaths: [String] {
        instructions.flatMap(\.layers).flatMap { layer in
            (layer.grade?.tablePaths ?? [])
                + layer.grades.flatMap { $0.start.tablePaths + $0.end.tablePaths }
        }
    }
}
