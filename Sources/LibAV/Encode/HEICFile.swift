package import Media

/// A HEIC of one picture, as its boxes lie. A pure value.
///
/// Source: ISO/IEC 23008-12, 6.5 and 7 (properties, Exif data, HEVC items), 10.2 (brands); ISO/IEC 14496-12, 8.11
/// (items); ISO/IEC 14496-15, 8.3.3.1 (hvcC).
package struct HEICFile: Sendable {
    /// HEVC's parameter sets (hvcC).
    package var configuration: [UInt8]
    /// The coded frame, length-prefixed.
    package var frame: [UInt8]
    /// Of the coded frame (pixels).
    package var codedSize: (width: Int, height: Int)
    /// What is shown of it, from its first row and column on (pixels).
    package var shownSize: (width: Int, height: Int)
    /// Of the coded frame.
    package var color: ColorDescription
    /// From the byte order on (nil = none).
    package var exif: [UInt8]?

    /// The file.
    package var bytes: [UInt8] {
        let head = Self.box("ftyp", Array("heic".utf8) + Self.big(0, 4) + Array("mif1heic".utf8))
        let note = exif.map { Self.big(6, 4) + Array("Exif\0\0".utf8) + $0 } ?? []
        // where the data lie does not change the length of what says so
        let start = head.count + meta(dataStart: 0, note).count + 8
        return head + meta(dataStart: start, note) + Self.box("mdat", frame + note)
    }

    private func meta(dataStart: Int, _ note: [UInt8]) -> [UInt8] {
        var items = [(id: 1, kind: "hvc1", place: dataStart, count: frame.count)]
        if !note.isEmpty { items.append((2, "Exif", dataStart + frame.count, note.count)) }
        let handler = Self.big(0, 4) + Array("pict".utf8) + Self.big(0, 13)
        var (kinds, places): ([UInt8], [UInt8]) = ([], [])
        for item in items {
            // no protection, and no name
            let kind: [UInt8] = Self.big(item.id, 2) + [0, 0] + Array(item.kind.utf8) + [0]
            kinds += Self.full("infe", version: 2, kind)
            // in this file, in one part
            places += Self.big(item.id, 2) + [0, 0, 0, 1]
            places += Self.big(item.place, 4) + Self.big(item.count, 4)
        }
        var content = Self.full("hdlr", handler)
        content += Self.full("pitm", Self.big(1, 2))
        // offsets and lengths of four bytes
        content += Self.full("iloc", [0x44, 0] + Self.big(items.count, 2) + places)
        content += Self.full("iinf", Self.big(items.count, 2) + kinds)
        if items.count > 1 {
            // the note describes the picture
            let link = Self.box("cdsc", Self.big(2, 2) + [0, 1] + Self.big(1, 2))
            content += Self.full("iref", link)
        }
        return Self.full("meta", content + Self.box("iprp", properties))
    }

    /// Properties, and which of them the picture has; it cannot be decoded or shown without the marked ones.
    private var properties: [UInt8] {
        var list: [[UInt8]] = [
            Self.box("hvcC", configuration),
            Self.full("ispe", Self.big(codedSize.width, 4) + Self.big(codedSize.height, 4)),
            Self.full("pixi", [3, 8, 8, 8]),
            Self.box("colr", Array("nclx".utf8) + colors),
        ]
        var links: [UInt8] = [0x81, 2, 3, 4]
        if codedSize != shownSize {
            list.append(Self.box("clap", aperture))
            links.append(0x85)
        }
        let link = Self.big(1, 4) + Self.big(1, 2) + [UInt8(links.count)] + links
        return Self.box("ipco", Array(list.joined())) + Self.full("ipma", link)
    }

    private var colors: [UInt8] {
        Self.big(Int(color.primaries), 2) + Self.big(Int(color.transfer), 2)
            + Self.big(Int(color.matrix), 2) + [color.range == .full ? 0x80 : 0]
    }

    /// Size and distance of the centres, as fractions (ISO/IEC 14496-12, 12.1.4).
    private var aperture: [UInt8] {
        let (width, height) = shownSize
        let numbers = [
            width, 1, height, 1, width - codedSize.width, 2, height - codedSize.height, 2,
        ]
        return numbers.flatMap { Self.big($0, 4) }
    }

    private static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        big(8 + content.count, 4) + Array(kind.utf8) + content
    }

    /// With a version and flags.
    private static func full(
        _ kind: String, version: UInt8 = 0, _ content: [UInt8]
    ) -> [UInt8] {
        box(kind, [version, 0, 0, 0] + content)
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { place in
            let shift = 8 * (count - 1 - place)
            return shift < 64 ? UInt8(truncatingIfNeeded: value >> shift) : 0
        }
    }
}
