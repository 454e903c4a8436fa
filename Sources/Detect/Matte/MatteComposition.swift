internal import Media

/// Frames of yuv420p with something else behind their foreground.
struct MatteComposition {
    /// 255: foreground (of each pixel).
    let foreground: [UInt8]
    let behind: BackgroundPlanes

    func compose(_ frame: PixelBuffer) -> PixelBuffer {
        var result = PixelBuffer(width: frame.width, height: frame.height, format: frame.format)
        frame.withPlanes { sources in
            result.withMutablePlanes { targets in
                for index in 0..<3 {
                    let step = index == 0 ? 1 : 2
                    let width = (frame.width + step - 1) / step
                    for row in 0..<(frame.height + step - 1) / step {
                        compose(
                            sources[index].row(row), targets[index].row(row), width,
                            behind.planes[index], row, step, frame)
                    }
                }
            }
        }
        return result
    }

    private func compose(
        _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ width: Int,
        _ plane: BackgroundPlanes.Plane, _ row: Int, _ step: Int, _ frame: PixelBuffer
    ) {
        let line = row * step * frame.width
        for column in 0..<width {
            let share = Int(foreground[line + column * step])
            if share == 255 {
                target[column] = source[column]
                continue
            }
            let place = plane.width == 0 ? 0 : row * plane.width + column
            var back = Int(plane.codes[place])
            if let rest = plane.rest {
                back = min(255, back + (Int(source[column]) * Int(rest[place]) + 127) / 255)
            }
            target[column] = UInt8((Int(source[column]) * share + back * (255 - share) + 127) / 255)
        }
    }
}
