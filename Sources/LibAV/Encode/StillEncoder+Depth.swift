internal import CFFmpeg
package import Media

extension StillEncoder {
    /// Codes a depth map as a PNG of 16-bit grey, its values as they are.
    ///
    /// What they are stands in text chunks, by the names that a track's tags have (`DEPTH_UNIT`, …).
    /// - Parameters:
    ///   - data: the map.
    ///   - effort: what is spent on the file.
    ///   - exif: what the file says of itself besides (default: nothing).
    package static func encode(
        _ data: DepthData, effort: Effort, exif: ExifBlock? = nil
    ) throws(MediaError) -> [UInt8] {
        var file = try encodeGray(data.map, effort: effort)
        for tag in data.format.tags.reversed() {
            file = adding(
                chunk: "tEXt", Array(tag.name.utf8) + [0] + Array(tag.value.utf8), to: file)
        }
        guard let exif else { return file }
        return addingToPNG(exif, file)
    }

    /// Codes a frame of 16-bit grey as a PNG that says nothing more of it.
    /// - Precondition: the frame is `gray16le`.
    package static func encodeGray(
        _ frame: PixelBuffer, effort: Effort
    ) throws(MediaError) -> [UInt8] {
        guard let codec = avcodec_find_encoder_by_name("png") else {
            throw .refused(
                .encoderFailed, "png",
                "Cannot write a picture: this libavcodec has no png encoder; install Debian's "
                    + "libavcodec59.")
        }
        let context = try CodecContext(codec, subject: "the png encoder")
        context.pointer.pointee.width = Int32(frame.width)
        context.pointer.pointee.height = Int32(frame.height)
        context.pointer.pointee.pix_fmt = AV_PIX_FMT_GRAY16BE
        context.pointer.pointee.time_base = AVRational(1, 25)
        context.pointer.pointee.sample_aspect_ratio = AVRational(1, 1)
        if let level = effort.compression { context.pointer.pointee.compression_level = level }
        try context.open([])
        let swapped = PixelBuffer(
            steps: frame.steps.map(\.byteSwapped), width: frame.width, height: frame.height)
        return try encode(swapped, AV_PIX_FMT_GRAY16BE, with: context)
    }
}
