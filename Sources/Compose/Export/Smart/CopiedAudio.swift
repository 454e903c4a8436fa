internal import Media
internal import Reading

/// The coded audio of a film whose audio is one clip's, all of it and unchanged. Thread-bound: the export's
/// thread.
final class CopiedAudio {
    /// How its packets are coded.
    let format: FormatDescription
    private let source: MediaSource
    private let shelf: SourceShelf
    private let reader = AssetReader()
    private let output: AssetReaderTrackOutput
    private var waiting: SampleBuffer?
    private var hasBegun = false
    private let start: MediaTime

    /// - Parameter start: of the film: where what has not been asked for begins.
    init(
        _ source: MediaSource, from start: MediaTime = .zero, shelf: SourceShelf
    ) throws(MediaError) {
        (self.source, self.start, self.shelf) = (source, start, shelf)
        let (asset, track) = try shelf.track(source)
        output = try AssetReaderTrackOutput(asset: asset, track: track)
        guard let format = output.format else {
            throw MediaError(
                code: .unsupported, subject: source.path,
                message: "Cannot copy the audio of \(source.path): \(track.reasonUnread).")
        }
        self.format = format
        try reader.add(output)
    }

    deinit { reader.cancel() }

    /// The packets that begin before a time of the film, and have not been asked for.
    /// - Throws: `damaged-file` where the file is another one by now, and as reading does.
    func packets(before time: MediaTime) throws(MediaError) -> [SampleBuffer] {
        _ = try shelf.track(source)
        if !hasBegun {
            hasBegun = true
            if start > .zero {
                // a range begins with packets that only what follows needs, and those have been given
                let lead = max(.zero, start - .seconds(1))
                reader.timeRange = MediaTimeRange(
                    start: lead, duration: Composition.longestDuration)
            }
            try reader.start()
            waiting = try output.next()
            // the first ones are before the film's beginning
            while start > .zero, let packet = waiting, packet.presentationTime < start {
                waiting = try output.next()
            }
        }
        var packets: [SampleBuffer] = []
        while let packet = waiting, packet.presentationTime < time {
            packets.append(packet)
            waiting = try output.next()
        }
        return packets
    }
}

extension CopyPlanner {
    /// Why the audio of a film is mixed and encoded, a half-sentence.
    struct MixReason: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    /// Where a film's whole audio is: in one track of AAC, heard from its beginning to its end as it is.
    /// - Parameters:
    ///   - rate: another one than usual that was asked for (Hz); nil: any will do.
    ///   - naming: whether the film shows several files, so that reasons name theirs.
    ///   - isGrowing: whether there will be more of the film and of the audio, so that their ends say nothing.
    func wholeAudio(
        at rate: Int?, naming: Bool, isGrowing: Bool = false
    ) throws(MixReason) -> (source: MediaSource, rate: Int) {
        let sounds: [Piece]
        do throws(Obstacle) {
            sounds = try copiedSounds()
        } catch {
            switch error {
            case .refused(let what, let reason, _):
                throw MixReason(naming ? "\(what): \(reason)" : reason)
            case .failed(let error): throw MixReason(error.message)
            }
        }
        guard sounds.count == 1, let piece = sounds.first, let source = piece.segment.source,
            let format = piece.format?.audio
        else { throw MixReason("it is of several clips, and their packets do not meet at joints") }
        let file = source.path.split(separator: "/").last.map(String.init) ?? source.path
        func reason(_ text: String) -> MixReason { MixReason(naming ? "\(file): \(text)" : text) }
        guard format.codec == .aac else {
            throw reason("it is \(format.codec?.rawValue ?? "raw"), and the film's is aac")
        }
        guard format.channels <= 2 else { throw reason("it has more than two channels") }
        guard rate ?? format.sampleRate == format.sampleRate else {
            throw reason("it has \(format.sampleRate) Hz")
        }
        let heard = piece.segment.mapping.source
        // the film and the audio end within a packet of one another
        let packet = MediaTime(value: 1024, timescale: Int32(format.sampleRate))
        let hasEnd =
            heard.end + packet >= piece.track.duration
            && range.end + packet >= piece.segment.timeRange.start + piece.track.duration
        guard range.start == .zero, heard.start <= .zero, hasEnd || isGrowing else {
            throw reason("only a part of its track is in the film, and packets are not cut")
        }
        let reachesEnd = piece.segment.timeRange.end + packet >= range.end
        guard piece.segment.start == 0, piece.track.start <= packet, reachesEnd || isGrowing else {
            throw reason("a part of the film is without it, and silence is encoded there")
        }
        return (source, format.sampleRate)
    }
}
