/// Gives a HEIC of `heif-enc` the turn and mirror that cameras write, as properties of its main picture.
///
/// Source: ISO/IEC 23008-12, 6.5.10 (`irot`) and 6.5.12 (`imir`); ISO/IEC 14496-12, 8.11.3 (`iloc`).
package enum RotatedHEIC {
    /// - Parameters:
    ///   - heic: of one frame, its properties counted by seven bits.
    ///   - quarters: counterclockwise.
    ///   - mirror: after that; 0: top for bottom, 1: left for right.
    /// - Returns: nil for a file of another structure.
    package static func make(_ heic: [UInt8], quarters: Int, mirror: Int?) -> [UInt8]? {
        var bytes = heic
        var properties = box("irot", UInt8(quarters))
        if let mirror { properties += box("imir", UInt8(mirror)) }
        guard let meta = place(of: "meta", in: bytes), let items = place(of: "iprp", in: bytes),
            let known = place(of: "ipco", in: bytes), let links = place(of: "ipma", in: bytes),
            let locations = place(of: "iloc", in: bytes), let data = place(of: "mdat", in: bytes),
            let main = place(of: "pitm", in: bytes)
        else { return nil }
        // how many properties there are
        var (count, child) = (0, known + 8)
        while child < known + number(bytes, known) {
            count += 1
            child += number(bytes, child)
        }
        // the main frame's links: an item, how many, and their numbers
        var link = links + 16
        while link < links + number(bytes, links),
            bytes[link..<(link + 2)] != bytes[(main + 12)..<(main + 14)]
        {
            link += 3 + Int(bytes[link + 2])
        }
        guard link < links + number(bytes, links) else { return nil }
        let new = (1...(properties.count / 9)).map { UInt8(0x80 | count + $0) }
        let delta = properties.count + new.count
        // from the back, so that places stay what they are
        let end = link + 3 + Int(bytes[link + 2])
        bytes[link + 2] += UInt8(new.count)
        bytes.insert(contentsOf: new, at: end)
        bytes.insert(contentsOf: properties, at: known + number(bytes, known))
        for location in locations..<(locations + number(bytes, locations) - 3)
        where number(bytes, location) == data + 8 {
            set(data + 8 + delta, &bytes, location)
        }
        let moved = links + properties.count
        set(number(bytes, moved) + new.count, &bytes, moved)
        set(number(bytes, known) + properties.count, &bytes, known)
        set(number(bytes, items) + delta, &bytes, items)
        set(number(bytes, meta) + delta, &bytes, meta)
        return bytes
    }

    private static func box(_ kind: String, _ value: UInt8) -> [UInt8] {
        [0, 0, 0, 9] + Array(kind.utf8) + [value]
    }

    /// Where a box begins.
    private static func place(of kind: String, in bytes: [UInt8]) -> Int? {
        let kind = Array(kind.utf8)
        return (4...(bytes.count - 4)).first { Array(bytes[$0..<($0 + 4)]) == kind }.map { $0 - 4 }
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
        bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func set(_ number: Int, _ bytes: inout [UInt8], _ place: Int) {
        for index in 0..<4 { bytes[place + index] = UInt8(number >> (24 - 8 * index) & 255) }
    }
}
