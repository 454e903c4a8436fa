import Glibc
import LibAV
import Media

/// Frames and sounds the tests of this room feed in.
enum TestFrames {
    static let size = (width: 160, height: 96)

    static func format(
        _ pixelFormat: PixelFormat = .yuv420p, rate: FrameRate? = FrameRate(30),
        color: ColorDescription = .bt709
    ) -> VideoFormat {
        VideoFormat(
            coding: .raw(pixelFormat), width: size.width, height: size.height, color: color,
            nominalRate: rate)
    }

    /// A planar 8-bit frame: `number` as eight black or white columns on top, a moving ramp below.
    static func numbered(_ number: Int, _ format: PixelFormat = .yuv420p) -> PixelBuffer {
        var frame = PixelBuffer(width: size.width, height: size.height, format: format)
        frame.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let columns =
                    index == 0 ? size.width : format == .nv12 ? size.width : size.width / 2
                for y in 0..<plane.rows {
                    let row = plane.row(y)
                    for x in 0..<columns {
                        row[x] =
                            index == 0 ? luma(x, y, number) : UInt8(100 + (x / 4 + number) % 50)
                    }
                }
            }
        }
        return frame
    }

    private static func luma(_ x: Int, _ y: Int, _ number: Int) -> UInt8 {
        if y < 16 {
            let bit = 7 - x * 8 / size.width
            return number >> bit & 1 == 1 ? 235 : 16
        }
        return UInt8(40 + (x + y + number * 3) % 160)
    }

    /// The number in a frame's top cells.
    static func number(in picture: PixelBuffer) -> Int {
        picture.withPlane(0) { plane in
            (0..<8).reduce(0) { result, cell in
                let x = (cell * 2 + 1) * size.width / 16
                return result << 1 | (plane.row(8)[x] > 125 ? 1 : 0)
            }
        }
    }

    static func sample(
        _ number: Int, at time: MediaTime, _ pixelFormat: PixelFormat = .yuv420p,
        forcesSync: Bool = false
    ) -> SampleBuffer {
        SampleBuffer(
            payload: .pixels(numbered(number, pixelFormat)), format: .video(format(pixelFormat)),
            presentationTime: time,
            attachments: SampleAttachments(sequence: UInt64(number), forcesSync: forcesSync))
    }

    /// Samples `0..<count` at 30 Hz on 90,000 ticks.
    static func samples(_ count: Int, _ pixelFormat: PixelFormat = .yuv420p) -> [SampleBuffer] {
        (0..<count).map {
            sample($0, at: MediaTime(value: Int64($0) * 3000, timescale: 90_000), pixelFormat)
        }
    }

    /// Peak signal to noise ratio of the luma planes (dB; 100 when equal).
    static func lumaPSNR(_ first: PixelBuffer, _ second: PixelBuffer) -> Double {
        var sum = 0
        first.withPlane(0) { left in
            second.withPlane(0) { right in
                for y in 0..<first.height {
                    for x in 0..<first.width {
                        let difference = Int(left.row(y)[x]) - Int(right.row(y)[x])
                        sum += difference * difference
                    }
                }
            }
        }
        guard sum > 0 else { return 100 }
        return 10 * log10(255 * 255 * Double(first.width * first.height) / Double(sum))
    }
}

extension VideoEncoder {
    /// Encodes everything and hands out everything.
    func encodeAll(_ samples: [SampleBuffer]) throws -> [SampleBuffer] {
        var coded: [SampleBuffer] = []
        for sample in samples { coded += try encode(sample) }
        return try coded + finish()
    }
}
