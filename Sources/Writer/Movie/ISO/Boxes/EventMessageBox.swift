package import Media

/// `emsg`: an annotation of the movie, before the fragment it was made in (ISO/IEC 23009-1, 5.10.3).
package struct EventMessageBox: Box {
    package static let type: FourCC = "emsg"
    /// The scheme of vcap's annotations; the value is `pause`, `marker` or `tags`.
    static let scheme = "urn:vcap:annotation:1"

    package var schemeID: String
    package var value: String
    package var timescale: UInt32
    /// Movie time in ticks of `timescale`.
    package var time: UInt64
    package var id: UInt32
    package var message: [UInt8]

    package init(from reader: inout BoxReader) throws(MediaError) {
        guard try reader.full().version == 1 else { throw reader.damaged("version 0 has no time") }
        timescale = try reader.u32()
        time = try reader.u64()
        try reader.skip(4)
        id = try reader.u32()
        schemeID = reader.text()
        value = reader.text()
        message = reader.rest()
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(1, 0)
        builder.u32(timescale)
        builder.u64(time)
        builder.u32(0)  // an instant: the movie has no gap
        builder.u32(id)
        builder.text(schemeID)
        builder.text(value)
        builder.raw(message)
    }

    /// - Precondition: the annotation's time is not negative.
    package init(_ annotation: MovieAnnotation, id: UInt32) {
        schemeID = EventMessageBox.scheme
        timescale = UInt32(annotation.time.timescale)
        time = UInt64(max(annotation.time.value, 0))
        self.id = id
        switch annotation {
        case .pause(_, let duration):
            value = "pause"
            message = Array("\(duration.nanoseconds()) ns".utf8)
        case .marker(let text, _):
            value = "marker"
            message = Array(text.utf8)
        case .tags(let tags, _):
            value = "tags"
            message = Array(AnnotatedTags.text(tags).utf8)
        }
    }

    /// The annotation, unless it is somebody else's event or makes no sense.
    package var annotation: MovieAnnotation? {
        guard schemeID == EventMessageBox.scheme, let value = Int64(exactly: time),
            let scale = Int32(exactly: timescale), scale > 0
        else { return nil }
        let at = MediaTime(value: value, timescale: scale)
        let text = String(decoding: message, as: UTF8.self)
        switch self.value {
        case "pause":
            guard text.hasSuffix(" ns"), let length = Int64(text.dropLast(3)), length >= 0
            else { return nil }
            return .pause(at: at, duration: .nanoseconds(length))
        case "marker": return .marker(text, at: at)
        case "tags": return AnnotatedTags.read(text).map { .tags($0, at: at) }
        default: return nil
        }
    }
}
