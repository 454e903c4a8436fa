internal import Media

/// The sample entries of metadata: QuickTime's `mebx` with a table of keys (QuickTime File Format, "Timed Metadata
/// Media"; ISO/IEC 14496-12, 12.3.3), and `mett` with JSON in MP4, whose keys are JSON in its text configuration.
enum MetadataEntry {
    private static let jsonType = "application/json"
    /// The namespace of names in reverse-DNS form.
    private static let namespace: FourCC = "mdta"
    /// A signed number of 8 bits, which only cameras' own tracks have (well-known type).
    private static let signedByte: UInt32 = 65
    /// A data type that has a name and no number.
    private static let jsonName = "com.apple.metadata.datatype.JSON"

    /// - Parameter isCameras: whether it may be the track that marks a live photo's photo.
    /// - Throws: `invalidSetting` for keys that no track can have.
    static func write(
        _ format: MetadataFormat, in container: MovieContainer, isCameras: Bool,
        to builder: inout BoxBuilder
    ) throws(MediaError) {
        if !isCameras || format != .stillImageTime { try format.validate() }
        switch container {
        case .mov: writeKeyed(format, to: &builder)
        case .mp4: writeJSON(format, to: &builder)
        }
    }

    private static func writeKeyed(_ format: MetadataFormat, to builder: inout BoxBuilder) {
        builder.box("mebx") { builder in
            builder.zeros(6)
            builder.u16(1)  // data reference
            builder.box("keys") { builder in
                for (index, key) in format.keys.enumerated() {
                    builder.box(FourCC(code: UInt32(index + 1))) { builder in
                        builder.box("keyd") { builder in
                            builder.code(namespace)
                            builder.raw(Array(key.identifier.utf8))
                        }
                        builder.box("dtyp") { builder in
                            if format == .stillImageTime {
                                builder.u32(0)
                                builder.u32(signedByte)
                            } else if let number = numbers[key.dataType] {
                                builder.u32(0)
                                builder.u32(number)
                            } else {
                                builder.u32(1)
                                builder.raw(Array(jsonName.utf8))
                            }
                        }
                    }
                }
            }
        }
    }

    private static func writeJSON(_ format: MetadataFormat, to builder: inout BoxBuilder) {
        let keys = format.keys.map { key in
            JSONValue.object([
                ("key", .string(key.identifier)), ("type", .string(key.dataType.rawValue)),
            ])
        }
        builder.box("mett") { builder in
            builder.zeros(6)
            builder.u16(1)  // data reference
            builder.text("")  // not compressed
            builder.text(jsonType)
            builder.box("txtC") { builder in
                builder.full(0, 0)
                builder.text(JSONValue.object([("keys", .array(keys))]).compact)
            }
        }
    }

    /// Whether an entry's code is one of metadata.
    static func isKnown(_ code: FourCC) -> Bool { code == "mebx" || code == "mett" }

    /// - Returns: nil for what other programs keep in such tracks and vcap does not read: it is passed over, as it
    ///   is where it is damaged.
    static func read(_ entry: BoxReader) -> MetadataFormat? {
        var entry = entry
        var keys: [MetadataFormat.Key]?
        do throws(MediaError) {
            try entry.skip(8)
            keys = entry.type == "mebx" ? try keyed(&entry) : try described(&entry)
        } catch { return nil }
        guard let format = keys.map({ MetadataFormat(keys: $0) }), format.obstacle == nil else {
            return nil
        }
        return format
    }

    private static func keyed(
        _ entry: inout BoxReader
    ) throws(MediaError) -> [MetadataFormat.Key]? {
        while var child = try entry.child() {
            guard child.type == "keys" else { continue }
            var keys: [MetadataFormat.Key] = []
            while var key = try child.child() {
                guard key.type.code == UInt32(keys.count + 1), keys.count < MetadataFormat.mostKeys,
                    let found = try Self.key(&key)
                else { return nil }
                keys.append(found)
            }
            return keys
        }
        return nil
    }

    private static func key(
        _ box: inout BoxReader
    ) throws(MediaError) -> MetadataFormat.Key? {
        var identifier: String?
        var dataType: MetadataDataType?
        while var child = try box.child() {
            switch child.type {
            case "keyd":
                guard try child.code() == namespace else { return nil }
                identifier = String(validating: child.rest(), as: UTF8.self)
            case "dtyp":
                let space = try child.u32()
                let name = child.rest()
                if space == 0, name.count == 4 {
                    let number = name.reduce(0) { $0 << 8 | UInt32($1) }
                    dataType = numbers.first { $0.value == number }?.key
                } else if space == 1, name.elementsEqual(jsonName.utf8) {
                    dataType = .json
                }
            default: return nil  // what depends on a language or on a setup is no plain value
            }
        }
        guard let identifier, let dataType else { return nil }
        return MetadataFormat.Key(identifier, dataType)
    }

    private static func described(
        _ entry: inout BoxReader
    ) throws(MediaError) -> [MetadataFormat.Key]? {
        guard entry.text().isEmpty, entry.text() == jsonType else { return nil }
        while var child = try entry.child() {
            guard child.type == "txtC" else { continue }
            _ = try child.full()
            let value: JSONValue
            do throws(JSONFailure) {
                value = try JSONParser.parse(
                    Array(child.text().utf8), as: .json, longest: 1 << 20)
            } catch { return nil }
            return value["keys"]?.elements?.prefix(MetadataFormat.mostKeys + 1).map { key in
                MetadataFormat.Key(
                    key["key"]?.text ?? "",
                    key["type"]?.text.flatMap { MetadataDataType(rawValue: $0) } ?? .data)
            }
        }
        return nil
    }

    /// Well-known types (QuickTime File Format, table 3-5).
    private static let numbers: [MetadataDataType: UInt32] = [
        .data: 0, .text: 1, .number: 24, .point: 70, .rectangle: 72, .integer: 74,
        .unsignedInteger: 78,
    ]
}
