internal import LibAV
internal import Media
internal import Reading
internal import Writing

/// Makes the coded frames of a film or a conversion of which some are copied: one track, its frames in decode order, with
/// decode times of its own. Thread-bound: the export's thread.
///
/// Encoded runs begin with a refresh and end whole, and so do copied ones, so that no frame needs one of
/// another run. Each kind has parameter sets of its own number, all of which are in the format.
final class SmartFrames {
    private let plan: SmartPlan
    private let times: FrameTimes
    private let shelf: SourceShelf
    /// What to ask for instead where frames cannot stand beside one another.
    private let instead: String
    private let coding: VideoEncoderSettings
    private let input: VideoFormat
    private let sets: SmartSets
    /// Which of their records is the encoder's.
    private let encoded: Int
    /// Of the track: the encoder's, with the parameter sets of what is copied.
    let format: VideoFormat
    /// Frames from decoding to showing (count).
    private let reorder: Int

    private var indexes: [MediaSource: CodedIndex] = [:]
    private var reader: (source: MediaSource, reader: CodedReader)?
    private var encoder: VideoEncoder?
    /// Film frames inside the encoder, and those written, in decode order (count).
    private var written: Int64 = 0
    private var run: SmartPlan.Run?

    /// - Parameters:
    ///   - video: how frames are coded that are not copied.
    ///   - input: of rendered frames.
    ///   - instead: what to ask for where frames cannot stand beside one another.
    init(
        _ plan: SmartPlan, _ times: FrameTimes, coding video: VideoOutputSettings,
        input: VideoFormat, shelf: SourceShelf, instead: String = "--copy never"
    ) throws(MediaError) {
        (self.plan, self.times, self.shelf, self.input) = (plan, times, shelf, input)
        self.instead = instead
        var sets = SmartSets(video.codec)
        for record in plan.records { _ = sets.add(record) }
        var coding = VideoEncoderSettings(video, lowLatency: false)
        coding.parameterSetID = sets.all?.encoderID ?? 0
        self.coding = coding
        let encoder = try VideoEncoder(settings: coding, input: input)
        guard let own = sets.add(encoder.format.codecConfiguration, isLast: true),
            let record = sets.all?.record(reorder: max(plan.reorder, encoder.reorder))
        else { throw Self.refusal(Self.ownFrames, instead) }
        (self.sets, encoded) = (sets, own)
        var format = encoder.format
        format.codecConfiguration = record
        self.format = format
        reorder = max(plan.reorder, encoder.reorder)
    }

    /// What follows in the track once a frame of the film is there; frames are asked for in order.
    /// - Parameter picture: renders it, where it has to be.
    func samples(
        forFrame number: Int64, _ picture: () throws(MediaError) -> PixelBuffer
    ) throws(MediaError) -> [SampleBuffer] {
        let isFirst = run.map { !$0.frames.contains(number) } ?? true
        if isFirst { run = plan.run(of: number) }
        guard let run else { return [] }
        switch run.work {
        case .copy(let source, let place, _, _):
            let reader = try reader(of: source)
            if isFirst {
                // an earlier part may have the first of them
                try reader.seek(to: place, skipping: Int(number - run.frames.lowerBound))
            }
            return [try placed(try reader.next(), run)]
        case .encode:
            if isFirst { encoder = try VideoEncoder(settings: coding, input: input) }
            return try encoded(number, run, try picture())
        }
    }

    /// Frames an earlier part has are written already.
    func skip(_ frames: Int64) { written = frames }

    // MARK: Encoded

    private func encoded(
        _ number: Int64, _ run: SmartPlan.Run, _ picture: PixelBuffer
    ) throws(MediaError) -> [SampleBuffer] {
        guard let encoder else { return [] }
        let isLast = number == run.frames.upperBound - 1
        var samples = try encoder.encode(
            SampleBuffer(
                payload: .pixels(picture), format: .video(input),
                presentationTime: times.start(of: number)))
        if isLast {
            samples += try encoder.finish()
            self.encoder = nil
        }
        return try samples.map { sample throws(MediaError) in
            try stamped(
                sample, ofRecord: encoded, at: sample.presentationTime, subject: Self.ownFrames)
        }
    }

    // MARK: Copied

    private func reader(of source: MediaSource) throws(MediaError) -> CodedReader {
        let (asset, track) = try shelf.track(source)
        if let reader, reader.source == source { return reader.reader }
        let index: CodedIndex
        if let known = indexes[source] {
            index = known
        } else {
            guard let found = try asset.codedIndex(of: track) else {
                throw MediaError(
                    code: .damagedFile, subject: source.path,
                    message: "\(source.path) was changed while the film was made; make the film "
                        + "again.")
            }
            index = found
            indexes[source] = found
        }
        let opened = try CodedReader(asset, track, index)
        reader = (source, opened)
        return opened
    }

    private func placed(
        _ sample: SampleBuffer, _ run: SmartPlan.Run
    ) throws(MediaError) -> SampleBuffer {
        guard case .copy(let source, let place, _, let record) = run.work,
            let index = indexes[source], let own = reader?.reader.place
        else { return sample }
        let number = run.frames.lowerBound + Int64(index.ranks[own] - index.ranks[place])
        do throws(MediaError) {
            return try stamped(
                sample, ofRecord: record, at: times.start(of: number), begins: own == place,
                subject: source.path)
        } catch {
            // what cannot be read may be another file by now, which is said instead
            _ = try shelf.track(source)
            throw error
        }
    }

    private static let ownFrames = "the film itself"

    private static func refusal(_ what: String, _ instead: String) -> MediaError {
        MediaError(
            code: .unsupported, subject: what,
            message:
                "The frames of \(what) cannot stand beside others as they are coded; "
                + "encode all of them (\(instead)).")
    }

    /// As it stands in the track.
    private func stamped(
        _ sample: SampleBuffer, ofRecord record: Int, at time: MediaTime, begins: Bool = false,
        subject: String
    ) throws(MediaError) -> SampleBuffer {
        let block = sample.block.flatMap { sets.sample($0, ofRecord: record, begins: begins) }
        guard let block else { throw Self.refusal(subject, instead) }
        let decode = times.decode(written, ahead: reorder)
        // else it would be shown at another time
        guard decode <= time else { throw Self.refusal(subject, instead) }
        written += 1
        return SampleBuffer(
            payload: .coded(block), format: .video(format), presentationTime: time,
            decodeTime: decode == time ? nil : decode,
            duration: times.duration(from: time), isSync: sample.isSync)
    }
}
