public import Media

/// Depth of two cameras that look the same way: how far each point of the left frame has moved to the left in the right
/// one, in 16ths of a pixel, and with the pair's calibration how far away it is. Thread-safe.
///
/// The frames must be rectified: free of distortion, and each row of both shows the same. What only one camera sees,
/// what is nearer than `maximumDisparity`, what has no texture, and the left edge by as many columns, is unknown.
///
/// Source: OpenCV's semi-global block matching (`cv::StereoSGBM`), loaded when the first matcher is made.
public final class StereoMatcher: Sendable {
    /// What is looked for.
    public struct Settings: Sendable, Hashable {
        /// *the pair of cameras: focal length in pixels of the frames, and distance from each other*
        public var calibration: DepthCalibration
        /// *how far a near point moves at most, above which it is not found (pixels; a multiple of 16, 16…512; default 64)*
        public var maximumDisparity: Int
        /// *side of what is compared: small shows edges, large stands noise (pixels; odd, 3…11; default 5)*
        public var blockSize: Int

        /// - Parameters:
        ///   - calibration: the pair of cameras.
        ///   - maximumDisparity: how far a near point moves at most (pixels).
        ///   - blockSize: side of what is compared (pixels).
        public init(
            calibration: DepthCalibration, maximumDisparity: Int = 64, blockSize: Int = 5
        ) {
            self.calibration = calibration
            self.maximumDisparity = maximumDisparity
            self.blockSize = blockSize
        }

        /// - Throws: `invalidSetting`, naming what none can be.
        public func validate() throws(MediaError) {
            try DepthFormat(calibration: calibration).validate()
            guard maximumDisparity.isMultiple(of: 16), (16...512).contains(maximumDisparity) else {
                throw Self.refusal(
                    "disparities are looked for up to a multiple of 16 pixels, 16 to 512, not "
                        + "\(maximumDisparity).")
            }
            guard blockSize % 2 == 1, (3...11).contains(blockSize) else {
                throw Self.refusal("a block has an odd side of 3 to 11 pixels, not \(blockSize).")
            }
        }

        /// - Parameters:
        ///   - one: size of the left frame (pixels).
        ///   - other: of the right one (pixels).
        ///   - name: whose they are.
        ///   - remedy: what helps where they differ.
        func requireMatch(
            _ one: (width: Int, height: Int), _ other: (width: Int, height: Int),
            of name: String = "stereo", remedy: String = "scale one of them first"
        ) throws(MediaError) {
            guard one == other else {
                throw MediaError(
                    code: .unsupported, subject: name,
                    message:
                        "The frames of a stereo pair have one size, not \(one.width)x\(one.height) and "
                        + "\(other.width)x\(other.height): \(remedy).")
            }
            guard one.width > maximumDisparity else {
                throw MediaError(
                    code: .unsupported, subject: name,
                    message: "Frames that are \(one.width) pixels wide have no disparities up to "
                        + "\(maximumDisparity): look for smaller ones.")
            }
        }

        private static func refusal(_ reason: String) -> MediaError {
            MediaError(
                code: .invalidSetting, subject: "stereo",
                message: "Cannot match a stereo pair: \(reason)")
        }
    }

    // immutable
    /// What is looked for.
    public let settings: Settings
    /// Of what is made: disparity in 16ths of a pixel of the left frame.
    public let format: DepthFormat
    private let library: StereoLibrary

    /// - Parameter settings: what is looked for.
    /// - Throws: `invalidSetting` for settings that none can be; `unsupported` where what matches is not installed.
    public init(_ settings: Settings) throws(MediaError) {
        try settings.validate()
        library = try StereoLibrary.shared()
        self.settings = settings
        format = DepthFormat(unit: .pixels(1.0 / 16), calibration: settings.calibration)
    }

    /// The depth of a moment, as the left camera sees it. Blocks.
    /// - Parameters:
    ///   - left: a raw frame; its luma is looked at.
    ///   - right: of the same moment and size.
    /// - Throws: `invalidSetting` for samples that are not raw frames; `unsupported` for frames of two sizes or too
    ///   narrow for the disparities looked for.
    public func depth(left: SampleBuffer, right: SampleBuffer) throws(MediaError) -> DepthData {
        let (one, other) = (try left.uprightLuma(), try right.uprightLuma())
        try settings.requireMatch((one.width, one.height), (other.width, other.height))
        let values = try library.disparity(
            one, other, disparities: settings.maximumDisparity, block: settings.blockSize)
        return try DepthData(
            map: PixelBuffer(steps: values, width: one.width, height: one.height), format: format)
    }
}
