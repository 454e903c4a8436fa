/// Names of keys in other programs' metadata tracks that vcap looks for.
package enum MetadataKey {
    /// Marks the moment of a live photo's photo in its movie (Apple).
    package static let stillImageTime = "com.apple.quicktime.still-image-time"
}
