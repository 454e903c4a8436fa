internal import CFFmpeg
package import Media

/// The codes of a depth image, a PNG or JPEG of grey, as they stand in it. Reentrant.
///
/// Source: PNG (ISO/IEC 15948), 11.2.2; libavcodec's png and mjpeg decoders.
package struct DepthImage: Sendable {
    package enum Kind: String, Sendable, Hashable {
        case png = "image/png"
        case jpeg = "image/jpeg"

        /// What files of the kind begin with.
        private var signature: [UInt8] {
            self == .png ? [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] : [0xFF, 0xD8, 0xFF]
        }

        /// Whether bytes begin as a file of the kind does.
        package func begins(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: signature) }
    }

    /// Most points of a map (pixels).
    package static let mostPixels = 64 << 20

    package let width: Int
    package let height: Int
    /// Row after row.
    package let codes: [UInt16]
    /// The largest code there can be: 255 or 65535.
    package let largest: Int

    /// - Parameters:
    ///   - bytes: of the whole file.
    ///   - subject: what they come from, for errors.
    /// - Throws: `damagedFile`, `unsupported` for colours, `overLimit` for more than 64 Mi pixels, `outOfMemory`.
    package init(
        _ bytes: [UInt8], _ kind: Kind, subject: String
    ) throws(MediaError) {
        guard kind.begins(bytes) else { throw Self.damaged(subject, "it does not begin as one") }
        if kind == .png { try Self.checkHeader(bytes, subject) }
        let name = kind == .png ? "png" : "mjpeg"
        guard let codec = avcodec_find_decoder_by_name(name) else {
            throw .refused(
                .unsupported, subject, "Cannot read depth: this libavcodec has no \(name) decoder.")
        }
        let context = try CodecContext(codec, subject: "the \(name) decoder")
        context.pointer.pointee.max_pixels = Int64(Self.mostPixels)
        context.pointer.pointee.err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE
        try context.open([])
        let (packet, frame) = (try PacketBox(), try FrameBox())
        try packet.fill(BlockBuffer(bytes))
        LibAVLog.clear()
        for (function, result) in [
            ("avcodec_send_packet", avcodec_send_packet(context.pointer, packet.pointer)),
            ("avcodec_send_packet", avcodec_send_packet(context.pointer, nil)),
            ("avcodec_receive_frame", avcodec_receive_frame(context.pointer, frame.pointer)),
        ] where result < 0 {
            throw .call(
                function, result, code: .damagedFile, subject: subject,
                attempt: "Cannot read the depth in \(subject)")
        }
        let picture = frame.pointer.pointee
        (width, height) = (Int(picture.width), Int(picture.height))
        guard width > 0, height > 0, picture.flags & AV_FRAME_FLAG_CORRUPT == 0,
            let rows = frame.dataPointers[0]
        else { throw Self.damaged(subject, "its picture is not whole") }
        let isWide = picture.format == AV_PIX_FMT_GRAY16BE.rawValue
        guard isWide || Self.isGray(picture.format) else {
            throw .refused(
                .unsupported, subject,
                "Cannot read the depth in \(subject): its image is coloured, and depth is grey.")
        }
        largest = isWide ? 65_535 : 255
        let (columns, lines, stride) = (width, height, Int(picture.linesize.0))
        codes = [UInt16](unsafeUninitializedCapacity: columns * lines) { target, count in
            for y in 0..<lines {
                let row = rows + y * stride
                for x in 0..<columns {
                    target[y * columns + x] =
                        isWide ? UInt16(row[2 * x]) << 8 | UInt16(row[2 * x + 1]) : UInt16(row[x])
                }
            }
            count = columns * lines
        }
    }

    /// Grey of 8 bits; of a JPEG's colours that have none, too: its first plane is it.
    private static func isGray(_ format: Int32) -> Bool {
        [
            AV_PIX_FMT_GRAY8, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P,
            AV_PIX_FMT_YUVJ440P,
        ].contains { $0.rawValue == format }
    }

    /// The size goes before any memory.
    private static func checkHeader(_ bytes: [UInt8], _ subject: String) throws(MediaError) {
        guard bytes.count >= 33, bytes[12..<16].elementsEqual("IHDR".utf8) else {
            throw damaged(subject, "it has no header")
        }
        let sides = [16, 20].map { place in
            bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
        }
        guard sides.allSatisfy({ (1...65_535).contains($0) }), sides[0] * sides[1] <= mostPixels
        else {
            throw .refused(
                .overLimit, subject,
                "Cannot read the depth in \(subject): a map of \(sides[0])x\(sides[1]) is above the "
                    + "limit of \(mostPixels) pixels.")
        }
    }

    private static func damaged(_ subject: String, _ why: String) -> MediaError {
        .refused(
            .damagedFile, subject,
            "Cannot read the depth in \(subject): \(why); the file was cut "
                + "off or changed after it was taken.")
    }
}
