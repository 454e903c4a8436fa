internal import Media

/// The pictures of a GIF, each by itself. Thread-bound.
final class GIFPatches: AnimationPatches {
    // immutable
    private let file: FileBytes
    private let pictures: [GIFStructure.Picture]

    // owned by the calling thread
    private var codes = GIFCodes()
    /// Room for the largest picture so far: a new one each time would be memory the system clears.
    private var indices: [UInt8] = []

    init(_ file: FileBytes, _ structure: GIFStructure) {
        self.file = file
        pictures = structure.pictures
    }

    func patch(_ index: Int) throws(MediaError) -> AnimationPatch {
        let picture = pictures[index]
        let (width, height) = (picture.placement.width, picture.placement.height)
        let palette = try palette(of: picture)
        let count = width * height
        if indices.count < count { indices = [UInt8](repeating: 0, count: count) }
        var scanner = ByteScanner(file, at: picture.data)
        let found = try codes.decode(&scanner, into: &indices, count: count)
        let damage = MediaError.damaged(file.path, "a picture in it ends before its last pixel")
        guard found > 0 else { throw damage }
        return AnimationPatch(
            pixels: .indexed(
                IndexedPicture(
                    indices: indices[..<found], width: width,
                    rows: Self.rows(height, isInterlaced: picture.isInterlaced), palette: palette,
                    clear: picture.transparentIndex)),
            damage: found == count ? nil : damage)
    }

    /// 256 colours as they lie in memory; those that are not painted are 0.
    private func palette(of picture: GIFStructure.Picture) throws(MediaError) -> [UInt32] {
        let bytes = try file.read(picture.palette)
        var colors = [UInt32](repeating: 0, count: 256)
        for index in 0..<(bytes.count / 3) {
            let (red, green, blue) = (bytes[3 * index], bytes[3 * index + 1], bytes[3 * index + 2])
            colors[index] = Self.color(red, green, blue)
        }
        if bytes.isEmpty {
            // the specification leaves it open; other readers take grey levels
            for index in colors.indices {
                let level = UInt8(index)
                colors[index] = Self.color(level, level, level)
            }
        }
        if let clear = picture.transparentIndex { colors[Int(clear)] = 0 }
        return colors
    }

    private static func color(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt32 {
        UInt32(littleEndian: UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 255 << 24)
    }

    /// The rows in the order in which they are coded.
    private static func rows(_ height: Int, isInterlaced: Bool) -> [Int] {
        guard isInterlaced else { return Array(0..<height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
            Array(stride(from: start, to: height, by: step))
        }
    }
}
