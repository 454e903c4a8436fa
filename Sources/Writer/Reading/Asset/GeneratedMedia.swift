package import Media
internal import Movie

/// What makes the frames and the audio of an asset that is no file. A value; reentrant.
package protocol GeneratedMedia: Sendable {
    /// - Parameter target: what the frames are composed into, of which they take the colours and the samples where
    ///   they can. Their size is their track's.
    func frames(for target: VideoFormat) -> any GeneratedFrames

    /// Interleaved float32 of two channels from an audio frame on, of which 0 is at movie time zero.
    /// - Parameter sampleRate: of what is asked for (Hz).
    func audio(at frame: Int64, count: Int, sampleRate: Int) -> BlockBuffer
}

/// Frames as they are made. Thread-bound.
package protocol GeneratedFrames: AnyObject {
    /// The frame of an instant (movie time).
    func picture(at time: MediaTime) throws(MediaError) -> SampleBuffer
}

extension Asset {
    /// Media that come of no file.
    /// - Parameter path: by which segments name them: that of a folder, as no file's is.
    package init(_ generated: any GeneratedMedia, path: String, tracks: [AssetTrack]) {
        self.init(
            path: path, container: "generated", state: .ordinary,
            duration: tracks.map(\.reach).max() ?? .zero, tracks: tracks, pauses: [], markers: [],
            metadata: MovieMetadata(), damagedBytes: 0)
        self.generated = generated
    }

    /// Whether it is no file.
    package var isGenerated: Bool { generated != nil }
}

extension AssetTrack {
    /// Frames that are generated.
    /// - Parameters:
    ///   - format: raw, with its rate.
    ///   - duration: how long they can be made (seconds).
    ///   - isStill: whether there is one frame.
    ///   - hasAlpha: whether it may be transparent in part.
    package init(
        generated format: VideoFormat, timescale: Int32, duration: MediaTime, isStill: Bool,
        hasAlpha: Bool
    ) {
        let step = format.nominalRate?.frameDuration
        self.init(
            id: 1, mediaType: .video, format: .video(format), codecTag: "", timescale: timescale,
            duration: duration, sampleCount: 1, syncSampleCount: 1, bytes: 0, edits: [],
            averageRate: isStill ? nil : format.nominalRate?.approximate,
            frameDurations: isStill ? nil : step.map { $0...$0 }, language: nil, name: nil,
            isEnabled: true)
        self.isStill = isStill
        self.hasAlpha = hasAlpha
    }

    /// Audio that is generated.
    package init(generated format: AudioFormat, duration: MediaTime) {
        self.init(
            id: 2, mediaType: .audio, format: .audio(format), codecTag: "",
            timescale: Int32(clamping: format.sampleRate), duration: duration, sampleCount: 1,
            syncSampleCount: 1, bytes: 0, edits: [], averageRate: nil, frameDurations: nil,
            language: nil, name: nil, isEnabled: true)
    }
}
