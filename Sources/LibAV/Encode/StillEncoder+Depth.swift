internal import CFFmpeg
package import Media

extension StillEncoder {
    /// Codes a depth map as a PNG of 16-bit grey, its values as they are.
    ///
    /// What they are stands in text chunks, by the names that a track's tags have (`DEPTH_UNIT`, …).
    /// - Parameters:
    ///   - data: the map.
    ///   - effort: what is spent on the file.
    ///   - exif: what the file says of itself besides.
    package static func encode(
        _ data: DepthData, effort: Effort, exif: ExifBlock
    ) throws(MediaError) -> [UInt8] {
        guard let codec = avcodec_find_encoder_by_name("png") else {
            throw .refused(
                .encoderFailed, "png",
                "Cannot write a picture: this libavcodec has no png encoder; install Debian's "
                    + "libavcodec59.")
        }
        let context = try CodecContext(codec, subject: "the png encoder")
        context.pointer.pointee.width = Int32(data.width)
        context.pointer.pointee.height = Int32(data.height)
        context.pointer.pointee.pix_fmt = AV_PIX_FMT_GRAY16BE
        context.pointer.pointee.time_base = AVRational(1, 25)
        context.pointer.pointee.sample_aspect_ratio = AVRational(1, 1)
        if let level = effort.compression { context.pointer.pointee.compression_level = level }
        try context.open([])
        let swapped = PixelBuffer(
            steps: data.steps.map(\.byteSwapped), width: data.width, height: data.height)
        var file = try encode(swapped, AV_PIX_FMT_GRAY16BE, with: context)
        for tag in data.format.tags.reversed() {
            file = adding(
                chunk: "tEXt", Array(tag.name.utf8) + [0] + Array(tag.value.utf8), to: file)
        }
        return addingToPNG(exif, file)
    }
}
