internal import CFFmpeg
package import Media

/// A media file into coded samples, in file order. Thread-bound.
///
/// The file is opened here and nothing else ever is: names are no protocols, playlists and references
/// are refused, and what the header claims is checked against `DemuxerLimits` before anything is
/// decoded. Times are those of the file (an MP4's edit list applied, so that samples before its
/// start are negative).
///
/// Source: libavformat's demuxers, those of `DemuxerLimits.formats` only.
package final class Demuxer: @unchecked Sendable {  // because its owner serialises its calls
    package enum Result: Sendable {
        case sample(track: Int, SampleBuffer)
        case endOfStream
    }

    // immutable
    package let path: String
    package let limits: DemuxerLimits
    /// libavformat's name of the container (`mov,mp4,m4a,3gp,3g2,mj2`).
    package let containerName: String
    package let tracks: [DemuxedTrack]
    /// What else of frames, audio and subtitles is in the file.
    package let unreadTracks: [UnreadTrack]
    /// Length of the movie (seconds); `nil` when the file does not state it.
    package let duration: MediaTime?
    /// What the file says about itself, by libavformat's names and in the file's order.
    package let metadata: [(name: String, value: String)]
    /// In the file's order; those without a length end where they begin.
    package let chapters: [MuxerChapter]
    package let covers: [CoverArt]
    /// Files beside the tracks, such as fonts, which are not read (count).
    package let attachmentCount: Int
    private let input: FileInput
    let context: FormatContext
    private let trackOfStream: [Int32: Int]
    /// Of ID3 tags with times.
    private let tagStreams: Set<Int32>

    // owned by the calling thread
    private var lastDecode: [MediaTime?]
    /// Tracks of which nothing was read since the opening or the last jump.
    private var untouched: Set<Int>
    private var firstDecode: [MediaTime?]
    /// Samples whose stamp went back and was moved to the one before (count).
    package private(set) var repairedStamps = 0
    /// ID3 tags that stand at a time of the movie (MPEG-TS), as they pass, in the file's times.
    package private(set) var timedTags: [(time: MediaTime, bytes: [UInt8])] = []
    /// Of tracks of frames without presentation times.
    private var orders: [Int: PresentationOrder] = [:]
    /// Of tracks of audio whose stamps are coarser than frames.
    private var packetFrames: [Int: PacketFrames] = [:]
    /// Met behind samples that are handed out first.
    private var failure: MediaError?
    /// Read to know the tracks, and not handed out yet.
    private var ahead: ArraySlice<PacketBox>

    /// - Parameter excluded: bytes known to be damaged; the file is read as if without them.
    /// - Throws: `.noSuchFile`, `.unsupported`, `.overLimit` or `.damagedFile`, which it also is when reading takes longer
    ///   than allowed.
    package init(
        path: String, excluding excluded: [Range<Int64>] = [],
        limits: DemuxerLimits = DemuxerLimits(), clock: any MediaClock = HostClock()
    ) throws(MediaError) {
        LibAVLog.prepare()
        input = try FileInput(path: path, excluding: excluded, clock: clock)
        if let kind = PlaylistSniffer.kind(of: input.head(PlaylistSniffer.headSize)) {
            throw .refused(
                .unsupported, path,
                "Cannot open \(path): it is \(kind) and not a movie; open the files it names.")
        }
        input.allow(limits.timeout)
        context = try FormatContext(input, limits)
        try context.findStreams(input, limits)
        self.path = path
        self.limits = limits
        containerName = context.containerName
        var tracks: [DemuxedTrack] = []
        var trackOfStream: [Int32: Int] = [:]
        var unread: [UnreadTrack] = []
        var tagStreams: Set<Int32> = []
        for stream in context.streams {
            let made = try DemuxedTrack.make(stream, index: tracks.count, limits: limits)
            guard let made else {
                if let other = UnreadTrack(stream) { unread.append(other) }
                if stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_TIMED_ID3 {
                    tagStreams.insert(stream.pointee.index)
                }
                continue
            }
            trackOfStream[made.streamIndex] = made.index
            tracks.append(made)
        }
        guard tracks.contains(where: { $0.format.mediaType.setsLength }) else {
            throw .refused(
                .unsupported, path,
                "Cannot open \(path): no video or audio in it that can be read"
                    + (unread.isEmpty
                        ? "."
                        : ", only \(unread.map(\.codec).joined(separator: ", "))."))
        }
        ahead = try context.readAhead(&tracks, trackOfStream)[...]
        duration = try context.duration(path, limits)
        metadata = context.metadata
        chapters = context.chapters
        covers = context.covers
        attachmentCount = context.attachmentCount
        self.tracks = tracks
        unreadTracks = unread
        self.trackOfStream = trackOfStream
        self.tagStreams = tagStreams
        lastDecode = Array(repeating: nil, count: tracks.count)
        firstDecode = lastDecode
        untouched = Set(tracks.indices)
        for track in tracks { packetFrames[track.index] = coarseFrames(track) }
        makeOrders()
    }

    /// How long packets are where stamps are too coarse: Matroska's are milliseconds.
    private func coarseFrames(_ track: DemuxedTrack) -> PacketFrames? {
        guard containerName.hasPrefix("matroska"), let audio = track.format.audio,
            track.timescale < audio.sampleRate
        else { return nil }
        return PacketFrames(audio)
    }

    private func makeOrders() {
        guard containerName == "avi" else { return }
        for track in tracks {
            let stream = context.pointer.pointee.streams[Int(track.streamIndex)]
            guard let parameters = stream?.pointee.codecpar else { continue }
            orders[track.index] = PresentationOrder(track.format.video?.codec, parameters)
        }
    }

    /// The next sample of any track.
    /// - Throws: `.damagedFile` where the file cannot be read on, or not in the time allowed; `.overLimit`.
    package func next() throws(MediaError) -> Result {
        input.allow(limits.timeout)
        while true {
            if let ready = orderedSample() { return ready }
            if let failure { throw failure }
            let read: PacketBox?
            do throws(MediaError) { read = try nextPacket() } catch {
                guard !orders.isEmpty else { throw error }
                failure = error
                for order in orders.values { order.end() }
                continue
            }
            guard let packet = read else {
                for order in orders.values { order.end() }
                return orderedSample() ?? .endOfStream
            }
            let stream = packet.pointer.pointee.stream_index
            if tagStreams.contains(stream) { keepTag(packet) }
            guard let track = trackOfStream[stream], packet.pointer.pointee.size > 0 else {
                continue
            }
            let sample = try sample(packet, tracks[track])
            guard let order = orders[track] else { return .sample(track: track, sample) }
            order.push(sample, packet)
        }
    }

    private func orderedSample() -> Result? {
        for (track, order) in orders {
            if let sample = order.next() { return .sample(track: track, sample) }
        }
        return nil
    }

    private func nextPacket() throws(MediaError) -> PacketBox? {
        if let packet = ahead.popFirst() { return packet }
        let packet = try PacketBox()
        LibAVLog.clear()
        let result = av_read_frame(context.pointer, packet.pointer)
        if result == vcap_averror_eof, !input.hasTimedOut, input.readError == 0 {
            guard !input.isShortened else {
                throw .refused(
                    .damagedFile, path,
                    "Cannot read on in \(path): it became shorter while it was read.")
            }
            return nil
        }
        guard result >= 0 else {
            throw context.failure("av_read_frame", result, input, "Cannot read on in \(path)")
        }
        return packet
    }

    /// A stranger's file may have any number of any size.
    private func keepTag(_ packet: PacketBox) {
        let raw = packet.pointer.pointee
        guard timedTags.count < 10_000, (1...65_536).contains(raw.size),
            let base = context.pointer.pointee.streams[Int(raw.stream_index)]?.pointee.time_base,
            let stamp = try? MediaTime(stamp: raw.pts, timeBase: base), stamp <= Self.reach,
            -Self.reach <= stamp
        else { return }
        timedTags.append((stamp, Array(packet.bytes)))
    }

    /// Goes to the last sync sample at or before a time of a track; all tracks follow.
    package func seek(track: Int, to time: MediaTime) throws(MediaError) {
        input.allow(limits.timeout)
        LibAVLog.clear()
        let stream = tracks[track].streamIndex
        guard let base = context.pointer.pointee.streams[Int(stream)]?.pointee.time_base,
            let scaled = try? time.checkedTicks(per: base.den, rounding: .down)
        else {
            throw .refused(.unsupported, path, "Cannot go to \(time) in \(path): too far away.")
        }
        let result = av_seek_frame(
            context.pointer, stream, scaled / Int64(max(1, base.num)), AVSEEK_FLAG_BACKWARD)
        guard result >= 0 else {
            throw context.failure(
                "av_seek_frame", result, input,
                "Cannot go to \(time.approximateSeconds) s in \(path)")
        }
        ahead = []
        failure = nil
        makeOrders()
        for frames in packetFrames.values { frames.reset() }
        lastDecode = Array(repeating: nil, count: tracks.count)
        untouched = Set(tracks.indices)
    }

    private func sample(_ packet: PacketBox, _ track: DemuxedTrack) throws(MediaError)
        -> SampleBuffer
    {
        let raw = packet.pointer.pointee
        let base = context.pointer.pointee.streams[Int(track.streamIndex)]?.pointee.time_base
        let times = try stamps(raw, base ?? AVRational(1, track.timescale), track)
        var trim = packet.trim
        let isFirst = untouched.remove(track.index) != nil
        // libavformat 59 moves a Matroska track by its priming but nothing says to cut it
        if isFirst, containerName.hasPrefix("matroska"), times.presentation < .zero {
            trim.leading = max(trim.leading, track.format.audio?.primingFrames ?? 0)
        }
        var duration = times.duration
        // Matroska does not say how short ALAC's last packet is
        if let audio = track.format.audio, audio.codec == .alac,
            let frames = ALACConfiguration.frames(of: packet.bytes), frames <= 1 << 16
        {
            duration = MediaTime(value: Int64(frames), timescale: Int32(audio.sampleRate))
        }
        if let frames = packetFrames[track.index]?.frames(of: packet.bytes),
            let rate = track.format.audio?.sampleRate
        {
            duration = MediaTime(value: Int64(frames), timescale: Int32(rate))
        }
        // libavformat 59 shortens Ogg's last packet, and says what to cut of it as well
        if containerName == "ogg", trim.trailing > 0, let length = duration,
            let rate = track.format.audio?.sampleRate
        {
            let cut = MediaTime(value: Int64(trim.trailing), timescale: Int32(rate))
            duration = (try? length.adding(cut)) ?? length
        }
        return SampleBuffer(
            payload: .coded(try framed(packet, track)), format: track.format,
            presentationTime: times.presentation,
            decodeTime: times.decode == times.presentation ? nil : times.decode,
            duration: duration, isSync: raw.flags & AV_PKT_FLAG_KEY != 0,
            attachments: SampleAttachments(
                leadingTrim: trim.leading, trailingTrim: trim.trailing))
    }

    private func framed(_ packet: PacketBox, _ track: DemuxedTrack) throws(MediaError)
        -> BlockBuffer
    {
        switch track.framing {
        case .asIs: return packet.sharedBlock()
        case .startCodes(let codec):
            return NALUnits.lengthPrefixed(packet.bytes) { codec.isDelimiter($0) }
        case .shortLengths(let size):
            guard let block = NALUnits.widened(packet.bytes, from: size) else {
                throw .refused(
                    .damagedFile, path,
                    "Cannot read a frame of track \(track.index) in \(path): it is damaged.")
            }
            return block
        case .transportHeaders(let header):
            // another header stays: a decoder understands it, and what follows is coded differently
            guard let header, ADTSHeader(packet.bytes) == header,
                let size = ADTSHeader.length(packet.bytes)
            else { return packet.sharedBlock() }
            return packet.sharedBlock().slice(size..<Int(packet.pointer.pointee.size))
        }
    }
}

