internal import CFFmpeg
internal import Media

/// How many frames of audio a packet holds, by its own header, for containers whose stamps are too coarse to say it.
/// Thread-bound.
final class PacketFrames {
    // immutable
    private let format: AudioFormat
    /// Of Vorbis alone, whose packets' lengths depend on those before.
    private let vorbis: OpaquePointer?

    /// - Returns: nil for codecs whose packets are of one length, which the track states, or that do not state theirs.
    init?(_ format: AudioFormat) {
        guard let codec = format.codec, format.framesPerPacket == nil else { return nil }
        switch codec {
        case .ac3, .eac3, .opus, .flac, .dts, .mp2: vorbis = nil
        case .vorbis:
            let bytes = format.codecConfiguration
            guard let parser = av_vorbis_parse_init(bytes, Int32(clamping: bytes.count)) else {
                return nil
            }
            vorbis = parser
        default:
            guard codec.bytesPerPCMSample != nil else { return nil }
            vorbis = nil
        }
        self.format = format
    }

    deinit {
        var parser = vorbis
        av_vorbis_parse_free(&parser)
    }

    /// The packets that follow lie elsewhere.
    func reset() {
        if let vorbis { av_vorbis_parse_reset(vorbis) }
    }

    /// - Returns: nil for a packet that does not state it.
    func frames(of packet: UnsafeRawBufferPointer) -> Int? {
        guard packet.count > 0, let codec = format.codec else { return nil }
        if let width = codec.bytesPerPCMSample {
            return packet.count / max(1, width * format.channels)
        }
        switch codec {
        case .ac3: return 1536
        case .eac3: return Self.enhancedAC3(packet)
        case .opus: return Self.opus(packet).map { $0 * format.sampleRate / 48_000 }
        case .flac: return Self.flac(packet)
        case .dts: return Self.dts(packet)
        case .mp2: return 1152
        case .vorbis:
            guard let vorbis, let bytes = packet.bindMemory(to: UInt8.self).baseAddress else {
                return nil
            }
            let frames = av_vorbis_parse_frame(vorbis, bytes, Int32(clamping: packet.count))
            return frames >= 0 ? Int(frames) : nil
        default: return nil
        }
    }

    /// ETSI TS 102 366, E.1.2.2: blocks of 256 frames.
    private static func enhancedAC3(_ packet: UnsafeRawBufferPointer) -> Int? {
        guard packet.count > 5, packet[0] == 0x0B, packet[1] == 0x77 else { return nil }
        let (rate, blocks) = (packet[4] >> 6, Int(packet[4] >> 4 & 3))
        return 256 * (packet[5] >> 3 <= 10 || rate == 3 ? 6 : [1, 2, 3, 6][blocks])
    }

    /// RFC 6716, 3.1: frames of 48,000 a second.
    private static func opus(_ packet: UnsafeRawBufferPointer) -> Int? {
        let configuration = Int(packet[0] >> 3)
        let length: Int
        switch configuration {
        case ..<12: length = [480, 960, 1920, 2880][configuration & 3]
        case ..<16: length = [480, 960][configuration & 1]
        default: length = [120, 240, 480, 960][configuration & 3]
        }
        switch packet[0] & 3 {
        case 0: return length
        case 1, 2: return 2 * length
        default: return packet.count > 1 ? Int(packet[1] & 63) * length : nil
        }
    }

    /// RFC 9639, 9.1: the block size, behind the coded number where it is stated in full.
    private static func flac(_ packet: UnsafeRawBufferPointer) -> Int? {
        guard packet.count > 6, packet[0] == 0xFF, packet[1] & 0xFC == 0xF8 else { return nil }
        let code = Int(packet[2] >> 4)
        let ones = (~packet[4]).leadingZeroBitCount
        let place = 4 + max(1, ones)
        switch code {
        case 1: return 192
        case 2...5: return 576 << (code - 2)
        case 6: return packet.count > place ? Int(packet[place]) + 1 : nil
        case 7:
            guard packet.count > place + 1 else { return nil }
            return Int(packet[place]) << 8 + Int(packet[place + 1]) + 1
        case 8...: return 256 << (code - 8)
        default: return nil
        }
    }

    /// ETSI TS 102 114, 5.4.1: blocks of 32 frames.
    private static func dts(_ packet: UnsafeRawBufferPointer) -> Int? {
        guard packet.count > 5, packet.starts(with: [0x7F, 0xFE, 0x80, 0x01]) else { return nil }
        return 32 * (Int(packet[4] & 1) << 6 + Int(packet[5] >> 2) + 1)
    }
}
