package import Media

/// What a file from a stranger may cost. Files beyond are refused.
package struct DemuxerLimits: Sendable, Hashable {
    /// Largest frame of a movie (pixels; default 33 Mi).
    package var maximumVideoPixels: Int
    /// As `maximumVideoPixels`, of FFV1, whose decoder holds no more than two frames (pixels; default 64 Mi).
    package var maximumArchivePixels: Int
    /// Most tracks (count; default 32).
    package var maximumTracks: Int
    /// Longest movie, and farthest stamp from a track's first (seconds; default 24 h).
    package var maximumDuration: MediaTime
    /// Longest one call may take (seconds; default 10 s).
    package var timeout: MediaTime
    /// Most bytes read to find out what the file is (bytes; default 8 MiB).
    package var probeBytes: Int

    package init(
        maximumVideoPixels: Int = 33 << 20, maximumArchivePixels: Int = 64 << 20,
        maximumTracks: Int = 32, maximumDuration: MediaTime = .seconds(24 * 3600),
        timeout: MediaTime = .seconds(10), probeBytes: Int = 8 << 20
    ) {
        self.maximumVideoPixels = maximumVideoPixels
        self.maximumArchivePixels = maximumArchivePixels
        self.maximumTracks = maximumTracks
        self.maximumDuration = maximumDuration
        self.timeout = timeout
        self.probeBytes = probeBytes
    }

    func maximumPixels(isFFV1: Bool) -> Int { isFFV1 ? maximumArchivePixels : maximumVideoPixels }

    /// libavformat's names of what is read; never playlists, devices, trackers or protocols.
    static let formats = [
        "mov", "matroska", "webm", "mpegts", "avi", "gif", "apng", "wav", "mp3", "ogg", "flac",
        "aac", "ac3", "eac3", "dts", "amr",
    ]
}
