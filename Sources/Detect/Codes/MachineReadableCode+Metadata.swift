public import Media

extension MachineReadableCode: RecordedObject {
    /// The key of codes in metadata tracks: JSON, one item a code.
    static let metadataKey = MetadataFormat.Key(
        DetectedPlace.identifier(of: "code"), .json)

    package static func metadataKey(of type: MetadataObjectType) -> MetadataFormat.Key {
        metadataKey
    }

    /// What a metadata track holds of it.
    package var json: JSONValue {
        .members([
            "symbology": .string(type.rawValue),
            "text": stringValue.map { .string($0) },
            "bytes": stringValue == nil ? .string(Self.hexadecimal(bytes)) : nil,
            "corners": .array(
                corners.map { .array([.part($0.x), .part($0.y)]) }),
        ])
    }

    /// - Parameter json: as a metadata track holds it.
    /// - Returns: nil for anything else.
    package init?(json: JSONValue, time: MediaTime) {
        guard let symbology = json["symbology"]?.text,
            MetadataObjectType.codes.contains(MetadataObjectType(rawValue: symbology)),
            let corners = json["corners"]?.elements
        else { return nil }
        let text = json["text"]?.text
        guard
            let bytes = text.map({ Array($0.utf8) })
                ?? json["bytes"]?.text.flatMap(Self.bytes(hexadecimal:))
        else { return nil }
        let points = corners.compactMap { corner -> NormalizedPoint? in
            guard let place = corner.elements?.compactMap(\.number), place.count == 2 else {
                return nil
            }
            return NormalizedPoint(x: place[0], y: place[1])
        }
        guard points.count == 4 else { return nil }
        self.init(
            type: MetadataObjectType(rawValue: symbology), time: time, stringValue: text,
            bytes: bytes, corners: points)
    }

    /// The codes that a sample of a metadata track says a frame shows; none where it is of something else. Of a code
    /// that is text, `bytes` are the text's.
    public static func codes(in group: TimedMetadataGroup) -> [MachineReadableCode] {
        group.items.compactMap { item in
            guard item.identifier == metadataKey.identifier, case .json(let text) = item.value,
                let json = try? JSONParser.parse(Array(text.utf8), as: .json)
            else { return nil }
            return MachineReadableCode(json: json, time: group.start)
        }
    }

    /// Whether a metadata track holds detected codes.
    public static func areIn(_ format: MetadataFormat) -> Bool {
        format.keys.contains(metadataKey)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }

    private static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[place..<place + 2], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
