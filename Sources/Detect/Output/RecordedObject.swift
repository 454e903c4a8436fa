package import Media

/// Something found that a metadata track can hold: as JSON, under a key for its type.
package protocol RecordedObject: MetadataObject {
    static func metadataKey(of type: MetadataObjectType) -> MetadataFormat.Key
    var json: JSONValue { get }
}

extension RecordedObject {
    /// What a sample of the track holds of it.
    var item: MetadataItem {
        MetadataItem(Self.metadataKey(of: type).identifier, .json(json.compact))
    }
}

extension MetadataFormat {
    /// Of a track for what is found of these types.
    init(of types: Set<MetadataObjectType>) {
        let objects = types.intersection(MetadataObjectType.objects)
            .sorted { $0.rawValue < $1.rawValue }.map(DetectedObject.metadataKey(of:))
        let codes = types.isDisjoint(with: MetadataObjectType.codes)
        self.init(keys: (codes ? [] : [MachineReadableCode.metadataKey]) + objects)
    }
}

extension JSONValue {
    /// A part of a frame: a hundred-thousandth of one is less than a pixel of any.
    static func part(_ value: Double) -> JSONValue {
        .shortNumber((value * 100_000).rounded() / 100_000)
    }
}
