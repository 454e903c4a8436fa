package import Media

/// Puts coded samples into a movie file. Thread-bound: every call is on the writing thread.
///
/// Life: `addTrack`…, `begin`, then `append`, `annotate` and `flush` in any mixture, then `finish`
/// or `abandon`, once. After `append` or `flush` has thrown, samples are refused, but `finish` still
/// closes a playable file with everything written before.
package protocol ContainerWriter: AnyObject {
    /// Adds a track, before `begin`.
    /// - Returns: its index, counted from 0 in the order of the calls.
    /// - Throws: `unsupported` when the container cannot carry the format.
    func addTrack(_ track: ContainerTrack) throws(MediaError) -> Int

    /// Fixes tracks and metadata; samples may follow.
    func begin(_ metadata: MovieMetadata) throws(MediaError)

    /// Takes one coded sample, in decode order within its track; tracks mix in any way.
    ///
    /// Times are movie time in ticks of the track (their timescale *is* the track's); decode times
    /// are strictly increasing. A time before movie time zero is legal: what is presented there
    /// (encoder priming) is cut by the edit list. The duration written is the distance to the next
    /// sample's decode time; only the last sample of a track is given its own `duration`.
    func append(_ sample: SampleBuffer, track: Int) throws(MediaError)

    /// As `append`, of the sample of a track behind which none comes. Its `duration` is where the movie ends: a
    /// container whose samples last until the next one begins has to say this one's.
    func appendLast(_ sample: SampleBuffer, track: Int) throws(MediaError)

    /// Notes a pause or marker; it reaches the disk with the next fragment.
    func annotate(_ annotation: MovieAnnotation) throws(MediaError)

    /// Writes out whatever waits for a fragment to fill. To be called when nothing has arrived for
    /// the fragment interval, and at a pause.
    func flush() throws(MediaError)

    /// States what a track's format is at its end, where encoders know more then (FLAC: counts and
    /// checksum). Before `finish`; of the same codec and size.
    func update(format: FormatDescription, ofTrack track: Int) throws(MediaError)

    /// States where a movie ends that has neither video nor audio. Before `finish`.
    func setEnd(_ end: MediaTime)

    /// States that nothing of a track is shown from `end` on, though its samples may lie there. Before `finish`; only
    /// containers with edit lists hide them.
    func cut(track: Int, at end: MediaTime)

    /// Whether samples are in the file already, and not only waiting for a fragment to fill.
    var holdsSamples: Bool { get }

    /// Writes the rest and the index, makes both durable and closes the file.
    /// - Throws: when the file could not be closed as an ordinary movie; it is then still playable
    ///   up to the last complete fragment, and `MovieRepair` can finish it.
    func finish() throws(MediaError) -> ContainerSummary

    /// Closes the file as it is, without an index. The caller decides whether to remove it.
    func abandon()
}

extension ContainerWriter {
    package var holdsSamples: Bool { false }

    package func setEnd(_ end: MediaTime) {}

    package func cut(track: Int, at end: MediaTime) {}

    package func appendLast(_ sample: SampleBuffer, track: Int) throws(MediaError) {
        try append(sample, track: track)
    }
}

/// What a container gets to know about a track.
package struct ContainerTrack: Sendable, Hashable {
    /// The coded format of every sample.
    package var format: FormatDescription
    /// Ticks per second of the track's times (1/s; positive). Audio: the sample rate.
    package var timescale: Int32
    /// Language (BCP 47, such as "en" or "pt-BR"; nil = undetermined).
    package var language: String?
    /// What a player shows, such as the device's name (nil = none).
    package var name: String?
    /// Whether players show it without being asked.
    package var isEnabled = true
    /// Whether they show it even where nobody asks for a track of its kind (MP4: subtitles alone).
    package var isForced = false
    /// Whether samples may come that are decoded long before movie time zero, and hidden.
    package var hasLead = false
    /// Whether it is a camera's own metadata, whose keys have names that no program may use.
    package var isCameras = false
    /// The box with Dolby Vision's configuration, for MP4 and QuickTime; empty: none.
    package var dolbyVision: [UInt8] = []

    package init(
        format: FormatDescription, timescale: Int32, language: String? = nil, name: String? = nil
    ) {
        self.format = format
        self.timescale = timescale
        self.language = language
        self.name = name
    }
}

/// An instant of a take worth remembering. Times are movie time.
package enum MovieAnnotation: Sendable, Hashable {
    /// The take was paused here for `duration` of the host clock; the movie has no gap.
    case pause(at: MediaTime, duration: MediaTime)
    /// The user set a marker; players show it as a chapter.
    case marker(String, at: MediaTime)
    /// From here on the movie says this about itself: `title`, or keys of `MovieMetadata.values`.
    case tags([String: String], at: MediaTime)

    /// When it happened (movie time).
    package var time: MediaTime {
        switch self {
        case .pause(let time, _), .marker(_, let time), .tags(_, let time): time
        }
    }
}

/// What was written, as `finish` reports it.
package struct ContainerSummary: Sendable, Hashable {
    package struct Track: Sendable, Hashable {
        /// Samples in the file (coded samples; PCM: as appended).
        package var sampleCount: Int
        /// From movie time zero to the end of the last sample (seconds).
        package var duration: MediaTime
        /// Bytes of sample data.
        package var bytes: Int64

        package init(sampleCount: Int, duration: MediaTime, bytes: Int64) {
            self.sampleCount = sampleCount
            self.duration = duration
            self.bytes = bytes
        }
    }

    /// In the order of `addTrack`.
    package var tracks: [Track]
    /// The longest track's (seconds).
    package var duration: MediaTime
    /// Size of the closed file.
    package var fileBytes: Int64
    /// Samples accepted by `append` that did not reach the file, over all tracks; 0 unless the disk
    /// failed or filled up.
    package var lostSamples: Int

    package init(tracks: [Track], duration: MediaTime, fileBytes: Int64, lostSamples: Int = 0) {
        self.tracks = tracks
        self.duration = duration
        self.fileBytes = fileBytes
        self.lostSamples = lostSamples
    }
}
