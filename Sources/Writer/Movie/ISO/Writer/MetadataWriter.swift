internal import FoundationEssentials
internal import Media

/// Writes what a movie says about itself: `udta` with annotations and chapters, and the tags as
/// each dialect's players read them (`ilst` in MP4, keys in QuickTime).
struct MetadataWriter {
    let container: MovieContainer
    let metadata: MovieMetadata

    static let fingerprintKey = "org.vcap.encoder-fingerprint"
    static let deviceKey = "org.vcap.device"
    static let coverKey = "com.apple.quicktime.artwork"

    func write(_ annotations: [MovieAnnotation], to builder: inout BoxBuilder) {
        let chapters = MetadataWriter.chapters(of: annotations)
        let isEmpty = tags.isEmpty && covers.isEmpty
        let hasTags = container == .mp4 && !isEmpty
        if container == .mov, !isEmpty { writeKeys(to: &builder) }
        guard hasTags || !annotations.isEmpty else { return }
        builder.box("udta") { builder in
            if hasTags { writeItemList(to: &builder) }
            if !chapters.isEmpty { builder.append(ChapterListBox(chapters: chapters)) }
            guard !annotations.isEmpty else { return }
            builder.box("vann") { builder in
                for (number, annotation) in annotations.enumerated() {
                    builder.append(EventMessageBox(annotation, id: UInt32(number)))
                }
            }
        }
    }

    /// Markers in order of time.
    static func chapters(of annotations: [MovieAnnotation]) -> [ChapterListBox.Chapter] {
        annotations.compactMap { annotation in
            guard case .marker(let text, let time) = annotation else { return nil }
            let start = time.ticks(per: 10_000_000, rounding: .nearest)
            return ChapterListBox.Chapter(start: UInt64(max(start, 0)), title: text)
        }.sorted { $0.start < $1.start }
    }

    /// Key in QuickTime's form, `ilst` code where MP4 has one, value.
    private var tags: [(key: String, item: FourCC?, value: String)] {
        var tags: [(String, FourCC?, String)] = []
        if let title = metadata.title {
            tags.append(("com.apple.quicktime.title", "\u{A9}nam", title))
        }
        if let time = metadata.creationTime {
            let text = MetadataWriter.timestamp(time)
            tags.append(("com.apple.quicktime.creationdate", "\u{A9}day", text))
        }
        if let software = metadata.software {
            tags.append(("com.apple.quicktime.software", "\u{A9}too", software))
        }
        if let fingerprint = metadata.encoderFingerprint {
            tags.append((MetadataWriter.fingerprintKey, nil, fingerprint))
        }
        for (index, name) in metadata.deviceNames.enumerated() {
            tags.append(("\(MetadataWriter.deviceKey).\(index)", nil, name))
        }
        for (key, value) in metadata.values.sorted(by: { $0.key < $1.key }) {
            let word = MetadataWord(key)
            tags.append((word?.key ?? key, word?.item, value))
        }
        return tags
    }

    private var covers: [CoverArt] { metadata.covers.filter { $0.kind != nil } }

    /// ISO 8601 in UTC.
    private static func timestamp(_ nanoseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(nanoseconds / 1_000_000_000))
            .formatted(.iso8601)
    }

    private func writeItemList(to builder: inout BoxBuilder) {
        builder.box("meta") { builder in
            builder.full(0, 0)
            builder.append(HandlerBox(handler: "mdir", name: ""))
            builder.box("ilst") { builder in
                for tag in tags {
                    builder.box(tag.item ?? "----") { builder in
                        if tag.item == nil { writeFreeName(tag.key, to: &builder) }
                        writeText(tag.value, to: &builder)
                    }
                }
                guard !covers.isEmpty else { return }
                builder.box("covr") { writeCovers(to: &$0) }
            }
        }
    }

    private func writeFreeName(_ key: String, to builder: inout BoxBuilder) {
        for (type, text): (FourCC, String) in [("mean", "org.vcap"), ("name", key)] {
            builder.box(type) { builder in
                builder.full(0, 0)
                builder.raw(Array(text.utf8))
            }
        }
    }

    private func writeKeys(to builder: inout BoxBuilder) {
        builder.box("meta") { builder in  // in QuickTime this is no full box
            builder.append(HandlerBox(handler: "mdta", name: ""))
            builder.box("keys") { builder in
                builder.full(0, 0)
                let keys = tags.map(\.key) + (covers.isEmpty ? [] : [Self.coverKey])
                builder.u32(UInt32(keys.count))
                for key in keys { builder.box("mdta") { $0.raw(Array(key.utf8)) } }
            }
            builder.box("ilst") { builder in
                for (index, tag) in tags.enumerated() {
                    builder.box(FourCC(code: UInt32(index + 1))) {
                        writeText(tag.value, to: &$0)
                    }
                }
                guard !covers.isEmpty else { return }
                builder.box(FourCC(code: UInt32(tags.count + 1))) { writeCovers(to: &$0) }
            }
        }
    }

    private func writeCovers(to builder: inout BoxBuilder) {
        for cover in covers {
            builder.box("data") { builder in
                builder.u32(cover.kind == .png ? 14 : 13)
                builder.u32(0)
                builder.raw(cover.bytes)
            }
        }
    }

    private func writeText(_ text: String, to builder: inout BoxBuilder) {
        builder.box("data") { builder in
            builder.u32(1)  // UTF-8
            builder.u32(0)  // any country and language
            builder.raw(Array(text.utf8))
        }
    }
}
