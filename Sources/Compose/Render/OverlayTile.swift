package import Media

/// A rectangle of a title or an image, ready to be drawn over a frame.
package struct OverlayTile: Sendable {
    /// Tiles with the same identity have the same pixels, so they are converted once.
    package var identity: UInt64
    /// Top left corner in the render area (pixels; may lie outside).
    package var x: Int
    package var y: Int
    /// BGRA in memory, 8 bit, premultiplied, sRGB.
    package var image: PixelBuffer
    /// 0…1, on top of the image's own alpha.
    package var opacity: Double

    package init(identity: UInt64, x: Int, y: Int, image: PixelBuffer, opacity: Double = 1) {
        self.identity = identity
        self.x = x
        self.y = y
        self.image = image
        self.opacity = opacity
    }
}
