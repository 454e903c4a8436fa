internal import Media

/// A pause, marker or tags as an ID3 tag, which MPEG-TS holds in a track of its own at the time it is about
/// (ID3v2.4 in stream type 0x15, as HTTP live streaming has it): a frame of user text called `VCAP_MARKER` with
/// the text, `VCAP_PAUSE` with the length in nanoseconds, or `VCAP_TAGS` with JSON.
enum TimedTag {
    private static let pauseName = "VCAP_PAUSE"
    private static let markerName = "VCAP_MARKER"
    private static let tagsName = "VCAP_TAGS"
    /// T and three X.
    private static let userText: [UInt8] = [0x54, 0x58, 0x58, 0x58]
    private static let headSize = 10
    /// The name of tags and their version.
    private static let start = Array("ID3".utf8) + [4, 0]
    private static let utf8: UInt8 = 3

    static func bytes(of annotation: MovieAnnotation) -> [UInt8] {
        let (name, value) =
            switch annotation {
            case .pause(_, let length): (pauseName, "\(length.nanoseconds())")
            case .marker(let text, _): (markerName, text)
            case .tags(let tags, _): (tagsName, AnnotatedTags.text(tags))
            }
        let text = [utf8] + Array(name.utf8) + [0] + Array(value.utf8)
        let frame = userText + sizeBytes(text.count) + [0, 0] + text
        return start + [0] + sizeBytes(frame.count) + frame
    }

    /// The annotations of a tag that stands at a time; other programs' tags have none.
    static func read(_ packet: [UInt8], at time: MediaTime) -> [MovieAnnotation] {
        let bytes = whole(packet)
        guard bytes.starts(with: start.prefix(3)), bytes.count > headSize, bytes[3] == 4 else {
            return []
        }
        var rest = bytes[headSize...].prefix(size(bytes[6..<headSize]))
        var found: [MovieAnnotation] = []
        while rest.count > headSize {
            let name = rest.prefix(4)
            let count = size(rest.dropFirst(4).prefix(4))
            let body = rest.dropFirst(headSize).prefix(count)
            guard count > 0, body.count == count else { break }
            if name.elementsEqual(userText), let note = annotation(body, time) {
                found.append(note)
            }
            rest = rest.dropFirst(headSize + count)
        }
        return found
    }

    /// libavformat 59 takes the first five bytes of everything in stream type 0x15 for the header of an access
    /// unit, which ID3 tags do not have, and leaves them out: flags and size then come first.
    private static func whole(_ packet: [UInt8]) -> [UInt8] {
        let rest = packet.count - (headSize - start.count)
        guard rest > 0, !packet.starts(with: start.prefix(3)), size(packet[1...4]) == rest else {
            return packet
        }
        return start + packet
    }

    private static func annotation(
        _ body: ArraySlice<UInt8>, _ time: MediaTime
    ) -> MovieAnnotation? {
        guard body.first == utf8, let end = body.dropFirst().firstIndex(of: 0) else { return nil }
        let value = String(decoding: body[(end + 1)...], as: UTF8.self)
        switch String(decoding: body[(body.startIndex + 1)..<end], as: UTF8.self) {
        case markerName: return .marker(value, at: time)
        case tagsName: return AnnotatedTags.read(value).map { .tags($0, at: time) }
        case pauseName:
            guard let length = Int64(value), length >= 0 else { return nil }
            return .pause(at: time, duration: .nanoseconds(length))
        default: return nil
        }
    }

    /// Four times seven bits, as ID3 counts.
    private static func sizeBytes(_ count: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: count >> $0) & 0x7F }
    }

    private static func size(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
}
