package import Media

/// A place in the upright picture, to which an automatic exposure or focus is tied.
public struct PointOfInterest: Sendable, Hashable {
    /// *from the left edge (0…1)*
    public var x: Double
    /// *from the upper edge (0…1)*
    public var y: Double

    /// - Parameters:
    ///   - x: from the left edge (0…1).
    ///   - y: from the upper edge (0…1).
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Whether it is the same but for the rounding of a camera.
    func isAt(_ other: PointOfInterest) -> Bool {
        abs(x - other.x) <= 0.01 && abs(y - other.y) <= 0.01
    }

    /// Whether it lies in the picture.
    var isInside: Bool { (0...1).contains(x) && (0...1).contains(y) }
}

// As a control's value.
extension PointOfInterest {
    /// Parts of a side that a control's value counts.
    private static let parts = 10_000.0
    /// All that there can be.
    static let codes: ClosedRange<Int64> = 0...(10_000 << 16 | 10_000)

    /// Ten-thousandths of the sides, the row in the lower 16 bits.
    /// - Precondition: it lies in the picture.
    var code: Int64 {
        Int64((x * Self.parts).rounded()) << 16 | Int64((y * Self.parts).rounded())
    }

    init(code: Int64) {
        self.init(
            x: min(1, Double(code >> 16 & 0xFFFF) / Self.parts),
            y: min(1, Double(code & 0xFFFF) / Self.parts))
    }
}

// In frames that do not lie upright.
extension PointOfInterest {
    /// Where it lies in the frame as the camera delivers it.
    /// - Parameter orientation: what makes that frame upright.
    func stored(_ orientation: VideoOrientation) -> PointOfInterest {
        let point =
            switch orientation.rotation {
            case .none: self
            case .clockwise90: PointOfInterest(x: y, y: 1 - x)
            case .half: PointOfInterest(x: 1 - x, y: 1 - y)
            case .clockwise270: PointOfInterest(x: 1 - y, y: x)
            }
        return orientation.isMirrored ? PointOfInterest(x: 1 - point.x, y: point.y) : point
    }

    /// Where a point of the frame as the camera delivers it lies in the upright picture.
    /// - Parameter orientation: what makes that frame upright.
    func shown(_ orientation: VideoOrientation) -> PointOfInterest {
        let point = orientation.isMirrored ? PointOfInterest(x: 1 - x, y: y) : self
        return switch orientation.rotation {
        case .none: point
        case .clockwise90: PointOfInterest(x: 1 - point.y, y: point.x)
        case .half: PointOfInterest(x: 1 - point.x, y: 1 - point.y)
        case .clockwise270: PointOfInterest(x: point.y, y: 1 - point.x)
        }
    }
}

extension CameraSetting {
    /// Whether it says where in the picture.
    var isPoint: Bool {
        switch self {
        case .exposurePoint, .focusPoint: true
        default: false
        }
    }

    /// With its point where it lies in the frame as the camera delivers it.
    func stored(_ orientation: VideoOrientation) -> CameraSetting {
        moved { $0.stored(orientation) }
    }

    /// With its point where it lies in the upright picture.
    /// - Parameter orientation: what makes the frames of the camera upright.
    package func shown(_ orientation: VideoOrientation) -> CameraSetting {
        moved { $0.shown(orientation) }
    }

    private func moved(_ move: (PointOfInterest) -> PointOfInterest) -> CameraSetting {
        switch self {
        case .exposurePoint(.value(let point)): .exposurePoint(.value(move(point)))
        case .focusPoint(.value(let point)): .focusPoint(.value(move(point)))
        default: self
        }
    }
}

extension GrantedCameraSetting {
    /// With its points where they lie in the upright picture.
    package func shown(_ orientation: VideoOrientation) -> GrantedCameraSetting {
        GrantedCameraSetting(
            wanted: wanted.shown(orientation), granted: granted?.shown(orientation),
            controls: controls)
    }
}

extension VideoInputSettings {
    /// Without what says where in the picture, which needs the orientation of the camera that is open.
    var withoutPoints: VideoInputSettings {
        var settings = self
        settings.cameraSettings.removeAll(where: \.isPoint)
        settings.underlyingSettings = underlyingSettings.map { $0.filter { !$0.isPoint } }
        return settings
    }

    /// The rest, the list that counts most last.
    var points: [[CameraSetting]] {
        (underlyingSettings + [cameraSettings]).map { $0.filter(\.isPoint) }.filter { !$0.isEmpty }
    }
}
