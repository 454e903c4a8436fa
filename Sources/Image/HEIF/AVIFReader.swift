internal import CAVIF
internal import Media

/// An AVIF, one picture or a sequence, through libavif. Thread-bound.
///
/// Source: libavif's decoder; pictures come as they are stored, not rotated.
final class AVIFReader {
    let path: String
    private let memory: FileMemory
    private let decoder: UnsafeMutablePointer<avifDecoder>

    /// Reads the headers of the pictures; nothing is decoded.
    /// - Throws: `damaged-file`, `over-limit`.
    init(_ file: FileBytes, _ limits: ImageLimits) throws(MediaError) {
        path = file.path
        try HEIFBrands.checkWhole(file)
        memory = try FileMemory(file, limits)
        guard let decoder = avifDecoderCreate() else {
            throw .damaged(path, "there is no memory for it", function: "avifDecoderCreate")
        }
        self.decoder = decoder
        decoder.pointee.maxThreads = 2
        // dav1d 1.0 prints its complaints of damaged files, and libavif 0.11 cannot keep it from that
        decoder.pointee.codecChoice = AVIF_CODEC_CHOICE_AOM
        decoder.pointee.imageSizeLimit = UInt32(limits.stillPixels)
        decoder.pointee.imageDimensionLimit = 65_535
        decoder.pointee.imageCountLimit = UInt32(limits.pictures)
        // what readers do without is no reason to refuse a picture
        decoder.pointee.strictFlags = 0
        var result = avifDecoderSetIOMemory(decoder, memory.bytes.baseAddress, memory.bytes.count)
        if result == AVIF_RESULT_OK { result = avifDecoderParse(decoder) }
        guard result == AVIF_RESULT_OK else { throw failure("avifDecoderParse", result) }
        try limits.checkSize(width, height, isStill: count == 1, of: path)
        try limits.checkCount(count, width: width, height: height, of: path)
    }

    deinit { avifDecoderDestroy(decoder) }

    private func failure(_ function: String, _ result: avifResult) -> MediaError {
        let text = String(cString: avifResultToString(result))
        return .damaged(path, "a picture in it is none (\(text))", function: function)
    }

    var width: Int { Int(image.width) }
    var height: Int { Int(image.height) }
    var count: Int { Int(decoder.pointee.imageCount) }
    /// How often a sequence is shown (count; nil: for ever).
    var loops: Int? { AVIFRepetition.loops(in: memory.bytes) }
    var hasAlpha: Bool { decoder.pointee.alphaPresent != 0 }
    var isDeep: Bool { image.depth > 8 }

    private var image: avifImage { decoder.pointee.image.pointee }

    /// What RGB of it means.
    var color: ColorDescription {
        .pictures(
            primaries: UInt8(truncatingIfNeeded: image.colorPrimaries),
            transfer: UInt8(truncatingIfNeeded: image.transferCharacteristics))
    }

    /// The embedded ICC profile; empty for none.
    var profile: [UInt8] { Self.bytes(image.icc) }

    /// The embedded Exif data; empty for none.
    var exif: [UInt8] { Self.bytes(image.exif) }

    private static func bytes(_ data: avifRWData) -> [UInt8] {
        data.size > 0 ? Array(UnsafeBufferPointer(start: data.data, count: data.size)) : []
    }

    /// Turned counterclockwise, then mirrored (ISO/IEC 23008-12, 6.5.10 and 6.5.12).
    var orientation: VideoOrientation {
        var result = VideoOrientation.upright
        let flags = image.transformFlags
        if flags & UInt32(AVIF_TRANSFORM_IROT.rawValue) != 0 {
            let quarters = (4 - Int(image.irot.angle) % 4) % 4
            result = VideoOrientation(
                rotation: VideoOrientation.Rotation(rawValue: 90 * quarters) ?? .none)
        }
        if flags & UInt32(AVIF_TRANSFORM_IMIR.rawValue) != 0 {
            // 0 changes top and bottom, 1 left and right
            result = result.followed(
                by: VideoOrientation(
                    rotation: image.imir.mode == 0 ? .half : .none, isMirrored: true))
        }
        return result
    }

    /// Ticks per second of the delays (1/s); nil where they cannot be held.
    var timescale: Int32? {
        Int32(exactly: decoder.pointee.timescale).flatMap { $0 > 0 ? $0 : nil }
    }

    /// How long each picture is shown, as written (seconds).
    /// - Throws: `damaged-file`.
    func delays() throws(MediaError) -> [MediaTime] {
        guard let timescale else { throw .damaged(path, "its times are no times") }
        var result: [MediaTime] = []
        for index in 0..<count {
            var timing = avifImageTiming()
            let outcome = avifDecoderNthImageTiming(decoder, UInt32(index), &timing)
            guard outcome == AVIF_RESULT_OK else {
                throw failure("avifDecoderNthImageTiming", outcome)
            }
            guard let ticks = Int64(exactly: timing.durationInTimescales), ticks < 1 << 48 else {
                throw .damaged(path, "its times are no times")
            }
            result.append(MediaTime(value: ticks, timescale: timescale))
        }
        return result
    }

    /// - Parameter format: rgb24, rgba, rgb48le or rgba64le.
    /// - Throws: `damaged-file`.
    func picture(at index: Int, _ format: PixelFormat) throws(MediaError) -> PixelBuffer {
        let outcome = avifDecoderNthImage(decoder, UInt32(index))
        guard outcome == AVIF_RESULT_OK else { throw failure("avifDecoderNthImage", outcome) }
        let (width, height) = (width, height)
        var result = PixelBuffer(width: width, height: height, format: format)
        let converted = result.withMutablePlanes { planes in
            var target = avifRGBImage()
            avifRGBImageSetDefaults(&target, decoder.pointee.image)
            target.depth = format.bitDepth == 16 ? 16 : 8
            target.format = format.hasAlpha ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB
            target.alphaPremultiplied = 0
            target.pixels = planes[0].row(0)
            target.rowBytes = UInt32(planes[0].bytesPerRow)
            return avifImageYUVToRGB(decoder.pointee.image, &target)
        }
        guard converted == AVIF_RESULT_OK else { throw failure("avifImageYUVToRGB", converted) }
        return result
    }
}

/// The pictures of an AVIF.
final class AVIFPictures: DecodedPictures {
    private let reader: AVIFReader
    private let file: ImageFile
    private var damaged: Set<Int> = []
    private var latest: PixelBuffer?

    init(_ reader: AVIFReader, _ file: ImageFile) {
        self.reader = reader
        self.file = file
    }

    var damagedFrames: Int { damaged.count }

    func picture(at index: Int) throws(MediaError) -> PixelBuffer {
        do throws(MediaError) {
            guard (reader.width, reader.height) == (file.width, file.height) else {
                throw .damaged(file.path, "a picture in it has another size")
            }
            let picture = try reader.picture(at: index, file.pixelFormat)
            guard (picture.width, picture.height) == (file.width, file.height) else {
                throw .damaged(file.path, "a picture in it has another size")
            }
            latest = file.isStill ? nil : picture
            return picture
        } catch {
            damaged.insert(index)
            // what was there before stays
            guard let latest else { throw error }
            return latest
        }
    }
}
