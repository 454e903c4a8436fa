internal import CFFmpeg
internal import Glibc
internal import Media

/// Which coded frames a decoder shows though it could not decode all of them. Thread-safe: decoders
/// with several threads complain on each.
///
/// libavcodec marks such frames (`decode_error_flags`) in some decoders only, and loses the mark where
/// several threads decode whole frames (libavcodec 59); what it writes to its log is the other half.
/// The decoder that writes a line carries the number of the packet it is at.
final class DecoderComplaints: Sendable {
    /// How the lines begin that are of the frame's own codes: parts filled in (H.264, MPEG-2 and -4),
    /// Motion-JPEG's blocks, its pictures that end too soon, FFV1's checksums, TIFF's strips. Other lines report
    /// of headers as well, which harm no frame.
    private static let beginnings = [
        "concealing ", "error while decoding MB",
        "error dc", "error y=", "overread ", "bitstream truncated",
        "slice CRC mismatch",
        "Decoded only ", "Uncompressing failed", "Read went out", "Copy went out", "Run went out",
        "Source data overread",
    ]

    private let packets = BlockingLock<Set<Int64>>([])

    func note(_ packet: Int64) { packets.withLock { _ = $0.insert(packet) } }

    /// Whether there were complaints about a packet, which are then forgotten, as are those about
    /// packets that came long before.
    func take(_ packet: Int64) -> Bool {
        packets.withLock { packets in
            guard !packets.isEmpty else { return false }
            packets = packets.filter { $0 > packet - 64 }
            return packets.remove(packet) != nil
        }
    }

    /// Takes note of a line of libav's log.
    /// - Parameter writer: of libav's objects the one that wrote it.
    static func hear(
        _ format: UnsafePointer<CChar>, level: Int32, from writer: UnsafeMutableRawPointer?
    ) {
        guard level <= AV_LOG_INFO, let writer,
            writer.load(as: UnsafePointer<AVClass>?.self) == avcodec_get_class()
        else { return }
        let context = writer.assumingMemoryBound(to: AVCodecContext.self)
        // only decoders of ours have an owner
        guard let owner = context.pointee.opaque,
            beginnings.contains(where: { strncmp(format, $0, $0.utf8.count) == 0 })
        else { return }
        Unmanaged<DecoderComplaints>.fromOpaque(owner).takeUnretainedValue()
            .note(context.pointee.reordered_opaque)
    }
}

extension FrameBox {
    /// Whether the decoder says that the frame is not whole.
    var isDamaged: Bool {
        pointer.pointee.decode_error_flags != 0
            || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }
}
