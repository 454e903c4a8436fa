package import Media

/// `mdhd`: a track's timescale, length and language (ISO/IEC 14496-12, 8.4.2).
package struct MediaHeaderBox: Box {
    package static let type: FourCC = "mdhd"
    /// Seconds since 1904-01-01T00:00:00Z.
    package var creationTime: UInt64
    package var timescale: UInt32
    package var duration: UInt64
    /// ISO 639-2 code of three letters, packed; "und" when unknown.
    package var language: UInt16

    package init(creationTime: UInt64, timescale: UInt32, duration: UInt64, language: UInt16) {
        self.creationTime = creationTime
        self.timescale = timescale
        self.duration = duration
        self.language = language
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        let version = try reader.full().version
        (creationTime, timescale, duration) = try MediaHeaderBox.times(
            from: &reader, version: version)
        guard timescale > 0, timescale <= Int32.max else {
            throw reader.damaged("the timescale is \(timescale)")
        }
        language = try reader.u16()
    }

    package func write(to builder: inout BoxBuilder) {
        MediaHeaderBox.write(
            creationTime: creationTime, timescale: timescale, duration: duration, to: &builder)
        builder.u16(language)
        builder.u16(0)
    }

    /// The fields `mvhd` and `mdhd` begin with.
    static func times(
        from reader: inout BoxReader, version: UInt8
    ) throws(MediaError) -> (UInt64, UInt32, UInt64) {
        if version == 1 {
            let creation = try reader.u64()
            try reader.skip(8)
            let timescale = try reader.u32()
            return (creation, timescale, try reader.u64())
        }
        let creation = try reader.u32()
        try reader.skip(4)
        let timescale = try reader.u32()
        let duration = try reader.u32()
        // all ones: the length is unknown
        return (UInt64(creation), timescale, duration == .max ? 0 : UInt64(duration))
    }

    static func write(
        creationTime: UInt64, timescale: UInt32, duration: UInt64, to builder: inout BoxBuilder
    ) {
        if creationTime >= UInt32.max || duration >= UInt32.max {
            builder.full(1, 0)
            builder.u64(creationTime)
            builder.u64(creationTime)
            builder.u32(timescale)
            builder.u64(duration)
        } else {
            builder.full(0, 0)
            builder.u32(UInt32(creationTime))
            builder.u32(UInt32(creationTime))
            builder.u32(timescale)
            builder.u32(UInt32(duration))
        }
    }

    /// The three letters packed in five bits each; "und" for anything else.
    package static func packed(language: String) -> UInt16 {
        let letters = Array(language.utf8)
        guard letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else {
            return packed(language: "und")
        }
        return letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
    }

    /// What QuickTime's old Macintosh codes of the most common languages mean, by their number.
    private static let macintoshCodes = [
        "eng", "fra", "deu", "ita", "nld", "swe", "spa", "dan", "por", "nor", "heb", "jpn", "ara",
        "fin", "ell", "isl", "mlt", "tur", "hrv", "zho", "urd", "hin", "tha", "kor", "lit", "pol",
        "hun", "est", "lav",
    ]

    /// The three letters that a Macintosh code means; `nil` for others (QuickTime File Format, "Language
    /// Code Values").
    package var macintoshLanguage: String? {
        language < Self.macintoshCodes.count ? Self.macintoshCodes[Int(language)] : nil
    }

    /// The three letters; `nil` for "und" and for the old Macintosh codes.
    package var languageCode: String? {
        let letters = [language >> 10 & 31, language >> 5 & 31, language & 31]
        guard letters.allSatisfy({ (1...26).contains($0) }) else { return nil }
        let text = String(decoding: letters.map { UInt8($0) + 0x60 }, as: UTF8.self)
        return text == "und" ? nil : text
    }
}
