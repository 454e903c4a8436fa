public import Media

/// A frame of a camera as a preview gets it: raw, upright and of about the size it is shown in.
public struct PreviewFrame: Sendable {
    /// When it was taken (host clock).
    public let time: MediaTime
    /// Pixels of `yuv420p`, in memory that no driver waits for.
    public let pixels: PixelBuffer
    /// What the pixels are: size, colours, shape.
    public let format: VideoFormat
    /// Size of the camera's own frames, upright (pixels).
    public let cameraSize: PixelSize
    /// Whether the pixels are the camera's own, not scaled.
    public let isZoomed: Bool

    public init(
        time: MediaTime, pixels: PixelBuffer, format: VideoFormat, cameraSize: PixelSize,
        isZoomed: Bool = false
    ) {
        self.time = time
        self.pixels = pixels
        self.format = format
        self.cameraSize = cameraSize
        self.isZoomed = isZoomed
    }

    /// The same frame with overlays drawn into a copy of its pixels.
    public func with(_ overlays: PreviewOverlays) -> PreviewFrame {
        PreviewFrame(
            time: time, pixels: overlays.applied(to: pixels, range: format.color.range),
            format: format, cameraSize: cameraSize, isZoomed: isZoomed)
    }
}

extension PixelSize {
    /// The largest size of a shape that fits into a box, at least one pixel each way.
    /// - Parameters:
    ///   - box: what it must fit into.
    ///   - grows: whether a box that is larger makes it larger.
    package func fitted(into box: PixelSize, grows: Bool = true) -> PixelSize {
        guard width > 0, height > 0 else { return PixelSize(1, 1) }
        if !grows, width <= box.width, height <= box.height { return self }
        if width * box.height >= height * box.width {
            let high = (height * box.width + width / 2) / width
            return PixelSize(max(1, box.width), max(1, min(box.height, high)))
        }
        let wide = (width * box.height + height / 2) / height
        return PixelSize(max(1, min(box.width, wide)), max(1, box.height))
    }
}

extension VideoFormat {
    /// Sides as people see them, upright and of square pixels (pixels).
    package var shownSize: PixelSize {
        var upright = self
        if orientation.swapsAxes {
            swap(&upright.width, &upright.height)
            upright.pixelAspect = PixelAspect(pixelAspect.vertical, pixelAspect.horizontal)
        }
        upright.orientation = .upright
        guard upright.pixelAspect.isShape else { return PixelSize(upright.width, upright.height) }
        let (wide, high) = (Int(upright.pixelAspect.horizontal), Int(upright.pixelAspect.vertical))
        return wide >= high
            ? PixelSize(upright.width * wide / high, upright.height)
            : PixelSize(upright.width, upright.height * high / wide)
    }
}
