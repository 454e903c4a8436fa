internal import CFFmpeg
package import Media

/// Codes one picture as a PNG or JPEG file. Reentrant.
///
/// Source: libavcodec's png and mjpeg encoders.
package enum StillEncoder {
    package enum Form: String, Sendable, CaseIterable {
        case png
        case jpeg

        /// By a file's ending (`png`, `jpg`, `jpeg`), without regard to case.
        package init?(path: String) {
            switch path.split(separator: ".").last?.lowercased() {
            case "png": self = .png
            case "jpg", "jpeg": self = .jpeg
            default: return nil
            }
        }
    }

    /// What is spent on a file.
    package enum Effort: Sendable {
        /// A coarser JPEG, a larger PNG.
        case fast
        case usual
        /// The finest JPEG, the smallest PNG.
        case best

        /// Of JPEG's quantiser (1 finest).
        fileprivate var scale: Int32 {
            switch self {
            case .fast: 5
            case .usual: 2
            case .best: 1
            }
        }

        /// Of PNG's deflate (1…9); `nil`: zlib's own.
        var compression: Int32? {
            switch self {
            case .fast: 1
            case .usual: nil
            case .best: 9
            }
        }
    }

    /// The file's bytes.
    /// - Parameters:
    ///   - format: of the picture: its colours and range are brought to what the form has; opacity is kept in PNG.
    ///   - ignoresOpacity: whether the picture's opacity means nothing: its PNG has red, green and blue alone.
    ///   - exif: what the file says of itself besides (default: nothing).
    package static func encode(
        _ frame: PixelBuffer, format: VideoFormat, as form: Form, ignoresOpacity: Bool = false,
        effort: Effort = .usual, exif: ExifBlock? = nil
    ) throws(MediaError) -> [UInt8] {
        var target = format
        let keepsAlpha =
            form == .png && !ignoresOpacity && format.pixelFormat?.hasAlpha == true
        target.coding = .raw(form == .png ? keepsAlpha ? .rgba : .rgb24 : .yuv420p)
        target.color = form == .png ? .rgb : .jpeg
        // a JPEG says what its codes mean, so what the frame leaves open is not taken to be like it
        let converted = try PixelConverter(from: format.withStatedColor, to: target)
            .convert(frame)
        let context = try context(of: form)
        let pixels =
            form == .png
            ? keepsAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24 : AV_PIX_FMT_YUVJ420P
        context.pointer.pointee.width = Int32(converted.width)
        context.pointer.pointee.height = Int32(converted.height)
        context.pointer.pointee.pix_fmt = pixels
        context.pointer.pointee.flags |= AV_CODEC_FLAG_QSCALE
        context.pointer.pointee.global_quality = effort.scale * Int32(FF_QP2LAMBDA)
        if effort == .best { context.pointer.pointee.qmin = 1 }
        if let level = effort.compression, form == .png {
            context.pointer.pointee.compression_level = level
        }
        try context.open([])
        let bytes = try encode(converted, pixels, with: context)
        guard let exif else { return bytes }
        return form == .png
            ? addingToPNG(exif, bytes) : JPEGFile(bytes)?.adding(exif) ?? bytes
    }

    /// Of the form's encoder, not open yet; what pictures it gets is not set.
    static func context(of form: Form) throws(MediaError) -> CodecContext {
        let name = form == .png ? "png" : "mjpeg"
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw .refused(
                .encoderFailed, name,
                "Cannot write a picture: this libavcodec has no \(name) encoder; install Debian's "
                    + "libavcodec59.")
        }
        let context = try CodecContext(codec, subject: "the \(form.rawValue) encoder")
        context.pointer.pointee.time_base = AVRational(1, 25)
        // written into a PNG as it is, where 0 would be no pixels at all
        context.pointer.pointee.sample_aspect_ratio = AVRational(1, 1)
        return context
    }

    /// A chunk of Exif data behind the header.
    ///
    /// Source: PNG Third Edition, 5.3 and 11.3.4.5 (eXIf).
    static func addingToPNG(_ exif: ExifBlock, _ file: [UInt8]) -> [UInt8] {
        adding(chunk: "eXIf", exif.bytes, to: file)
    }

    /// A chunk behind the header of a PNG.
    static func adding(chunk name: String, _ bytes: [UInt8], to file: [UInt8]) -> [UInt8] {
        let header = 33
        guard file.count > header else { return file }
        let content = Array(name.utf8) + bytes
        let sum = content.withUnsafeBytes { bytes in
            av_crc(
                av_crc_get_table(AV_CRC_32_IEEE_LE), UInt32.max,
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        let chunk =
            big(UInt32(content.count - 4)) + content + big(~sum)
        return file[..<header] + chunk + file[header...]
    }

    private static func big(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    static func encode(
        _ picture: PixelBuffer, _ pixels: AVPixelFormat, with context: CodecContext
    ) throws(MediaError) -> [UInt8] {
        let frame = try FrameBox()
        let packet = try PacketBox()
        try frame.show(picture, as: pixels)
        frame.pointer.pointee.pts = 0
        frame.pointer.pointee.quality = context.pointer.pointee.global_quality
        for (function, result) in [
            ("avcodec_send_frame", avcodec_send_frame(context.pointer, frame.pointer)),
            ("avcodec_send_frame", avcodec_send_frame(context.pointer, nil)),
            ("avcodec_receive_packet", avcodec_receive_packet(context.pointer, packet.pointer)),
        ] where result < 0 {
            throw .call(
                function, result, code: .encoderFailed, subject: context.subject,
                attempt: "Cannot code a picture with \(context.subject)")
        }
        return Array(packet.bytes)
    }
}

extension ColorDescription {
    /// sRGB, as PNG without other words is.
    fileprivate static let rgb = ColorDescription(
        primaries: 1, transfer: 13, matrix: 0, range: .full)
}
