public import Media

/// How often what was written is made to survive a power cut.
public enum SyncPolicy: Sendable, Hashable {
    /// After this long (seconds; 0.1…60 is sensible; 0.5 s by default).
    case every(MediaTime)
    /// After each fragment; slow disks may not keep up.
    case everyWrite
    /// Written to the disk all the time, and made sure of when the movie is finished, once: until then a power cut may
    /// cost everything. Nothing is held in memory, so that a disk's late error cannot be mended, only reported.
    /// Right for what can be made again, such as an export under a temporary name.
    case never

    /// Often enough that a power cut costs less than 1.5 s, with a margin for a slow sync.
    public static let standard = SyncPolicy.every(.milliseconds(500))
}
