import Media
import Testing

@testable import LibAV

private func flat(
    _ pixels: PixelFormat, _ width: Int, _ height: Int, _ value: UInt8 = 90
) -> PixelBuffer {
    var frame = PixelBuffer(width: width, height: height, format: pixels)
    frame.withMutablePlanes { planes in
        for plane in planes {
            plane.base.initializeMemory(
                as: UInt8.self, repeating: value, count: plane.bytesPerRow * plane.rows)
        }
    }
    return frame
}

private func format(
    _ pixels: PixelFormat, _ width: Int, _ height: Int, _ color: ColorDescription = .bt601,
    rotation: VideoOrientation.Rotation = .none
) -> VideoFormat {
    VideoFormat(
        coding: .raw(pixels), width: width, height: height, color: color,
        orientation: VideoOrientation(rotation: rotation))
}

struct FrameConverterTests {
    private func converter(
        _ output: VideoFormat, limit: Int = 4,
        _ exhaustion: FrameConverter.Exhaustion = .refuses, leavesDrivers: Bool = false
    ) -> FrameConverter {
        FrameConverter(
            to: output, limit: limit, exhaustion: exhaustion, leavesDrivers: leavesDrivers)
    }

    @Test("a frame that fits is passed on in its own memory, and one that does not is not")
    func untouched() throws {
        let own = format(.yuv420p, 64, 48)
        let frame = flat(.yuv420p, 64, 48)
        let machine = converter(own)
        #expect(try machine.convert(frame, own).sharesPixels(with: frame))
        // two numbers of one matrix, and what is not stated, are no difference
        var other = own
        (other.color.matrix, other.nominalRate) = (5, FrameRate(30))
        #expect(try machine.convert(frame, other).sharesPixels(with: frame))
        other.color = .unspecified
        #expect(try machine.convert(frame, other).sharesPixels(with: frame))
        other.color = .jpeg
        #expect(try !machine.convert(frame, other).sharesPixels(with: frame))
        let lying = format(.yuv420p, 64, 48, rotation: .half)
        #expect(try !machine.convert(frame, lying).sharesPixels(with: frame))
    }

    @Test("a frame on a driver's memory is copied out of it only where that is asked for")
    func driverMemory() throws {
        let own = format(.gray, 64, 4)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 7, count: 256)
        let plane = PixelPlane(base: UnsafeRawPointer(memory), bytesPerRow: 64, rows: 4)
        let address = UInt(bitPattern: memory)
        let storage = PixelStorage(
            planes: [plane], holdLimit: .milliseconds(100)
        ) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
        let frame = PixelBuffer(width: 64, height: 4, format: .gray, storage: storage)
        #expect(try converter(own).convert(frame, own).sharesPixels(with: frame))
        let copy = try converter(own, leavesDrivers: true).convert(frame, own)
        #expect(copy.holdLimit == nil && copy.withPlane(0) { $0.row(3)[63] } == 7)
    }

    @Test("who holds every frame of a bounded pool gets no more, or memory beside it")
    func exhaustion() throws {
        let (own, wanted) = (format(.nv12, 64, 48), format(.yuv420p, 64, 48))
        let frame = flat(.nv12, 64, 48)
        let bounded = converter(wanted, limit: 1)
        let held = try bounded.convert(frame, own)
        #expect(throws: FrameConverter.Failure.self) { _ = try bounded.convert(frame, own) }
        withExtendedLifetime(held) {}
        let roomy = converter(wanted, limit: 1, .allocates)
        let first = try roomy.convert(frame, own)
        #expect(try !roomy.convert(frame, own).sharesPixels(with: first))
    }

    @Test(
        "frames of other sizes, formats and orientations come to one format in the middle of a take"
    )
    func changes() throws {
        let machine = converter(format(.yuv420p, 64, 48))
        let others = [
            format(.yuyv422, 64, 48), format(.nv12, 32, 32),
            format(.yuv420p, 48, 64, rotation: .clockwise90),
            format(.yuv422p, 100, 50, rotation: .clockwise270), format(.yuv420p, 64, 48),
        ]
        for other in others {
            let pixels = try #require(other.pixelFormat)
            let result = try machine.convert(flat(pixels, other.width, other.height), other)
            #expect((result.width, result.height, result.format) == (64, 48, .yuv420p))
            result.withPlanes { planes in
                #expect(planes[0].row(20)[20] == 90 && planes[1].row(10)[10] == 90)
            }
        }
    }

    @Test("4:2:2 rotated by a quarter becomes 4:2:2 with its chroma in its place")
    func quarterInto422() throws {
        let converter = try PixelConverter(
            from: format(.yuv422p, 48, 64, rotation: .clockwise90), to: format(.yuv422p, 64, 48))
        var frame = flat(.yuv422p, 48, 64)
        frame.withMutablePlanes { planes in
            // the upper half is what will lie on the right
            for y in 0..<32 { planes[1].row(y).update(repeating: 200, count: 24) }
        }
        let result = try converter.convert(frame)
        result.withPlane(1) { plane in
            #expect(plane.row(24)[4] == 90 && plane.row(24)[28] == 200)
        }
    }
}

@Suite("frame target")
struct FrameTargetTests {
    @Test("what is not asked for stays as it comes")
    func nothing() throws {
        let own = format(.yuyv422, 640, 480, rotation: .clockwise90)
        #expect(try FrameTarget().format(of: own) == own)
    }

    @Test("a rotated frame changes its sides, and its size is the one delivered")
    func rotated() throws {
        var own = format(.nv12, 640, 480, rotation: .clockwise90)
        own.pixelAspect = PixelAspect(4, 3)
        var target = FrameTarget(pixelFormat: .yuv420p, orientation: .upright)
        let upright = try target.format(of: own)
        #expect((upright.width, upright.height) == (480, 640))
        #expect(upright.pixelAspect == PixelAspect(3, 4) && upright.orientation == .upright)
        target.size = PixelSize(240, 640)
        let narrow = try target.format(of: own)
        #expect(narrow.width == 240 && narrow.pixelAspect == PixelAspect(3, 2))
    }

    @Test("red, green and blue become what a picture of the size usually is")
    func colors() throws {
        let own = format(
            .bgra, 1280, 720,
            ColorDescription(primaries: 1, transfer: 13, matrix: 0, range: .full))
        let color = try FrameTarget(pixelFormat: .yuv420p).format(of: own).color
        #expect(color.matrix == 1 && color.range == .limited)
        #expect(throws: MediaError.self) {
            _ = try FrameTarget(pixelFormat: .yuv422p, orientation: .upright)
                .format(of: format(.yuyv422, 64, 48, rotation: .clockwise90))
        }
    }

    @Test("every orientation is reached from every other one")
    func turns() {
        let all = VideoOrientation.Rotation.allCases.flatMap { rotation in
            [false, true].map { VideoOrientation(rotation: rotation, isMirrored: $0) }
        }
        for from in all {
            #expect(from.rotation(to: from) == .upright)
            for to in all { #expect(from.rotation(to: to).followed(by: to) == from) }
        }
    }
}
