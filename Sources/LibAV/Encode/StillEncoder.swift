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

    /// The file's bytes.
    /// - Parameters:
    ///   - format: of the picture: its colours and range are brought to what the form has; opacity is kept in PNG.
    ///   - ignoresOpacity: whether the picture's opacity means nothing: its PNG has red, green and blue alone.
    package static func encode(
        _ frame: PixelBuffer, format: VideoFormat, as form: Form, ignoresOpacity: Bool = false
    ) throws(MediaError) -> [UInt8] {
        var target = format
        let keepsAlpha =
            form == .png && !ignoresOpacity && format.pixelFormat?.hasAlpha == true
        target.coding = .raw(form == .png ? keepsAlpha ? .rgba : .rgb24 : .yuv420p)
        target.color = form == .png ? .rgb : .jpeg
        let converted = try PixelConverter(from: format, to: target).convert(frame)
        let name = form == .png ? "png" : "mjpeg"
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw .refused(
                .encoderFailed, name,
                "Cannot write a picture: this libavcodec has no \(name) encoder; install Debian's "
                    + "libavcodec59.")
        }
        let context = try CodecContext(codec, subject: "the \(form.rawValue) encoder")
        let pixels =
            form == .png
            ? keepsAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24 : AV_PIX_FMT_YUVJ420P
        context.pointer.pointee.width = Int32(converted.width)
        context.pointer.pointee.height = Int32(converted.height)
        context.pointer.pointee.pix_fmt = pixels
        context.pointer.pointee.time_base = AVRational(1, 25)
        context.pointer.pointee.flags |= AV_CODEC_FLAG_QSCALE
        context.pointer.pointee.global_quality = 2 * Int32(FF_QP2LAMBDA)
        try context.open([])
        return try encode(converted, pixels, with: context)
    }

    private static func encode(
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
