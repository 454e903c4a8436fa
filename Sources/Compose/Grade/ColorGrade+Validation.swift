internal import Media

extension ColorGrade {
    /// Every value that can be checked without the files.
    /// - Parameters:
    ///   - subject: whose it is, for messages.
    ///   - name: of the item.
    func validate(_ subject: String, _ name: String) throws(MediaError) {
        try checkRange("temperature of \(subject)", temperature, Self.whiteRange, name)
        try checkRange("tint of \(subject)", tint, Self.whiteRange, name)
        try checkRange("exposure of \(subject)", exposure, Self.exposureRange, name)
        try checkRange("contrast of \(subject)", contrast, Self.factorRange, name)
        try checkRange("saturation of \(subject)", saturation, Self.factorRange, name)
        let channels = [
            ("lift", lift, Self.liftRange), ("gamma", gamma, Self.gammaRange),
            ("gain", gain, Self.gainRange),
        ]
        for (what, values, range) in channels {
            for value in [values.red, values.green, values.blue] {
                try checkRange("\(what) of \(subject)", value, range, name)
            }
        }
        for curve in [curve, redCurve, greenCurve, blueCurve].compactMap(\.self) {
            try curve.validate("a curve of \(subject)", name)
        }
        try checkRange("strength of the look of \(subject)", tableStrength, 0...1, name)
    }

    /// Reads the files, so that a film begins only if they can be used.
    func loadTables() throws(MediaError) {
        for path in tablePaths { _ = try LookupTableShelf.table(path) }
    }
}

extension ToneCurve {
    /// Most points of a curve.
    static let mostPoints = 32

    var isUsable: Bool {
        (2...Self.mostPoints).contains(points.count)
            && points.allSatisfy { (0...1).contains($0.input) && (0...1).contains($0.output) }
            && zip(points, points.dropFirst()).allSatisfy { $1.input - $0.input >= 1e-4 }
    }

    fileprivate func validate(_ what: String, _ name: String) throws(MediaError) {
        guard !isUsable else { return }
        throw .setting(
            name,
            "\(what) needs 2 to \(Self.mostPoints) points from 0 to 1, each further to the right than the one "
                + "before")
    }
}

extension VideoItem {
    /// The grades of the clip and of its key frames.
    var grades: [ColorGrade] { [grade] + keyframes.compactMap(\.grade) }
}
