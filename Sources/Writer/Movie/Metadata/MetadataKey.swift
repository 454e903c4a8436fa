package import Media

/// Names of keys in other programs' metadata that vcap looks for, and writes for them.
package enum MetadataKey {
    /// Marks the moment of a live photo's photo in its movie (Apple).
    package static let stillImageTime = "com.apple.quicktime.still-image-time"
    /// The name that a live photo's photo and movie share (Apple).
    package static let contentIdentifier = "com.apple.quicktime.content.identifier"
}

extension MetadataFormat {
    /// The track whose one sample begins when a live photo's photo was taken (Apple); its value means nothing.
    package static let stillImageTime = MetadataFormat(
        keys: [Key(MetadataKey.stillImageTime, .data)])
}
