internal import Media

/// How a JPEG says it must be turned. Reentrant.
///
/// Source: Exif 2.3, 4.6.4 tag 0x0112, in the APP1 segment of JPEG.
enum ExifOrientation {
    /// Where in a file the segment is looked for (bytes): cameras write it first, and a segment has at
    /// most 64 KiB.
    static let reach = 256 << 10

    /// - Returns: nil where the file says nothing, or nothing that can be understood.
    static func read(_ jpeg: UnsafeRawBufferPointer) -> VideoOrientation? {
        guard jpeg.count > 4, jpeg[0] == 0xFF, jpeg[1] == 0xD8 else { return nil }
        var at = 2
        // segments lie one after the other; the picture begins with 0xDA
        while at + 4 <= jpeg.count, jpeg[at] == 0xFF, jpeg[at + 1] != 0xDA {
            let length = Int(jpeg[at + 2]) << 8 | Int(jpeg[at + 3])
            let end = min(at + 2 + length, jpeg.count)
            guard length >= 2 else { return nil }
            if jpeg[at + 1] == 0xE1, let value = value(in: jpeg, from: at + 4, to: end) {
                return orientation(value)
            }
            at += 2 + length
        }
        return nil
    }

    private static func value(
        in jpeg: UnsafeRawBufferPointer, from start: Int, to end: Int
    ) -> Int? {
        guard end - start >= 14, jpeg[start..<(start + 6)].elementsEqual("Exif\0\0".utf8) else {
            return nil
        }
        let base = start + 6
        let isLittle = jpeg[base] == 0x49
        func number(_ at: Int, _ count: Int) -> Int? {
            guard at >= base, at + count <= end else { return nil }
            let bytes = jpeg[at..<(at + count)]
            return (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) {
                $0 << 8 | Int($1)
            }
        }
        guard let offset = number(base + 4, 4), let count = number(base + offset, 2) else {
            return nil
        }
        for index in 0..<count {
            let entry = base + offset + 2 + index * 12
            guard let tag = number(entry, 2) else { return nil }
            if tag == 0x0112 { return number(entry + 8, 2) }
        }
        return nil
    }

    private static func orientation(_ value: Int) -> VideoOrientation? {
        switch value {
        case 1: .upright
        case 2: VideoOrientation(isMirrored: true)
        case 3: VideoOrientation(rotation: .half)
        case 4: VideoOrientation(rotation: .half, isMirrored: true)
        case 5: VideoOrientation(rotation: .clockwise270, isMirrored: true)
        case 6: VideoOrientation(rotation: .clockwise90)
        case 7: VideoOrientation(rotation: .clockwise90, isMirrored: true)
        case 8: VideoOrientation(rotation: .clockwise270)
        default: nil
        }
    }
}
