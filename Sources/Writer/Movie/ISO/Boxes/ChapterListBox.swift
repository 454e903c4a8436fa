package import Media

/// `chpl`: chapters as most players on Linux read them (Nero's form).
package struct ChapterListBox: Box {
    package static let type: FourCC = "chpl"

    package struct Chapter: Sendable, Hashable {
        /// Start in movie time (100 ns).
        package var start: UInt64
        /// At most 255 bytes of UTF-8.
        package var title: String

        package init(start: UInt64, title: String) {
            self.start = start
            self.title = title
        }
    }

    /// At most 255: the count has one byte.
    package var chapters: [Chapter]

    package init(chapters: [Chapter]) { self.chapters = chapters }

    package init(from reader: inout BoxReader) throws(MediaError) {
        let version = try reader.full().version
        if version != 0 { try reader.skip(4) }
        chapters = []
        for _ in 0..<(try reader.u8()) {
            let start = try reader.u64()
            let title = try reader.raw(Int(try reader.u8()))
            chapters.append(Chapter(start: start, title: String(decoding: title, as: UTF8.self)))
        }
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(1, 0)
        builder.u32(0)
        builder.u8(UInt8(min(chapters.count, 255)))
        for chapter in chapters.prefix(255) {
            builder.u64(chapter.start)
            // a cut title stays UTF-8: whole characters only
            var title = chapter.title
            while title.utf8.count > 255 { title.removeLast() }
            builder.u8(UInt8(title.utf8.count))
            builder.raw(Array(title.utf8))
        }
    }
}
