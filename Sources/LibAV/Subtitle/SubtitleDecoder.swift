internal import CFFmpeg
internal import Glibc
package import Media

/// Coded text with its marks (italics, colours, places) as events of a SubStation script: what libass draws.
/// Thread-bound.
///
/// Source: libavcodec's decoders of text, whose events are those of Matroska's blocks: "ReadOrder, Layer, Style, Name,
/// MarginL, MarginR, MarginV, Effect, Text" (Matroska codec specification, S_TEXT/ASS).
package final class SubtitleDecoder {
    private let context: CodecContext

    /// - Parameter configuration: of the track; of SubStation the script without its lines.
    package init(_ codec: TextCodec, configuration: [UInt8] = []) throws(MediaError) {
        let subject = "the decoder for \(codec.rawValue)"
        guard let decoder = avcodec_find_decoder(codec.identifier) else {
            throw .refused(
                .unsupported, codec.rawValue,
                "Cannot draw these subtitles: this libavcodec does not decode \(codec.rawValue).")
        }
        context = try CodecContext(decoder, subject: subject)
        try context.setExtradata(configuration)
        context.pointer.pointee.pkt_timebase = AVRational(num: 1, den: 1000)
        context.pointer.pointee.time_base = AVRational(num: 1, den: 1000)
        try context.open([])
    }

    /// The events that a sample stands for; none where it cannot be decoded or says nothing.
    package func events(of sample: BlockBuffer) throws(MediaError) -> [[UInt8]] {
        let packet = try PacketBox()
        try packet.fill(sample)
        packet.pointer.pointee.pts = 0
        packet.pointer.pointee.duration = 1000
        var subtitle = AVSubtitle()
        var isThere: Int32 = 0
        LibAVLog.clear()
        let result = avcodec_decode_subtitle2(
            context.pointer, &subtitle, &isThere, packet.pointer)
        guard result >= 0, isThere != 0 else { return [] }
        defer { avsubtitle_free(&subtitle) }
        var events: [[UInt8]] = []
        for index in 0..<Int(subtitle.num_rects) {
            guard let line = subtitle.rects[index]?.pointee.ass else { continue }
            let text = UnsafeRawBufferPointer(start: line, count: strlen(line))
            if !text.isEmpty { events.append(Array(text)) }
        }
        return events
    }
}
