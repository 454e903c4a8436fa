import Foundation

/// The types of a movie file's outermost boxes, read without our own reader.
struct TopLevelBoxes {
    let types: [String]

    init(_ path: String) throws {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let end = try file.seekToEnd()
        var position: UInt64 = 0
        var types: [String] = []
        while position + 8 <= end {
            try file.seek(toOffset: position)
            let header = [UInt8](try file.read(upToCount: 16) ?? Data())
            var size = header[0..<4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            types.append(String(decoding: header[4..<8], as: UTF8.self))
            if size == 1, header.count == 16 {
                size = header[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
            if size < 8 { break }
            position += size
        }
        self.types = types
    }

    /// No fragments outside, one index, one body.
    var isOrdinary: Bool {
        types.filter { $0 == "moov" }.count == 1 && !types.contains("moof")
    }

    var isFragmented: Bool { types.contains("moof") }
}
