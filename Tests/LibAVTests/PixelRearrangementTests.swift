import Media
import Testing

@testable import LibAV

/// Where a pixel of a turned picture comes from, by the definition: mirror first, then turn clockwise.
private func origin(
    _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ orientation: VideoOrientation
) -> (x: Int, y: Int) {
    var place: (x: Int, y: Int)
    switch orientation.rotation {
    case .none: place = (x, y)
    case .clockwise90: place = (y, height - 1 - x)
    case .half: place = (width - 1 - x, height - 1 - y)
    case .clockwise270: place = (width - 1 - y, x)
    }
    if orientation.isMirrored { place.x = width - 1 - place.x }
    return place
}

@Test(
    "all eight orientations turn every pixel to its place",
    arguments: VideoOrientation.Rotation.allCases, [false, true])
func orientations(rotation: VideoOrientation.Rotation, isMirrored: Bool) throws {
    let orientation = VideoOrientation(rotation: rotation, isMirrored: isMirrored)
    for format in [PixelFormat.gray, .rgb24, .rgba, .gray16le, .yuv444p, .rgb48le, .rgba64le] {
        let bytes = format.layout.planes[0].bytesPerGroup
        var frame = PixelBuffer(width: 70, height: 39, format: format)
        frame.withMutablePlanes { planes in
            for plane in planes {
                for y in 0..<39 {
                    for x in 0..<70 * bytes { plane.row(y)[x] = UInt8((x * 7 + y * 31) % 251) }
                }
            }
        }
        let result = try frame.rotated(by: orientation)
        #expect(result.width == (orientation.swapsAxes ? 39 : 70))
        var wrong = 0
        for y in 0..<result.height {
            for x in 0..<result.width {
                let from = origin(x, y, 70, 39, orientation)
                for byte in 0..<bytes {
                    let value = result.withPlane(0) { $0.row(y)[x * bytes + byte] }
                    let ideal = frame.withPlane(0) { $0.row(from.y)[from.x * bytes + byte] }
                    wrong += value == ideal ? 0 : 1
                }
            }
        }
        #expect(wrong == 0, "\(format)")
    }
}

@Test(
    "a quarter turn is refused where chroma has no square grid, and chroma turns with luma elsewhere"
)
func chroma() throws {
    let quarter = VideoOrientation(rotation: .clockwise90)
    #expect(!PixelFormat.yuyv422.canRotate(by: quarter))
    #expect(!PixelFormat.yuv422p.canRotate(by: quarter))
    #expect(throws: MediaError.self) {
        _ = try PixelBuffer(width: 8, height: 8, format: .yuv422p).rotated(by: quarter)
    }
    #expect(PixelFormat.yuv422p.canRotate(by: VideoOrientation(rotation: .half)))
    var frame = PixelBuffer(width: 8, height: 4, format: .nv12)
    frame.withMutablePlanes { planes in
        for y in 0..<4 { for x in 0..<8 { planes[0].row(y)[x] = 0 } }
        for y in 0..<2 { for x in 0..<8 { planes[1].row(y)[x] = UInt8(y * 8 + x) } }
    }
    let result = try frame.rotated(by: quarter)
    // the lower left pair (8, 9) comes to the upper left
    result.withPlane(1) { plane in
        #expect(
            [plane.row(0)[0], plane.row(0)[1], plane.row(0)[2], plane.row(0)[3]] == [8, 9, 0, 1])
    }
}

/// Samples of the components of a picture whose codes are their place's.
private struct Noise {
    let width: Int
    let height: Int

    /// - Parameter component: luma and two of chroma, or red, green and blue.
    func code(_ component: Int, _ x: Int, _ y: Int, bits: Int) -> Int {
        (component * 7919 + x * 193 + y * 6151 + x * y * 31) & ((1 << bits) - 1)
    }

    func picture(_ format: PixelFormat) throws -> PixelBuffer {
        var picture = PixelBuffer(width: width, height: height, format: format)
        let places = ComponentReading.colors(of: format)
        let alpha = ComponentReading.alpha(of: format)
        picture.withMutablePlanes { planes in
            for (index, place) in (places + (alpha.map { [$0] } ?? [])).enumerated() {
                let (across, down) = grid(format, index)
                let bits = format.bitDepth
                for y in 0..<(height + down - 1) / down {
                    for x in 0..<(width + across - 1) / across {
                        let code = self.code(index, x, y, bits: bits) << place.shift
                        let address = planes[place.plane].row(y) + place.offset + x * place.step
                        address[0] = UInt8(truncatingIfNeeded: code)
                        if bits > 8 { address[1] = UInt8(code >> 8) }
                    }
                }
            }
        }
        return picture
    }

