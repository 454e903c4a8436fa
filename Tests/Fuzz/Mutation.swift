import TestSupport

/// Damage to a file, the same for the same seed.
enum Mutation {
    /// What breaks arithmetic: ends of what 8, 16 and 32 bits hold.
    static let claims: [UInt32] = [
        0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x100_0000, 0x7FFF_FFFF,
        0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF,
    ]

    /// A file damaged in one to some places: bits, bytes and numbers changed, parts taken out, put in, doubled, cut
    /// off.
    static func damaged(_ bytes: [UInt8], seed: UInt64) -> [UInt8] {
        var chance = SplitMix(seed: seed)
        var result = bytes
        let times = [1, 1, 1, 2, 3, 5, 12].randomElement(using: &chance) ?? 1
        for _ in 0..<times where !result.isEmpty { change(&result, &chance) }
        return result
    }

    private static func change(_ bytes: inout [UInt8], _ chance: inout SplitMix) {
        let place = place(in: bytes.count, &chance)
        let number = claims.randomElement(using: &chance) ?? 0
        switch Int.random(in: 0..<10, using: &chance) {
        case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
        case 2: bytes[place] = UInt8.random(in: 0...255, using: &chance)
        case 3: put(number, 4, at: place, &bytes)
        case 4: put(number.byteSwapped, 4, at: place, &bytes)
        case 5: put(number, 2, at: place, &bytes)
        case 6: bytes.removeSubrange(place...)
        case 7:
            let end = min(bytes.count, place + .random(in: 1...64, using: &chance))
            bytes.removeSubrange(place..<end)
        case 8:
            let end = min(bytes.count, place + .random(in: 1...64, using: &chance))
            bytes.insert(contentsOf: bytes[place..<end], at: place)
        default:
            let start = Int.random(in: 0..<bytes.count, using: &chance)
            let part = bytes[start..<min(bytes.count, start + .random(in: 1...200, using: &chance))]
            bytes.insert(contentsOf: Array(part), at: place)
        }
    }

    /// Headers and indexes, which lie at the ends, are met more often than what is coded.
    private static func place(in count: Int, _ chance: inout SplitMix) -> Int {
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: Int.random(in: 0..<min(count, 600), using: &chance)
        case 1: count - 1 - Int.random(in: 0..<min(count, 1500), using: &chance)
        default: Int.random(in: 0..<count, using: &chance)
        }
    }

    /// Writes a number's lowest bytes, the highest of them first, as far as there is room.
    static func put(_ number: UInt32, _ size: Int, at place: Int, _ bytes: inout [UInt8]) {
        for index in 0..<size where place + index < bytes.count {
            bytes[place + index] = UInt8(
                truncatingIfNeeded: number >> UInt32(8 * (size - 1 - index)))
        }
    }
}
