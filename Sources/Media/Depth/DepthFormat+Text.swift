extension DepthFormat {
    /// The names under which a track's format stands in a file beside it, and their values.
    package var tags: [(name: String, value: String)] {
        var tags = [("DEPTH_UNIT", unit.text), ("DEPTH_ACCURACY", accuracy.rawValue)]
        tags.append(("DEPTH_QUALITY", isFiltered ? "filtered" : "raw"))
        if let calibration {
            tags.append(("DEPTH_FOCAL_LENGTH", "\(calibration.focalLength) px"))
            tags.append(("DEPTH_BASELINE", "\(calibration.baseline) m"))
        }
        return tags.map { (name: $0.0, value: $0.1) }
    }

    /// The format that a file states; `nil` where it states none, or one that none can be.
    /// - Parameter tag: the value of a name.
    package init?(tags tag: (String) -> String?) {
        guard let unit = tag("DEPTH_UNIT").flatMap(DepthUnit.init(text:)) else { return nil }
        self.init(
            unit: unit,
            accuracy: tag("DEPTH_ACCURACY").flatMap(Accuracy.init(rawValue:)) ?? .absolute,
            isFiltered: tag("DEPTH_QUALITY") == "filtered")
        do throws(MediaError) { try validate() } catch { return nil }
        let stated = [tag("DEPTH_FOCAL_LENGTH"), tag("DEPTH_BASELINE")]
        guard stated.contains(where: { $0 != nil }) else { return }
        if let focal = stated[0].flatMap({ DepthUnit.number($0, "px") }),
            let baseline = stated[1].flatMap({ DepthUnit.number($0, "m") })
        {
            calibration = DepthCalibration(focalLength: focal, baseline: baseline)
        }
        // the unit counts without it, too
        let isValid = (try? validate()) != nil
        if calibration == nil || !isValid {
            (calibration, isCalibrationUnreadable) = (nil, true)
        }
    }
}

extension DepthFormat: CustomStringConvertible {
    /// For people: `depth, steps of 1 mm, absolute, raw`.
    public var description: String {
        var text = "\(unit.kind.rawValue), steps of \(unit), \(accuracy.rawValue), "
        text += isFiltered ? "filtered" : "raw"
        if isCalibrationUnreadable { text += ", calibration unreadable" }
        if let calibration {
            text +=
                ", focal length \(calibration.focalLength.short) px, baseline "
                + "\((calibration.baseline * 1000).short) mm"
        }
        return text
    }
}

extension DepthUnit: CustomStringConvertible {
    /// For people: `1 mm`, `0.0625 px`, `0.01/m`.
    public var description: String {
        switch self {
        case .metres(let step): step < 1 ? "\((step * 1000).short) mm" : "\(step.short) m"
        case .inverseMetres(let step): "\(step.short)/m"
        case .pixels(let step): "\(step.short) px"
        }
    }

    /// Exact, for a file: `0.001 m`, `0.0625 px`, `0.01 1/m`.
    var text: String {
        switch self {
        case .metres(let step): "\(step) m"
        case .inverseMetres(let step): "\(step) 1/m"
        case .pixels(let step): "\(step) px"
        }
    }

    init?(text: String) {
        if let step = Self.number(text, "1/m") {
            self = .inverseMetres(step)
        } else if let step = Self.number(text, "px") {
            self = .pixels(step)
        } else if let step = Self.number(text, "m") {
            self = .metres(step)
        } else {
            return nil
        }
    }

    /// The number before a unit.
    fileprivate static func number(_ text: String, _ unit: String) -> Double? {
        guard text.utf8.count < 64, text.hasSuffix(" " + unit) else { return nil }
        return Double(text.dropLast(unit.utf8.count + 1))
    }
}

extension Double {
    /// Six decimals at most, and none that say nothing.
    fileprivate var short: String {
        let rounded = (self * 1e6).rounded() / 1e6
        guard rounded != 0, abs(rounded) < 1e9 else { return "\(self)" }
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
