public import Media
internal import Movie

extension AssetWriter {
    /// A track of raw frames, encoded.
    /// - Parameters:
    ///   - settings: how they are coded.
    ///   - sourceFormat: what will be appended; frames of other formats are converted.
    ///   - name: what a player shows (default none).
    ///   - language: BCP 47 (default undetermined).
    /// - Throws: `invalidSetting` or `unsupported`, naming what is wrong; `invalidState` after `start`.
    public func inputReceiver(
        for settings: VideoOutputSettings, sourceFormat: VideoFormat, name: String? = nil,
        language: String? = nil
    ) throws(MediaError) -> SampleBufferReceiver {
        try settings.validate()
        try configuration.container.requireRoom(for: settings.codec)
        guard sourceFormat.pixelFormat != nil else {
            throw .setting("source format", "it is coded already; pass it through or decode it.")
        }
        try requireShape(of: sourceFormat)
        try configuration.container.requireRoom(forDepthOf: sourceFormat, codec: settings.codec)
        if settings.cleanAperture != nil, !configuration.container.holdsCleanAperture {
            throw .setting(
                "clean aperture",
                "vcap writes none into a .\(configuration.container.rawValue) file; write .mp4 or "
                    + ".mov, or crop the frames.")
        }
        var source = sourceFormat
        if let rate = settings.expectedFrameRate { source.nominalRate = rate }
        _ = try settings.trackFormat(for: source)
        return try addInput(.video(settings, source), name, language)
    }

    private func requireShape(of format: VideoFormat) throws(MediaError) {
        let aspect = format.pixelAspect
        guard !aspect.isShape else { return }
        throw .setting(
            "pixel aspect",
            "\(aspect.horizontal):\(aspect.vertical) of the source is no shape; both parts must be "
                + "positive.")
    }

    /// A track of raw audio, encoded.
    public func inputReceiver(
        for settings: AudioOutputSettings, sourceFormat: AudioFormat, name: String? = nil,
        language: String? = nil
    ) throws(MediaError) -> SampleBufferReceiver {
        try settings.validate()
        try configuration.container.requireRoom(for: settings.codec)
        guard sourceFormat.sampleFormat != nil, sourceFormat.sampleRate > 0 else {
            throw .setting("source format", "it is coded already; pass it through or decode it.")
        }
        try settings.requireRoom(for: sourceFormat)
        return try addInput(.audio(settings, sourceFormat), name, language)
    }

    /// A track of metadata, such as codes that a detector finds: samples made by
    /// `SampleBuffer(_:format:)`, of any distance from each other.
    ///
    /// A sample holds for its duration, or until the next one where it has none; what it holds for is cut by
    /// pauses and by the movie's start and end: what still holds where the movie begins, or continues after a pause, is
    /// in it from there on. Where nothing holds, an empty sample says so.
    /// - Parameters:
    ///   - format: the keys that samples may have values for.
    ///   - name: what other programs show (default none).
    ///   - language: of its texts (BCP 47; default undetermined).
    /// - Throws: `unsupported` in containers other than MP4 and QuickTime, `invalidSetting` for keys that no track
    ///   can have, `invalidState` after `start`.
    public func inputReceiver(
        for format: MetadataFormat, name: String? = nil, language: String? = nil
    ) throws(MediaError) -> SampleBufferReceiver {
        try configuration.container.requireRoom(for: format)
        return try addInput(.passThrough(.metadata(format)), name, language)
    }

    /// A track of coded samples, written as they are.
    ///
    /// Cuts keep to what can be decoded: frames that need others begin at a sync sample, so a resume
    /// is at the lead's first sync sample from then on; coded audio is cut between packets. At the session's start and
    /// end mp4, mov and m4a keep what decoding needs from outside, if it is appended, and hide it: append from the
    /// sync sample before the start on. Other containers begin at the first sync sample from the start on (`beganLate`);
    /// `finish` throws `unsupported` where none comes.
    public func inputReceiver(
        passingThrough sourceFormat: FormatDescription, name: String? = nil,
        language: String? = nil
    ) throws(MediaError) -> SampleBufferReceiver {
        switch sourceFormat {
        case .video(let format):
            guard let codec = format.codec else {
                throw .setting("source format", "raw frames must be encoded to be written.")
            }
            try configuration.container.requireRoom(for: codec)
            try configuration.container.requireRoom(for: format.orientation)
            try configuration.container.requireRoom(forDepthOf: format, codec: codec)
            try requireShape(of: format)
        case .audio(let format):
            guard let codec = format.codec else {
                throw .setting("source format", "raw audio must be encoded (or be PCM).")
            }
            try configuration.container.requireRoom(for: codec)
        case .text:
            throw .setting(
                "source format", "text is given whole, as the configuration's text tracks.")
        case .metadata(let format): try configuration.container.requireRoom(for: format)
        }
        return try addInput(.passThrough(sourceFormat), name, language)
    }

    /// A track of frames drawn by the caller, with a pool to draw them in.
    /// - Parameters:
    ///   - settings: how they are coded.
    ///   - sourceFormat: what the pool's frames are.
    ///   - poolLimit: most frames out at once (frames; positive; default 8).
    ///   - name: what a player shows (default none).
    public func pixelBufferReceiver(
        for settings: VideoOutputSettings, sourceFormat: VideoFormat, poolLimit: Int = 8,
        name: String? = nil
    ) throws(MediaError) -> PixelBufferReceiver {
        guard poolLimit > 0, let format = sourceFormat.pixelFormat, sourceFormat.width > 0,
            sourceFormat.height > 0
        else {
            throw .setting("pool", "it needs raw frames of a positive size and a positive limit.")
        }
        let receiver = try inputReceiver(for: settings, sourceFormat: sourceFormat, name: name)
        let pool = PixelBufferPool(
            width: sourceFormat.width, height: sourceFormat.height, format: format,
            limit: poolLimit)
        return PixelBufferReceiver(receiver: receiver, format: sourceFormat, pool: pool)
    }
}
