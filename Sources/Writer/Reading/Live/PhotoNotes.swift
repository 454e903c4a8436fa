internal import Movie

/// What a photo file says about itself: its XMP packet and its Exif block, wherever its kind keeps them.
struct PhotoNotes {
    var xmp: [UInt8]?
    /// From the TIFF header on.
    var exif: [UInt8]?

    /// A segment has at most 64 KiB; cameras write these among the first.
    private static let reach = 1 << 20

    /// - Parameter head: the beginning of a JPEG, at most `reach` bytes are looked at.
    ///
    /// Source: ISO/IEC 10918-1, B.1.1.4; Exif 2.3, 4.7.2; XMP part 3, 1.1.3.
    init(jpeg head: [UInt8]) {
        let signatures = (
            xmp: Array("http://ns.adobe.com/xap/1.0/\0".utf8), exif: Array("Exif\0\0".utf8)
        )
        var at = 2
        // segments lie one after the other; the picture begins with 0xDA
        while at + 4 <= head.count, head[at] == 0xFF, head[at + 1] != 0xDA {
            let end = at + 2 + (Int(head[at + 2]) << 8 | Int(head[at + 3]))
            guard end >= at + 4, end <= head.count else { return }
            if head[at + 1] == 0xE1 {
                let body = head[(at + 4)..<end]
                if xmp == nil, body.starts(with: signatures.xmp) {
                    xmp = Array(body.dropFirst(signatures.xmp.count))
                } else if exif == nil, body.starts(with: signatures.exif) {
                    exif = Array(body.dropFirst(signatures.exif.count))
                }
            }
            at = end
        }
    }

    static func ofJPEG(_ io: any FileIO) throws(IOFailure) -> PhotoNotes {
        PhotoNotes(jpeg: try io.readAll(reach, at: 0))
    }
}
