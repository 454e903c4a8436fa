internal import Media

/// nv16 to and from yuv422p: the one camera format that libswscale 6.7 neither reads nor writes.
enum SemiPlanar422 {
    static func split(_ frame: PixelBuffer) -> PixelBuffer {
        var result = PixelBuffer(width: frame.width, height: frame.height, format: .yuv422p)
        let columns = (frame.width + 1) / 2
        result.withMutablePlanes { targets in
            frame.withPlanes { sources in
                for y in 0..<frame.height {
                    targets[0].row(y).update(from: sources[0].row(y), count: frame.width)
                    let (pairs, first, second) = (
                        sources[1].row(y), targets[1].row(y), targets[2].row(y)
                    )
                    for x in 0..<columns {
                        first[x] = pairs[2 * x]
                        second[x] = pairs[2 * x + 1]
                    }
                }
            }
        }
        return result
    }

    static func join(_ frame: PixelBuffer, into planes: [MutablePixelPlane]) {
        let columns = (frame.width + 1) / 2
        frame.withPlanes { sources in
            for y in 0..<frame.height {
                planes[0].row(y).update(from: sources[0].row(y), count: frame.width)
                let (pairs, first, second) = (
                    planes[1].row(y), sources[1].row(y), sources[2].row(y)
                )
                for x in 0..<columns {
                    pairs[2 * x] = first[x]
                    pairs[2 * x + 1] = second[x]
                }
            }
        }
    }
}
