public import Media

extension VideoFormat {
    /// Width and height of the upright frame with square pixels: the pixel aspect stretches the stored
    /// width, then the turn may change the two.
    public var uprightSize: Size {
        let aspect = Double(pixelAspect.horizontal) / Double(pixelAspect.vertical)
        let (across, down) = (Double(width) * aspect, Double(height))
        return orientation.swapsAxes
            ? Size(width: down, height: across) : Size(width: across, height: down)
    }

    /// The same in whole pixels.
    package var uprightPixelSize: PixelSize {
        let size = uprightSize
        return PixelSize(width: Int(size.width.rounded()), height: Int(size.height.rounded()))
    }
}
