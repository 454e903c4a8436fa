internal import Media
internal import Movie
internal import Writing

/// The writer of an export and its inputs.
struct ExportInputs {
    /// Where the movie keeps the plan's digest, so that an equal export can continue from it.
    static let digestKey = StaleParts.resumableKey
    /// Frames that wait for the encoder; more would only cost memory.
    private static let queuedFrames = 2
    /// The least a writer's queue holds (bytes): of small frames it is many.
    private static let leastQueue = 1 << 20

    /// Bytes of frames that may wait for the encoder, and how many frames those can be.
    static func queue(
        _ size: PixelSize, bitDepth: Int
    ) -> (bytes: Int, pictures: Int) {
        queue(ofFrames: max(1, size.width * size.height * 3 / 2 * (bitDepth > 8 ? 2 : 1)))
    }

    /// The same for frames of a format.
    static func queue(_ format: VideoFormat) -> (bytes: Int, pictures: Int) {
        queue(ofFrames: format.bytesPerFrame)
    }

    private static func queue(ofFrames picture: Int) -> (bytes: Int, pictures: Int) {
        let bytes = max(leastQueue, picture * queuedFrames)
        return (bytes, bytes / picture + 1)
    }

    let writer: AssetWriter
    let video: SampleBufferReceiver?
    let audio: SampleBufferReceiver?
    let videoFormat: VideoFormat?
    let audioFormat: AudioFormat
    /// Makes the track's frames where some are copied; nil: the writer encodes all.
    private(set) var smart: SmartFrames?
    /// Gives the audio's packets where they are copied; nil: they are mixed.
    private(set) var copiedAudio: CopiedAudio?

    /// Creates the file under its temporary name.
    /// - Parameter seen: what a first pass over the frames saw.
    init(
        plan: ExportPlan, film: Film, seen: PassFolder?, texts: [TextTrack],
        groups: [MetadataTrack], shelf: SourceShelf,
        settings: ExportSettings, output: TemporaryOutput, container: OutputContainer?
    ) throws(MediaError) {
        audioFormat = AudioFormat(
            coding: .raw(.float32), sampleRate: plan.sampleRate, channels: 2)
        var metadata = film.metadata(settings.metadata, of: plan.range)
        metadata.values[Self.digestKey] = plan.digest
        var configuration = try AssetWriterConfiguration(
            output, as: container, metadata: metadata, texts: texts, groups: groups)
        if let size = plan.size, let frames = film.videoComposition {
            configuration.videoQueueBytes =
                Self.queue(size, bitDepth: frames.pixelFormat.bitDepth).bytes
        }
        writer = try AssetWriter(configuration)
        videoFormat = Self.format(plan, film)
        if let videoFormat, var video = plan.preset.video {
            if let seen { video = video.secondPass(statistics: seen.file) }
            smart = try plan.smart.map { smart throws(MediaError) in
                try SmartFrames(
                    smart, plan.frameTimes, coding: video, input: videoFormat, shelf: shelf)
            }
            if let smart {
                self.video = try writer.inputReceiver(passingThrough: .video(smart.format))
            } else {
                self.video = try writer.inputReceiver(for: video, sourceFormat: videoFormat)
            }
        } else {
            (video, smart) = (nil, nil)
        }
        copiedAudio = try plan.copiedAudio.map { source throws(MediaError) in
            try CopiedAudio(source, shelf: shelf)
        }
        if let copiedAudio {
            audio = try writer.inputReceiver(passingThrough: copiedAudio.format)
        } else {
            audio =
                plan.audioFrameCount > 0
                ? try writer.inputReceiver(for: plan.preset.audio, sourceFormat: audioFormat)
                : nil
        }
        try writer.startSession(atSourceTime: .zero)
    }

    /// For a film that became longer, in the same tracks of the same file.
    /// - Parameters:
    ///   - plan: the longer film's.
    ///   - tally: what has been appended.
    /// - Returns: nil where its frames have another format than the track.
    func continued(
        with plan: ExportPlan, _ tally: ExportTally, shelf: SourceShelf
    ) throws(MediaError) -> ExportInputs? {
        guard let video = plan.preset.video, let videoFormat, let planned = plan.smart,
            let track = smart?.format
        else { return nil }
        let frames = try SmartFrames(
            planned, plan.frameTimes, coding: video, input: videoFormat, shelf: shelf)
        guard frames.format == track else { return nil }
        frames.skip(tally.frames)
        var inputs = self
        inputs.smart = frames
        inputs.copiedAudio = try plan.copiedAudio.map { source throws(MediaError) in
            try CopiedAudio(source, from: tally.audioTime, shelf: shelf)
        }
        return inputs
    }

    /// Of the frames that are made; nil: there are none.
    static func format(_ plan: ExportPlan, _ film: Film) -> VideoFormat? {
        guard let size = plan.size, let frames = film.videoComposition else { return nil }
        let rate = frames.frameDuration.reduced
        return frames.format(
            size, rate: FrameRate(rate.timescale, per: Int32(clamping: rate.value)))
    }
}

extension VideoFormat {
    /// Of a raw frame (bytes; at least 1).
    var bytesPerFrame: Int {
        (pixelFormat ?? .yuv420p).layout.planes.reduce(1) { sum, plane in
            sum + plane.bytesPerRow(width: width) * plane.rows(height: height)
        }
    }
}
