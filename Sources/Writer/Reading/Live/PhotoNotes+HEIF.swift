internal import Media
internal import Movie

extension PhotoNotes {
    /// Most bytes of one item, and most items that are looked at (count).
    private static let itemLimit = 1 << 20
    private static let mostItems = 4096

    /// - Parameter meta: the `meta` box at the top of a HEIC or AVIF file.
    ///
    /// Source: ISO/IEC 14496-12, 8.11.3 (`iloc`), 8.11.6 (`iinf`); 23008-12, Annex A.
    init(heif meta: BoxReader, _ scanner: BoxScanner) throws(MediaError) {
        var box = meta
        _ = try box.full()
        var kinds: [UInt32: Kind] = [:]
        var places: [UInt32: [Range<Int64>]] = [:]
        while var child = try box.child() {
            switch child.type {
            case "iinf": kinds = try Self.kinds(&child)
            case "iloc": places = try Self.places(&child)
            default: break
            }
        }
        for (item, kind) in kinds {
            guard let parts = places[item] else { continue }
            var bytes: [UInt8] = []
            for part in parts where bytes.count + part.count <= Self.itemLimit {
                bytes += try scanner.read(part.count, at: part.lowerBound)
            }
            switch kind {
            case .xmp: xmp = bytes
            case .exif:
                // a length in front says where the TIFF header begins behind it
                guard bytes.count > 4 else { continue }
                let skipped = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
                exif = Array(bytes.dropFirst(4 + skipped))
            }
        }
    }

    private enum Kind { case xmp, exif }

    private static func kinds(_ box: inout BoxReader) throws(MediaError) -> [UInt32: Kind] {
        let version = try box.full().version
        try box.skip(version == 0 ? 2 : 4)
        var kinds: [UInt32: Kind] = [:]
        while var entry = try box.child(), kinds.count < mostItems {
            let version = try entry.full().version
            guard entry.type == "infe", version >= 2 else { continue }
            let id = version == 2 ? UInt32(try entry.u16()) : try entry.u32()
            try entry.skip(2)
            let type = try entry.code()
            _ = entry.text()
            if type == "Exif" { kinds[id] = .exif }
            if type == "mime", entry.text() == "application/rdf+xml" { kinds[id] = .xmp }
        }
        return kinds
    }

    private static func places(
        _ box: inout BoxReader
    ) throws(MediaError) -> [UInt32: [Range<Int64>]] {
        let version = try box.full().version
        let sizes = Int(try box.u16())
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version > 0 ? sizes & 15 : 0)
        let count = version < 2 ? Int(try box.u16()) : Int(try box.u32())
        var places: [UInt32: [Range<Int64>]] = [:]
        for _ in 0..<min(count, mostItems) {
            let id = version < 2 ? UInt32(try box.u16()) : try box.u32()
            let method = version > 0 ? try box.u16() & 15 : 0
            try box.skip(2)
            let base = try number(&box, baseSize)
            var parts: [Range<Int64>] = []
            for _ in 0..<(try box.u16()) {
                try box.skip(indexSize)
                let offset = try number(&box, offsetSize)
                let length = try number(&box, lengthSize)
                let (start, overflow) = base.addingReportingOverflow(offset)
                guard !overflow, length <= itemLimit, start <= Int64.max - length else { continue }
                parts.append(start..<(start + length))
            }
            // only what lies in the file by its place is read
            if method == 0 { places[id] = parts }
        }
        return places
    }

    private static func number(
        _ box: inout BoxReader, _ size: Int
    ) throws(MediaError) -> Int64 {
        switch size {
        case 0: 0
        case 4: Int64(try box.u32())
        case 8: max(0, try box.i64())
        default: throw box.damaged("numbers of \(size) bytes are none")
        }
    }
}
