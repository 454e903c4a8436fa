internal import Media

/// Whether a picture file reaches its end. A decoder would show what is there of a torn one, grey
/// or empty below, and say nothing. Reentrant.
///
/// Source: ISO/IEC 10918-1, B.1.1; PNG (ISO/IEC 15948), 5.3.
enum StillStructure {
    /// - Returns: true for codecs whose structure is not looked at.
    static func isWhole(_ bytes: UnsafeRawBufferPointer, _ codec: VideoCodec) -> Bool {
        switch codec {
        case .mjpeg: isWholeJPEG(bytes)
        case .png: isWholePNG(bytes)
        default: true
        }
    }

    /// Goes from segment to segment, and through coded data, to the marker of the image's end.
    private static func isWholeJPEG(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var at = 2
        while at + 1 < bytes.count {
            guard bytes[at] == 0xFF else {
                // between segments there is nothing; what fills it is skipped
                at += 1
                continue
            }
            switch bytes[at + 1] {
            case 0xD9: return true
            case 0xFF: at += 1
            // a stuffed byte, a restart, a marker without a length
            case 0x00, 0x01, 0xD0...0xD8: at += 2
            default:
                guard at + 3 < bytes.count else { return false }
                at += 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
            }
        }
        return false
    }

    /// Goes from chunk to chunk to IEND.
    private static func isWholePNG(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var at = 8
        while at + 12 <= bytes.count {
            let length = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
            if bytes[(at + 4)..<(at + 8)].elementsEqual("IEND".utf8) { return true }
            at += 12 + length
        }
        return false
    }
}
