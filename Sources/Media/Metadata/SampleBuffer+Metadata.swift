extension SampleBuffer {
    /// A sample of a metadata track.
    /// - Parameters:
    ///   - group: what it says, and when.
    ///   - format: the track's keys; each item's identifier is one of them, its value of that key's type.
    /// - Throws: `invalidSetting` for an item that has no key, for more than 4 MiB, or for a duration that is not
    ///   positive.
    public init(_ group: TimedMetadataGroup, format: MetadataFormat) throws(MediaError) {
        if let duration = group.duration, duration <= .zero {
            throw MediaError(
                code: .invalidSetting, subject: "duration",
                message: "Cannot make a metadata sample that holds for "
                    + "\(duration.approximateSeconds) s; give a positive duration, or none where it "
                    + "holds until the next one.")
        }
        var bytes: [UInt8] = []
        for item in group.items {
            let key = format.keys.firstIndex {
                $0.identifier == item.identifier && $0.dataType == item.value.dataType
            }
            guard let key else {
                throw MediaError(
                    code: .invalidSetting, subject: item.identifier,
                    message: "Cannot make a sample of \(item.identifier): the track has no such "
                        + "key of the type \(item.value.dataType.rawValue).")
            }
            MetadataPacking.append(item.value.bytes, key: key, to: &bytes)
        }
        guard bytes.count <= MetadataFormat.largestSample else {
            throw MediaError(
                code: .invalidSetting, subject: "metadata",
                message: "Cannot make a metadata sample of \(bytes.count) bytes; the most is "
                    + "\(MetadataFormat.largestSample).")
        }
        self.init(
            payload: .coded(BlockBuffer(bytes)), format: .metadata(format),
            presentationTime: group.start, duration: group.duration)
    }

    /// What a sample of a metadata track says; `nil` for anything else, and for bytes that are damaged.
    public var metadata: TimedMetadataGroup? {
        guard case .metadata(let format) = format, case .coded(let block) = payload else {
            return nil
        }
        let items = block.withUnsafeBytes { bytes -> [MetadataItem]? in
            MetadataPacking.items(in: bytes, of: format)?.compactMap { item in
                let key = format.keys[item.key]
                return MetadataValue(key.dataType, bytes: bytes[item.value])
                    .map { MetadataItem(key.identifier, $0) }
            }
        }
        return items.map {
            TimedMetadataGroup(items: $0, start: presentationTime, duration: duration)
        }
    }
}
