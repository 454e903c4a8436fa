internal import Media
internal import Reading

/// The sources of a film as far as they have been looked at: what can be copied of each, or why nothing can.
struct SmartSources {
    private let frames: VideoComposition
    /// Of the film.
    let codec: VideoCodec
    private let shelf: SourceShelf
    private var found: [MediaSource: Result<SmartSource, SmartReason>] = [:]
    private var obstacles: [MediaSource: SmartReason?] = [:]

    init(_ frames: VideoComposition, _ codec: VideoCodec, _ shelf: SourceShelf) {
        (self.frames, self.codec, self.shelf) = (frames, codec, shelf)
    }

    mutating func source(
        _ name: MediaSource
    ) throws(MediaError) -> Result<SmartSource, SmartReason> {
        if let known = found[name] { return known }
        let result = try look(at: name)
        found[name] = result
        return result
    }

    /// Why nothing of one can be copied, as far as one sees without reading it.
    mutating func obstacle(_ name: MediaSource) throws(MediaError) -> SmartReason? {
        if let known = obstacles[name] { return known }
        let text =
            name.isGenerated
            ? "its frames are generated"
            : name.isSequence
                ? "its frames are pictures of their own"
                : SmartSource.obstacle(try shelf.track(name).1, in: frames, of: codec)
        let found = text.map { SmartReason(text: $0, source: name) }
        obstacles[name] = .some(found)
        return found
    }

    /// Whether several files have been looked at.
    var areSeveral: Bool { Set(obstacles.keys.map(\.path)).count > 1 }

    func known(_ name: MediaSource) -> Result<SmartSource, SmartReason>? { found[name] }

    /// What can be copied of one.
    func copied(_ name: MediaSource) -> SmartSource? { try? found[name]?.get() }

    private mutating func look(
        at name: MediaSource
    ) throws(MediaError) -> Result<SmartSource, SmartReason> {
        let (asset, track) = try shelf.track(name)
        if let reason = try obstacle(name) { return .failure(reason) }
        do throws(MediaError) {
            guard let source = try SmartSource(asset, track) else {
                return .failure(
                    SmartReason(text: "its times do not put its frames in order", source: name))
            }
            return .success(source)
        } catch {
            guard error.code == .damagedFile else { throw error }
            // what can be decoded of it is in the film
            return .failure(SmartReason(text: "it is damaged", source: name))
        }
    }
}
