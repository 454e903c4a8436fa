package import Media

extension VideoFormat {
    /// Width and height of the upright picture with square pixels (pixels, not necessarily whole): the
    /// pixel aspect stretches the stored width, then the turn may change the two.
    package var uprightSize: (width: Double, height: Double) {
        let aspect = Double(pixelAspect.horizontal) / Double(pixelAspect.vertical)
        let (across, down) = (Double(width) * aspect, Double(height))
        return orientation.swapsAxes ? (down, across) : (across, down)
    }

    /// The same in whole pixels.
    package var uprightPixelSize: PixelSize {
        let size = uprightSize
        return PixelSize(width: Int(size.width.rounded()), height: Int(size.height.rounded()))
    }
}
