internal import FoundationEssentials
internal import Media

/// Reads what a movie says about itself, in either dialect's form.
struct MetadataReader {
    private(set) var metadata = MovieMetadata()
    private(set) var annotations: [MovieAnnotation] = []
    private(set) var chapters: [ChapterListBox.Chapter] = []
    private var devices: [Int: String] = [:]

    private static let textLimit = 64 << 10
    /// Most frames (count), and their longest (bytes).
    private static let coverLimits = (count: 16, bytes: 16 << 20)

    /// Reads a `udta` or, in QuickTime, a `meta` of `moov`.
    mutating func read(_ box: inout BoxReader) throws(MediaError) {
        if box.type == "meta" { return try readMeta(&box) }
        while var child = try box.child() {
            switch child.type {
            case "meta": try readMeta(&child)
            case "chpl": chapters = try ChapterListBox(from: &child).chapters
            case "vann":
                while var event = try child.child() {
                    guard event.type == EventMessageBox.type else { continue }
                    if let note = try EventMessageBox(from: &event).annotation {
                        annotations.append(note)
                    }
                }
            case let type where type.code >> 24 == 0xA9: try readOldText(&child)
            default: break
            }
        }
    }

    /// QuickTime's texts of old: size, language, text, once a language.
    private mutating func readOldText(_ box: inout BoxReader) throws(MediaError) {
        guard let key = MetadataReader.names[box.type], box.remaining > 4 else { return }
        let size = Int(try box.u16())
        try box.skip(2)
        let bytes = box.rest()
        guard size > 0, size <= bytes.count, !isKnown(key) else { return }
        take(key, String(decoding: bytes.prefix(size), as: UTF8.self))
    }

    private mutating func readMeta(_ box: inout BoxReader) throws(MediaError) {
        // a full box in ISO files, a plain one in QuickTime
        if box.peekType(skipping: 0) != "hdlr" { try box.skip(min(4, box.remaining)) }
        var keys: [String] = []
        while var child = try box.child() {
            switch child.type {
            case "keys":
                try child.skip(8)
                while var key = try child.child() {
                    keys.append(String(decoding: key.rest(), as: UTF8.self))
                }
            case "ilst":
                while var item = try child.child() { try readItem(&item, keys: keys) }
            default: break
            }
        }
    }

    private mutating func readItem(
        _ item: inout BoxReader, keys: [String]
    ) throws(MediaError) {
        var key = MetadataReader.names[item.type]
        let number = Int(item.type.code)
        if key == nil, number >= 1, number <= keys.count { key = keys[number - 1] }
        while var child = try item.child() {
            switch child.type {
            case "name":
                try child.skip(4)
                key = String(decoding: child.rest(), as: UTF8.self)
            case "data":
                let kind = try child.u32()
                try child.skip(4)
                if key == MetadataWriter.coverKey {
                    takeCover(&child)
                    continue
                }
                guard kind == 1, child.remaining <= MetadataReader.textLimit, let key else {
                    continue
                }
                take(key, String(decoding: child.rest(), as: UTF8.self))
            default: break
            }
        }
    }

    private mutating func takeCover(_ data: inout BoxReader) {
        let limits = MetadataReader.coverLimits
        guard metadata.covers.count < limits.count, 1...limits.bytes ~= data.remaining else {
            return
        }
        metadata.covers.append(CoverArt(Array(data.rest())))
    }

    private static let names: [FourCC: String] = {
        var names: [FourCC: String] = [
            "covr": MetadataWriter.coverKey,
            "\u{A9}nam": "com.apple.quicktime.title",
            "\u{A9}day": "com.apple.quicktime.creationdate",
            "\u{A9}too": "com.apple.quicktime.software",
            "\u{A9}swr": "com.apple.quicktime.software",
        ]
        for word in MetadataWord.all { names[word.item] = word.name }
        return names
    }()

    private func isKnown(_ key: String) -> Bool {
        key == "com.apple.quicktime.title" ? metadata.title != nil : metadata.values[key] != nil
    }

    private mutating func take(_ key: String, _ value: String) {
        let devicePrefix = MetadataWriter.deviceKey + "."
        switch key {
        case "com.apple.quicktime.title": metadata.title = value
        case "com.apple.quicktime.software": metadata.software = value
        case "com.apple.quicktime.creationdate":
            if let date = try? Date(value, strategy: .iso8601) {
                metadata.creationTime = Int64(date.timeIntervalSince1970) * 1_000_000_000
            } else {
                metadata.values[key] = value
            }
        case MetadataWriter.fingerprintKey: metadata.encoderFingerprint = value
        case _ where key.hasPrefix(devicePrefix):
            if let index = Int(key.dropFirst(devicePrefix.count)) { devices[index] = value }
            metadata.deviceNames = devices.sorted { $0.key < $1.key }.map(\.value)
        default: metadata.values[MetadataWord.name(ofKey: key)] = value
        }
    }

    /// ISO 8601 in UTC, fractions of a second included, as nanoseconds since 1970.
    static func instant(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard let first = parts.first else { return nil }
        let whole = parts.count == 1 ? text : "\(first)Z"
        guard let date = try? Date(whole, strategy: .iso8601) else { return nil }
        let digits = parts.count == 1 ? "" : parts[1].prefix { $0.isNumber }.prefix(9)
        let padded = digits + String(repeating: "0", count: 9 - digits.count)
        return Int64(date.timeIntervalSince1970) * 1_000_000_000 + (Int64(padded) ?? 0)
    }

    /// The header's creation time counts when no tag is more exact.
    mutating func take(_ header: MovieHeaderBox) {
        guard metadata.creationTime == nil, header.creationTime > 2_082_844_800,
            header.creationTime < 10_000_000_000
        else { return }
        metadata.creationTime = Int64(header.creationTime - 2_082_844_800) * 1_000_000_000
    }
}
