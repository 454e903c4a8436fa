internal import Media
internal import Writer

/// The sources of a film: each is read once. Thread-bound.
final class SourceShelf {
    private var assets: [String: Asset]

    /// - Parameter assets: what has been loaded already.
    init(_ assets: [Asset] = []) {
        self.assets = Dictionary(assets.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    }

    func asset(_ path: String) throws(ComposeError) -> Asset {
        if let known = assets[path] { return known }
        do throws(WriterError) {
            let asset = try Asset.load(path)
            assets[path] = asset
            return asset
        } catch { throw ComposeError(error) }
    }

    func track(_ source: MediaSource) throws(ComposeError) -> (Asset, AssetTrack) {
        let asset = try asset(source.path)
        guard let track = asset.tracks.first(where: { $0.id == source.trackID }) else {
            throw ComposeError(
                code: .damagedFile, subject: source.path,
                message: "\(source.path) has no track \(source.trackID) any more; it was changed "
                    + "after the film was made.")
        }
        return (asset, track)
    }
}

extension ComposeError {
    /// A failure in the writer's room, with its words.
    init(_ error: WriterError) {
        let code: Code =
            switch error.code {
            case .noSuchFile: .noSuchFile
            case .notPermitted: .notPermitted
            case .damagedFile: .damagedFile
            case .unsupported: .unsupported
            case .invalidSetting: .invalidSetting
            case .cannotCreate: .cannotCreate
            case .alreadyExists: .alreadyExists
            case .diskFull: .diskFull
            case .encoderFailed: .encoderFailed
            default: .ioError
            }
        self.init(
            code: code, function: error.function, subject: error.subject, errno: error.errno,
            message: error.message)
    }
}
