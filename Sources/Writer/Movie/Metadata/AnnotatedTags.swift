internal import Media

/// What a movie says about itself from a moment on, as text of an annotation: one JSON object of texts.
enum AnnotatedTags {
    /// Most that one annotation holds (count), each of at most `longest` bytes.
    private static let most = 16
    private static let longest = 4096
    /// The key of the devices' names, with "; " between them.
    fileprivate static let devices = "org.vcap.devices"
    fileprivate static let created = "org.vcap.created"
    fileprivate static let software = "org.vcap.software"
    fileprivate static let encoder = "org.vcap.encoder"
    /// Of one annotation as text: a packet of MPEG-TS that states its length has 65,535 at most.
    private static let mostBytes = 60_000

    /// What a movie says from its beginning, for a container without a place for it: as many as one annotation
    /// holds; a text that is longer is not kept.
    static func parts(of metadata: MovieMetadata) -> [[String: String]] {
        var tags = metadata.values
        tags["title"] = metadata.title
        tags[created] = metadata.creationTime.map { CivilTime.text(nanosecondsSinceEpoch: $0) }
        tags[software] = metadata.software
        tags[encoder] = metadata.encoderFingerprint
        if !metadata.deviceNames.isEmpty {
            tags[devices] = metadata.deviceNames.joined(separator: "; ")
        }
        var parts: [[String: String]] = []
        for (key, value) in tags.sorted(by: { $0.key < $1.key })
        where value.utf8.count <= longest && key.utf8.count <= 64 {
            let longer = (parts.last ?? [:]).merging([key: value]) { $1 }
            if let last = parts.indices.last, longer.count <= most,
                text(longer).utf8.count <= mostBytes
            {
                parts[last] = longer
            } else {
                parts.append([key: value])
            }
        }
        return parts
    }

    static func text(_ tags: [String: String]) -> String {
        let pairs = tags.sorted { $0.key < $1.key }
        return JSONValue.object(pairs.map { ($0.key, .string($0.value)) }).compact
    }

    /// - Returns: `nil` for anything else.
    static func read(_ text: String) -> [String: String]? {
        guard let json = try? JSONParser.parse(Array(text.utf8), as: .json),
            let members = json.members, (1...most).contains(members.count)
        else { return nil }
        var tags: [String: String] = [:]
        for member in members {
            guard let value = member.value.text, value.utf8.count <= longest,
                member.key.utf8.count <= 64
            else { return nil }
            tags[member.key] = value
        }
        return tags
    }
}

extension MovieMetadata {
    /// What it says after all that was noted, later words over earlier ones.
    func followed(by annotations: [MovieAnnotation]) -> MovieMetadata {
        var metadata = self
        for case .tags(let tags, _) in annotations.sorted(by: { $0.time < $1.time }) {
            for (key, value) in tags {
                switch key {
                case "title": metadata.title = value
                case AnnotatedTags.devices: metadata.deviceNames = MovieMetadata.list(value)
                case AnnotatedTags.created: metadata.creationTime = MetadataReader.instant(value)
                case AnnotatedTags.software: metadata.software = value
                case AnnotatedTags.encoder: metadata.encoderFingerprint = value
                default: metadata.values[key] = value
                }
            }
        }
        return metadata
    }
}
