/// The first fields of an AAC decoder's configuration (ISO/IEC 14496-3, 1.6.2.1).
struct AudioSpecificConfiguration {
    /// As the decoder puts them out; nil where a program configuration element or an extension states.
    let channels: Int?

    init(_ bytes: [UInt8]) {
        var bits = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        bits <<= UInt64(8 * (8 - min(8, bytes.count)))
        func take(_ count: UInt64) -> Int {
            defer { bits <<= count }
            return Int(bits >> (64 - count))
        }
        let objectType = take(5)
        // an index of 15 is followed by the rate itself
        if take(4) == 15 { _ = take(24) }
        // plain AAC: Main, LC, SSR, LTP; with parametric stereo one coded channel is two
        guard bytes.count >= 2, (1...4).contains(objectType) else {
            channels = nil
            return
        }
        let configuration = take(4)
        channels = [1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 8][configuration]
    }
}
