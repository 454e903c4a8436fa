internal import Media

/// Pauses and markers as a `Tags` element, which may stand between any two clusters (RFC 9559,
/// 5.1.8): tags `VCAP_PAUSE` ("time length"), `VCAP_MARKER` ("time text") and `VCAP_TAGS` ("time JSON"), in
/// nanoseconds of the container's time.
enum MatroskaAnnotations {
    private static let pauseName = "VCAP_PAUSE"
    private static let markerName = "VCAP_MARKER"
    private static let tagsName = "VCAP_TAGS"
    /// Longest `Tags` element that is looked into (bytes).
    static let sizeLimit: Int64 = 1 << 20

    /// - Parameter leadIn: by how much the container's times are later than the movie's.
    static func element(_ annotations: [MovieAnnotation], leadIn: MediaTime) -> [UInt8] {
        let simple = annotations.flatMap { annotation -> [UInt8] in
            let time = annotation.time.nanoseconds() + leadIn.nanoseconds()
            let (name, value) =
                switch annotation {
                case .pause(_, let length): (pauseName, "\(time) \(length.nanoseconds())")
                case .marker(let text, _): (markerName, "\(time) \(text)")
                case .tags(let tags, _): (tagsName, "\(time) \(AnnotatedTags.text(tags))")
                }
            return EBMLElement.bytes(
                MatroskaID.simpleTag,
                EBMLElement.bytes(MatroskaID.tagName, Array(name.utf8))
                    + EBMLElement.bytes(MatroskaID.tagString, Array(value.utf8)))
        }
        let tag = EBMLElement.bytes(
            MatroskaID.tag, EBMLElement.bytes(MatroskaID.targets, []) + simple)
        return EBMLElement.bytes(MatroskaID.tags, tag)
    }

    /// The annotations in the body of a `Tags` element; other programs' tags are none.
    static func read(_ body: [UInt8]) -> [MovieAnnotation] {
        var found: [MovieAnnotation] = []
        for tag in children(body[...], MatroskaID.tag) {
            for simple in children(tag, MatroskaID.simpleTag) {
                let name = children(simple, MatroskaID.tagName).first
                let value = children(simple, MatroskaID.tagString).first
                guard let name, let value else { continue }
                let annotation = annotation(
                    String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
                if let annotation { found.append(annotation) }
            }
        }
        return found
    }

    private static func annotation(_ name: String, _ value: String) -> MovieAnnotation? {
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let time = Int64(parts[0]), time >= 0 else { return nil }
        switch name {
        case pauseName:
            guard let length = Int64(parts[1]), length >= 0 else { return nil }
            return .pause(at: .nanoseconds(time), duration: .nanoseconds(length))
        case markerName: return .marker(String(parts[1]), at: .nanoseconds(time))
        case tagsName:
            return AnnotatedTags.read(String(parts[1])).map { .tags($0, at: .nanoseconds(time)) }
        default: return nil
        }
    }

    private static func children(_ bytes: ArraySlice<UInt8>, _ id: UInt32) -> [ArraySlice<UInt8>] {
        var rest = bytes
        var found: [ArraySlice<UInt8>] = []
        while let element = EBMLElement(rest.prefix(EBMLElement.headerLimit), at: 0),
            let end = element.end, end <= Int64(rest.count)
        {
            let body = rest.dropFirst(element.headerSize).prefix(Int(end) - element.headerSize)
            if element.id == id { found.append(body) }
            rest = rest.dropFirst(Int(end))
        }
        return found
    }
}

extension MovieAnnotation {
    /// The markers among some annotations, in order of time, each until the next one or the end.
    static func chapters(
        of annotations: [MovieAnnotation], until end: MediaTime
    ) -> [(title: String, range: MediaTimeRange)] {
        let markers = annotations.compactMap { annotation -> (text: String, time: Int64)? in
            guard case .marker(let text, let time) = annotation else { return nil }
            return (text, time.nanoseconds())
        }.sorted { $0.time < $1.time }
        return markers.enumerated().map { index, marker in
            let next = index + 1 < markers.count ? markers[index + 1].time : end.nanoseconds()
            return (
                marker.text,
                MediaTimeRange(
                    start: .nanoseconds(marker.time),
                    duration: .nanoseconds(max(0, next - marker.time)))
            )
        }
    }
}
