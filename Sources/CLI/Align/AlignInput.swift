import Compose
import Media
import Reading

/// One file as it was named, and what it is.
struct AlignInput: Sendable {
    let path: String
    let asset: Result<Asset, MediaError>

    /// Reads its structure. Blocks.
    init(_ path: String) {
        self.path = path
        asset = Result { () throws(MediaError) in try Asset.load(path) }
    }

    /// Why it cannot be read; nil where it can.
    var failure: MediaError? {
        if case .failure(let error) = asset { error } else { nil }
    }
}
