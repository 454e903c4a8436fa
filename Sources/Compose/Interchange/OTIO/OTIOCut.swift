internal import Media

/// What lies between two clips, and where the next one begins.
struct OTIOCut {
    /// Black (ticks).
    private(set) var gap: Int64 = 0
    /// How far the clips reach over the cut.
    var over: (back: MediaTime, on: MediaTime, isDissolve: Bool)?
    /// The stack right before, of which something lies over the lowest track.
    var layered: String?
    /// Of the film (ticks); nil: a clip before does not state its length.
    private(set) var place: Int64? = 0

    /// Something that shows nothing; nil: nobody knows how long.
    mutating func leave(_ length: Int64?) {
        if length != 0 { layered = nil }
        gap += length ?? 0
        place = place.map { $0 + (length ?? 0) }
    }

    mutating func append(_ length: Int64?) {
        (gap, over, layered) = (0, nil, nil)
        place = length.flatMap { length in place.map { $0 + length } }
    }
}
