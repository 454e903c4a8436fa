import Media
import TestSupport
import Testing

@testable import Compose
@testable import LibAV

/// Keyed frames beside a slow reference, whose formulae are written here once more.
@Suite("Keyed frames")
struct KeyFrameTests {
    private static let formats: [VideoFormat] = [
        RenderFrames.format(96, 64), RenderFrames.format(96, 64, .yuv444p),
        RenderFrames.format(96, 64, .yuv422p), RenderFrames.format(96, 64, .yuv420p10le),
        RenderFrames.format(96, 64, color: .jpeg), RenderFrames.format(96, 64, color: .bt601),
    ]

    /// Samples of a plane.
    private func samples(_ frame: PixelBuffer, _ plane: Int) -> [[Double]] {
        let layout = frame.format.layout.planes[plane]
        let columns = (frame.width + layout.pixelsPerGroup - 1) / layout.pixelsPerGroup
        return frame.withPlane(plane) { source in
            (0..<source.rows).map { y in
                (0..<columns).map { x in
                    frame.format.bitDepth > 8
                        ? Double(
                            source.base.advanced(by: y * source.bytesPerRow)
                                .assumingMemoryBound(to: UInt16.self)[x])
                        : Double(source.row(y)[x])
                }
            }
        }
    }

    /// Colours written pixel by pixel, chroma as the mean of what it covers.
    private func frame(
        _ format: VideoFormat, _ color: (Double, Double) -> (Double, Double, Double)
    ) -> PixelBuffer {
        let pixels = format.pixelFormat ?? .yuv420p
        var frame = PixelBuffer(width: format.width, height: format.height, format: pixels)
        let codes = ReferenceColor(format)
        frame.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let layout = pixels.layout.planes[index]
                for y in 0..<plane.rows {
                    for x in 0..<(format.width + layout.pixelsPerGroup - 1) / layout.pixelsPerGroup
                    {
                        let (r, g, b) = color(
                            (Double(x) + 0.5) * Double(layout.pixelsPerGroup)
                                / Double(format.width),
                            (Double(y) + 0.5) * Double(layout.rowsPerRow) / Double(format.height))
                        RenderFrames.store(
                            codes.codes(red: r, green: g, blue: b)[index], plane, x, y,
                            isWide: pixels.bitDepth > 8)
                    }
                }
            }
        }
        return frame
    }

    private func composed(
        _ format: VideoFormat, _ frame: PixelBuffer, _ key: ChromaKey?,
        over background: PixelBuffer,
        threads: Int = 2
    ) throws -> PixelBuffer {
        try RenderFrames.compositor(format, threads: threads).compose(
            Scene(layers: [
                SceneLayer(picture: background, format: format),
                SceneLayer(picture: frame, format: format, key: key),
            ]))
    }

    /// Greens of all kinds beside other colours.
    private func screen(_ x: Double, _ y: Double) -> (Double, Double, Double) {
        let share = min(1, max(0, 1.4 * x - 0.2))
        let (light, warm) = (0.2 + 0.6 * y, 0.3 * (0.5 - x) * y)
        let (r, g, b) = (light + warm, light, light - warm)
        let shade = 0.7 + 0.4 * y
        return (
            r * (1 - share), g * (1 - share) + share * shade * 177 / 255,
            b * (1 - share) + share * shade * 64 / 255
        )
    }

    @Test("the film is that of a reference in double precision", arguments: formats)
    func reference(_ format: VideoFormat) throws {
        let frame = frame(format, screen)
        let background = RenderFrames.waves(format)
        for key in [
            ChromaKey(), ChromaKey(tolerance: 0.1, softness: 0.8, spill: 0.5),
            ChromaKey(tolerance: 0.5, softness: 0.1, spill: 0),
        ] {
            let made = try composed(format, frame, key, over: background)
            let wanted = ReferenceKey(format, key).film(
                (0..<3).map { samples(frame, $0) }, (0..<3).map { samples(background, $0) })
            for plane in 0..<3 {
                let drawn = samples(made, plane)
                var (sum, count, worst) = (0.0, 0.0, (0.0, 0))
                for (one, other) in zip(drawn.joined(), wanted[plane].joined()) {
                    sum += (one - other) * (one - other)
                    if abs(one - other) > worst.0 { worst = (abs(one - other), Int(count)) }
                    count += 1
                }
                let most = Double(1 << (format.pixelFormat?.bitDepth ?? 8) - 1)
                // half a code of each rounding
                #expect(sum / count < 0.75, "\(key.tolerance) plane \(plane) \(worst)")
                #expect(most * most / max(sum / count, 1e-9) > 31_623)  // 45 dB
            }
        }
    }

    @Test("the screen vanishes, greys and other colours stay to the code")
    func corners() throws {
        let format = RenderFrames.format(64, 32)
        let background = frame(format) { _, _ in (0.9, 0.1, 0.8) }
        let green = frame(format) { _, _ in (0, 177 / 255.0, 64 / 255.0) }
        let gone = try composed(format, green, ChromaKey(), over: background)
        for plane in 0..<3 { #expect(samples(gone, plane) == samples(background, plane)) }
        // without a key it covers
        let kept = try composed(format, green, nil, over: background)
        for plane in 0..<3 { #expect(samples(kept, plane) == samples(green, plane)) }
        for color in [(0.5, 0.5, 0.5), (0, 0, 0), (1, 1, 1), (0.8, 0.2, 0.2), (0.2, 0.2, 0.8)] {
            let other = frame(format) { _, _ in color }
            let whole = try composed(format, other, ChromaKey(), over: background)
            for plane in 0..<3 { #expect(samples(whole, plane) == samples(other, plane)) }
        }
        let blue = frame(format) { _, _ in (0, 71 / 255.0, 187 / 255.0) }
        let bluely = try composed(format, blue, ChromaKey(ChromaKey.blue), over: background)
        #expect(samples(bluely, 0) == samples(background, 0))
        let otherly = try composed(format, blue, ChromaKey(), over: background)
        #expect(samples(otherly, 0) == samples(blue, 0))
    }

    @Test("what the screen and a grey share comes out as it was mixed")
    func mixture() throws {
        let format = RenderFrames.format(64, 32, .yuv444p)
        let codes = ReferenceColor(format)
        let background = frame(format) { _, _ in (0.9, 0.1, 0.8) }
        let key = ChromaKey(tolerance: 0, softness: 1)
        for share in [0.1, 0.25, 0.5, 0.75, 0.9] {
            let mixed = frame(format) { _, _ in
                (
                    0.3 * (1 - share), 0.3 * (1 - share) + share * 177 / 255,
                    0.3 * (1 - share) + share * 64 / 255
                )
            }
            let made = try composed(format, mixed, key, over: background)
            let wanted = codes.codes(
                red: 0.3 * (1 - share) + 0.9 * share, green: 0.3 * (1 - share) + 0.1 * share,
                blue: 0.3 * (1 - share) + 0.8 * share)
            for plane in 0..<3 {
                let off = abs(samples(made, plane)[16][32] - Double(wanted[plane]))
                // rounded codes of the clip count for more the less of it shows
                #expect(off <= 2, "\(share) \(plane)")
            }
        }
    }

    @Test("light of the screen on a grey is taken away as far as is asked")
    func spill() throws {
        let format = RenderFrames.format(64, 32, .yuv444p)
        let lit = frame(format) { _, _ in (0.5, 0.5 + 0.15 * 177 / 255, 0.5 + 0.15 * 64 / 255) }
        let gray = frame(format) { _, _ in (0.5, 0.5, 0.5) }
        func off(_ spill: Double) throws -> Double {
            let made = try composed(format, lit, ChromaKey(spill: spill), over: gray)
            return (0..<3).map { abs(samples(made, $0)[9][9] - samples(gray, $0)[9][9]) }.max() ?? 0
        }
        let (none, half, all) = (try off(0), try off(0.5), try off(1))
        #expect(none > 10 && all <= 1.5)
        #expect(abs(half - none / 2) <= 1.5)
    }

    @Test("one thread and two make the same film, and a picture on show is keyed once")
    func threads() throws {
        let format = RenderFrames.format(96, 64)
        let (frame, background) = (frame(format, screen), RenderFrames.waves(format))
        let one = try composed(format, frame, ChromaKey(), over: background, threads: 1)
        let two = try composed(format, frame, ChromaKey(), over: background, threads: 2)
        for plane in 0..<3 { #expect(samples(one, plane) == samples(two, plane)) }
    }

    @Test("a key without a hue, and one with blurred bars, is refused")
    func refusals() {
        func refusal(_ edit: (inout VideoItem) -> Void) -> String {
            var item = VideoItem("a.mp4")
            edit(&item)
            do {
                try Timeline(videos: [item]).validate()
                return ""
            } catch { return error.message }
        }
        #expect(refusal { $0.key = ChromaKey() }.isEmpty)
        #expect(refusal { $0.key = ChromaKey(.white) }.contains("is a grey, which has no hue"))
        #expect(refusal { $0.key = ChromaKey(tolerance: 2) }.contains("tolerance of the key"))
        #expect(
            refusal {
                $0.key = ChromaKey()
                $0.fit = .blurred
            }.contains("has a key and blurred bars"))
    }
}

/// The key's formulae, sample by sample.
private struct ReferenceKey {
    private let format: VideoFormat
    private let key: ChromaKey
    private let screen: [Double]
    private let (black, middle, most): (Double, Double, Double)

    init(_ format: VideoFormat, _ key: ChromaKey) {
        (self.format, self.key) = (format, key)
        let unit = Double(1 << ((format.pixelFormat?.bitDepth ?? 8) - 8))
        black = format.color.range == .full ? 0 : 16 * unit
        middle = 128 * unit
        most = 256 * unit - 1
        let codes = ReferenceColor(format).codes(
            red: key.color.red, green: key.color.green, blue: key.color.blue)
        screen = [Double(codes[0]) - black, Double(codes[1]) - middle, Double(codes[2]) - middle]
    }

    private func difference(_ u: Double, _ v: Double) -> Double {
        let (u, v) = (u - middle, v - middle)
        let square = screen[1] * screen[1] + screen[2] * screen[2]
        let along = (u * screen[1] + v * screen[2]) / square
        let aside = (u * screen[2] - v * screen[1]) / square
        return along - abs(aside)
    }

    private func seen(_ difference: Double) -> Double {
        let upper = 1 - key.tolerance
        let lower = max(0, upper - key.softness)
        if upper - lower < 1.0 / 1024 {
            return difference > lower ? min(1, (difference - lower) * 1024) : 0
        }
        return min(1, max(0, (difference - lower) / (upper - lower)))
    }

    private func plain(_ code: Double, _ origin: Double, _ part: Double, _ difference: Double)
        -> Double
    {
        let gain = 1 / max(1 - seen(difference), 1.0 / 16)
        let light = ((code - origin) - part * max(0, difference)) * gain
        return code + ((part == screen[0] ? max(0, light) : light) + origin - code) * key.spill
    }

    func film(_ frame: [[[Double]]], _ background: [[[Double]]]) -> [[[Double]]] {
        let grid = FrameGrid(format, format.pixelFormat ?? .yuv420p)
        let differences = zip(frame[1], frame[2]).map { zip($0, $1).map { difference($0, $1) } }
        func between(_ x: Int, _ y: Int) -> Double {
            let plane = grid.planes[1]
            func place(_ pixel: Int, _ origin: Double, _ covered: Int, _ count: Int) -> (
                Int, Int, Double
            ) {
                let place = (Double(pixel) + 0.5 - origin) / Double(covered)
                let first = place.rounded(.down)
                return (
                    min(max(Int(first), 0), count - 1), min(max(Int(first) + 1, 0), count - 1),
                    place - first
                )
            }
            let (left, right, across) = place(x, plane.originX, plane.across, differences[0].count)
            let (top, bottom, down) = place(y, plane.originY, plane.down, differences.count)
            let upper = differences[top][left] * (1 - across) + differences[top][right] * across
            let lower =
                differences[bottom][left] * (1 - across) + differences[bottom][right] * across
            return upper * (1 - down) + lower * down
        }
        return (0..<3).map { plane in
            frame[plane].indices.map { y in
                frame[plane][y].indices.map { x in
                    let difference = plane == 0 ? between(x, y) : differences[y][x]
                    let code = plain(
                        frame[plane][y][x], plane == 0 ? black : middle, screen[plane], difference)
                    let share = seen(difference)
                    return min(most, max(0, code)) * (1 - share) + background[plane][y][x] * share
                }
            }
        }
    }
}
