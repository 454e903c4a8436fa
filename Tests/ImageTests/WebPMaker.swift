import TestSupport

/// Puts animated WebPs together out of coded pictures, whatever a file may say.
struct WebPMaker {
    struct Frame {
        var x = 0
        var y = 0
        var patch: Patch
        /// Milliseconds.
        var delay: Int
        var isCleared = false
        var isBlended = true
    }

    /// A picture and its chunks as a coder makes them.
    struct Patch {
        var width: Int
        var height: Int
        var rgba: [UInt8]
        var chunks: [UInt8]
    }

    var width: Int
    var height: Int
    var loops = 0
    var frames: [Frame]

    var bytes: [UInt8] {
        var body = Array("WEBP".utf8)
        body += Self.chunk(
            "VP8X", [0x12, 0, 0, 0] + Self.number(width - 1, 3) + Self.number(height - 1, 3))
        body += Self.chunk("ANIM", [1, 2, 3, 4] + Self.number(loops, 2))
        for frame in frames {
            var head = Self.number(frame.x / 2, 3) + Self.number(frame.y / 2, 3)
            head += Self.number(frame.patch.width - 1, 3) + Self.number(frame.patch.height - 1, 3)
            head += Self.number(frame.delay, 3)
            head += [(frame.isCleared ? 1 : 0) | (frame.isBlended ? 0 : 2)]
            body += Self.chunk("ANMF", head + frame.patch.chunks)
        }
        return Array("RIFF".utf8) + Self.number(body.count, 4) + body
    }

    static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + number(body.count, 4) + body + (body.count % 2 == 1 ? [0] : [])
    }

    static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * $0) & 255) }
    }

    /// What is seen after each picture, by the container's specification: RGBA.
    var seen: [[UInt8]] {
        var canvas = StraightCanvas(width: width, height: height)
        return frames.map { frame in
            canvas.write(
                frame.patch.rgba, x: frame.x, y: frame.y, width: frame.patch.width,
                height: frame.patch.height, isBlended: frame.isBlended)
            let result = canvas.rgba
            if frame.isCleared {
                canvas.clear(
                    x: frame.x, y: frame.y, width: frame.patch.width, height: frame.patch.height)
            }
            return result
        }
    }
}

/// Lays pictures on each other in floating point, pixel by pixel: what animations are held against.
struct StraightCanvas {
    let width: Int
    let height: Int
    private(set) var rgba: [UInt8]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        rgba = [UInt8](repeating: 0, count: 4 * width * height)
    }

    mutating func write(
        _ picture: [UInt8], x: Int, y: Int, width: Int, height: Int, isBlended: Bool
    ) {
        for row in 0..<height {
            for column in 0..<width {
                let (from, to) = (
                    4 * (row * width + column), 4 * ((row + y) * self.width + column + x)
                )
                let own = picture[from..<(from + 4)].map { Double($0) / 255 }
                let below = rgba[to..<(to + 4)].map { Double($0) / 255 }
                var result = own
                if isBlended {
                    let rest = below[3] * (1 - own[3])
                    result[3] = own[3] + rest
                    for channel in 0..<3 where result[3] > 0 {
                        result[channel] =
                            (own[channel] * own[3] + below[channel] * rest) / result[3]
                    }
                }
                rgba.replaceSubrange(
                    to..<(to + 4), with: result.map { UInt8(($0 * 255).rounded()) })
            }
        }
    }

    mutating func clear(x: Int, y: Int, width: Int, height: Int) {
        for row in y..<(y + height) {
            let start = 4 * (row * self.width + x)
            rgba.replaceSubrange(
                start..<(start + 4 * width), with: repeatElement(0, count: 4 * width))
        }
    }

    mutating func restore(_ before: [UInt8]) { rgba = before }
}
