internal import CFFmpeg
package import Media

/// Coded samples into a Matroska, WebM or MPEG-TS file, or into one of audio only. Thread-bound.
///
/// Samples are written in the order given; the caller interleaves the tracks. Times are rounded to the
/// container's ticks: 1/90,000 s in MPEG-TS, 1 ms in Matroska and WebM (libavformat 59 has no finer
/// one), each by itself, so that errors never add up. Only Opus in Matroska and WebM can say its
/// priming; with any other primed track the whole movie begins later by the longest priming, so that
/// audio and frame stay together. Files of audio only cut the priming themselves, and begin as they are.
/// Matroska and WebM have no decode times; in MPEG-TS the movie begins later where the first would be before the
/// container's zero. MPEG-TS leaves out chapters and metadata but `service_name`; it has a track of ID3 tags
/// instead, which stand at times (stream type 0x15, as HTTP live streaming has them).
///
/// Errors of the output are thrown as they are, all others as `MediaError`.
package final class Muxer: @unchecked Sendable {  // because its owner serialises its calls
    // immutable
    package let container: MuxerContainer
    private let stream: MuxerStream
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let packet: PacketBox

    // owned by the calling thread
    private var tracks: [Track] = []
    private var state = State.open
    private var hasWritten = false
    /// Added to every time, so that priming the container cannot say is not before its zero.
    private var shift = MediaTime.zero
    /// The stream of tags with times, and its last stamp.
    private var tagStream: Int32?
    private var lastTagTicks: Int64?

    private enum State { case open, writing, finished }

    private struct Track {
        let format: FormatDescription
        let priming: MediaTime
        /// Whether the container holds the priming; its times then count from the priming's start.
        let statesPriming: Bool
        var lastTicks: Int64?
        /// Of the last frame that the seek index names.
        var lastCue: Int64?
    }

    package init(container: MuxerContainer, output: any MuxerOutput) throws(MediaError) {
        LibAVLog.prepare()
        LibAVLog.clear()
        stream = try MuxerStream(output)
        packet = try PacketBox()
        var context: UnsafeMutablePointer<AVFormatContext>?
        let result = avformat_alloc_output_context2(&context, nil, container.rawValue, nil)
        guard result >= 0, let context else {
            throw .call(
                "avformat_alloc_output_context2", result, code: .encoderFailed,
                subject: container.rawValue,
                attempt: "Cannot write \(container.rawValue) files")
        }
        context.pointee.pb = stream.pointer
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        self.context = context
        self.container = container
    }

    deinit { avformat_free_context(context) }

    /// Adds a track before `start` and returns its number.
    /// - Parameters:
    ///   - isDefault: whether players take it without being asked (Matroska and WebM).
    ///   - isForced: whether it is shown even where nobody asks for a track of its kind (Matroska and WebM).
    ///   - dolbyVision: its configuration, a box of MP4, where the container holds it.
    /// - Throws: `.unsupported` for a codec without a place in the container, and for frames that
    ///   would have to be rotated: these containers cannot say so (rotate the pixels).
    package func addTrack(
        _ format: FormatDescription, name: String? = nil, language: String? = nil,
        isDefault: Bool = true, isForced: Bool = false, dolbyVision: [UInt8] = []
    ) throws(MediaError) -> Int {
        precondition(state == .open, "tracks are added before the start")
        guard container.takes(format) else {
            throw .refused(
                .invalidSetting, container.rawValue,
                "Cannot write \(MuxerTrack.codecName(format)) into \(container.rawValue); choose "
                    + "another codec or container.")
        }
        guard let new = avformat_new_stream(context, nil) else {
            throw .memory("avformat_new_stream", "a track", code: .encoderFailed)
        }
        try MuxerTrack.describe(format, in: new, of: container)
        if let name { av_dict_set(&new.pointee.metadata, "title", name, 0) }
        if let language { av_dict_set(&new.pointee.metadata, "language", language, 0) }
        for tag in format.video?.depth?.tags ?? [] {
            av_dict_set(&new.pointee.metadata, tag.name, tag.value, 0)
        }
        new.pointee.disposition =
            (isDefault ? AV_DISPOSITION_DEFAULT : 0) | (isForced ? AV_DISPOSITION_FORCED : 0)
        if container.holdsDolbyVision { try DolbyVisionBox.set(dolbyVision, of: new) }
        let audio = format.audio
        let isMatroska = container == .matroska || container == .webm
        tracks.append(
            Track(
                format: format,
                priming: MediaTime(
                    value: container.isAudioFile ? 0 : Int64(audio?.primingFrames ?? 0),
                    timescale: Int32(audio?.sampleRate ?? 1)),
                statesPriming: isMatroska && audio?.codec == .opus))
        return tracks.count - 1
    }

    /// Writes the header.
    /// - Parameters:
    ///   - metadata: names as libavformat knows them (`title`, `comment`, `creation_time`…).
    ///   - covers: those that the container has no place for are left out (`takes`).
    ///   - timeCode: of the first video track's first frame, for Matroska and WebM.
    package func start(
        metadata: [(name: String, value: String)] = [], chapters: [MuxerChapter] = [],
        covers: [CoverArt] = [], timeCode: String? = nil
    ) throws {
        precondition(state == .open && !tracks.isEmpty, "a movie starts once and has tracks")
        for entry in metadata { av_dict_set(&context.pointee.metadata, entry.name, entry.value, 0) }
        if let timeCode, let video = firstVideo {
            av_dict_set(&video.pointee.metadata, "timecode", timeCode, 0)
        }
        shift = tracks.filter { !$0.statesPriming }.map(\.priming).max() ?? .zero
        try MuxerTrack.set(chapters, later: shift, of: context)
        if container == .mpegTS { tagStream = try MuxerTrack.addTags(to: context) }
        var attached: [(stream: Int32, CoverArt)] = []
        for cover in covers where container.takes(cover) {
            if let stream = try MuxerTrack.add(cover, to: context, of: container) {
                attached.append((stream, cover))
            }
        }
        LibAVLog.clear()
        context.pointee.avoid_negative_ts = 0
        var options = OptionDictionary(container.options)
        let result = options.lend { avformat_write_header(context, $0) }
        try check("avformat_write_header", result)
        if let left = options.firstKey {
            throw MediaError.refused(
                .invalidSetting, container.rawValue,
                "Cannot write \(container.rawValue): this libavformat does not know its option "
                    + "\(left).")
        }
        state = .writing
        for (stream, cover) in attached { try write(cover, to: stream) }
    }

    private var firstVideo: UnsafeMutablePointer<AVStream>? {
        (0..<Int(context.pointee.nb_streams)).lazy.compactMap { self.context.pointee.streams[$0] }
            .first { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO }
    }

    private func write(_ cover: CoverArt, to stream: Int32) throws {
        try packet.fill(BlockBuffer(cover.bytes))
        packet.pointer.pointee.stream_index = stream
        packet.pointer.pointee.pts = 0
        packet.pointer.pointee.dts = 0
        packet.pointer.pointee.flags = AV_PKT_FLAG_KEY
        LibAVLog.clear()
        let result = av_write_frame(context, packet.pointer)
        av_packet_unref(packet.pointer)
        try check("av_write_frame", result)
    }

    /// Writes a sample of a track.
    /// - Throws: `.outOfOrder` when it is not after the one before in the container's ticks; then
    ///   nothing was written and the next sample may come.
    package func write(_ sample: SampleBuffer, track: Int) throws {
        precondition(state == .writing, "samples are written between start and finish")
        guard case .coded(let block) = sample.payload else {
            throw MediaError.refused(
                .invalidSetting, container.rawValue, "Cannot write raw samples; encode them first.")
        }
        guard let entry = context.pointee.streams[track] else { return }
        let base = entry.pointee.time_base
        if !hasWritten { try makeRoom(before: sample) }
        hasWritten = true
        let presentation = try ticks(sample.presentationTime, track, base)
        let decode = try sample.decodeTime.map { try ticks($0, track, base) } ?? presentation
        try checkOrder(of: sample, track, presentation, decode, base)
        let end = try sample.duration.map {
            try ticks(sample.presentationTime.adding($0), track, base)
        }
        av_packet_unref(packet.pointer)
        packet.pointer.pointee.stream_index = Int32(track)
        packet.pointer.pointee.pts = presentation
        packet.pointer.pointee.dts = hasNoDecodeTimes(track) ? Self.noDecodeTime : decode
        // what lasts less than half a tick has one: libavformat takes none for a whole packet of the codec
        let least: Int64 = sample.duration ?? .zero > .zero ? 1 : 0
        packet.pointer.pointee.duration = end.map { max(least, $0 - presentation) } ?? 0
        if container.isAudioFile {
            // Ogg ends where its last packet does
            packet.pointer.pointee.duration = max(
                0, packet.pointer.pointee.duration - trimmed(sample, track, base))
        }
        packet.pointer.pointee.flags = sample.isSync ? AV_PKT_FLAG_KEY : 0
        // LAME's header gets its delay from the first packet (libavformat 59)
        let isFirstOfMP3 = container == .mp3 && tracks[track].lastTicks == nil
        try addTrim(
            leading: isFirstOfMP3 ? tracks[track].format.audio?.primingFrames ?? 0 : 0,
            trailing: sample.attachments.trailingTrim)
        LibAVLog.clear()
        stream.isSeekable = isCued(sample, track, presentation, base)
        let result = block.withUnsafeBytes { bytes in
            packet.pointer.pointee.data = UnsafeMutablePointer(
                mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
            packet.pointer.pointee.size = Int32(bytes.count)
            return av_write_frame(context, packet.pointer)
        }
        stream.isSeekable = true
        packet.pointer.pointee.data = nil
        packet.pointer.pointee.size = 0
        try check("av_write_frame", result)
        tracks[track].lastTicks = decode
    }

    /// Whether the seek index may name a sample. libavformat 59 holds 40 bytes for each sync frame until the end
    /// of Matroska, unless its output cannot seek: one in 0.9 s is enough to seek by, and lets those
    /// of a GOP of a second that comes a little early be named.
    private func isCued(
        _ sample: SampleBuffer, _ track: Int, _ ticks: Int64, _ base: AVRational
    ) -> Bool {
        guard container.holdsChapters, sample.isSync, sample.format.mediaType == .video else {
            return true
        }
        if let last = tracks[track].lastCue, ticks >= last, ticks - last < Int64(base.den) * 9 / 10
        {
            return false
        }
        tracks[track].lastCue = ticks
        return true
    }

    private func trimmed(_ sample: SampleBuffer, _ track: Int, _ base: AVRational) -> Int64 {
        let rate = Int32(tracks[track].format.audio?.sampleRate ?? 1)
        return MediaTime(value: Int64(sample.attachments.trailingTrim), timescale: rate)
            .ticks(per: base.den, rounding: .nearest)
    }

    /// Writes an ID3 tag at a movie time, later than those before; only MPEG-TS has a place for it.
    package func write(tag: [UInt8], at time: MediaTime) throws {
        guard state == .writing, let tagStream, let size = Int32(exactly: tag.count),
            let entry = context.pointee.streams[Int(tagStream)]
        else { return }
        let per = entry.pointee.time_base.den
        var stamp = try ticks(time, per)
        if let lastTagTicks { stamp = max(stamp, lastTagTicks + 1) }
        try packet.fill(BlockBuffer(tag))
        packet.pointer.pointee.stream_index = tagStream
        packet.pointer.pointee.pts = stamp
        packet.pointer.pointee.dts = stamp
        packet.pointer.pointee.size = size
        packet.pointer.pointee.flags = AV_PKT_FLAG_KEY
        LibAVLog.clear()
        let result = av_write_frame(context, packet.pointer)
        av_packet_unref(packet.pointer)
        try check("av_write_frame", result)
        lastTagTicks = stamp
    }

    /// Ends the cluster and hands every byte to the output.
    package func flush() throws {
        guard state == .writing else { return }
        // Ogg's last page says that it is the last, without which no decoder cuts the end: one must be left
        if container != .ogg, container != .opus {
            try check("av_write_frame", av_write_frame(context, nil))
        }
        stream.flush()
        try check("avio_flush", 0)
    }

    /// Ends the cluster and puts a whole element of the container's own syntax behind it
    /// (Matroska and WebM: a level 1 element).
    package func insert(_ element: [UInt8]) throws {
        guard state == .writing, container.holdsChapters else { return }
        try flush()
        avio_write(stream.pointer, element, Int32(element.count))
        stream.flush()
        try check("avio_write", 0)
    }

    /// What is added to every time on its way into the container, once started: the longest priming
    /// that the container cannot say.
    package var leadIn: MediaTime { shift }

    /// Replaces a track's codec configuration in the header, where the container allows it and the
    /// length stays (FLAC in Matroska and by itself).
    package func update(configuration: [UInt8], track: Int) throws {
        guard state == .writing, container == .matroska || container == .flac,
            !configuration.isEmpty,
            tracks[track].format.audio?.codec == .flac
        else { return }
        let update = try PacketBox()
        update.pointer.pointee.stream_index = Int32(track)
        let size = configuration.count
        guard
            let data = av_packet_new_side_data(update.pointer, AV_PKT_DATA_NEW_EXTRADATA, size)
        else {
            throw MediaError.memory(
                "av_packet_new_side_data", "a configuration", code: .encoderFailed)
        }
        data.update(from: configuration, count: size)
        LibAVLog.clear()
        try check("av_write_frame", av_write_frame(context, update.pointer))
    }

    /// Writes what players need to seek, and the duration into the header.
    /// - Parameter chapters: in place of those given at the start (Matroska and WebM).
    package func finish(chapters: [MuxerChapter] = []) throws {
        guard state == .writing else { return }
        state = .finished
        if !chapters.isEmpty { try MuxerTrack.set(chapters, later: shift, of: context) }
        LibAVLog.clear()
        let result = av_write_trailer(context)
        stream.flush()
        try check("av_write_trailer", result)
    }

    /// Before every presentation time (ticks). libavformat asks of decode times that they never go back and are never
    /// after presentation, even where none are written.
    private static let noDecodeTime: Int64 = -1 << 48
    /// How far before zero the first decode time of MPEG-TS may be: as much as libavformat adds with the
    /// options of `MuxerContainer`, less a margin (s).
    private static let transportLead = MediaTime.milliseconds(300)

    private func hasNoDecodeTimes(_ track: Int) -> Bool {
        let reordered: Set<VideoCodec> = [.h264, .hevc, .mpeg4, .mpeg2video]
        let codec = tracks[track].format.video?.codec
        return container != .mpegTS && codec.map(reordered.contains) ?? false
    }

    /// The first sample of a movie is the one decoded first.
    private func makeRoom(before sample: SampleBuffer) throws {
        guard container == .mpegTS, let decode = sample.decodeTime else { return }
        let lead = -(decode.nanoseconds() + shift.nanoseconds())
        let most = Self.transportLead.nanoseconds()
        if lead > most { shift = .nanoseconds(shift.nanoseconds() + lead - most) }
    }

    /// - Throws: `.outOfOrder`.
    private func checkOrder(
        of sample: SampleBuffer, _ track: Int, _ presentation: Int64, _ decode: Int64,
        _ base: AVRational
    ) throws(MediaError) {
        var fault: String?
        if let last = tracks[track].lastTicks {
            // where decode times are not written, those of reordered frames may meet in a tick
            let mayMeet = hasNoDecodeTimes(track) && sample.decodeTime != nil
            if decode < last || decode == last && !mayMeet {
                fault = "it is not after the one before in ticks of 1/\(base.den) s"
            }
        }
        if decode > presentation, !hasNoDecodeTimes(track) {
            fault = "it is shown before it is decoded"
        }
        guard let fault else { return }
        throw .refused(
            .outOfOrder, "track \(track)",
            "Cannot write a sample at \(sample.presentationTime) to track \(track): \(fault).")
    }

    /// A time in the container's ticks, the sum of all its parts rounded once.
    private func ticks(_ time: MediaTime, _ track: Int, _ base: AVRational) throws -> Int64 {
        let priming = tracks[track].statesPriming ? tracks[track].priming : .zero
        return try ticks(time, base.den, priming: priming)
    }

    private func ticks(
        _ time: MediaTime, _ perSecond: Int32, priming: MediaTime = .zero
    ) throws -> Int64 {
        var sum = Int128(try time.checkedTicks(per: MediaTime.hostTimescale, rounding: .nearest))
        sum += Int128(shift.nanoseconds()) + Int128(priming.nanoseconds())
        guard let nanoseconds = Int64(exactly: sum) else { throw MediaTimeError.overflow }
        return try MediaTime.nanoseconds(nanoseconds)
            .checkedTicks(per: perSecond, rounding: .nearest)
    }

    private func addTrim(leading: Int, trailing: Int) throws(MediaError) {
        guard leading > 0 || trailing > 0 else { return }
        guard let data = av_packet_new_side_data(packet.pointer, AV_PKT_DATA_SKIP_SAMPLES, 10)
        else {
            throw .memory("av_packet_new_side_data", "a sample's trim", code: .encoderFailed)
        }
        let bytes = UnsafeMutableRawBufferPointer(start: data, count: 10)
        let (first, last) = (UInt32(clamping: leading), UInt32(clamping: trailing))
        bytes.storeBytes(of: first.littleEndian, toByteOffset: 0, as: UInt32.self)
        bytes.storeBytes(of: last.littleEndian, toByteOffset: 4, as: UInt32.self)
        bytes.storeBytes(of: UInt16(0), toByteOffset: 8, as: UInt16.self)
    }

    /// What libavformat answers to samples and codec configurations that it will not write: invalid data, nothing it
    /// knows to do with them (its own numbers), not permitted.
    private static let refusals: Set<Int32> = [-1_094_995_529, -1_163_346_256, -1]

    private func check(_ function: String, _ result: Int32) throws {
        if let failure = stream.failure { throw failure }
        guard result >= 0 else {
            throw MediaError.call(
                function, result,
                code: Self.refusals.contains(result) ? .damagedFile : .encoderFailed,
                subject: container.rawValue,
                attempt: "Cannot write the \(container.rawValue) file")
        }
    }
}
