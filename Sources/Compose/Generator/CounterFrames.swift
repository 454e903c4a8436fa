internal import Media
internal import Reading

/// The frames of a counter, grey in the target's own codes. Thread-bound.
final class CounterFrames: GeneratedFrames {
    private let clock: CounterClock
    private let format: VideoFormat
    private let grid: FrameGrid
    private let face: CounterFace
    /// Luma of each grey of 8 bits.
    private let lumas: [UInt16]
    private var latest: (index: Int64, sample: SampleBuffer)?

    /// - Parameter format: planar YUV with its colour stated.
    init(_ clock: CounterClock, _ format: VideoFormat) {
        self.clock = clock
        self.format = format
        let pixels = format.pixelFormat ?? .yuv420p
        grid = FrameGrid(format, pixels)
        face = CounterFace(PixelSize(width: format.width, height: format.height))
        let codes = ColorCodes(format.color, depth: pixels.bitDepth)
        lumas = (0...255).map { level in
            let gray = Float(level) / 255
            return UInt16(codes.luma(gray, gray, gray).rounded())
        }
    }

    func picture(at time: MediaTime) throws(MediaError) -> SampleBuffer {
        let index = clock.index(at: time)
        if let latest, latest.index == index { return latest.sample }
        let drawn = try face.picture(
            of: clock.reading(at: index), number: index, turn: clock.turn(at: index))
        let sample = SampleBuffer(
            payload: .pixels(grey(drawn)), format: .video(format),
            presentationTime: clock.step * index, duration: clock.step)
        latest = (index, sample)
        return sample
    }

    private func grey(_ drawn: PixelBuffer) -> PixelBuffer {
        var picture = PixelBuffer(
            width: grid.width, height: grid.height, format: grid.pixels)
        picture.withMutablePlanes { planes in
            drawn.withPlane(0) { source in
                for row in 0..<grid.height {
                    let from = source.row(row)
                    let line = planes[0].base.advanced(by: row * planes[0].bytesPerRow)
                    if grid.bytes == 1 {
                        let samples = line.assumingMemoryBound(to: UInt8.self)
                        for x in 0..<grid.width {
                            samples[x] = UInt8(truncatingIfNeeded: lumas[Int(from[4 * x])])
                        }
                    } else {
                        let samples = line.assumingMemoryBound(to: UInt16.self)
                        for x in 0..<grid.width { samples[x] = lumas[Int(from[4 * x])] }
                    }
                }
            }
            for (index, plane) in grid.planes.enumerated().dropFirst() {
                for row in 0..<plane.rows {
                    let line = planes[index].base.advanced(by: row * planes[index].bytesPerRow)
                    if grid.bytes == 1 {
                        line.initializeMemory(
                            as: UInt8.self, repeating: UInt8(plane.black), count: plane.columns)
                    } else {
                        line.initializeMemory(
                            as: UInt16.self, repeating: UInt16(plane.black), count: plane.columns)
                    }
                }
            }
        }
        return picture
    }
}
