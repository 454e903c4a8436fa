package import Media

extension VideoFormat {
    /// The map from the stored frame to the upright one with square pixels.
    package var uprightTransform: Transform2D {
        let aspect = Double(pixelAspect.horizontal) / Double(pixelAspect.vertical)
        return Transform2D.scale(x: aspect, y: 1).followed(
            by: .rotating(orientation, width: Double(width) * aspect, height: Double(height)))
    }
}

extension Transform2D {
    /// Mirrors, then rotates a frame of a size so that its upper left corner is at the origin again.
    package static func rotating(
        _ orientation: VideoOrientation, width: Double, height: Double
    ) -> Transform2D {
        let mirror =
            orientation.isMirrored
            ? Transform2D(a: -1, b: 0, c: 0, d: 1, tx: width, ty: 0) : .identity
        let turn: Transform2D
        switch orientation.rotation {
        case .none: turn = .identity
        case .clockwise90: turn = Transform2D(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
        case .half: turn = Transform2D(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
        case .clockwise270: turn = Transform2D(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
        }
        return mirror.followed(by: turn)
    }

    /// The orientation in this map if it only scales, shifts, mirrors and rotates by quarters.
    var orientation: VideoOrientation? {
        let size = max(a.magnitude, b.magnitude, c.magnitude, d.magnitude)
        let none = size * 1e-9
        if b.magnitude <= none, c.magnitude <= none, a != 0, d != 0 {
            switch (a > 0, d > 0) {
            case (true, true): return .upright
            case (false, false): return VideoOrientation(rotation: .half)
            case (false, true): return VideoOrientation(isMirrored: true)
            case (true, false): return VideoOrientation(rotation: .half, isMirrored: true)
            }
        }
        if a.magnitude <= none, d.magnitude <= none, b != 0, c != 0 {
            switch (b > 0, c > 0) {
            case (true, false): return VideoOrientation(rotation: .clockwise90)
            case (false, true): return VideoOrientation(rotation: .clockwise270)
            case (false, false): return VideoOrientation(rotation: .clockwise90, isMirrored: true)
            case (true, true): return VideoOrientation(rotation: .clockwise270, isMirrored: true)
            }
        }
        return nil
    }
}
