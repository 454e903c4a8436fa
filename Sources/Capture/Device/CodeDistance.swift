internal import Glibc
public import Media

/// A machine-readable code, held as near as a lens can focus: how large it is in the picture, and how much zoom it needs.
/// A pure value. Drivers do not say how near their lenses focus, nor how wide their angle is: both are the user's.
public struct CodeDistance: Sendable, Hashable {
    /// How near the lens can focus (m; more than 0).
    public var nearest: Double
    /// Width of the code (m; more than 0).
    public var codeWidth: Double
    /// Angle that the picture's width spans without zoom (degrees; more than 0, less than 180; 60).
    public var fieldOfView: Double
    /// Part of the picture's width that the code is to fill (more than 0, at most 1; a quarter, which leaves a code of
    /// some 40 modules eight pixels for each in a picture 1280 pixels wide).
    public var wantedShare: Double

    public init(
        nearest: Double, codeWidth: Double, fieldOfView: Double = 60, wantedShare: Double = 0.25
    ) {
        self.nearest = nearest
        self.codeWidth = codeWidth
        self.fieldOfView = fieldOfView
        self.wantedShare = wantedShare
    }

    /// Refuses what cannot be.
    /// - Throws: `MediaError` with `invalidSetting`, naming the field.
    public func validate() throws(MediaError) {
        let fields: [(String, Double, Double)] = [
            ("nearest", nearest, 1000), ("codeWidth", codeWidth, 1000),
            ("fieldOfView", fieldOfView, 179.9), ("wantedShare", wantedShare, 1),
        ]
        for (name, value, most) in fields where !(value > 0 && value <= most) {
            throw MediaError(
                code: .invalidSetting, subject: name,
                message: "\(name) is \(value); it must be more than 0 and at most \(most).")
        }
    }

    /// How wide the scene is there, without zoom (m).
    public var sceneWidth: Double { 2 * nearest * tan(fieldOfView / 2 * .pi / 180) }

    /// Part of the picture's width that the code fills there without zoom.
    public var share: Double { codeWidth / sceneWidth }

    /// The zoom that it needs; 1 where it needs none.
    public var zoomFactor: Double { max(1, wantedShare / share) }

    /// The smallest code that is large enough with a zoom (m).
    /// - Parameter factor: against the widest angle (1 and more).
    public func smallestCode(at factor: Double) -> Double { wantedShare * sceneWidth / factor }
}

/// What a camera's zoom does for a code.
public struct CodeZoom: Sendable, Hashable {
    /// What to set: the driver's next step from the factor that is needed, or its largest; `nil` for a camera without zoom
    /// in known units.
    public let setting: CameraSetting?
    /// Whether the code is then as large as it is to be.
    public let isEnough: Bool
    /// The smallest code that would be, at the camera's largest zoom (m).
    public let smallestCode: Double

    /// - Parameter controls: the camera's.
    package init(for code: CodeDistance, among controls: [DeviceControl]) {
        let zoom = controls.first {
            $0.role == .zoom && $0.range.lowerBound > 0 && !$0.isReadOnly
        }
        guard let zoom else {
            setting = nil
            isEnough = code.zoomFactor <= 1
            smallestCode = code.smallestCode(at: 1)
            return
        }
        let widest = Double(zoom.range.lowerBound)
        let largest = Double(zoom.nearest(to: Double(zoom.range.upperBound))) / widest
        // words have two decimals: what they say is enough, too
        let steps = ((code.zoomFactor - 1) * widest / Double(zoom.step) - 1e-9).rounded(.up)
        let exact = 1 + steps * Double(zoom.step) / widest
        let factor = min(largest, (exact * 100 - 1e-9).rounded(.up) / 100)
        setting = .zoom(factor)
        isEnough = factor >= code.zoomFactor - 1e-9
        smallestCode = code.smallestCode(at: largest)
    }
}

extension DeviceControls {
    /// What the camera's zoom does for a code.
    /// - Throws: `MediaError` with `invalidSetting` for a distance that cannot be.
    public func zoom(for code: CodeDistance) throws(MediaError) -> CodeZoom {
        try code.validate()
        return CodeZoom(for: code, among: try list())
    }
}
