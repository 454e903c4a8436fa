internal import CFFmpeg
internal import Media

/// Owns one `AVPacket`.
final class PacketBox: @unchecked Sendable {  // because shared data never changes
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(MediaError) {
        guard let packet = av_packet_alloc() else { throw .memory("av_packet_alloc", "a packet") }
        pointer = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size))
    }

    /// The packet's bytes without a copy; this box lives as long as they do.
    func sharedBlock() -> BlockBuffer { BlockBuffer(sharing: bytes, release: { _ = self }) }

    /// Fills the packet with a padded copy, as libavcodec's readers want it.
    func fill(_ block: BlockBuffer) throws(MediaError) {
        av_packet_unref(pointer)
        guard let size = Int32(exactly: block.count), av_new_packet(pointer, size) >= 0 else {
            throw .memory("av_new_packet", "a sample of \(block.count) bytes")
        }
        block.withUnsafeBytes { source in
            UnsafeMutableRawBufferPointer(start: pointer.pointee.data, count: block.count)
                .copyMemory(from: source)
        }
    }

    /// A side data block of the packet.
    func sideData(_ type: AVPacketSideDataType) -> UnsafeRawBufferPointer? {
        var size = 0
        guard let data = av_packet_get_side_data(pointer, type, &size) else { return nil }
        return UnsafeRawBufferPointer(start: data, count: size)
    }

    /// Frames to cut from the decoded start and end, when the packet says so.
    var trim: (leading: Int, trailing: Int) {
        guard let data = sideData(AV_PKT_DATA_SKIP_SAMPLES), data.count >= 10 else { return (0, 0) }
        let start = data.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
        let end = data.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        return (Int(UInt32(littleEndian: start)), Int(UInt32(littleEndian: end)))
    }
}