    func grid(_ format: PixelFormat, _ component: Int) -> (across: Int, down: Int) {
        guard !format.isRGB, component == 1 || component == 2 else { return (1, 1) }
        let planes = format.layout.planes
        let chroma = planes.count > 1 ? planes[1] : planes[0]
        return (chroma.pixelsPerGroup, chroma.rowsPerRow)
    }

    func value(_ frame: PixelBuffer, _ component: Int, _ x: Int, _ y: Int) throws -> Int {
        let places = ComponentReading.colors(of: frame.format)
        let place =
            component < places.count
            ? places[component] : try #require(ComponentReading.alpha(of: frame.format))
        return frame.withPlanes { place.value($0, x, y, isWide: frame.format.bitDepth > 8) }
    }
}

private let everyOrientation = VideoOrientation.Rotation.allCases.flatMap { rotation in
    [false, true].map { VideoOrientation(rotation: rotation, isMirrored: $0) }
}

@Test(
    "every sample of a camera's picture comes to its place in another format, rotated in the same pass",
    arguments: everyOrientation)
func rearranged(orientation: VideoOrientation) throws {
    let noise = Noise(width: 78, height: 46)
    let pairs: [(PixelFormat, PixelFormat)] = [
        (.yuyv422, .yuv420p), (.uyvy422, .yuv420p), (.yvyu422, .nv12), (.nv16, .yuv420p),
        (.yuv422p, .nv21), (.nv12, .yuv420p), (.yuv420p, .nv12), (.nv21, .nv12),
        (.p010le, .yuv420p10le), (.yuv420p10le, .p010le), (.yuv422p10le, .yuv420p10le),
        (.rgb24, .bgra), (.rgba, .bgr24), (.bgra, .rgba), (.yuva420p, .yuv420p),
        (.rgb48le, .rgba64le), (.yuyv422, .yuyv422), (.yuyv422, .yuv422p), (.yuv422p, .uyvy422),
        (.yuv422p, .nv16), (.nv16, .yuv422p),
    ]
    for (from, to) in pairs {
        let half = orientation.swapsAxes && noise.grid(to, 1) == (2, 1)
        let move = PixelRearrangement(from: from, to: to, orientation: orientation)
        #expect((move == nil) == half, "\(from) to \(to)")
        guard let move else { continue }
        let frame = try noise.picture(from)
        let result = move.convert(frame)
        let count = to.isRGB && to.hasAlpha ? 4 : 3
        var wrong = 0
        for component in 0..<count {
            let (across, down) = noise.grid(to, component)
            let joins = noise.grid(from, component).down < down
            let (columns, rows) = (result.width / across, result.height / down)
            let swaps = orientation.swapsAxes
            for y in 0..<rows {
                for x in 0..<columns {
                    let place = origin(
                        x, y, swaps ? rows : columns, swaps ? columns : rows, orientation)
                    let ideal: Int
                    if component == 3, !from.hasAlpha {
                        ideal = 1 << from.bitDepth - 1
                    } else if joins {
                        ideal =
                            (try noise.value(frame, component, place.x, 2 * place.y)
                                + noise.value(frame, component, place.x, 2 * place.y + 1) + 1) / 2
                    } else {
                        ideal = try noise.value(frame, component, place.x, place.y)
                    }
                    wrong += try noise.value(result, component, x, y) == ideal ? 0 : 1
                }
            }
        }
        #expect(wrong == 0, "\(from) to \(to)")
    }
}

@Test("a picture of an odd height keeps the chroma of its last row")
func oddHeight() throws {
    let noise = Noise(width: 30, height: 5)
    let move = try #require(PixelRearrangement(from: .yuyv422, to: .yuv420p))
    let frame = try noise.picture(.yuyv422)
    let result = move.convert(frame)
    for x in 0..<15 {
        #expect(try noise.value(result, 1, x, 2) == noise.value(frame, 1, x, 4))
    }
}