// Times from a stranger: every one is checked.
extension Demuxer {
    /// Times beyond this do not fit a clock in nanoseconds, and no movie has them (seconds).
    private static let reach = MediaTime.seconds(100 * 366 * 86_400)

    private func checkReach(_ time: MediaTime) throws(MediaError) {
        guard time <= Self.reach, -Self.reach <= time else {
            throw .refused(
                .damagedFile, path,
                "Cannot read on in \(path): a sample claims to be more than a century away.")
        }
    }

    private func stamps(
        _ packet: AVPacket, _ base: AVRational, _ track: DemuxedTrack
    ) throws(MediaError) -> (presentation: MediaTime, decode: MediaTime, duration: MediaTime?) {
        do {
            let presentation = try MediaTime(stamp: packet.pts, timeBase: base)
            let decode = try MediaTime(stamp: packet.dts, timeBase: base) ?? presentation
            let length = try MediaTime(stamp: packet.duration, timeBase: base)
            guard var decode = decode ?? lastDecode[track.index] else {
                return (.zero, .zero, nil)  // the first sample of a file without any stamps
            }
            let first = firstDecode[track.index] ?? decode
            firstDecode[track.index] = first
            try checkReach(presentation ?? decode)
            try checkReach(decode)
            // written so that nothing can overflow: both sides are compared, not subtracted
            let far = try first.adding(limits.maximumDuration.scaled(to: base.den, rounding: .up))
            guard decode <= far, (presentation ?? decode) <= far else {
                throw MediaError.refused(
                    .overLimit, path,
                    "Cannot read on in \(path): a sample lies more than "
                        + "\(limits.maximumDuration.wholeSeconds) s after the first.")
            }
            if let last = lastDecode[track.index], decode < last {
                repairedStamps += 1
                decode = last
            }
            lastDecode[track.index] = decode
            let duration = length.flatMap { $0 > .zero && $0 <= limits.maximumDuration ? $0 : nil }
            return (presentation ?? decode, decode, duration)
        } catch let error as MediaError { throw error } catch {
            throw .refused(
                .damagedFile, path,
                "Cannot read on in \(path): a sample's time is no number a clock can have.")
        }
    }
}
