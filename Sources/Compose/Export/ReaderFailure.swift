internal import Media
internal import Writer

extension MediaError {
    /// A failure of composing, with its words, for those who read a film through `AssetReader`.
    init(read error: MediaError) {
        self = error
    }
}
