/// The end of an MPEG transport stream (ISO/IEC 13818-1): where its last complete packet ends, and
/// whether the elementary packet (PES) it belongs to was written to its end. A pure value.
struct TransportTail: Sendable, Hashable {
    static let packetSize = 188
    private static let sync: UInt8 = 0x47

    /// Where the stream is to be cut (bytes from the start of the window); its size: nowhere.
    let end: Int
    /// Bytes of the window that are no packets: the torn last one, or what a power cut left.
    let garbage: Int

    /// Whether a file begins as a transport stream does.
    static func looksLikeOne(_ head: [UInt8]) -> Bool {
        head.count >= packetSize
            && stride(from: 0, to: min(head.count, 5 * packetSize), by: packetSize)
                .allSatisfy { head[$0] == sync }
    }

    /// - Parameter window: the last bytes of a file, from the start of a packet.
    init(_ window: [UInt8]) {
        var whole = window.count / TransportTail.packetSize * TransportTail.packetSize
        while whole > 0, window[whole - TransportTail.packetSize] != TransportTail.sync {
            whole -= TransportTail.packetSize
        }
        garbage = window.count - whole
        var units: [Int: Unit] = [:]
        var last: Int?
        for start in stride(from: 0, to: whole, by: TransportTail.packetSize) {
            guard let packet = Packet(window[start..<start + TransportTail.packetSize]) else {
                continue
            }
            if packet.startsUnit {
                units[packet.stream] = packet.isElementary ? Unit(packet, start) : nil
            }
            guard units[packet.stream] != nil else { continue }
            if !packet.startsUnit { units[packet.stream]?.add(packet) }
            last = packet.stream
        }
        guard let last, let unit = units[last] else {
            end = whole
            return
        }
        let torn = Packet(header: window[whole...])
        let continues = garbage > 0 && torn.map { $0.stream == last && !$0.startsUnit } ?? true
        // one without a length that fills its last packet exactly may be complete: it is kept, unless
        // the torn packet behind it belongs to it or nobody can say
        end = unit.isComplete ?? !continues ? whole : unit.start
    }

    /// One PES packet, over the transport packets seen of it.
    private struct Unit {
        let start: Int
        /// Bytes with the header; nil when it does not state them.
        let length: Int?
        var bytes: Int
        var isPadded: Bool

        init(_ packet: Packet, _ start: Int) {
            self.start = start
            length = packet.unitLength
            bytes = packet.payload.count
            isPadded = packet.isPadded
        }

        mutating func add(_ packet: Packet) {
            bytes += packet.payload.count
            isPadded = packet.isPadded
        }

        /// Nil: not known.
        var isComplete: Bool? {
            if let length { return bytes >= length }
            return isPadded ? true : nil
        }
    }

    /// One transport packet.
    private struct Packet {
        let stream: Int
        let startsUnit: Bool
        /// Whether its adaptation field has bytes that say nothing, as in the last one of a unit.
        let isPadded: Bool
        let payload: ArraySlice<UInt8>

        init?(header bytes: ArraySlice<UInt8>) {
            guard bytes.count >= 4, let first = bytes.first, first == TransportTail.sync else {
                return nil
            }
            let at = bytes.startIndex
            startsUnit = bytes[at + 1] & 0x40 != 0
            stream = Int(bytes[at + 1] & 0x1F) << 8 | Int(bytes[at + 2])
            (isPadded, payload) = (false, [])
        }

        init?(_ bytes: ArraySlice<UInt8>) {
            guard let header = Packet(header: bytes) else { return nil }
            (stream, startsUnit) = (header.stream, header.startsUnit)
            let at = bytes.startIndex
            let control = bytes[at + 3] >> 4 & 3
            guard control & 2 != 0 else {
                (isPadded, payload) = (false, bytes.dropFirst(4))
                return
            }
            let length = Int(bytes[at + 4])
            guard 5 + length <= bytes.count else { return nil }
            let flags = length > 0 ? bytes[at + 5] : 0
            let needed = 1 + (flags & 0x10 != 0 ? 6 : 0) + (flags & 0x08 != 0 ? 6 : 0)
            isPadded = length == 0 || length > needed
            payload = control & 1 != 0 ? bytes.dropFirst(5 + length) : []
        }

        /// Whether a unit of an elementary stream begins here.
        var isElementary: Bool { payload.starts(with: [0, 0, 1]) && payload.count >= 6 }

        var unitLength: Int? {
            let at = payload.startIndex
            let length = Int(payload[at + 4]) << 8 | Int(payload[at + 5])
            return length == 0 ? nil : length + 6
        }
    }
}
