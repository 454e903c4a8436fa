internal import CFFmpeg
internal import Media

/// Gives frames their presentation times where the file has none: AVI counts frames in the order of decoding.
/// The frame shown as the n-th gets the n-th time. In which order they are shown the frames' headers say: the
/// order count of H.264 and HEVC, elsewhere that those from which nothing is predicted come before the
/// reference before. Samples come out in the order pushed. Thread-bound.
final class PresentationOrder {
    /// More than decoders put back into order (count).
    private static let room = 32
    /// A frame that was not coded and only closes one that was packed with another (bytes).
    private static let largestPlaceholder = 8

    private struct Entry {
        var sample: SampleBuffer
        let decodeTime: MediaTime
        var isPlaced = false
    }

    // immutable
    private let codec: VideoCodec
    private let parser: UnsafeMutablePointer<AVCodecParserContext>
    private let context: UnsafeMutablePointer<AVCodecContext>

    // owned by the calling thread
    private var entries: [Entry] = []
    /// Samples handed out (count): the first entry's number.
    private var handedOut = 0
    /// Times of frames in the order shown, for those whose place is not known.
    private var times: [MediaTime] = []
    /// Frames without a place: number, and place among each other.
    private var waiting: [(number: Int, order: Int)] = []
    private var hasEnded = false

    /// - Returns: nil for codecs whose frames are shown in the order they are decoded.
    init?(_ codec: VideoCodec?, _ parameters: UnsafePointer<AVCodecParameters>) {
        guard let codec, [.h264, .hevc, .mpeg4, .mpeg2video].contains(codec),
            let context = avcodec_alloc_context3(nil)
        else { return nil }
        var unused: UnsafeMutablePointer<AVCodecContext>? = context
        guard avcodec_parameters_to_context(context, parameters) >= 0,
            let parser = av_parser_init(Int32(codec.identifier.rawValue))
        else {
            avcodec_free_context(&unused)
            return nil
        }
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
        self.codec = codec
        self.context = context
        self.parser = parser
    }

    deinit {
        av_parser_close(parser)
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// - Parameter packet: what the sample was made of.
    func push(_ sample: SampleBuffer, _ packet: PacketBox) {
        let decodeTime = sample.decodeTime ?? sample.presentationTime
        let number = handedOut + entries.count
        entries.append(Entry(sample: sample, decodeTime: decodeTime))
        times.append(decodeTime)
        let raw = packet.pointer.pointee
        var (data, size): (UnsafeMutablePointer<UInt8>?, Int32) = (nil, 0)
        _ = av_parser_parse2(
            parser, context, &data, &size, raw.data, raw.size, vcap_no_pts, vcap_no_pts, 0)
        let header = parser.pointee
        if codec == .h264 || codec == .hevc {
            // nothing shown before one of these is decoded after it, and its count may begin again
            if header.key_frame == 1 { placeAll() }
            waiting.append((number, Int(header.output_picture_number)))
            if waiting.count > Self.room { placeFirst() }
        } else {
            let isPlaceholder = codec == .mpeg4 && Int(raw.size) <= Self.largestPlaceholder
            if header.pict_type == AV_PICTURE_TYPE_B.rawValue || isPlaceholder {
                place(number)
            } else {
                placeAll()
                waiting.append((number, 0))
            }
        }
    }

    func end() {
        hasEnded = true
        placeAll()
    }

    /// The next sample in the order pushed; nil where more are needed.
    func next() -> SampleBuffer? {
        guard let entry = entries.first, entry.isPlaced else { return nil }
        entries.removeFirst()
        handedOut += 1
        return entry.sample
    }

    private func placeAll() {
        while !waiting.isEmpty { placeFirst() }
    }

    private func placeFirst() {
        guard let first = waiting.indices.min(by: { waiting[$0].order < waiting[$1].order })
        else { return }
        place(waiting.remove(at: first).number)
    }

    /// The frame is the next one shown.
    private func place(_ number: Int) {
        let place = number - handedOut
        guard entries.indices.contains(place), !times.isEmpty else { return }
        let time = times.removeFirst()
        let decodeTime = entries[place].decodeTime
        entries[place].sample.presentationTime = time
        entries[place].sample.decodeTime = decodeTime == time ? nil : decodeTime
        entries[place].isPlaced = true
    }
}
