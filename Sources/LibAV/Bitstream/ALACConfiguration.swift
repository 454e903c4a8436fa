/// ALAC's configuration (the `ALACSpecificConfig` of Apple's format description, 24 bytes) in the forms
/// that containers and libavcodec have.
package enum ALACConfiguration {
    private static let size = 24

    /// The 24 bytes in what a container gives: themselves, behind version and flags (MP4's box), or behind
    /// the box's head as well (libavformat's). Channel layouts may follow. Empty when it is none of these.
    package static func body(of bytes: [UInt8]) -> [UInt8] {
        let name = Array("alac".utf8)
        let start =
            bytes.count >= 36 && Array(bytes[4..<8]) == name ? 12 : bytes.count >= 28 ? 4 : 0
        guard bytes.count >= start + size else { return [] }
        return Array(bytes[start..<start + size])
    }

    /// What libavcodec reads: the whole box.
    static func atom(of body: [UInt8]) -> [UInt8] {
        guard body.count == size else { return body }
        return [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0] + body
    }

    /// How many frames a packet holds that says so, as the last one does; nil: as many as the others.
    static func frames(of packet: UnsafeRawBufferPointer) -> Int? {
        // element 3 bits, instance 4, unused 12, whether the count follows 1, shift 2, escape 1
        guard packet.count >= 7, packet[2] & 0x10 != 0 else { return nil }
        let bits = packet[2..<7].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(bits >> 1 & 0xFFFF_FFFF)
    }

    /// Frames of every packet but the last; 0: it is not stated.
    static func framesPerPacket(of body: [UInt8]) -> Int {
        guard body.count == size else { return 0 }
        let frames = body.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return 1...(1 << 16) ~= frames ? frames : 0
    }

    /// Width of the samples (bits).
    package static func depth(of body: [UInt8]) -> Int? { body.count == size ? Int(body[5]) : nil }
}
