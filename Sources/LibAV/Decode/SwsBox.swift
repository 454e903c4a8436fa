internal import CFFmpeg
internal import Media

/// Owns one `SwsContext`: brings what decoders hand out in pixel formats that are none of ours to one of ours, of the
/// same size. All else is zimg's (`ZimgConversion`, `FrameConformer`). Thread-bound.
final class SwsBox {
    private let pointer: OpaquePointer
    private let height: Int32

    /// - Parameters:
    ///   - matrix: by H.273.
    ///   - isFullRange: of both sides.
    init(
        from source: AVPixelFormat, to target: AVPixelFormat, width: Int, height: Int,
        matrix: UInt8, isFullRange: Bool
    ) throws(MediaError) {
        LibAVLog.prepare()
        LibAVLog.clear()
        guard let context = sws_alloc_context() else {
            throw .memory("sws_alloc_context", "a frame converter")
        }
        pointer = context
        self.height = Int32(height)
        let range: Int32 = isFullRange ? 1 : 0
        let options: [(String, Int64)] = [
            ("srcw", Int64(width)), ("srch", Int64(height)), ("dstw", Int64(width)),
            ("dsth", Int64(height)), ("src_format", Int64(source.rawValue)),
            ("dst_format", Int64(target.rawValue)), ("src_range", Int64(range)),
            ("dst_range", Int64(range)),
            ("sws_flags", Int64(SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT)),
        ]
        // the ranges must be known before init: it chooses plain copies by them
        for (name, value) in options {
            let set = av_opt_set_int(UnsafeMutableRawPointer(context), name, value, 0)
            guard set >= 0 else { throw Self.failure("av_opt_set_int", set) }
        }
        let opened = sws_init_context(context, nil, nil)
        guard opened >= 0 else { throw Self.failure("sws_init_context", opened) }
        // answers -1 where neither side has a matrix, which is no failure
        let coefficients = Self.coefficients(matrix)
        _ = sws_setColorspaceDetails(
            context, coefficients, range, coefficients, range, 0, 1 << 16, 1 << 16)
    }

    deinit { sws_freeContext(pointer) }

    func run(
        _ source: [UnsafePointer<UInt8>?], _ sourceStrides: [Int32],
        _ target: [UnsafeMutablePointer<UInt8>?], _ targetStrides: [Int32]
    ) throws(MediaError) {
        let result = sws_scale(
            pointer, source, sourceStrides, 0, height, target, targetStrides)
        guard result > 0 else { throw Self.failure("sws_scale", result) }
    }

    private static func coefficients(_ matrix: UInt8) -> UnsafePointer<Int32>? {
        let known: [UInt8: Int32] = [
            1: SWS_CS_ITU709, 4: SWS_CS_FCC, 5: SWS_CS_ITU601, 6: SWS_CS_ITU601,
            7: SWS_CS_SMPTE240M, 9: SWS_CS_BT2020, 10: SWS_CS_BT2020,
        ]
        return sws_getCoefficients(known[matrix] ?? SWS_CS_ITU601)
    }

    private static func failure(_ function: String, _ number: Int32) -> MediaError {
        .call(
            function, number, code: .unsupported, subject: "the frame converter",
            attempt: "Cannot convert frames")
    }
}
