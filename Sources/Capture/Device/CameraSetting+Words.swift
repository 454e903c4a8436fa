internal import Glibc
internal import Media

// The grammar of settings, NAME=VALUE.

extension CameraSetting: CustomStringConvertible {
    /// The words that have units; every other name is a control of the driver's.
    public static let names = examples.map(\.name)

    private static let examples: [(name: String, value: String)] = [
        (name: "exposure", value: "1/60s"), ("exposure-bias", "-0.5EV"),
        ("exposure-point", "0.5,0.3"), ("gain", "4"), ("focus", "0.35"), ("focus-point", "0.5,0.3"),
        ("white-balance", "5200K"), ("zoom", "2x"), ("pan", "10deg"),
        ("tilt", "-5deg"), ("pan-speed", "3"), ("tilt-speed", "3"), ("torch", "on"),
        ("power-line", "50Hz"),
    ]

    /// What a word with a unit looks like (`pan=10deg`); `nil` for other names, with `_` or `-`.
    static func example(of name: String) -> String? {
        let name = String(name.map { $0 == "_" ? "-" : $0 })
        return examples.first { $0.name == name }.map { "\($0.name)=\($0.value)" }
    }

    /// Reads `exposure=1/60s`, `white-balance=auto` or, by its V4L2 name, `brightness=140`.
    /// - Parameter words: a name and a value; `nil` is the answer where they are none.
    public init?(words: String) {
        let parts = words.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let name = parts[0].lowercased()
        let value = String(parts[1])
        if let setting = Self.typed(name, value) {
            self = setting
            return
        }
        guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }) else {
            return nil
        }
        let switches: [String: Int64] = ["on": 1, "true": 1, "off": 0, "false": 0]
        guard let number = switches[value] ?? Int64(value) else { return nil }
        self = .native(name: String(name.map { $0 == "-" ? "_" : $0 }), value: number)
    }

    private static func typed(_ name: String, _ value: String) -> CameraSetting? {
        switch name {
        case "exposure": Self.exposure(value).map { .exposure($0) }
        case "exposure-bias": number(value, "EV").map { .exposureBias($0) }
        case "gain": value == "auto" ? .gain(.automatic) : Int64(value).map { .gain(.value($0)) }
        case "focus":
            if value == "auto" {
                .focus(.automatic)
            } else {
                number(value, "").flatMap { (0...1).contains($0) ? .focus(.value($0)) : nil }
            }
        case "exposure-point": point(value).map { .exposurePoint($0) }
        case "focus-point": point(value).map { .focusPoint($0) }
        case "white-balance":
            switch value {
            case "auto": .whiteBalance(.automatic)
            case "once": .whiteBalance(.once)
            default:
                value.hasSuffix("K")
                    ? Int64(value.dropLast()).map { .whiteBalance(.temperature($0)) } : nil
            }
        case "zoom": number(value, "x").flatMap { $0 >= 1 ? .zoom($0) : nil }
        case "pan": number(value, "deg").map { .pan($0) }
        case "tilt": number(value, "deg").map { .tilt($0) }
        case "pan-speed": Int64(value).map { .panSpeed($0) }
        case "tilt-speed": Int64(value).map { .tiltSpeed($0) }
        case "torch": value == "on" ? .torch(true) : value == "off" ? .torch(false) : nil
        case "power-line":
            PowerLine.allCases.first { $0.word == value }.map { .powerLine($0) }
        default: nil
        }
    }

    private static func exposure(_ text: String) -> Exposure? {
        switch text {
        case "auto": return .automatic
        case "manual": return .manual
        case "shutter-priority": return .shutterPriority
        case "aperture-priority": return .aperturePriority
        default: break
        }
        let seconds: Double?
        if text.hasPrefix("1/"), text.hasSuffix("s") {
            seconds = number(String(text.dropFirst(2)), "s").flatMap { $0 > 0 ? 1 / $0 : nil }
        } else {
            seconds =
                number(text, "us").map { $0 / 1e6 } ?? number(text, "ms").map { $0 / 1e3 }
                ?? number(text, "s")
        }
        guard let seconds, seconds > 0, seconds <= 3600 else { return nil }
        return .duration(.nanoseconds(Int64((seconds * 1e9).rounded())))
    }

    private static func point(_ text: String) -> Adjustment<PointOfInterest>? {
        if text == "auto" { return .automatic }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let x = number(String(parts[0]), ""),
            let y = number(String(parts[1]), "")
        else { return nil }
        let point = PointOfInterest(x: x, y: y)
        return point.isInside ? .value(point) : nil
    }

    private static func number(_ text: String, _ unit: String) -> Double? {
        guard text.hasSuffix(unit) else { return nil }
        let digits = text.dropLast(unit.count)
        let isPlain = digits.utf8.allSatisfy {
            (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
        }
        return isPlain ? Double(digits) : nil
    }

    public var description: String { "\(name)=\(valueText)" }

    /// Whether it is a control by its V4L2 name.
    public var isNative: Bool { if case .native = self { true } else { false } }

    /// What stands before the sign of equality.
    public var name: String {
        switch self {
        case .exposure: "exposure"
        case .exposureBias: "exposure-bias"
        case .gain: "gain"
        case .focus: "focus"
        case .exposurePoint: "exposure-point"
        case .focusPoint: "focus-point"
        case .whiteBalance: "white-balance"
        case .zoom: "zoom"
        case .pan: "pan"
        case .tilt: "tilt"
        case .panSpeed: "pan-speed"
        case .tiltSpeed: "tilt-speed"
        case .torch: "torch"
        case .powerLine: "power-line"
        case .native(let name, _): name
        }
    }

    /// What stands behind it.
    public var valueText: String {
        switch self {
        case .exposure(.automatic), .gain(.automatic), .focus(.automatic),
            .exposurePoint(.automatic), .focusPoint(.automatic), .whiteBalance(.automatic):
            "auto"
        case .exposurePoint(.value(let point)), .focusPoint(.value(let point)):
            Self.decimal(point.x, 4) + "," + Self.decimal(point.y, 4)
        case .exposure(.manual): "manual"
        case .exposure(.shutterPriority): "shutter-priority"
        case .exposure(.aperturePriority): "aperture-priority"
        case .exposure(.duration(let time)): Self.text(of: time)
        case .exposureBias(let bias): Self.decimal(bias, 3) + "EV"
        case .gain(.value(let value)): "\(value)"
        case .focus(.value(let position)): Self.decimal(position, 3)
        case .whiteBalance(.temperature(let kelvin)): "\(kelvin)K"
        case .whiteBalance(.once): "once"
        case .zoom(let factor): Self.decimal(factor, 2) + "x"
        case .pan(let angle), .tilt(let angle): Self.decimal(angle, 2) + "deg"
        case .panSpeed(let speed), .tiltSpeed(let speed): "\(speed)"
        case .torch(let isOn): isOn ? "on" : "off"
        case .powerLine(let frequency): frequency.word
        case .native(_, let value): "\(value)"
        }
    }

    /// `1/60s` where it is one over a whole number, else `16.7ms` or `2s`.
    private static func text(of time: MediaTime) -> String {
        let seconds = time.approximateSeconds
        let rate = (1 / seconds).rounded()
        if rate > 1, abs(seconds * rate - 1) < 1e-6 { return "1/\(Int(rate))s" }
        return seconds < 1 ? decimal(seconds * 1e3, 3) + "ms" : decimal(seconds, 4) + "s"
    }

    private static func decimal(_ number: Double, _ places: Int) -> String {
        let scale = pow(10, Double(places))
        let rounded = (number * scale).rounded() / scale
        return Int64(exactly: rounded).map(String.init) ?? "\(rounded)"
    }
}

extension CameraSetting.PowerLine {
    /// `off`, `50Hz`, `60Hz`, `auto`.
    var word: String {
        switch self {
        case .off: "off"
        case .hz50: "50Hz"
        case .hz60: "60Hz"
        case .automatic: "auto"
        }
    }
}
