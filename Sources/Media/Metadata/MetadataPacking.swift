/// A sample of metadata in bytes: for each item its length with this head (32 bits), its key's number from 1
/// (32 bits) and its value, big endian. It is what QuickTime's `mebx` tracks hold (QuickTime File Format, "Timed
/// Metadata Media"); samples in memory have it whatever their file has.
package enum MetadataPacking {
    /// Length and key's number in front of a value (bytes).
    package static let headSize = 8

    /// An item's place in a sample.
    package struct Item: Sendable, Hashable {
        /// In the format's keys, from 0.
        package let key: Int
        /// The value's bytes.
        package let value: Range<Int>
    }

    /// - Returns: nil where the bytes are no sample of the format.
    package static func items(
        in bytes: UnsafeRawBufferPointer, of format: MetadataFormat
    ) -> [Item]? {
        guard bytes.count <= MetadataFormat.largestSample else { return nil }
        var items: [Item] = []
        var place = 0
        while place < bytes.count {
            guard bytes.count - place >= headSize else { return nil }
            let size = Int(word(bytes, place))
            let number = Int(word(bytes, place + 4))
            guard size >= headSize, size <= bytes.count - place,
                (1...format.keys.count).contains(number)
            else { return nil }
            let key = number - 1
            if let wanted = format.keys[key].dataType.size, wanted != size - headSize { return nil }
            items.append(Item(key: key, value: place + headSize..<place + size))
            place += size
        }
        return items
    }

    /// Whether the bytes are a sample of the format.
    package static func isSample(
        _ bytes: UnsafeRawBufferPointer, of format: MetadataFormat
    ) -> Bool {
        items(in: bytes, of: format) != nil
    }

    /// Adds an item at the end of a sample.
    package static func append(_ value: [UInt8], key: Int, to bytes: inout [UInt8]) {
        for word in [UInt32(clamping: value.count + headSize), UInt32(clamping: key + 1)] {
            withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
        }
        bytes += value
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
}
