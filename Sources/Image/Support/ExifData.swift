internal import Media

/// What Exif data say of a picture. A pure value; what cannot be understood is not stated.
///
/// Source: Exif 2.32, 4.6 (tags 0x0112, 0x9003, 0x9291, 0x9011); TIFF 6.0, section 2.
struct ExifData: Sendable, Hashable {
    private(set) var orientation: VideoOrientation?
    /// When the picture was taken, as the camera's clock showed it: "2026:11:22 03:04:05".
    private(set) var originalTime: String?
    /// Digits behind the second's point.
    private(set) var originalFraction: String?
    /// "+01:00".
    private(set) var originalOffset: String?

    private let bytes: [UInt8]
    private let isLittle: Bool

    /// Most entries of a directory that are looked at (count).
    private static let mostEntries = 1000

    /// - Parameter data: from the byte order on, or from "Exif".
    init?(_ data: some Collection<UInt8>) {
        var bytes = Array(data)
        if bytes.starts(with: "Exif\0\0".utf8) { bytes.removeFirst(6) }
        guard bytes.count >= 14, let order = Self.isLittle(bytes) else { return nil }
        self.bytes = bytes
        isLittle = order
        guard let first = number(4, 4) else { return nil }
        for entry in entries(first) {
            switch number(entry, 2) {
            case 0x0112: orientation = number(entry + 8, 2).flatMap(VideoOrientation.init(exif:))
            case 0x8769: readDetails(number(entry + 8, 4) ?? 0)
            default: break
            }
        }
    }

    private static func isLittle(_ bytes: [UInt8]) -> Bool? {
        if bytes.starts(with: [0x49, 0x49, 42, 0]) { return true }
        return bytes.starts(with: [0x4D, 0x4D, 0, 42]) ? false : nil
    }

    private mutating func readDetails(_ directory: Int) {
        for entry in entries(directory) {
            switch number(entry, 2) {
            case 0x9003: originalTime = text(entry)
            case 0x9291: originalFraction = text(entry)
            case 0x9011: originalOffset = text(entry)
            default: break
            }
        }
    }

    /// Where a directory's entries begin.
    private func entries(_ directory: Int) -> [Int] {
        guard let count = number(directory, 2), count <= Self.mostEntries else { return [] }
        return (0..<count).map { directory + 2 + 12 * $0 }
    }

    private func number(_ at: Int, _ count: Int) -> Int? {
        guard at >= 0, at <= bytes.count - count else { return nil }
        let part = bytes[at..<(at + count)]
        return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }

    private func text(_ entry: Int) -> String? {
        guard number(entry + 2, 2) == 2, let count = number(entry + 4, 4), count <= 64 else {
            return nil
        }
        let start = count <= 4 ? entry + 8 : number(entry + 8, 4) ?? bytes.count
        guard start <= bytes.count - count else { return nil }
        return String(decoding: bytes[start..<(start + count)].prefix { $0 != 0 }, as: UTF8.self)
    }
}
