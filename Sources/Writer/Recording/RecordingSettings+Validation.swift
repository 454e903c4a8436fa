public import Media
internal import Movie
internal import Writing

extension RecordingSettings {
    /// Checks every field on its own; sources are checked by the recorder that gets them.
    /// - Throws: `invalidSetting` or `unsupported`, naming the field.
    public func validate() throws(MediaError) {
        guard !outputPath.isEmpty, !outputPath.hasSuffix("/"), !outputPath.contains("\0") else {
            throw .setting("outputPath", "\"\(outputPath)\" does not name a file.")
        }
        try validateOutputs()
        if let duration, duration <= .zero {
            throw .setting("duration", "it must be above 0 s.")
        }
        try require(startTimeout, "startTimeout", from: .milliseconds(1), to: .seconds(600))
        try require(stallLimit, "stallLimit", from: .milliseconds(200), to: .seconds(60))
        try require(holdInterval, "holdInterval", from: .milliseconds(100), to: .seconds(10))
        try require(drainLimit, "drainLimit", from: .zero, to: .seconds(5))
        guard diskReserve >= 0 else {
            throw .setting("diskReserve", "\(diskReserve) bytes is below 0.")
        }
    }

    /// How the video source at `index` becomes a track.
    func videoOutput(at index: Int) -> VideoTrackOutput { videoOverrides[index] ?? video }

    /// How the microphone at `index` becomes a track.
    func audioOutput(at index: Int) -> AudioOutputSettings { audioOverrides[index] ?? audio }

    private func validateOutputs() throws(MediaError) {
        for output in [video] + videoOverrides.values {
            guard case .encoded(let settings) = output else { continue }
            try settings.validate()
            guard settings.codec.isForRecording else {
                throw .setting(
                    "codec",
                    "\(settings.codec.rawValue) is encoded for films and conversions, not while recording; "
                        + "record h264 or hevc.")
            }
            // where there is no place for frames, there may be no camera either
            if !container.isAudioOnly { try container.requireRoom(for: settings.codec) }
        }
        for output in [audio] + audioOverrides.values {
            try output.validate()
            try container.requireRoom(for: output.codec)
        }
    }

    private func require(
        _ time: MediaTime, _ field: String, from lowest: MediaTime, to highest: MediaTime
    ) throws(MediaError) {
        guard time >= lowest, time <= highest else {
            throw .setting(
                field,
                "\(time.approximateSeconds) s is outside \(lowest.approximateSeconds) s to "
                    + "\(highest.approximateSeconds) s.")
        }
    }
}
