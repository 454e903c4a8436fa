internal import CFFmpeg
internal import Media

extension FormatContext {
    /// Most packets read to know the tracks (count), and their bytes.
    private static let packetLimit = 1000
    private static let byteLimit = 16 << 20

    /// Reads until each track of AAC with headers before its samples has shown one, and completes those
    /// tracks. What follows in the file is not touched; an error here comes again where it is read on.
    /// - Returns: the packets read.
    func readAhead(
        _ tracks: inout [DemuxedTrack], _ trackOfStream: [Int32: Int]
    ) throws(MediaError) -> [PacketBox] {
        var waiting: Set<Int> = []
        for track in tracks {
            if case .transportHeaders(nil) = track.framing { waiting.insert(track.index) }
        }
        var packets: [PacketBox] = []
        var bytes = 0
        while !waiting.isEmpty, packets.count < Self.packetLimit, bytes < Self.byteLimit {
            let packet = try PacketBox()
            guard av_read_frame(pointer, packet.pointer) >= 0 else { break }
            packets.append(packet)
            bytes += Int(packet.pointer.pointee.size)
            guard let track = trackOfStream[packet.pointer.pointee.stream_index],
                waiting.contains(track), packet.pointer.pointee.size > 0
            else { continue }
            waiting.remove(track)
            if let header = ADTSHeader(packet.bytes) {
                tracks[track] = tracks[track].stated(by: header)
            }
        }
        return packets
    }
}
