import Media
import TestSupport
import Testing
import Writing

@Suite("Pixel transfer and audio conversion")
struct TransferTests {
    /// One colour, by its codes.
    private func plain(
        _ format: PixelFormat, width: Int, height: Int, _ codes: [UInt8]
    ) -> PixelBuffer {
        var frame = PixelBuffer(width: width, height: height, format: format)
        frame.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                for row in 0..<plane.rows {
                    for byte in 0..<plane.bytesPerRow {
                        plane.row(row)[byte] =
                            planes.count == 1
                            ? codes[byte % codes.count]
                            : planes.count == 2 && index == 1
                                ? codes[1 + byte % 2] : codes[index]
                    }
                }
            }
        }
        return frame
    }

    @Test("every raw format becomes every other one, of another size, in the same colour")
    func everyFormat() throws {
        let wanted: [Int] = [200, 60, 40]
        for target in PixelFormat.allCases where target != .rgb565le {
            let session = try PixelTransferSession(
                to: VideoFormat(coding: .raw(target), width: 64, height: 48, color: .bt709))
            let back = try PixelTransferSession(
                to: VideoFormat(coding: .raw(.bgra), width: 32, height: 24), scalingMode: .resize)
            let source = plain(.bgra, width: 128, height: 96, [40, 60, 200, 255])
            let made = try session.transfer(source)
            #expect(made.format == target && made.width == 64 && made.height == 48)
            let shown = try back.transfer(made, of: session.format)
            let pixel = shown.withPlane(0) { plane in
                (0..<4).map { Int(plane.row(12)[16 * 4 + $0]) }
            }
            let isGrey = target.rawValue.hasPrefix("gray")
            if isGrey {
                #expect(abs(pixel[0] - pixel[2]) <= 3, "\(target) \(pixel)")
            } else {
                let found = [pixel[2], pixel[1], pixel[0]]
                #expect(
                    zip(found, wanted).allSatisfy { abs($0 - $1) <= 5 }, "\(target) \(found)")
            }
        }
    }

    @Test(
        "bars are black and in the middle, cuts are even, and nothing is done to what fits already")
    func shapes() throws {
        let format = VideoFormat(coding: .raw(.yuv420p), width: 120, height: 120, color: .bt709)
        let source = plain(.yuv420p, width: 160, height: 90, [150, 90, 160])
        let described = VideoFormat(
            coding: .raw(.yuv420p), width: 160, height: 90, color: .bt709)
        func column(_ frame: PixelBuffer) -> [UInt8] {
            frame.withPlane(0) { plane in [2, 20, 30, 60, 90, 100, 118].map { plane.row($0)[60] }
            }
        }
        let aspect = try PixelTransferSession(to: format)
        #expect(
            column(try aspect.transfer(source, of: described)) == [16, 16, 150, 150, 150, 16, 16])
        let fill = try PixelTransferSession(to: format, scalingMode: .resizeAspectFill)
        #expect(column(try fill.transfer(source, of: described)) == Array(repeating: 150, count: 7))
        let same = try PixelTransferSession(to: described)
        let sample = SampleBuffer(
            payload: .pixels(source), format: .video(described), presentationTime: .seconds(1))
        let kept = try same.transfer(sample)
        #expect(kept.presentationTime == .seconds(1))
        let (before, after) = (
            source.withPlane(0) { $0.base }, kept.pixelBuffer?.withPlane(0) { $0.base }
        )
        #expect(before == after)
        #expect {
            _ = try PixelTransferSession(
                to: VideoFormat(coding: .coded(.h264), width: 16, height: 16))
        } throws: { ($0 as? MediaError)?.code == .unsupported }
    }

    @Test("audio of 44.1 kHz becomes exactly as many frames of 48 kHz, counted without a gap")
    func audio() throws {
        let input = AudioFormat(coding: .raw(.int16), sampleRate: 44_100, channels: 1)
        let output = AudioFormat(coding: .raw(.float32), sampleRate: 48_000, channels: 2)
        let converter = try AudioConverter(from: input, to: output)
        var made: [SampleBuffer] = []
        var sent = 0
        for count in [1, 441, 1000, 44_100, 7] {
            let block = BlockBuffer(count: count * 2) { bytes in
                let samples = bytes.bindMemory(to: Int16.self)
                for index in 0..<count {
                    let time = Double(sent + index) / 44_100
                    samples[index] = Int16(16_000 * Sine.value(cycles: 440 * time))
                }
            }
            let time = MediaTime(value: Int64(sent) + 44_100, timescale: 44_100)
            let sample = SampleBuffer(
                payload: .audio(block), format: .audio(input), presentationTime: time)
            if let ready = try converter.convert(sample) { made.append(ready) }
            sent += count
        }
        if let rest = try converter.finish() { made.append(rest) }
        #expect(try converter.finish() == nil)
        var next: Int64 = 48_000
        for sample in made {
            #expect(sample.presentationTime == MediaTime(value: next, timescale: 48_000))
            next += sample.duration?.value ?? 0
        }
        #expect(next - 48_000 == Int64((Double(sent) * 48_000 / 44_100).rounded()))
        #expect(throws: MediaError.self) { _ = try converter.convert(made[0]) }
    }
}
