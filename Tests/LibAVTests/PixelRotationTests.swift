import LibAV
import Media
import Testing

/// Where a pixel of a rotated picture comes from, by the definition: mirror first, then turn clockwise.
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
    let rotator = PixelRotation(orientation)
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
        let result = try rotator.apply(frame)
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
    "a quarter turn is refused where chroma has no square grid, and chroma rotates with luma elsewhere"
)
func chroma() throws {
    let quarter = PixelRotation(VideoOrientation(rotation: .clockwise90))
    #expect(!quarter.supports(.yuyv422))
    #expect(!quarter.supports(.yuv422p))
    #expect(throws: MediaError.self) {
        _ = try quarter.apply(PixelBuffer(width: 8, height: 8, format: .yuv422p))
    }
    #expect(PixelRotation(VideoOrientation(rotation: .half)).supports(.yuv422p))
    var frame = PixelBuffer(width: 8, height: 4, format: .nv12)
    frame.withMutablePlanes { planes in
        for y in 0..<4 { for x in 0..<8 { planes[0].row(y)[x] = 0 } }
        for y in 0..<2 { for x in 0..<8 { planes[1].row(y)[x] = UInt8(y * 8 + x) } }
    }
    let result = try quarter.apply(frame)
    // the lower left pair (8, 9) comes to the upper left
    result.withPlane(1) { plane in
        #expect(
            [plane.row(0)[0], plane.row(0)[1], plane.row(0)[2], plane.row(0)[3]] == [8, 9, 0, 1])
    }
}
