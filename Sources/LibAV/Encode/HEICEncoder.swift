package import Media

/// Codes one picture as a HEIC file. Reentrant.
///
/// Eight bits and 4:2:0, which every reader of HEIC has, in sRGB's colours and full range, as a JPEG.
/// Source: libavcodec's libx265.
package enum HEICEncoder {
    /// What x265 takes at least (pixels a side, libavcodec 59).
    private static let smallestSide = 16

    /// The file's bytes.
    /// - Parameters:
    ///   - frame: raw, upright.
    ///   - format: of the frame.
    ///   - effort: spent on the file.
    ///   - exif: what the file says of itself besides (default: nothing).
    /// - Throws: `invalidSetting` when libavcodec has no libx265, `encoderFailed`.
    package static func encode(
        _ frame: PixelBuffer, format: VideoFormat, effort: StillEncoder.Effort = .usual,
        exif: ExifBlock? = nil
    ) throws(MediaError) -> [UInt8] {
        var target = format
        target.coding = .raw(.yuv420p)
        target.color = .jpeg
        let converted = try PixelConverter(from: format.withStatedColor, to: target)
            .convert(frame)
        // halved chroma has no place for an odd column or row: it is coded and not shown
        let padded = converted.padded(toMultiplesOf: 2, atLeast: smallestSide)
        (target.width, target.height) = (padded.width, padded.height)
        // one frame a second: the level says what the size takes
        target.nominalRate = FrameRate(1)
        var settings = VideoEncoderSettings(codec: .hevc)
        (settings.preset, settings.rateControl) = effort.hevc
        let encoder = try VideoEncoder(settings: settings, input: target)
        let sample = SampleBuffer(
            payload: .pixels(padded), format: .video(target), presentationTime: .zero)
        let coded = try encoder.encode(sample) + encoder.finish()
        guard coded.count == 1, let block = coded[0].block else {
            throw .refused(
                .encoderFailed, "libx265", "Cannot code a picture: libx265 gave none; use .jpg.")
        }
        return HEICFile(
            configuration: encoder.format.codecConfiguration,
            frame: block.withUnsafeBytes { Array($0) },
            codedSize: (padded.width, padded.height),
            shownSize: (converted.width, converted.height), color: target.color,
            exif: exif?.bytes
        ).bytes
    }
}

extension StillEncoder.Effort {
    /// x265's preset and its quality.
    fileprivate var hevc: (String, VideoEncoderSettings.RateControl) {
        switch self {
        case .fast: ("superfast", .quality(26))
        case .usual: ("veryfast", .quality(22))
        case .best: ("medium", .quality(15))
        }
    }
}

extension PixelBuffer {
    /// The frame with its last column and row repeated; itself where nothing is missing.
    /// - Precondition: planes of one byte a sample.
    fileprivate func padded(toMultiplesOf unit: Int, atLeast least: Int) -> PixelBuffer {
        func size(_ side: Int) -> Int { max(least, (side + unit - 1) / unit * unit) }
        guard (size(width), size(height)) != (width, height) else { return self }
        let wide = size(width)
        var result = PixelBuffer(width: wide, height: size(height), format: format)
        result.withMutablePlanes { targets in
            withPlanes { sources in
                for (index, target) in targets.enumerated() {
                    let (layout, source) = (format.layout.planes[index], sources[index])
                    let count = layout.bytesPerRow(width: width)
                    let wanted = layout.bytesPerRow(width: wide)
                    for row in 0..<target.rows {
                        let from = source.row(min(row, source.rows - 1))
                        target.row(row).update(from: from, count: count)
                        for column in count..<wanted { target.row(row)[column] = from[count - 1] }
                    }
                }
            }
        }
        return result
    }
}
