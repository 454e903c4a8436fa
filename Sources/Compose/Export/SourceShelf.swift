internal import Media
internal import Reading

/// The sources of a film: each is read once. Thread-bound.
final class SourceShelf {
    private var assets: [String: Asset]
    /// What could not be decoded, of each file.
    private(set) var damage: [String: SourceDamage] = [:]

    /// - Parameter assets: what has been loaded already.
    init(_ assets: [Asset] = []) {
        self.assets = Dictionary(assets.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    }

    func asset(_ path: String) throws(MediaError) -> Asset {
        if let known = assets[path] { return known }
        let asset = try Asset.load(path)
        assets[path] = asset
        return asset
    }

    /// Notes damage met on the way.
    func note(_ more: SourceDamage, in path: String) {
        guard more.pictures > 0 || more.sound > 0 else { return }
        damage[path] = (damage[path] ?? SourceDamage()) + more
    }

    /// Forgets the frames' damage: it was met in a first pass.
    func forgetFrameDamage() {
        for path in damage.keys { damage[path]?.pictures = 0 }
    }

    /// Forgets the audio's damage: it was met in a pass that only measures.
    func forgetAudioDamage() {
        for path in damage.keys { damage[path]?.sound = 0 }
    }

    func track(_ source: MediaSource) throws(MediaError) -> (Asset, AssetTrack) {
        let asset = try asset(source.path)
        guard let track = asset.tracks.first(where: { $0.id == source.trackID }) else {
            throw MediaError(
                code: .damagedFile, subject: source.path,
                message: "\(source.path) has no track \(source.trackID) any more; it was changed "
                    + "after the film was made.")
        }
        return (asset, track)
    }
}
