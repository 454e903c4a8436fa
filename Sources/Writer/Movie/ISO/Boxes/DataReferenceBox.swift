internal import Media

/// `dref`: where samples may lie (ISO/IEC 14496-12, 8.7.2).
struct DataReferenceBox: Sendable {
    static let type: FourCC = "dref"
    /// The name of each other file, as far as it is stated; nil: this very file.
    let places: [String?]

    init(places: [String?]) { self.places = places }

    init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        _ = try reader.u32()
        var places: [String?] = []
        while var entry = try reader.child(), places.count < 64 {
            let isHere = try entry.full().flags & 1 != 0
            // QuickTime's aliases are no text
            places.append(isHere ? nil : entry.type == "url " ? entry.text().onOneLine : "")
        }
        self.places = places
    }

    /// - Parameter number: from 1, as sample entries count.
    /// - Returns: nil where the samples are in this file.
    func otherFile(_ number: Int) -> String? {
        places.indices.contains(number - 1) ? places[number - 1] : nil
    }
}

extension String {
    /// Without what would move a terminal's cursor, and not too long for a sentence.
    fileprivate var onOneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }
                    .prefix(200)))
    }
}
