import Foundation
import Media
import TestSupport
import Testing

@testable import Compose
@testable import LibAV

/// Areas of frames beside a slow reference, whose formulae are written here once more.
@Suite("Areas of frames")
struct AreaFrameTests {
    static let formats: [VideoFormat] = [
        RenderFrames.format(48, 32), RenderFrames.format(48, 32, .yuv444p),
        RenderFrames.format(48, 32, .yuv422p), RenderFrames.format(48, 32, .yuv420p10le),
        RenderFrames.format(48, 32, color: .jpeg),
    ]

    static let areas: [FrameArea] = {
        var turned = FrameArea(.rectangle, x: 0.4, y: 0.6, width: 0.5, height: 0.3)
        turned.rotation = 25
        var outside = FrameArea(.ellipse, x: 0.7, y: 0.4, width: 0.4, height: 0.6)
        outside.isInverted = true
        return [
            FrameArea(.rectangle, x: 0.51, y: 0.47, width: 0.33, height: 0.41), turned, outside,
            FrameArea(.ellipse, x: 0.3, y: 0.5, width: 0.5, height: 0.7, softness: 0.6),
            FrameArea(.rectangle, x: 0.02, y: 1, width: 0.5, height: 0.9, softness: 0.4),
        ]
    }()

    static func samples(_ frame: PixelBuffer, _ plane: Int) -> [[Double]] {
        let layout = frame.format.layout.planes[plane]
        let columns = (frame.width + layout.pixelsPerGroup - 1) / layout.pixelsPerGroup
        let codes = RenderFrames.codes(frame, plane).map(Double.init)
        return stride(from: 0, to: codes.count, by: columns).map {
            Array(codes[$0..<$0 + columns])
        }
    }

    private func composed(
        _ format: VideoFormat, _ layers: [SceneLayer], threads: Int = 2
    ) throws -> PixelBuffer {
        try RenderFrames.compositor(format, threads: threads).compose(Scene(layers: layers))
    }

    /// The mean square of the differences, and the largest one.
    private func difference(
        _ one: [[Double]], _ other: [[Double]]
    ) -> (mean: Double, most: Double) {
        let all = zip(one.joined(), other.joined()).map { ($0 - $1).magnitude }
        return (all.reduce(0) { $0 + $1 * $1 } / Double(all.count), all.max() ?? 0)
    }

