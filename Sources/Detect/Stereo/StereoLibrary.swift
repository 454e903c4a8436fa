internal import CStereo
internal import Media

/// The calls of libvcap-stereo.so, looked up when a stereo pair is matched for the first time: it is linked to OpenCV.
/// Immutable.
///
/// Source: Sources/System/CStereo/stereo.h.
final class StereoLibrary: Sendable {
    private typealias Disparity =
        @convention(c) (
            UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int, Int32, Int32, Int32, Int32,
            UnsafeMutablePointer<UInt16>?, UnsafeMutablePointer<CChar>?, Int
        ) -> Int32

    private let match: Disparity

    static let absence = ShimLibrary.Absence(
        file: "libvcap-stereo.so", purpose: "a stereo pair", upstream: "OpenCV",
        package: "libopencv-calib3d406", task: "match")
    private static let loaded = Result { () throws(MediaError) in try StereoLibrary() }

    /// Loaded once and never given back.
    /// - Throws: `unsupported` where it, or OpenCV, is not installed.
    static func shared() throws(MediaError) -> StereoLibrary { try loaded.get() }

    /// - Parameter paths: the first that can be loaded is taken; `nil`: where it usually is.
    init(paths: [String]? = nil) throws(MediaError) {
        let library = try ShimLibrary(
            Self.absence, paths: paths, interface: "vcap_stereo_interface",
            version: VCAP_STEREO_INTERFACE)
        match = unsafeBitCast(try library.call("vcap_stereo_disparity"), to: Disparity.self)
    }

    /// Disparities of the left frame, row after row (16ths of a pixel; 0: not known). Thread-safe.
    /// - Parameters:
    ///   - left: of a byte a pixel.
    ///   - right: of the same size.
    ///   - disparities: above all that are looked for (pixels; a multiple of 16).
    ///   - block: side of what is compared (pixels; odd).
    /// - Throws: `unsupported` for frames that cannot be matched.
    func disparity(
        _ left: PixelBuffer, _ right: PixelBuffer, disparities: Int, block: Int
    ) throws(MediaError) -> [UInt16] {
        var message = [CChar](repeating: 0, count: 256)
        var values = [UInt16](repeating: 0, count: left.width * left.height)
        let answer = left.withPlane(0) { one in
            right.withPlane(0) { other in
                match(
                    one.row(0), one.bytesPerRow, other.row(0), other.bytesPerRow,
                    Int32(clamping: left.width), Int32(clamping: left.height),
                    Int32(clamping: disparities), Int32(clamping: block), &values, &message,
                    message.count)
            }
        }
        guard answer == 0 else {
            throw MediaError(
                code: .unsupported, function: "vcap_stereo_disparity",
                subject: "\(left.width)x\(left.height)",
                message: "Cannot match frames of \(left.width)x\(left.height): "
                    + ShimLibrary.text(message) + ".")
        }
        return values
    }
}
