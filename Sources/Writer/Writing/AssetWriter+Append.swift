internal import LibAV
package import Media

extension AssetWriter {
    func append(_ sample: SampleBuffer, track: Int) async throws(MediaError) {
        await (try openQueue(track)).waitForRoom(sample.byteCount)
        guard !Task.isCancelled else {
            throw MediaError(
                code: .cancelled, subject: "track \(track)",
                message: "Nothing was appended to track \(track): the task was cancelled.")
        }
        _ = try take(sample, track)
    }

    /// Takes a sample of a track on a thread of the caller's own.
    /// - Parameter waits: whether to wait for room instead of answering `false`.
    /// - Returns: as `SampleBufferReceiver.appendImmediately`.
    package func append(
        _ sample: SampleBuffer, track: Int, waits: Bool
    ) throws(MediaError) -> Bool {
        guard waits else { return try appendImmediately(sample, track: track) }
        try appendBlocking(sample, track: track)
        return true
    }

    func appendBlocking(_ sample: SampleBuffer, track: Int) throws(MediaError) {
        try openQueue(track).waitForRoomBlocking(sample.byteCount)
        _ = try take(sample, track)
    }

    func appendImmediately(_ sample: SampleBuffer, track: Int) throws(MediaError) -> Bool {
        if configuration.mode == .offline {
            guard try openQueue(track).hasRoom(for: sample.byteCount) else { return false }
        }
        return try take(sample, track)
    }
}

extension SampleBuffer {
    /// Bytes of memory the sample costs.
    var byteCount: Int {
        guard let picture = pixelBuffer else { return block?.count ?? 0 }
        return picture.withPlanes { $0.reduce(0) { $0 + $1.bytesPerRow * $1.rows } }
    }

    /// Looks into the samples of cameras that code themselves: their drivers do not always say.
    mutating func findSync() {
        guard case .coded(let block) = payload, let video = format.video, let codec = video.codec,
            video.codecConfiguration.isEmpty
        else { return }
        isSync = AnnexB.isSync(block, codec: codec)
    }

    /// - Throws: `unsupported` when the sample is not what the input was made for.
    func requireKind(of coding: TrackInput.Coding, track: Int) throws(MediaError) {
        if case .coded = payload, case .video(let settings, _) = coding,
            format.video?.codec == settings.codec
        {
            return  // its encoder looks whether it can stand beside its own
        }
        let fits =
            switch (payload, coding.source) {
            case (.pixels, .video(let format)): format.pixelFormat != nil
            case (.audio, .audio(let wanted)):
                format.audio?.coding == wanted.coding && format.audio?.channels == wanted.channels
                    && format.audio?.sampleRate == wanted.sampleRate
            case (.coded, .video(let wanted)):
                format.video?.codec != nil && format.video?.codec == wanted.codec
            case (.coded, .audio(let wanted)):
                format.audio?.codec != nil && format.audio?.codec == wanted.codec
            case (.coded(let block), .metadata(let wanted)):
                format.metadata == wanted
                    && block.withUnsafeBytes { MetadataPacking.isSample($0, of: wanted) }
            default: false
            }
        guard fits else {
            throw MediaError(
                code: .unsupported, subject: "track \(track)",
                message: "Cannot append a sample of another format than track \(track) was made "
                    + "for; convert it first.")
        }
    }
}
