public import Compose
public import Media

extension PlayerItem {
    /// As `init(_:range:)` of a film, on a thread of its own: for tasks.
    /// - Throws: as there.
    public init(loading film: Film, range: MediaTimeRange? = nil) async throws(MediaError) {
        self = try await NamedThread.run("vcap-load") { () throws(MediaError) in
            try PlayerItem(film, range: range)
        }
    }
}
