internal import Media

/// nv16 to and from yuv422p: the one camera format that libswscale 6.7 neither reads nor writes.
enum SemiPlanar422 {
    static func split(_ picture: PixelBuffer) -> PixelBuffer {
        var result = PixelBuffer(width: picture.width, height: picture.height, format: .yuv422p)
        let columns = (picture.width + 1) / 2
        result.withMutablePlanes { targets in
            picture.withPlanes { sources in
                for y in 0..<picture.height {
                    targets[0].row(y).update(from: sources[0].row(y), count: picture.width)
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

    static func join(_ picture: PixelBuffer, into planes: [MutablePixelPlane]) {
        let columns = (picture.width + 1) / 2
        picture.withPlanes { sources in
            for y in 0..<picture.height {
                planes[0].row(y).update(from: sources[0].row(y), count: picture.width)
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
