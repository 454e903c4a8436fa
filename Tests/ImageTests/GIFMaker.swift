import TestSupport

/// Writes GIFs for tests, whatever a file may say.
struct GIFMaker {
    struct Frame {
        var x = 0
        var y = 0
        var width: Int
        var height: Int
        /// Of the palette, row by row.
        var indices: [UInt8]
        /// Colours of its own.
        var palette: [[UInt8]]?
        /// Hundredths of a second; nil: nothing is stated of the picture.
        var delay: Int?
        var disposal = 0
        var transparent: UInt8?
        var isInterlaced = false
    }

    var width: Int
    var height: Int
    /// 2…256 colours, a power of two.
    var palette: [[UInt8]]?
    /// As written; nil: nothing is stated.
    var loops: Int?
    var frames: [Frame]
    /// Stands before the first picture.
    var prefix: [UInt8] = []
    var version = "GIF89a"

    var bytes: [UInt8] {
        var result = Array(version.utf8) + Self.short(width) + Self.short(height)
        result += [palette.map { 0x80 | Self.bits($0.count) - 1 } ?? 0, 0, 0]
        result += (palette ?? []).joined()
        if let loops {
            result += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + Self.short(loops)
            result += [0]
        }
        result += prefix
        for frame in frames { result += Self.bytes(frame, palette) }
        return result + [0x3B]
    }

    private static func bytes(_ frame: Frame, _ shared: [[UInt8]]?) -> [UInt8] {
        var result: [UInt8] = []
        if let delay = frame.delay {
            result += [0x21, 0xF9, 4]
            result += [UInt8(frame.disposal << 2) | (frame.transparent == nil ? 0 : 1)]
            result += short(delay) + [frame.transparent ?? 0, 0]
        }
        result += [0x2C] + short(frame.x) + short(frame.y) + short(frame.width)
        result += short(frame.height)
        result += [
            (frame.isInterlaced ? 0x40 : 0) | (frame.palette.map { 0x80 | bits($0.count) - 1 } ?? 0)
        ]
        result += (frame.palette ?? []).joined()
        var rows = Array(0..<frame.height)
        if frame.isInterlaced {
            rows = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
                Array(stride(from: start, to: frame.height, by: step))
            }
        }
        let coded = rows.flatMap { row in
            frame.indices[(row * frame.width)..<((row + 1) * frame.width)]
        }
        let size = max(2, Int(bits((frame.palette ?? shared)?.count ?? 256)))
        return result + [UInt8(size)] + blocks(codes(coded, size))
    }

    static func short(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }

    private static func bits(_ count: Int) -> UInt8 {
        UInt8((1...8).first { 1 << $0 >= count } ?? 8)
    }

    static func blocks(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: 255).flatMap { start -> [UInt8] in
            let part = bytes[start..<min(start + 255, bytes.count)]
            return [UInt8(part.count)] + part
        } + [0]
    }

    /// LZW with a table that grows to its end and is then cleared.
    static func codes(_ indices: [UInt8], _ smallest: Int) -> [UInt8] {
        let clear = 1 << smallest
        var table: [[UInt8]: Int] = [:]
        var (size, next) = (smallest + 1, clear + 2)
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        func put(_ code: Int) {
            bits |= code << count
            count += size
            while count >= 8 {
                bytes.append(UInt8(bits & 255))
                bits >>= 8
                count -= 8
            }
        }
        func code(_ string: [UInt8]) -> Int {
            string.count == 1 ? Int(string[0]) : table[string] ?? 0
        }
        put(clear)
        var string: [UInt8] = []
        for index in indices {
            let longer = string + [index]
            if longer.count == 1 || table[longer] != nil {
                string = longer
                continue
            }
            put(code(string))
            table[longer] = next
            next += 1
            if next - 1 == 1 << size { size += 1 }
            if next == 4096 {
                put(clear)
                table = [:]
                (size, next) = (smallest + 1, clear + 2)
            }
            string = [index]
        }
        if !string.isEmpty { put(code(string)) }
        put(clear + 1)
        if count > 0 { bytes.append(UInt8(bits & 255)) }
        return bytes
    }
}

extension GIFMaker {
    /// What is seen after each picture, by the rules of the specification and of browsers: RGBA.
    var seen: [[UInt8]] {
        var canvas = [UInt8](repeating: 0, count: 4 * width * height)
        return frames.map { frame in
            let before = canvas
            let colors = frame.palette ?? palette ?? []
            for row in 0..<frame.height {
                for column in 0..<frame.width {
                    let (x, y) = (frame.x + column, frame.y + row)
                    let index = frame.indices[row * frame.width + column]
                    guard x < width, y < height, index != frame.transparent else { continue }
                    canvas.replaceSubrange(
                        (4 * (y * width + x))..<(4 * (y * width + x) + 4),
                        with: colors[Int(index)] + [255])
                }
            }
            let result = canvas
            if frame.disposal == 3 { canvas = before }
            if frame.disposal == 2 {
                for y in frame.y..<min(height, frame.y + frame.height) {
                    for x in frame.x..<min(width, frame.x + frame.width) {
                        canvas.replaceSubrange(
                            (4 * (y * width + x))..<(4 * (y * width + x) + 4),
                            with: [0, 0, 0, 0])
                    }
                }
            }
            return result
        }
    }

    /// An animation of pictures of any kind by chance.
    /// - Parameter isSparse: whether transparent ones paint little, as encoders leave out what stays the same.
    static func random(seed: UInt64, isSparse: Bool = false) -> GIFMaker {
        var chance = SplitMix(seed: seed)
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &chance) }
        func colors(_ bits: Int) -> [[UInt8]] {
            (0..<(1 << bits)).map { _ in (0..<3).map { _ in UInt8(number(0..<256)) } }
        }
        let (width, height) = (number(1..<40), number(1..<40))
        let shared = number(1..<9)
        let frames = (0..<number(1..<8)).map { _ -> Frame in
            let isWhole = number(0..<3) == 0
            let (x, y) = isWhole ? (0, 0) : (number(0..<width), number(0..<height))
            let (ownWidth, ownHeight) =
                isWhole
                ? (width, height) : (number(1..<(width - x + 1)), number(1..<(height - y + 1)))
            let own: Int? = number(0..<3) == 0 ? number(1..<9) : nil
            let count = 1 << (own ?? shared)
            let step = number(1..<5)
            var frame = Frame(
                x: x, y: y, width: ownWidth, height: ownHeight,
                indices: (0..<(ownWidth * ownHeight)).map { place in
                    UInt8((number(0..<4) == 0 ? number(0..<count) : place / step) % count)
                }, palette: own.map(colors), delay: number(0..<30), disposal: number(0..<4),
                transparent: number(0..<2) == 0 ? UInt8(number(0..<count)) : nil,
                isInterlaced: number(0..<3) == 0)
            if isSparse, let transparent = frame.transparent {
                for place in frame.indices.indices where number(0..<20) > 0 {
                    frame.indices[place] = transparent
                }
            }
            return frame
        }
        return GIFMaker(
            width: width, height: height, palette: colors(shared),
            loops: number(0..<2) == 0 ? number(0..<4) : nil, frames: frames)
    }
}
