internal import Media
internal import Reading

extension Film {
    /// The film, with the frames of a composition that nobody said how to compose: as they lie there.
    /// - Throws: what is wrong with a source.
    func withPictures() throws(MediaError) -> Film {
        let shown = composition.tracks(of: .video).flatMap(\.segments).compactMap(\.source)
        guard videoComposition == nil, !shown.isEmpty else { return self }
        let shelf = SourceShelf(assets)
        var film = self
        for source in shown where !film.assets.contains(where: { $0.path == source.path }) {
            film.assets.append(try shelf.asset(source.path))
        }
        film.videoComposition = try VideoComposition(
            propertiesOf: composition, assets: film.assets)
        return film
    }
}
