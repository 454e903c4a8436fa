import Detect
import Media

extension ValueKind where Value == DepthFormat {
    /// `1mm`, `0.1mm,relative`, `1/16px,focal=700px,baseline=6cm`.
    static var depth: ValueKind {
        ValueKind(
            "UNIT",
            expected:
                "what a step is, such as 1mm, 0.01/m or 1/16px, and with commas behind it relative, filtered, "
                + "focal=700px and baseline=6cm",
            completion: .words(["1mm", "0.1mm", "1/16px"])
        ) { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            guard let unit = parts.first.flatMap({ DepthWords.unit(String($0)) }) else {
                return nil
            }
            var format = DepthFormat(unit: unit)
            var (focal, baseline): (Double?, Double?)
            for part in parts.dropFirst() {
                switch part {
                case "relative": format.accuracy = .relative
                case "filtered": format.isFiltered = true
                case _ where part.hasPrefix("focal="):
                    focal = DepthWords.pixels(String(part.dropFirst("focal=".count)))
                    if focal == nil { return nil }
                case _ where part.hasPrefix("baseline="):
                    baseline = DepthWords.metres(String(part.dropFirst("baseline=".count)))
                    if baseline == nil { return nil }
                default: return nil
                }
            }
            guard (focal == nil) == (baseline == nil) else { return nil }
            if let focal, let baseline {
                format.calibration = DepthCalibration(focalLength: focal, baseline: baseline)
            }
            return (try? format.validate()) == nil ? nil : format
        }
    }
}

extension ValueKind where Value == StereoWish {
    /// `baseline=6cm,focal=700px`, with `max-disparity=`, `block=` and `unit=` where they are wanted.
    static var stereo: ValueKind {
        ValueKind(
            "PAIR",
            expected:
                "baseline=6cm,focal=700px, and with commas behind it max-disparity=128 (a multiple of 16 up to 512), "
                + "block=9 (odd, 3 to 11) and unit=1mm",
            completion: .words(["baseline=6cm,focal=700px"])
        ) { text in
            var words: [String: String] = [:]
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
                guard pair.count == 2, words[pair[0]] == nil else { return nil }
                words[pair[0]] = pair[1]
            }
            let names = ["baseline", "focal", "max-disparity", "block", "unit"]
            guard words.keys.allSatisfy(names.contains),
                let baseline = words["baseline"].flatMap(DepthWords.metres),
                let focal = words["focal"].flatMap(DepthWords.pixels)
            else { return nil }
            var settings = StereoMatcher.Settings(
                calibration: DepthCalibration(focalLength: focal, baseline: baseline))
            if let word = words["max-disparity"] {
                guard let pixels = Int(word) else { return nil }
                settings.maximumDisparity = pixels
            }
            if let word = words["block"] {
                guard let side = Int(word) else { return nil }
                settings.blockSize = side
            }
            guard (try? settings.validate()) != nil else { return nil }
            guard let word = words["unit"] else { return StereoWish(settings: settings) }
            return DepthWords.unit(word).map { StereoWish(settings: settings, unit: $0) }
        }
    }
}

extension ValueKind where Value == DepthFilter.Settings {
    /// `holes`, `temporal` or both.
    static var depthFilter: ValueKind {
        ValueKind(
            "WHAT", expected: "holes, temporal or holes,temporal",
            completion: .words(["holes", "temporal", "holes,temporal"])
        ) { text in
            let words = text.split(separator: ",", omittingEmptySubsequences: false)
            guard words.allSatisfy({ ["holes", "temporal"].contains($0) }),
                Set(words).count == words.count
            else { return nil }
            return DepthFilter.Settings(
                holeReach: words.contains("holes") ? DepthFilter.Settings().holeReach : 0,
                isTemporal: words.contains("temporal"))
        }
    }
}

/// How lengths and units of depth are written.
enum DepthWords {
    /// `1mm`, `0.01/m`, `1/16px`.
    static func unit(_ text: String) -> DepthUnit? {
        if let step = metres(text) { return .metres(step) }
        if let step = pixels(text) { return .pixels(step) }
        guard text.hasSuffix("/m") else { return nil }
        return positive(String(text.dropLast(2))).map { .inverseMetres($0) }
    }

    /// `6cm`, `0.06m`, `60mm`, `100um`.
    static func metres(_ text: String) -> Double? {
        // divided, so that a millimetre is the number that 0.001 is
        for (unit, parts) in [("mm", 1000.0), ("cm", 100), ("um", 1_000_000), ("m", 1)]
        where text.hasSuffix(unit) {
            return positive(String(text.dropLast(unit.count))).map { $0 / parts }
        }
        return nil
    }

    /// `700px`, `1/16px`.
    static func pixels(_ text: String) -> Double? {
        text.hasSuffix("px") ? positive(String(text.dropLast(2))) : nil
    }

    private static func positive(_ text: String) -> Double? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            .map { scaledDecimal($0, scale: 9).map { Double($0) / 1e9 } }
        guard (1...2).contains(parts.count), let first = parts[0], first > 0 else { return nil }
        guard parts.count == 2 else { return first }
        guard let second = parts[1], second > 0 else { return nil }
        return first / second
    }
}
