internal import LibAV
internal import Media

/// The luma of a picture from a file, upright: 0 black, 65,535 white. Of colours it is BT.709's, of what is
/// transparent black; grey pictures of 16 bits keep all of them.
struct StillLuma {
    let width: Int
    let height: Int
    let samples: [UInt16]

    init(width: Int, height: Int, samples: [UInt16]) {
        (self.width, self.height, self.samples) = (width, height, samples)
    }

    /// Four bytes of each are held while it is stretched, beside the coded picture (count).
    private static let mostPixels = 64 << 20

    /// Finds out whether a file holds a picture that can be used, without decoding it.
    /// - Throws: `unsupported` for a movie, an animation and what is larger than 64 megapixels; what opening throws.
    static func check(_ path: String) throws(MediaError) {
        let (_, track) = try StillPicture.open(path)
        guard track.isStill, !track.isAnimation else {
            throw MediaError(
                code: .unsupported, subject: path,
                message: "\(path) is a movie or an animation, and a still picture is needed")
        }
        let size = track.format?.video?.uprightPixelSize ?? PixelSize(0, 0)
        guard size.width * size.height <= mostPixels else {
            throw MediaError(
                code: .unsupported, subject: path,
                message:
                    "\(path) has \(size.width)x\(size.height) pixels, and 64 megapixels are the most: make it "
                    + "smaller")
        }
    }

    /// - Parameter size: larger ones are made as small at once (pixels; nil: none is).
    /// - Throws: what `check`, opening and decoding throw, naming the file.
    init(path: String, within size: PixelSize? = nil) throws(MediaError) {
        try Self.check(path)
        var (picture, format) = try StillPicture.frame(path)
        let isGrey = [.gray, .gray10le, .gray12le, .gray16le].contains(picture.format)
        if isGrey, format.color.range == .unspecified { format.color.range = .full }
        var wanted = VideoFormat(
            coding: .raw(isGrey ? .gray16le : .rgba64le), width: format.width,
            height: format.height)
        wanted.color = format.color
        wanted.color.range = .full
        if !isGrey { wanted.color.matrix = 0 }
        if format.orientation.swapsAxes { swap(&wanted.width, &wanted.height) }
        if let size, size.width * size.height < wanted.width * wanted.height,
            size.width <= wanted.width, size.height <= wanted.height
        {
            (wanted.width, wanted.height) = (size.width, size.height)
        }
        do throws(MediaError) {
            picture = try PixelConverter(from: format, to: wanted).convert(picture)
        } catch { throw error.describing(subject: path) }
        (width, height) = (wanted.width, wanted.height)
        samples = isGrey ? Self.grey(picture) : Self.luma(picture)
    }

    private static func grey(_ picture: PixelBuffer) -> [UInt16] {
        var samples: [UInt16] = []
        samples.reserveCapacity(picture.width * picture.height)
        picture.withPlane(0) { plane in
            for y in 0..<picture.height {
                let row = plane.row(y)
                for x in 0..<picture.width {
                    samples.append(UInt16(row[2 * x]) | UInt16(row[2 * x + 1]) << 8)
                }
            }
        }
        return samples
    }

    /// Of RGB with opacity.
    private static func luma(_ picture: PixelBuffer) -> [UInt16] {
        var samples: [UInt16] = []
        samples.reserveCapacity(picture.width * picture.height)
        picture.withPlane(0) { plane in
            for y in 0..<picture.height {
                let row = plane.row(y)
                func part(_ x: Int, _ index: Int) -> Float {
                    let at = 8 * x + 2 * index
                    return Float(UInt16(row[at]) | UInt16(row[at + 1]) << 8)
                }
                for x in 0..<picture.width {
                    let luma =
                        0.2126 * part(x, 0) + 0.7152 * part(x, 1) + 0.0722 * part(x, 2)
                    samples.append(
                        UInt16(min(65_535, max(0, luma * (part(x, 3) / 65_535) + 0.5))))
                }
            }
        }
        return samples
    }
}

extension StillLuma {
    /// In another size, of whatever shape: bilinear where it grows, the mean of what falls on a sample where it
    /// shrinks.
    func stretched(to size: PixelSize) -> [UInt16] {
        if size.width == width, size.height == height { return samples }
        let across = StretchTaps(from: width, to: size.width)
        let down = StretchTaps(from: height, to: size.height)
        var wide = [Float](repeating: 0, count: size.width * height)
        samples.withUnsafeBufferPointer { samples in
            for y in 0..<height {
                for x in 0..<size.width {
                    var sum: Float = 0
                    let first = y * width + across.firsts[x]
                    for tap in 0..<across.count {
                        sum += across.weights[x * across.count + tap] * Float(samples[first + tap])
                    }
                    wide[y * size.width + x] = sum
                }
            }
        }
        var result = [UInt16](repeating: 0, count: size.width * size.height)
        var row = [Float](repeating: 0, count: size.width)
        for y in 0..<size.height {
            for x in 0..<size.width { row[x] = 0.5 }
            for tap in 0..<down.count {
                let weight = down.weights[y * down.count + tap]
                let first = (down.firsts[y] + tap) * size.width
                for x in 0..<size.width { row[x] += weight * wide[first + x] }
            }
            for x in 0..<size.width {
                result[y * size.width + x] = UInt16(max(0, min(65_535, row[x])))
            }
        }
        return result
    }
}

/// Which samples make one of another size, and by how much: a triangle about its middle as wide as two steps of the
/// coarser side; beyond the edges there is nothing.
private struct StretchTaps {
    /// For each.
    let count: Int
    let firsts: [Int]
    /// `count` for each sample; their sum is 1.
    let weights: [Float]

    init(from source: Int, to target: Int) {
        let step = Double(source) / Double(target)
        let reach = max(1, step)
        let count = min(source, Int((2 * reach).rounded(.up)) + 1)
        var (firsts, weights): ([Int], [Float]) = ([], [])
        for index in 0..<target {
            let middle = (Double(index) + 0.5) * step - 0.5
            let first = max(0, min(source - count, Int((middle - reach).rounded(.up))))
            let shares = (first..<first + count).map {
                max(0, 1 - (Double($0) - middle).magnitude / reach)
            }
            let sum = shares.reduce(0, +)
            firsts.append(first)
            weights += shares.map { Float($0 / sum) }
        }
        (self.count, self.firsts, self.weights) = (count, firsts, weights)
    }
}
