/// What becomes of a track's pitch where it plays faster or slower than its source.
public enum PitchPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// It stays; the audio is stretched or squeezed in time, its parts to within 12.5 ms (and 20 ms of
    /// each unit of speed above or below 1) of their exact places in the source.
    case kept
    /// It follows the speed, as on tape; every sample is at its exact place.
    case followsSpeed = "follows-speed"
}