    @Test(
        "a blur is that of a Gaussian in double precision, and outside nothing changes",
        arguments: formats)
    func blur(_ format: VideoFormat) throws {
        let frame = RenderFrames.waves(format)
        let plain = try composed(format, [SceneLayer(picture: frame, format: format)])
        #expect(RenderFrames.allCodes(plain) == RenderFrames.allCodes(frame))
        for area in Self.areas {
            for size in [0.012, 0.08, 0.3] {
                let made = try composed(
                    format,
                    [
                        SceneLayer(
                            picture: frame, format: format,
                            effects: [SceneEffect(AreaBlur(size: size), in: area)])
                    ])
                let shares = ReferenceArea(
                    width: format.width, height: format.height, area: area
                ).shares()
                let side = Double(min(format.width, format.height))
                for plane in 0..<3 {
                    let layout = frame.format.layout.planes[plane]
                    let (across, down) = (layout.pixelsPerGroup, layout.rowsPerRow)
                    let own = Self.samples(frame, plane)
                    let soft = ReferenceArea.blurred(
                        own, across: size * side / Double(across), down: size * side / Double(down))
                    let parts = ReferenceArea.means(shares, across: across, down: down)
                    let wanted = own.indices.map { y in
                        own[y].indices.map { x in
                            own[y][x] + (soft[y][x] - own[y][x]) * parts[y][x]
                        }
                    }
                    let drawn = Self.samples(made, plane)
                    let (mean, most) = difference(drawn, wanted)
                    let white = Double(1 << frame.format.bitDepth - 1)
                    // 45 dB, and half a code of rounding
                    #expect(
                        white * white / mean > 31_623,
                        "\(area) \(size) plane \(plane) \(mean) \(most)")
                    for y in own.indices {
                        for x in own[y].indices where parts[y][x] == 0 {
                            #expect(drawn[y][x] == own[y][x], "\(plane) \(x) \(y)")
                        }
                    }
                }
            }
        }
    }

    @Test("a mosaic is of means, its squares lie still where the area moves", arguments: formats)
    func mosaic(_ format: VideoFormat) throws {
        let frame = RenderFrames.waves(format)
        let size = 0.125
        let square = size * Double(min(format.width, format.height))
        var before: [Int: [[Double]]] = [:]
        for x in [0.4, 0.45, 0.5] {
            let area = FrameArea(.rectangle, x: x, y: 0.5, width: 0.5, height: 0.5)
            let made = try composed(
                format,
                [
                    SceneLayer(
                        picture: frame, format: format,
                        effects: [SceneEffect(AreaMosaic(size: size), in: area)])
                ])
            for plane in 0..<3 {
                let layout = frame.format.layout.planes[plane]
                let own = Self.samples(frame, plane)
                let drawn = Self.samples(made, plane)
                /// Where the squares of a side end, as all planes have it.
                func index(_ sample: Int, _ covered: Int, _ step: Int, _ count: Int) -> Int {
                    var (number, end) = (0, 0)
                    while true {
                        end =
                            Int((Double(number + 1) * square / Double(step)).rounded()) * step
                            / covered
                        if sample < end || end >= count { return number }
                        number += 1
                    }
                }
                let steps = (
                    frame.format.layout.planes[1].pixelsPerGroup,
                    frame.format.layout.planes[1].rowsPerRow
                )
                var sums: [[Int]: (Double, Double)] = [:]
                for y in own.indices {
                    for x in own[y].indices {
                        let key = [
                            index(x, layout.pixelsPerGroup, steps.0, own[y].count),
                            index(y, layout.rowsPerRow, steps.1, own.count),
                        ]
                        let sum = sums[key] ?? (0, 0)
                        sums[key] = (sum.0 + own[y][x], sum.1 + 1)
                    }
                }
                let shares = ReferenceArea.means(
                    ReferenceArea(width: format.width, height: format.height, area: area).shares(),
                    across: layout.pixelsPerGroup, down: layout.rowsPerRow)
                for y in own.indices {
                    for x in own[y].indices {
                        let key = [
                            index(x, layout.pixelsPerGroup, steps.0, own[y].count),
                            index(y, layout.rowsPerRow, steps.1, own.count),
                        ]
                        guard let sum = sums[key] else { continue }
                        let mean = sum.0 / sum.1
                        let wanted = own[y][x] + (mean - own[y][x]) * shares[y][x]
                        #expect((drawn[y][x] - wanted).magnitude <= 1.5, "\(x) \(y) of \(plane)")
                    }
                }
                // in the middle of all three areas
                let middle = (own[0].count * 2 / 5..<own[0].count / 2)
                let inner = drawn[own.count / 2 - 2...own.count / 2 + 2].map { Array($0[middle]) }
                if let before = before[plane] { #expect(before == inner) }
                before[plane] = inner
            }
        }
    }

    @Test("a mask shows its area, and behind the rest what lies below", arguments: formats)
    func mask(_ format: VideoFormat) throws {
        let frame = RenderFrames.waves(format)
        let below = RenderFrames.waves(format, seed: 2)
        for area in Self.areas {
            let made = try composed(
                format,
                [
                    SceneLayer(picture: below, format: format),
                    SceneLayer(picture: frame, format: format, shownArea: area),
                ])
            let shares = ReferenceArea(
                width: format.width, height: format.height, area: area
            ).shares()
            for plane in 0..<3 {
                let layout = frame.format.layout.planes[plane]
                let parts = ReferenceArea.means(
                    shares, across: layout.pixelsPerGroup, down: layout.rowsPerRow)
                let (own, other) = (Self.samples(frame, plane), Self.samples(below, plane))
                let wanted = own.indices.map { y in
                    own[y].indices.map { x in
                        other[y][x] + (own[y][x] - other[y][x]) * parts[y][x]
                    }
                }
                let (mean, most) = difference(Self.samples(made, plane), wanted)
                let white = Double(1 << frame.format.bitDepth - 1)
                #expect(white * white / mean > 31_623, "\(area) plane \(plane) \(mean) \(most)")
            }
        }
    }

    @Test("by its own luma: what is brighter or darker, over the softness that is asked for")
    func luma() throws {
        let format = RenderFrames.format(64, 32, .yuv444p)
        var ramp = PixelBuffer(width: 64, height: 32, format: .yuv444p)
        ramp.withMutablePlanes { planes in
            for y in 0..<32 {
                for x in 0..<64 {
                    planes[0].row(y)[x] = UInt8(16 + (219 * x + 31) / 63)
                    planes[1].row(y)[x] = 128
                    planes[2].row(y)[x] = 128
                }
            }
        }
        let below = RenderFrames.waves(format)
        for (above, under, softness, isInverted) in [
            (0.5, nil, 0.2, false), (nil, 0.3, 0.05, false), (0.2, 0.7, 0.1, true),
            (0.5, nil, 0, false),
        ] as [(Double?, Double?, Double, Bool)] {
            var area = FrameArea()
            (area.above, area.below) = (above, under)
            (area.lumaSoftness, area.isInverted) = (softness, isInverted)
            let made = try composed(
                format,
                [
                    SceneLayer(picture: below, format: format),
                    SceneLayer(picture: ramp, format: format, shownArea: area),
                ])
            for plane in 0..<3 {
                let (own, other) = (Self.samples(ramp, plane), Self.samples(below, plane))
                let lumas = Self.samples(ramp, 0)
                let drawn = Self.samples(made, plane)
                for y in 0..<32 {
                    for x in 0..<64 {
                        let luma = (lumas[y][x] - 16) / 219
                        func part(_ distance: Double) -> Double {
                            softness > 0
                                ? max(0, min(1, 0.5 + distance / softness)) : distance > 0 ? 1 : 0
                        }
                        var share = 1.0
                        if let above { share *= part(luma - above) }
                        if let under { share *= part(under - luma) }
                        if isInverted { share = 1 - share }
                        let wanted = other[y][x] + (own[y][x] - other[y][x]) * share
                        #expect((drawn[y][x] - wanted).magnitude <= 1, "\(x) \(share)")
                    }
                }
            }
        }
    }

    @Test("a picture's luma is stretched over the clip, wherever and however that lies")
    func picture() throws {
        let folder = try TemporaryFolder()
        // white where the clip's left half is, black at its right, a quarter grey below
        var still = PixelBuffer(width: 40, height: 20, format: .gray)
        still.withMutablePlanes { planes in
            for y in 0..<20 {
                for x in 0..<40 { planes[0].row(y)[x] = x < 20 ? (y < 10 ? 255 : 64) : 0 }
            }
        }
        let path = folder.file("matte.pgm")
        var bytes = Array("P5 40 20 255\n".utf8)
        still.withPlane(0) { plane in
            for y in 0..<20 { for x in 0..<40 { bytes.append(plane.row(y)[x]) } }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let png = folder.file("matte.png")
        let made = try #require(Program.tool("ffmpeg")).run(["-v", "error", "-i", path, png])
        try #require(made.status == 0, "\(made.errorText)")
        let format = RenderFrames.format(80, 40, .yuv444p)
        let (frame, below) = (RenderFrames.waves(format), RenderFrames.waves(format, seed: 3))
        /// - Parameter turned: the stored picture is turned, and shown as before.
        func check(_ layer: SceneLayer, _ place: (Int, Int) -> (Int, Int)) throws {
            let drawn = try composed(
                format, [SceneLayer(picture: below, format: format), layer])
            var plain = layer
            plain.shownArea = nil
            let whole = try composed(format, [SceneLayer(picture: below, format: format), plain])
            for plane in 0..<3 {
                let (own, other) = (Self.samples(whole, plane), Self.samples(below, plane))
                let found = Self.samples(drawn, plane)
                // away from the edges between greys, which are soft
                for (x, y, share) in [
                    (8, 6, 1.0), (30, 15, 1), (8, 28, 0.25), (50, 6, 0), (70, 33, 0),
                ] {
                    let (column, row) = place(x, y)
                    let wanted =
                        other[row][column] + (own[row][column] - other[row][column]) * share
                    #expect((found[row][column] - wanted).magnitude <= 1.5, "\(plane) \(x) \(y)")
                }
            }
        }
        let area = FrameArea(picture: png)
        try check(SceneLayer(picture: frame, format: format, shownArea: area)) { ($0, $1) }
        // half as large, in the lower right corner
        try check(
            SceneLayer(
                picture: frame, format: format,
                transform: Transform2D(a: 0.5, b: 0, c: 0, d: 0.5, tx: 40, ty: 20), shownArea: area)
        ) { (40 + $0 / 2, 20 + $1 / 2) }
        // upside down
        try check(
            SceneLayer(
                picture: frame, format: format,
                transform: Transform2D(a: -1, b: 0, c: 0, d: -1, tx: 80, ty: 40), shownArea: area)
        ) { (79 - $0, 39 - $1) }
        // a picture that is stored turned
        let turned = RenderFrames.format(
            40, 80, .yuv444p, orientation: VideoOrientation(rotation: .clockwise90))
        try check(
            SceneLayer(
                picture: RenderFrames.waves(turned), format: turned, shownArea: area)
        ) { ($0, $1) }
    }

    @Test("an area lies in the clip: where that is turned, shrunk or stored turned it goes along")
    func alongWithTheClip() throws {
        let format = RenderFrames.format(96, 64, .yuv444p)
        let frame = RenderFrames.waves(format)
        var area = FrameArea(.ellipse, x: 0.3, y: 0.4, width: 0.4, height: 0.5)
        let effects = [SceneEffect(AreaMosaic(size: 0.1), in: area)]
        // what is changed first and turned then is the same as what is turned
        let changed = try composed(
            format, [SceneLayer(picture: frame, format: format, effects: effects)])
        let turn = Transform2D.rotation(degrees: 20).followed(by: .translation(x: 12, y: -9))
        let one = try composed(
            format, [SceneLayer(picture: changed, format: format, transform: turn)])
        let other = try composed(
            format, [SceneLayer(picture: frame, format: format, transform: turn, effects: effects)])
        #expect(RenderFrames.allCodes(one) == RenderFrames.allCodes(other))
        // stored turned: the upright frame's left is the stored one's lower edge
        let stored = RenderFrames.format(
            64, 96, .yuv444p, orientation: VideoOrientation(rotation: .clockwise90))
        let side = RenderFrames.waves(stored)
        let upright = try composed(format, [SceneLayer(picture: side, format: stored)])
        area.rotation = 30
        let blur = [SceneEffect(AreaBlur(size: 0.06), in: area)]
        let first = try composed(
            format, [SceneLayer(picture: upright, format: format, effects: blur)])
        let second = try composed(
            format, [SceneLayer(picture: side, format: stored, effects: blur)])
        for plane in 0..<3 {
            let (mean, most) = difference(
                Self.samples(first, plane), Self.samples(second, plane))
            #expect(mean < 0.1 && most <= 2, "\(mean) \(most)")
        }
        #expect(RenderFrames.allCodes(first) != RenderFrames.allCodes(upright))
    }

    @Test(
        "colours behind what is transparent do not come out of a blur, and its edge is blurred as well"
    )
    func transparent() throws {
        let format = RenderFrames.format(64, 64, .yuv444p)
        // a white square whose surroundings are black and transparent
        let clip = RenderFrames.format(64, 64, .rgba)
        var frame = PixelBuffer(width: 64, height: 64, format: .rgba)
        frame.withMutablePlanes { planes in
            for y in 0..<64 {
                for x in 0..<64 {
                    let isIn = (16..<48).contains(x) && (16..<48).contains(y)
                    for part in 0..<4 { planes[0].row(y)[4 * x + part] = isIn ? 255 : 0 }
                }
            }
        }
        func flat(_ luma: UInt8) -> PixelBuffer {
            var made = PixelBuffer(width: 64, height: 64, format: .yuv444p)
            made.withMutablePlanes { planes in
                for y in 0..<64 {
                    for x in 0..<64 {
                        planes[0].row(y)[x] = luma
                        for plane in 1..<3 { planes[plane].row(y)[x] = 128 }
                    }
                }
            }
            return made
        }
        func lumas(
            over below: PixelBuffer, _ effect: any AreaEffect
        ) throws -> [[Double]] {
            let made = try composed(
                format,
                [
                    SceneLayer(picture: below, format: format),
                    SceneLayer(
                        picture: frame, format: clip, effects: [SceneEffect(effect)]),
                ])
            return Self.samples(made, 0)
        }
        for effect in [AreaBlur(size: 0.06), AreaMosaic(size: 0.15)] as [any AreaEffect] {
            // white on white: nothing is seen of it
            let lumas = try lumas(over: flat(235), effect)
            #expect(lumas.joined().allSatisfy { $0 >= 233 }, "\(lumas.joined().min() ?? 0)")
        }
        // on black its edge is no step any more
        let soft = try lumas(over: flat(16), AreaBlur(size: 0.06))[32]
        #expect(soft[32] > 225 && soft[2] < 20)
        #expect(soft[13] > 30 && soft[18] < 215, "\(soft[10..<24])")
    }

    @Test("what is hidden in a frame is hidden in its blurred bars, too")
    func bars() throws {
        let format = RenderFrames.format(96, 64)
        // half white, half black
        var frame = PixelBuffer(width: 96, height: 64, format: .yuv420p)
        frame.withMutablePlanes { planes in
            for y in 0..<64 { for x in 0..<96 { planes[0].row(y)[x] = x < 48 ? 235 : 16 } }
            for plane in planes[1...] {
                for y in 0..<32 { for x in 0..<48 { plane.row(y)[x] = 128 } }
            }
        }
        let small = Transform2D(a: 0.5, b: 0, c: 0, d: 1, tx: 24, ty: 0)
        func lumas(_ effects: [SceneEffect]) throws -> [Double] {
            let made = try composed(
                format,
                [
                    SceneLayer(
                        picture: frame, format: format, transform: small,
                        fill: .blurred(radius: 3), effects: effects)
                ])
            let row = Self.samples(made, 0)[32]
            return [row[8], row[88]]
        }
        let plain = try lumas([])
        #expect(plain[0] - plain[1] > 150)
        let hidden = try lumas([SceneEffect(AreaMosaic(size: 1.5))])
        #expect((hidden[0] - hidden[1]).magnitude < 2, "\(hidden)")
    }

    @Test(
        "effects are done in their order, with any number of threads, and kept while a picture stands"
    )
    func order() throws {
        let format = RenderFrames.format(96, 64)
        let frame = RenderFrames.waves(format)
        let area = FrameArea(.rectangle, width: 0.6, height: 0.6)
        let effects = [
            SceneEffect(AreaMosaic(size: 0.2), in: area), SceneEffect(AreaBlur(size: 0.05)),
        ]
        let layer = SceneLayer(picture: frame, format: format, effects: effects)
        let one = try composed(format, [layer], threads: 1)
        #expect(
            RenderFrames.allCodes(one)
                == RenderFrames.allCodes(try composed(format, [layer], threads: 4)))
        var back = layer
        back.effects.reverse()
        #expect(
            RenderFrames.allCodes(one) != RenderFrames.allCodes(try composed(format, [back])))
        let compositor = try RenderFrames.compositor(format, threads: 2)
        let first = try compositor.compose(Scene(layers: [layer]))
        let second = try compositor.compose(Scene(layers: [layer]))
        #expect(first.sharesPixels(with: second))
        // the control: without an effect the frame itself is shown
        let plain = try compositor.compose(
            Scene(layers: [SceneLayer(picture: frame, format: format)]))
        #expect(plain.sharesPixels(with: frame))
    }
}
