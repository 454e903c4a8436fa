internal import Media
internal import Reading

/// The sources of a film: each is read once. Thread-bound.
final class SourceShelf {
    private var assets: [String: Asset]
    /// What the files were when the film was planned.
    private var files: [String: FileState] = [:]
    /// What could not be decoded, of each file.
    private(set) var damage: [String: SourceDamage] = [:]

    /// - Parameter assets: what has been loaded already.
    init(_ assets: [Asset] = []) {
        self.assets = Dictionary(assets.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
            .mapValues(\.restamped)
        for asset in assets { files[asset.path] = FileState(asset.path) }
    }

    func asset(_ path: String) throws(MediaError) -> Asset {
        if let known = assets[path] { return known }
        let asset = try Asset.load(path)
        assets[path] = asset
        files[path] = FileState(path)
        return asset
    }

    /// Notes damage met on the way.
    func note(_ more: SourceDamage, in path: String) {
        guard more.pictures > 0 || more.sound > 0 else { return }
        damage[path] = (damage[path] ?? SourceDamage()) + more
    }

    /// Forgets the frames' damage: it was met in a first pass.
    func forgetFrameDamage() {
        for path in damage.keys {
            damage[path]?.pictures = 0
            damage[path]?.files = []
        }
    }

    /// Forgets the audio's damage: it was met in a pass that only measures.
    func forgetAudioDamage() {
        for path in damage.keys { damage[path]?.sound = 0 }
    }

    /// The failure to read a file, with its cause where that was written to meanwhile.
    func explained(_ error: MediaError) -> MediaError {
        guard error.code == .damagedFile, let known = files[error.subject],
            let now = FileState(error.subject), now != known,
            assets[error.subject]?.isBeingWritten == false
        else { return error }
        return Self.changed(error.subject)
    }

    private static func changed(_ path: String) -> MediaError {
        MediaError(
            code: .damagedFile, subject: path,
            message: "\(path) was changed while the film was made; make the film again.")
    }

    func track(_ source: MediaSource) throws(MediaError) -> (Asset, AssetTrack) {
        let asset = try asset(source.path)
        if let known = files[source.path], let now = FileState(source.path),
            now.isOther(than: known)
                || now.isRewritten(since: known) && !asset.isBeingWritten
        {
            throw Self.changed(source.path)
        }
        guard let track = asset.tracks.first(where: { $0.id == source.trackID }) else {
            throw MediaError(
                code: .damagedFile, subject: source.path,
                message: "\(source.path) has no track \(source.trackID) any more; it was changed "
                    + "after the film was made.")
        }
        return (asset, track)
    }
}

extension FileState {
    /// A movie that grows is the same one, and some file systems number a file anew each time.
    fileprivate func isOther(than known: FileState) -> Bool {
        number != known.number && (size != known.size || time != known.time)
    }

    /// Whether the same file was written to and has not grown: what was in it is not any more, but for a movie that is
    /// being written.
    fileprivate func isRewritten(since known: FileState) -> Bool {
        number == known.number && size <= known.size && time != known.time
    }
}
