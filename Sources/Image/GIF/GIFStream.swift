internal import CGIF
internal import Glibc
internal import Media

/// The bytes of a GIF as they are made, picture by picture. Thread-bound.
///
/// Source: GIF89a specification; coded by giflib.
final class GIFStream {
    /// One picture as it is written.
    struct Picture {
        /// On the canvas (pixels).
        var left: Int
        var top: Int
        var width: Int
        var height: Int
        /// Row by row.
        var indices: [UInt8]
        /// 256 colours, 0xAARRGGBB.
        var palette: [UInt32]
        var transparentIndex: UInt8?
        /// Until the next one (1/100 s; 0…65,535).
        var delay: Int
        /// Whether its place is empty again afterwards.
        var isTakenBack: Bool
    }

    private final class Bytes { var made: [UInt8] = [] }

    private let bytes = Bytes()
    private var file: UnsafeMutablePointer<GifFileType>?
    private let colors: UnsafeMutablePointer<ColorMapObject>

    /// - Parameters:
    ///   - width: 1…65,535.
    ///   - height: 1…65,535.
    ///   - loops: how often all is shown (count; nil: for ever).
    init(width: Int, height: Int, loops: Int?) throws(MediaError) {
        guard let colors = GifMakeMapObject(256, nil) else {
            throw Self.refused(E_GIF_ERR_NOT_ENOUGH_MEM, "GifMakeMapObject")
        }
        self.colors = colors
        var failure: Int32 = 0
        let write: OutputFunc = { file, start, count in
            guard let holder = file?.pointee.UserData, let start else { return 0 }
            Unmanaged<Bytes>.fromOpaque(holder).takeUnretainedValue()
                .made += UnsafeBufferPointer(start: start, count: Int(count))
            return count
        }
        file = EGifOpen(Unmanaged.passUnretained(bytes).toOpaque(), write, &failure)
        guard let file else {
            GifFreeMapObject(colors)
            throw Self.refused(failure, "EGifOpen")
        }
        EGifSetGifVersion(file, true)
        try check(
            "EGifPutScreenDesc", EGifPutScreenDesc(file, Int32(width), Int32(height), 8, 0, nil))
        if loops != 1 { try putLoops(loops) }
    }

    deinit {
        var failure: Int32 = 0
        if let file { EGifCloseFile(file, &failure) }
        GifFreeMapObject(colors)
    }

    /// Bytes made since the last time.
    func take() -> [UInt8] {
        defer { bytes.made = [] }
        return bytes.made
    }

    func append(_ picture: Picture) throws(MediaError) {
        guard let file else { return }
        for (index, color) in picture.palette.enumerated() {
            colors.pointee.Colors[index] = GifColorType(
                Red: UInt8(truncatingIfNeeded: color >> 16),
                Green: UInt8(truncatingIfNeeded: color >> 8), Blue: UInt8(truncatingIfNeeded: color)
            )
        }
        // disposal in bits 2…4, whether there is a transparent colour in bit 0
        let flags: UInt8 =
            (picture.isTakenBack ? 2 : 1) << 2 | (picture.transparentIndex == nil ? 0 : 1)
        let control = [
            flags, UInt8(truncatingIfNeeded: picture.delay),
            UInt8(truncatingIfNeeded: picture.delay >> 8), picture.transparentIndex ?? 0,
        ]
        try check(
            "EGifPutExtension", EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, 4, control))
        try check(
            "EGifPutImageDesc",
            EGifPutImageDesc(
                file, Int32(picture.left), Int32(picture.top), Int32(picture.width),
                Int32(picture.height), false, colors))
        var indices = picture.indices
        let result = indices.withUnsafeMutableBufferPointer { pixels in
            (0..<picture.height).allSatisfy { row in
                EGifPutLine(
                    file, pixels.baseAddress.map { $0 + row * picture.width },
                    Int32(picture.width)) != GIF_ERROR
            }
        }
        try check("EGifPutLine", result ? GIF_OK : GIF_ERROR)
    }

    /// Ends the file.
    func finish() throws(MediaError) {
        guard let file else { return }
        self.file = nil
        var failure: Int32 = 0
        guard EGifCloseFile(file, &failure) != GIF_ERROR else {
            throw Self.refused(failure, "EGifCloseFile")
        }
    }

    private func putLoops(_ loops: Int?) throws(MediaError) {
        // how often it is shown again; 0: for ever
        let again = min(65_535, max(0, (loops ?? 1) - 1))
        let block = [1, UInt8(truncatingIfNeeded: again), UInt8(truncatingIfNeeded: again >> 8)]
        try check(
            "EGifPutExtensionLeader",
            EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE))
        try check("EGifPutExtensionBlock", EGifPutExtensionBlock(file, 11, "NETSCAPE2.0"))
        try check("EGifPutExtensionBlock", EGifPutExtensionBlock(file, 3, block))
        try check("EGifPutExtensionTrailer", EGifPutExtensionTrailer(file))
    }

    private func check(_ function: String, _ result: Int32) throws(MediaError) {
        guard result == GIF_ERROR else { return }
        throw Self.refused(file?.pointee.Error ?? 0, function)
    }

    private static func refused(_ number: Int32, _ function: String) -> MediaError {
        let reason = GifErrorString(number).map { String(cString: $0) } ?? "error \(number)"
        return MediaError(
            code: .unsupported, function: function, subject: "a GIF",
            message: "Cannot write a GIF: \(reason).")
    }
}
