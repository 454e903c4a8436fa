/// What the values of a depth map mean. In every map 0 is a point of which nothing is known.
public struct DepthFormat: Sendable, Hashable {
    /// How far the values can be trusted.
    public enum Accuracy: String, Sendable, Hashable, CaseIterable {
        /// They are the distances.
        case absolute
        /// They only order the points: distances are known up to a factor.
        case relative
    }

    /// *what a step of a value is (default: a millimetre of distance)*
    public var unit: DepthUnit
    /// *whether the values are distances or only order the points (default absolute)*
    public var accuracy: Accuracy
    /// *whether holes were filled or values smoothed since the camera measured them (default no: raw)*
    public var isFiltered: Bool
    /// *the pair of cameras behind it (default not known: pixels of disparity are then no distance)*
    public var calibration: DepthCalibration?
    /// *whether a file states a pair of cameras that none can be, which is left out (default no)*
    public var isCalibrationUnreadable = false

    /// - Parameters:
    ///   - unit: what a step of a value is.
    ///   - accuracy: whether the values are distances or only order the points.
    ///   - isFiltered: whether anything was changed since the camera measured.
    ///   - calibration: the pair of cameras behind it; `nil`: not known.
    public init(
        unit: DepthUnit = .metres(0.001), accuracy: Accuracy = .absolute, isFiltered: Bool = false,
        calibration: DepthCalibration? = nil
    ) {
        self.unit = unit
        self.accuracy = accuracy
        self.isFiltered = isFiltered
        self.calibration = calibration
    }

    /// A millimetre a step, which most depth cameras have and V4L2's `Z16` leaves open.
    public static let millimetres = DepthFormat()

    /// - Throws: `invalidSetting` for a step, a focal length or a baseline that none can be.
    public func validate() throws(MediaError) {
        let range = DepthUnit.steps
        guard range.contains(unit.step) else {
            throw .depth(
                "A step of \(unit.step) is no unit of depth: give 1e-9 to 1e6 m, 1/m or pixels.")
        }
        guard let calibration else { return }
        guard (1e-3...1e6).contains(calibration.focalLength),
            (1e-6...1e4).contains(calibration.baseline)
        else {
            throw .depth(
                "No pair of cameras has a focal length of \(calibration.focalLength) pixels and a "
                    + "baseline of \(calibration.baseline) m.")
        }
    }

    /// Metres of a value; `nil` where nothing is known, and for pixels of disparity of cameras that are not
    /// calibrated.
    /// - Parameter value: as it stands in the map.
    public func distance(of value: UInt16) -> Double? {
        guard value > 0 else { return nil }
        let measure = Double(value) * unit.step
        switch unit {
        case .metres: return measure
        case .inverseMetres: return 1 / measure
        case .pixels: return calibration.map { $0.product / measure }
        }
    }

    /// The nearest value of a distance; 0 where no value stands for it.
    /// - Parameter distance: above 0 (m).
    func value(of distance: Double) -> UInt16 {
        let measure: Double
        switch unit {
        case .metres: measure = distance
        case .inverseMetres: measure = 1 / distance
        case .pixels: measure = (calibration?.product ?? 0) / distance
        }
        let steps = (measure / unit.step).rounded()
        return steps >= 1 && steps <= 65_535 ? UInt16(steps) : 0
    }
}

extension MediaError {
    static func depth(_ message: String) -> MediaError {
        MediaError(code: .invalidSetting, subject: "depth", message: message)
    }
}
