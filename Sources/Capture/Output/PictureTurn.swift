internal import LibAV
internal import Media

/// How a listener gets pictures that are not upright.
struct PictureTurn: Sendable {
    let connection: CaptureConnection
    /// Whether pixels are turned; else the format says how they lie.
    let turnsPixels: Bool

    /// What is done to pixels of a format; `nil` when they stay.
    /// - Throws: `.unsupported` for a format whose pictures cannot be turned so.
    func rotation(
        of orientation: VideoOrientation, _ format: PixelFormat
    ) throws(MediaError) -> PixelRotation? {
        guard turnsPixels, orientation != .upright else { return nil }
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
    /// The format after its pictures were turned as it says.
    var turnedUpright: VideoFormat {
        var turned = self
        turned.orientation = .upright
        if orientation.swapsAxes {
            (turned.width, turned.height) = (height, width)
            turned.pixelAspect = PixelAspect(pixelAspect.vertical, pixelAspect.horizontal)
        }
        return turned
    }
}
