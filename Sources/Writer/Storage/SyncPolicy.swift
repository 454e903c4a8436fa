public import Media

/// How often what was written is made to survive a power cut.
public enum SyncPolicy: Sendable, Hashable {
    /// After this long (seconds; 0.1…60 is sensible; 0.75 s by default).
    case every(MediaTime)
    /// After each fragment; slow disks may not keep up.
    case everyWrite
    /// Left to the system: a power cut may cost everything. Nothing is held in memory, so that a
    /// disk's late error cannot be mended either.
    case never

    /// Often enough that a power cut costs less than 1.5 s, with a margin for a slow sync.
    public static let standard = SyncPolicy.every(.milliseconds(750))
}
