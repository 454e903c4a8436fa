public import Media

extension DetectedObject: RecordedObject {
    package static func metadataKey(of type: MetadataObjectType) -> MetadataFormat.Key {
        MetadataFormat.Key(DetectedPlace.identifier(of: type.rawValue), .json)
    }

    /// What a metadata track holds of it.
    package var json: JSONValue {
        .members([
            "type": .string(type.rawValue),
            "id": .integer(objectID),
            "bounds": .array(
                [bounds.x, bounds.y, bounds.width, bounds.height].map(JSONValue.part)),
            "confidence": .shortNumber((confidence * 1000).rounded() / 1000),
            "roll": rollAngle.map { .shortNumber(($0 * 10).rounded() / 10) },
            "yaw": yawAngle.map { .shortNumber(($0 * 10).rounded() / 10) },
        ])
    }

    /// - Parameter json: as a metadata track holds it.
    /// - Returns: nil for anything else.
    package init?(json: JSONValue, time: MediaTime) {
        guard let type = json["type"]?.text.map(MetadataObjectType.init(rawValue:)),
            MetadataObjectType.objects.contains(type),
            let number = json["id"]?.wholeNumber, let id = Int(exactly: number),
            let sides = json["bounds"]?.elements?.compactMap(\.number), sides.count == 4,
            let confidence = json["confidence"]?.number
        else { return nil }
        self.init(
            type: type, time: time,
            bounds: NormalizedRect(
                x: sides[0], y: sides[1], width: sides[2], height: sides[3]),
            objectID: id, confidence: confidence, rollAngle: json["roll"]?.number,
            yawAngle: json["yaw"]?.number)
    }

    /// The objects that a sample of a metadata track says a frame shows; none where it is of something else.
    public static func objects(in group: TimedMetadataGroup) -> [DetectedObject] {
        let keys = Set(MetadataObjectType.objects.map { metadataKey(of: $0).identifier })
        return group.items.compactMap { item in
            guard keys.contains(item.identifier), case .json(let text) = item.value,
                let json = try? JSONParser.parse(Array(text.utf8), as: .json)
            else { return nil }
            return DetectedObject(json: json, time: group.start)
        }
    }

    /// Whether a metadata track holds detected objects.
    public static func areIn(_ format: MetadataFormat) -> Bool {
        MetadataObjectType.objects.contains { format.keys.contains(metadataKey(of: $0)) }
    }
}
