/// What is wrong with a source that delivers, but with nothing in it: a covered lens, a frame that stands
/// still, a muted microphone.
public enum TrackCondition: String, Sendable, Hashable, Codable, CaseIterable {
    /// 98 of 100 points are no brighter than a tenth of white; of depth: have no known distance.
    case black
    /// The same frame again, to the last bit; of coded frames that are copied, within a thousandth of the range.
    case frozen
    /// No audio sample above −60 dBFS.
    case silent

    /// How long it lasts before it counts (movie time, ns).
    var limit: Int64 { self == .black ? 2_000_000_000 : 5_000_000_000 }
}
