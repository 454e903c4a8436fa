/// Whole numbers in the order they came, each in as few bytes as it needs (seven bits a byte, the lowest
/// first), in blocks that stay where they are: an array that grows holds up to twice what is in it, and three
/// times as much while it moves.
struct NumberLog: Sendable {
    /// With the header of the array one piece of the C heap of 8 KiB (bytes).
    private static let blockSize = 8 << 10 - 48
    /// Of one number (bytes).
    private static let longest = 10

    private var full: [[UInt8]] = []
    private var last: [UInt8] = []
    private(set) var count = 0

    /// Memory held (bytes).
    var memory: Int {
        full.capacity * 8 + full.count * (Self.blockSize + 48) + last.capacity
    }

    mutating func append(_ number: UInt64) {
        if last.count > Self.blockSize - Self.longest {
            full.append(last)
            last = []
            last.reserveCapacity(Self.blockSize)
        }
        var rest = number
        while rest > 0x7F {
            last.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        last.append(UInt8(truncatingIfNeeded: rest))
        count += 1
    }

    /// As small as its distance from zero, whatever the sign.
    mutating func append(signed number: Int64) {
        append(UInt64(bitPattern: number << 1 ^ number >> 63))
    }
}

extension NumberLog: Sequence {
    struct Iterator: IteratorProtocol {
        private let blocks: [[UInt8]]
        private var nextBlock = 1
        private var block: [UInt8]
        private var place = 0

        fileprivate init(_ blocks: [[UInt8]]) {
            self.blocks = blocks
            block = blocks[0]
        }

        mutating func next() -> UInt64? {
            if place == block.count {
                guard nextBlock < blocks.count else { return nil }
                block = blocks[nextBlock]
                nextBlock += 1
                place = 0
            }
            var (number, shift) = (UInt64(0), UInt64(0))
            while place < block.count {
                let byte = block[place]
                place += 1
                number |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return number }
                shift += 7
            }
            return nil
        }

        /// What `append(signed:)` took.
        mutating func nextSigned() -> Int64? {
            next().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
        }
    }

    func makeIterator() -> Iterator { Iterator(full + [last]) }
}
