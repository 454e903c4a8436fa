package import Media

/// The frame that somebody wants of whatever comes. What is `nil` stays as it comes.
package struct FrameTarget: Sendable, Hashable {
    package var pixelFormat: PixelFormat?
    /// As delivered, so after a rotation (pixels). Where the proportions differ, the frame is stretched and its pixel
    /// aspect says so: what a person sees keeps its own.
    package var size: PixelSize?
    /// What the codes mean; `nil`: YUV keeps matrix and range, RGB becomes what a frame of its size usually is.
    package var color: ColorDescription?
    /// How the pixels delivered must be rotated to be upright: `.upright` rotates and mirrors the pixels.
    package var orientation: VideoOrientation?

    package init(
        pixelFormat: PixelFormat? = nil, size: PixelSize? = nil, color: ColorDescription? = nil,
        orientation: VideoOrientation? = nil
    ) {
        self.pixelFormat = pixelFormat
        self.size = size
        self.color = color
        self.orientation = orientation
    }

    /// What frames of a format become; of coded ones what they become when they are decoded.
    /// - Throws: `.unsupported` for pixels that cannot be rotated so.
    package func format(of input: VideoFormat) throws(MediaError) -> VideoFormat {
        var output = input
        if let pixels = pixelFormat ?? input.pixelFormat {
            output.coding = .raw(pixels)
            output.codecConfiguration = []
            // of other codes, or stretched, they are no distances any more
            if pixels != .gray16le || size != nil { output.depth = nil }
            output.color = color ?? Self.color(of: input, as: pixels)
            let rotation = input.orientation.rotation(to: orientation ?? input.orientation)
            guard pixels.canRotate(by: rotation) else {
                throw .refused(
                    .unsupported, pixels.rawValue,
                    "\(pixels.rawValue) frames cannot be rotated by a quarter; want yuv420p, or "
                        + "leave the rotation to the format.")
            }
            output.rotate(to: orientation ?? input.orientation)
        }
        if let size { output.stretch(to: size) }
        return output
    }

    private static func color(
        of input: VideoFormat, as wanted: PixelFormat
    ) -> ColorDescription {
        // coded frames say by their matrix that they are RGB
        let isRGB = input.pixelFormat?.isRGB ?? (input.color.matrix == 0 || wanted.isRGB)
        guard isRGB != wanted.isRGB else { return input.color }
        var color = input.color
        let usual: ColorDescription = input.height >= 720 ? .bt709 : .bt601
        color.matrix = wanted.isRGB ? 0 : usual.matrix
        color.range = wanted.isRGB ? .full : .limited
        return color
    }
}

extension VideoOrientation {
    /// What is done to pixels that lie as this one says, so that they lie as another one says.
    package func rotation(to other: VideoOrientation) -> VideoOrientation {
        var back = other
        // a mirrored one is its own opposite
        if !other.isMirrored {
            back.rotation = Rotation(rawValue: (360 - other.rotation.rawValue) % 360) ?? .none
        }
        return followed(by: back)
    }
}

extension VideoFormat {
    /// The same frame with its pixels rotated and mirrored so that they lie as an orientation says.
    package mutating func rotate(to other: VideoOrientation) {
        if orientation.rotation(to: other).swapsAxes {
            swap(&width, &height)
            pixelAspect = PixelAspect(pixelAspect.vertical, pixelAspect.horizontal)
        }
        orientation = other
    }

    /// The same frame of square pixels: the side of which it has too few is longer, and even; itself where the pixels are
    /// square already or it would be too large to be converted.
    package var squared: VideoFormat {
        let (wide, high) = (Int(pixelAspect.horizontal), Int(pixelAspect.vertical))
        guard pixelAspect.isShape, wide != high else { return self }
        func longer(_ side: Int, _ more: Int, _ less: Int) -> Int {
            (side * more + less) / (2 * less) * 2
        }
        var result = self
        result.pixelAspect = .square
        if wide > high { result.width = longer(width, wide, high) }
        if high > wide { result.height = longer(height, high, wide) }
        return max(result.width, result.height) <= 16_384 ? result : self
    }

    /// Other pixels for the same frame: what a person sees keeps its proportions.
    package mutating func stretch(to size: PixelSize) {
        let horizontal =
            UInt64(clamping: pixelAspect.horizontal) * UInt64(width) * UInt64(size.height)
        let vertical = UInt64(clamping: pixelAspect.vertical) * UInt64(height) * UInt64(size.width)
        let divisor = max(1, greatestCommonDivisor(horizontal, vertical))
        if let one = Int32(exactly: horizontal / divisor),
            let other = Int32(exactly: vertical / divisor)
        {
            pixelAspect = PixelAspect(one, other)
        }
        (width, height) = (size.width, size.height)
    }
}
