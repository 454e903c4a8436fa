/// Rows of 32-bit words, kept as they are in the file (big endian).
package struct PackedTable: Sendable, Equatable {
    package let columns: Int
    private var words: [UInt32] = []

    package init(columns: Int) { self.columns = columns }

    package init(columns: Int, bigEndian bytes: UnsafeRawBufferPointer) {
        self.columns = columns
        words = [UInt32](unsafeUninitializedCapacity: bytes.count / 4) { buffer, count in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
            count = bytes.count / 4
        }
    }

    package var rows: Int { words.count / columns }
    package var isEmpty: Bool { words.isEmpty }
    package var byteCount: Int { words.count * 4 }

    package subscript(_ row: Int, _ column: Int = 0) -> UInt32 {
        get { UInt32(bigEndian: words[row * columns + column]) }
        set { words[row * columns + column] = newValue.bigEndian }
    }

    package mutating func append(_ value: UInt32) { words.append(value.bigEndian) }

    package mutating func append(_ first: UInt32, _ second: UInt32) {
        words.append(first.bigEndian)
        words.append(second.bigEndian)
    }

    package mutating func append(_ first: UInt32, _ second: UInt32, _ third: UInt32) {
        append(first, second)
        words.append(third.bigEndian)
    }

    package func write(to builder: inout BoxBuilder) {
        words.withUnsafeBytes { builder.raw($0) }
    }
}
