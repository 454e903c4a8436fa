internal import Media

/// Colour descriptions in a project: a usual name, or the code points of ITU-T H.273.
enum ProjectColor {
    private static let named: [(String, ColorDescription)] = [
        ("bt709", .bt709), ("bt601", .bt601),
        (
            "bt2020",
            ColorDescription(primaries: 9, transfer: 14, matrix: 9, range: .limited)
        ),
    ]

    static var names: [String] { named.map(\.0) }

    static let table = ProjectTable(
        name: "a colour description",
        keys: [
            ProjectKey("primaries", .number(1...22), required: true, "ITU-T H.273 table 2"),
            ProjectKey("transfer", .number(1...18), required: true, "ITU-T H.273 table 3"),
            ProjectKey("matrix", .number(1...17), required: true, "ITU-T H.273 table 4"),
            ProjectKey("range", .choice(["limited", "full"]), "of the codes (default limited)"),
        ])

    static func color(_ value: ProjectValue?) -> ColorDescription? {
        switch value {
        case .text(let name): return named.first { $0.0 == name }?.1
        case .record(let record):
            if let name = record.text("primaries") { return named.first { $0.0 == name }?.1 }
            func code(_ key: String) -> UInt8 { UInt8(record.number(key) ?? 2) }
            return ColorDescription(
                primaries: code("primaries"), transfer: code("transfer"), matrix: code("matrix"),
                range: record.choice("range") ?? .limited)
        default: return nil
        }
    }

    static func value(_ color: ColorDescription) -> JSON5Writer.Value {
        if let known = named.first(where: { $0.1 == color }) { return .text(known.0) }
        return .record([
            ("primaries", .integer(color.primaries)), ("transfer", .integer(color.transfer)),
            ("matrix", .integer(color.matrix)), ("range", .text(color.range.rawValue)),
        ])
    }
}
