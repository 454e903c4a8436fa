internal import Media

/// The picture of a still PNG, made smaller row by row while it is unpacked: the whole one is never in memory.
/// Thread-bound.
///
/// Grey and RGB of 8 and 16 bits, with opacity or without, its rows in order (`reads`); all others go through
/// libavcodec as a whole.
///
/// Source: PNG (ISO/IEC 15948), 7.2 and 9.
final class PNGRows: DecodedPictures {
    private let file: ImageFile
    private let bytes: FileBytes
    private let structure: PNGStructure
    private let reduction: RowReduction
    private(set) var damagedFrames = 0

    /// - Parameter factor: how many pixels of a side become one (count; at least 2).
    init(_ file: ImageFile, _ bytes: FileBytes, _ structure: PNGStructure, factor: Int) {
        self.file = file
        self.bytes = bytes
        self.structure = structure
        reduction = RowReduction(
            width: file.width, height: file.height, format: file.pixelFormat, factor: factor)
    }

    static func reads(_ file: ImageFile, _ structure: PNGStructure) -> Bool {
        let format = file.pixelFormat
        // packed and filtered in the one way there is, and not interlaced
        return structure.kind.suffix(3) == [0, 0, 0]
            && [0, 2, 4, 6].contains(structure.colorType)
            && structure.bitDepth == (format.bitDepth > 8 ? 16 : 8)
            && format.isRGB && format.hasAlpha == (structure.colorType & 4 != 0)
    }

    func picture(at index: Int) throws(MediaError) -> PixelBuffer {
        let lines = try PNGLines(
            bytes, structure.pictures.first?.data ?? [],
            bytesPerPixel: structure.channels * Int(structure.bitDepth) / 8, width: file.width)
        let rowBytes = file.pixelFormat.layout.planes[0].bytesPerRow(width: file.width)
        // aligned for codes of 16 bits
        let group = UnsafeMutableRawBufferPointer.allocate(
            byteCount: rowBytes * reduction.down, alignment: 16)
        defer { group.deallocate() }
        guard let start = group.baseAddress else { throw .damaged(file.path, "it is empty") }
        let rows = (0..<reduction.down).map { UnsafeRawPointer(start + rowBytes * $0) }
        var result = PixelBuffer(
            width: reduction.width, height: reduction.height, format: file.pixelFormat)
        damagedFrames = 0
        try result.withMutablePlanes { targets throws(MediaError) in
            for row in 0..<reduction.height {
                for line in 0..<reduction.down {
                    let place = start + rowBytes * line
                    if try lines.next() {
                        unpack(lines.line, to: place)
                    } else {
                        // what is missing is nothing that is seen
                        damagedFrames = 1
                        place.initializeMemory(as: UInt8.self, repeating: 0, count: rowBytes)
                    }
                }
                reduction.reduce(rows, into: UnsafeMutableRawPointer(targets[0].row(row)))
            }
        }
        return result
    }

    /// Big-endian codes of a row as RGB of this machine.
    private func unpack(_ line: UnsafePointer<UInt8>, to target: UnsafeMutableRawPointer) {
        if structure.bitDepth == 8 {
            let codes = target.assumingMemoryBound(to: UInt8.self)
            spread(to: codes) { line[$0] }
        } else {
            let codes = target.assumingMemoryBound(to: UInt16.self)
            spread(to: codes) { UInt16(line[2 * $0]) << 8 | UInt16(line[2 * $0 + 1]) }
        }
    }

    @inline(__always)
    private func spread<Code>(to codes: UnsafeMutablePointer<Code>, _ code: (Int) -> Code) {
        let channels = structure.channels
        guard channels < 3 else {
            for place in 0..<(channels * file.width) { codes[place] = code(place) }
            return
        }
        for x in 0..<file.width {
            let place = (channels + 2) * x
            for color in 0..<3 { codes[place + color] = code(channels * x) }
            if channels == 2 { codes[place + 3] = code(channels * x + 1) }
        }
    }
}

extension PNGStructure {
    /// Codes of a pixel (count).
    fileprivate var channels: Int {
        switch colorType {
        case 2: 3
        case 4: 2
        case 6: 4
        default: 1
        }
    }
}
