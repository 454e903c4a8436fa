public import Media
internal import Movie

extension AssetWriter {
    /// What encodes and writes the inputs' samples.
    func makePipeline(_ inputs: [TrackInput]) throws(MediaError) -> WritingPipeline {
        let isOffline = configuration.mode == .offline
        var tracks: [WritingPipeline.Track] = []
        for (number, input) in inputs.enumerated() {
            let encoder = try EncoderChoice.encoder(for: input.coding, configuration)
            tracks.append(
                WritingPipeline.Track(
                    queue: input.queue, encoder: encoder, timescale: input.codedTimescale,
                    name: input.name, language: input.language,
                    isOffered: configuration.offeredInputs.contains(number),
                    isCutAtEnd: input.isCutAtEnd))
        }
        let disk = DiskQueue(
            video: tracks.map(\.isVideo), sparse: tracks.map(\.isMetadata),
            unknown: tracks.count { !$0.encoder.isFormatKnown },
            capacity: configuration.diskQueueBytes,
            flushInterval: configuration.fragmentInterval, waitsForAudio: isOffline)
        var metadata = configuration.metadata
        let fingerprints = tracks.compactMap(\.encoder.fingerprint)
        if metadata.encoderFingerprint == nil, !fingerprints.isEmpty {
            metadata.encoderFingerprint = fingerprints.joined(separator: "\n")
        }
        return WritingPipeline(
            tracks: tracks, disk: disk, metadata: metadata, post: post,
            awaitsTimeCode: configuration.awaitsTimeCode, container: container,
            onLoss: { [weak self] in self?.lost($0, at: $1) },
            onEnd: { [weak self, container] in
                // who released the writer does not close its file
                guard let self else { return container.slot.file?.close() ?? () }
                self.ended($0)
            })
    }

    /// States the movie's time code, before the session of a configuration that awaits one.
    package func setTimeCode(_ code: MovieTimeCode) { pipeline?.setTimeCode(code) }

    /// Asks for a pause: the movie ends, for now, at the first frame of the first video track at
    /// or after `time` (at `time` without video, or when that track is silent for the stall limit).
    /// Allowed before the session's start. What has been written already is not taken back: then the
    /// earliest instant still possible counts.
    ///
    /// Copied frames that are reordered can be cut at sync samples only: the movie then ends, for now, at the first one
    /// at or after `time`. A pause between which and its resume there is none has no effect, which
    /// `pauseWithoutEffect` reports.
    /// - Returns: whether it changed anything; pausing twice is pausing once.
    @discardableResult
    public func pause(at time: MediaTime) throws(MediaError) -> Bool {
        try command(.pause(at: time.nanoseconds()))
    }

    /// Asks to continue: the movie continues with the first frame of the first video track at or after
    /// `time`, which becomes a sync sample, and with the audio frame of that very instant.
    /// - Returns: whether it changed anything; resuming twice is resuming once.
    @discardableResult
    public func resume(at time: MediaTime) throws(MediaError) -> Bool {
        try command(.resume(at: time.nanoseconds()))
    }

    /// Encodes frames faster or again as asked for, from each track's next sync sample on, in the same track and with
    /// the same parameter sets: H.264 and HEVC in real time. What cannot be changed so stays as it is; what
    /// changes is reported (`presetChanged`). Has no effect before `start`.
    public func setEncodingSpeed(_ speed: EncodingSpeed) {
        for track in pipeline?.tracks ?? [] { track.encoder.hurry(speed) }
    }

    /// Sets a marker at a source time; in a pause it lies at the cut.
    public func mark(_ text: String, at time: MediaTime) throws(MediaError) {
        try inSession("set a marker") { $0.mark(text, at: time.nanoseconds()) }
    }

    /// From `time` on the movie says something about itself, over what it said before. In MP4 and QuickTime it is where
    /// players look once the movie is finished or repaired; in other containers only vcap reads it.
    /// - Parameters:
    ///   - tags: texts by key: `title`, common words (`artist`) or reverse-domain keys.
    ///   - time: source time.
    package func describe(_ tags: [String: String], at time: MediaTime) throws(MediaError) {
        try inSession("describe the movie") { $0.describe(tags, at: time.nanoseconds()) }
    }

    /// Ends the movie at `time`: the last frame lasts until then, audio ends at that very frame.
    /// Samples from before it may still come until `finish`.
    ///
    /// What was appended from behind it already is in an mp4, mov or m4a file and hidden. Other containers cannot hide
    /// it: there the movie ends at the first instant that is still possible (`endMoved`).
    /// - Throws: `invalidSetting` for a time before the session's start, `invalidState` for a second end.
    public func endSession(atSourceTime time: MediaTime) throws(MediaError) {
        try inSession("end the session") { router throws(MediaError) in
            try router.endSession(at: time.nanoseconds())
        }
    }
}
