/// What is known at one time of a movie: items with values, such as the codes that a frame shows.
public struct TimedMetadataGroup: Sendable, Hashable {
    /// In the order given; an identifier may repeat. Empty: nothing is known from here on.
    public var items: [MetadataItem]
    /// When it begins to hold (frame of reference: that of its source, or of the movie it was read from).
    public var start: MediaTime
    /// How long it holds (positive; nil: until the next group, or the end of the movie).
    public var duration: MediaTime?

    public init(items: [MetadataItem], start: MediaTime, duration: MediaTime? = nil) {
        self.items = items
        self.start = start
        self.duration = duration
    }
}

/// A value under the name of what it says.
public struct MetadataItem: Sendable, Hashable {
    /// One of the identifiers of the track's keys.
    public var identifier: String
    public var value: MetadataValue

    public init(_ identifier: String, _ value: MetadataValue) {
        self.identifier = identifier
        self.value = value
    }
}
