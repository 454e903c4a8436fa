/// Measures how hard the machine is pressed.
public protocol PressureReader: Sendable {
    /// Called about once a second on the monitor's thread; may read small files.
    func read() -> PressureReading
}

/// What the kernel says of itself: pressure stall information (kernel documentation, accounting/psi) and thermal
/// zones (driver-api/thermal). What a kernel or machine does not have is no cause.
public struct SystemPressure: PressureReader {
    /// A zone this far below the point at which it is slowed is not hot (millidegrees).
    private static let warmth = 20_000.0

    private let root: String

    /// - Parameter root: the folder in which proc and sys are, with a slash at its end.
    public init(root: String = "/") { self.root = root }

    public func read() -> PressureReading {
        var reading = PressureReading()
        for (file, cause) in [
            ("cpu", PressureCause.processor), ("memory", .memory), ("io", .storage),
        ] {
            let text = SmallTextFile.read("\(root)proc/pressure/\(file)")
            if let share = text.flatMap(Self.share) { reading.note(share, of: cause) }
        }
        for zone in zones { if let heat = heat(of: zone) { reading.note(heat, of: .heat) } }
        return reading
    }

    /// Share of the last ten seconds in which some program waited (0…1), of a file's text:
    /// `some avg10=1.50 avg60=… avg300=… total=…`.
    static func share(in text: String) -> Double? {
        for line in text.split(separator: "\n") where line.hasPrefix("some ") {
            guard let field = line.split(separator: " ").first(where: { $0.hasPrefix("avg10=") }),
                let percent = Double(field.dropFirst("avg10=".count)), (0...100).contains(percent)
            else { return nil }
            return percent / 100
        }
        return nil
    }

    private var zones: [String] {
        let folder = "\(root)sys/class/thermal"
        return FolderListing.names(in: folder).filter { $0.hasPrefix("thermal_zone") }
            .map { "\(folder)/\($0)" }
    }

    /// A zone's place below the point at which it is slowed; `nil` where either is not known.
    private func heat(of zone: String) -> Double? {
        guard let temperature = number("\(zone)/temp"), let limit = limit(of: zone) else {
            return nil
        }
        return max(0, 1 - (limit - temperature) / Self.warmth)
    }

    /// Where the kernel begins to slow the machine (`passive`); without such a point where it is too hot
    /// (`hot`), or is switched off (`critical`) (millidegrees).
    private func limit(of zone: String) -> Double? {
        var limits: [String: Double] = [:]
        for name in FolderListing.names(in: zone) where name.hasPrefix("trip_point_") {
            guard name.hasSuffix("_type"),
                let type = FolderListing.firstLine(of: "\(zone)/\(name)"),
                let limit = number("\(zone)/\(name.dropLast("type".count))temp"), limit > 0
            else { continue }
            limits[type] = min(limits[type] ?? limit, limit)
        }
        return limits["passive"] ?? limits["hot"] ?? limits["critical"]
    }

    /// A temperature; drivers that cannot read theirs answer with an error or with nonsense.
    private func number(_ path: String) -> Double? {
        guard let value = FolderListing.firstLine(of: path).flatMap({ Double($0) }),
            (-50_000...200_000).contains(value)
        else { return nil }
        return value
    }
}
