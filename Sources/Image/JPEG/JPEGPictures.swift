internal import CTurboJPEG
internal import Media

/// The picture of a JPEG.
///
/// Colours of 4:2:0, 4:2:2 and 4:4:4 come as they are stored where no profile has to be applied, all else
/// as RGB. It can be made smaller by halves while it is decoded.
///
/// Source: libjpeg-turbo's TurboJPEG interface.
final class JPEGPictures: DecodedPictures {
    // immutable
    private let file: ImageFile
    private let bytes: FileBytes
    private let structure: JPEGStructure
    /// What is decoded (pixels).
    let width: Int
    let height: Int

    // owned by the calling thread
    private(set) var damagedFrames = 0

    /// - Parameter box: the picture is decoded no smaller than it fills it; nil: as it is stored.
    init(
        _ file: ImageFile, _ bytes: FileBytes, _ structure: JPEGStructure,
        fitting box: (width: Int, height: Int)?
    ) {
        self.file = file
        self.bytes = bytes
        self.structure = structure
        var factor = 1
        if let box {
            factor = min(8, ImageDecoder.reduction(file.width, file.height, filling: box))
        }
        width = (file.width + factor - 1) / factor
        height = (file.height + factor - 1) / factor
    }

    /// What the codes of a JPEG can be given as.
    static func pixelFormat(_ structure: JPEGStructure, _ file: FileBytes) throws(MediaError)
        -> PixelFormat
    {
        let hasProfile = !structure.profile.isEmpty
        guard structure.components == 3, !hasProfile else { return .rgb24 }
        let head = try file.readSome(at: 0, Int(min(structure.end, 1 << 20)))
        let decoder = tjInitDecompress()
        defer { tjDestroy(decoder) }
        var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard
            tjDecompressHeader3(
                decoder, head, UInt(head.count), &width, &height, &sampling, &space) == 0,
            space == Int32(TJCS_YCbCr.rawValue)
        else { return .rgb24 }
        switch sampling {
        case Int32(TJSAMP_420.rawValue): return .yuv420p
        case Int32(TJSAMP_422.rawValue): return .yuv422p
        case Int32(TJSAMP_444.rawValue): return .yuv444p
        default: return .rgb24
        }
    }

    func picture(at index: Int) throws(MediaError) -> PixelBuffer {
        let coded = try bytes.read(0..<structure.end, most: file.limits.codedBytes)
        guard let decoder = tjInitDecompress() else {
            throw .damaged(file.path, "there is no memory for it", function: "tjInitDecompress")
        }
        defer { tjDestroy(decoder) }
        var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        let status = tjDecompressHeader3(
            decoder, coded, UInt(coded.count), &width, &height, &sampling, &space)
        guard status == 0, (Int(width), Int(height)) == (file.width, file.height) else {
            throw failure("tjDecompressHeader3", decoder)
        }
        if file.pixelFormat != .rgb24 { return try planes(coded, decoder) }
        if space == Int32(TJCS_CMYK.rawValue) || space == Int32(TJCS_YCCK.rawValue) {
            return try inks(coded, decoder)
        }
        var result = PixelBuffer(width: self.width, height: self.height, format: .rgb24)
        let outcome = result.withMutablePlanes { planes in
            tjDecompress2(
                decoder, coded, UInt(coded.count), planes[0].row(0), Int32(self.width),
                Int32(planes[0].bytesPerRow), Int32(self.height), Int32(TJPF_RGB.rawValue),
                Self.flags)
        }
        try check("tjDecompress2", outcome, decoder)
        return result
    }

    /// Exact transforms; pictures of very many scans are refused.
    private static let flags = Int32(TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)

    private func planes(
        _ coded: [UInt8], _ decoder: tjhandle
    ) throws(MediaError) -> PixelBuffer {
        var result = PixelBuffer(width: width, height: height, format: file.pixelFormat)
        let outcome = result.withMutablePlanes { planes in
            var rows: [UnsafeMutablePointer<UInt8>?] = planes.map { $0.row(0) }
            var strides = planes.map { Int32($0.bytesPerRow) }
            return tjDecompressToYUVPlanes(
                decoder, coded, UInt(coded.count), &rows, Int32(width), &strides, Int32(height),
                Self.flags)
        }
        try check("tjDecompressToYUVPlanes", outcome, decoder)
        return result
    }

    /// CMYK through its profile, else by the plain formula.
    private func inks(_ coded: [UInt8], _ decoder: tjhandle) throws(MediaError) -> PixelBuffer {
        var inks = PixelBuffer(width: width, height: height, format: .rgba)
        let outcome = inks.withMutablePlanes { planes in
            tjDecompress2(
                decoder, coded, UInt(coded.count), planes[0].row(0), Int32(width),
                Int32(planes[0].bytesPerRow), Int32(height), Int32(TJPF_CMYK.rawValue),
                Self.flags)
        }
        try check("tjDecompress2", outcome, decoder)
        let isInverted = structure.isAdobe
        let profile = ColorProfile(
            structure.profile, isInverted ? .invertedCMYK : .cmyk, .rgb24)
        var result = PixelBuffer(width: width, height: height, format: .rgb24)
        result.withMutablePlanes { targets in
            inks.withPlanes { sources in
                for row in 0..<height {
                    let (source, target) = (sources[0].row(row), targets[0].row(row))
                    if let profile {
                        profile.apply(source, target, width)
                        continue
                    }
                    for x in 0..<width {
                        for channel in 0..<3 {
                            let (ink, black) = (
                                Int(source[4 * x + channel]), Int(source[4 * x + 3])
                            )
                            let light = isInverted ? ink * black : (255 - ink) * (255 - black)
                            target[3 * x + channel] = UInt8((light + 127) / 255)
                        }
                    }
                }
            }
        }
        return result
    }

    /// What a decoder only warns of is shown, and counted.
    private func check(
        _ function: String, _ outcome: Int32, _ decoder: tjhandle
    ) throws(MediaError) {
        guard outcome != 0 else { return }
        guard tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) else {
            throw failure(function, decoder)
        }
        damagedFrames = 1
    }

    private func failure(_ function: String, _ decoder: tjhandle) -> MediaError {
        let text = tjGetErrorStr2(decoder).map { String(cString: $0) } ?? "no reason given"
        return .damaged(file.path, "its picture is none (\(text))", function: function)
    }
}
