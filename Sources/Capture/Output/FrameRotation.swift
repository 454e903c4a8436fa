internal import LibAV
internal import Media

/// How a listener gets pictures that are not upright.
struct FrameRotation: Sendable {
    let connection: CaptureConnection
    /// Whether pixels are rotated; else the format says how they lie.
    let rotatesPixels: Bool

    /// What is done to pixels of a format; `nil` when they stay.
    /// - Throws: `.unsupported` for a format whose pictures cannot be rotated so.
    func rotation(
        of orientation: VideoOrientation, _ format: PixelFormat
    ) throws(MediaError) -> PixelRotation? {
        guard rotatesPixels, orientation != .upright else { return nil }
        let rotation = PixelRotation(orientation)
        guard rotation.supports(format) else {
            throw MediaError(
                code: .unsupported, function: "", subject: format.rawValue,
                message: "\(format.rawValue) pictures cannot be \(orientation.words); "
                    + "want yuv420p, or leave the turn to the format.")
        }
        return rotation
    }
}

extension VideoFormat {
    /// Other pixels for the same picture: what a person sees keeps its proportions.
    mutating func scale(to size: PixelSize) {
        let horizontal = UInt64(pixelAspect.horizontal) * UInt64(width) * UInt64(size.height)
        let vertical = UInt64(pixelAspect.vertical) * UInt64(height) * UInt64(size.width)
        let divisor = greatestCommonDivisor(horizontal, vertical)
        if let one = Int32(exactly: horizontal / divisor),
            let other = Int32(exactly: vertical / divisor)
        {
            pixelAspect = PixelAspect(one, other)
        }
        (width, height) = (size.width, size.height)
    }

    /// The format after its pictures were rotated as it says.
    var rotatedUpright: VideoFormat {
        var rotated = self
        rotated.orientation = .upright
        if orientation.swapsAxes {
            (rotated.width, rotated.height) = (height, width)
            rotated.pixelAspect = PixelAspect(pixelAspect.vertical, pixelAspect.horizontal)
        }
        return rotated
    }
}
