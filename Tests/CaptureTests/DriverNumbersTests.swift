import Media
import Testing

@testable import Capture

@Suite("sequence numbers")
struct SequenceCounterTests {
    @Test("the first number need not be 0 and is no loss")
    func firstNumber() {
        var counter = SequenceCounter()
        #expect(counter.lost(before: 4_000) == 0)
        #expect(counter.lost(before: 4_001) == 0)
        #expect(counter.lost(before: 4_005) == 3)
        #expect(counter.extended == 4_005)
    }

    @Test("no more frames are missing than there was time for between two stamps")
    func boundedByStamps() {
        let frame: Int64 = 33_333_333
        // v4l2loopback counts on while nobody reads: 244 by its numbers, 28 by its stamps
        #expect(SequenceCounter.plausible(244, within: 29 * frame, frameDuration: frame) == 28)
        #expect(SequenceCounter.plausible(3, within: 4 * frame, frameDuration: frame) == 3)
        // stamps of a busy machine lie a little early or late
        #expect(SequenceCounter.plausible(1, within: 2 * frame - 9_000, frameDuration: frame) == 1)
        #expect(SequenceCounter.plausible(1, within: 2 * frame + 9_000, frameDuration: frame) == 1)
        #expect(SequenceCounter.plausible(2, within: -5, frameDuration: frame) == 2)
        #expect(SequenceCounter.plausible(0, within: 90 * frame, frameDuration: frame) == 0)
    }

    @Test("a number that is skipped is a lost frame, however close the stamps beside it are")
    func skippedInNoTime() {
        let frame: Int64 = 33_333_333
        for span in [1, 2_000_000, frame - 1, frame, frame + 1, 2 * frame] {
            #expect(SequenceCounter.plausible(1, within: span, frameDuration: frame) == 1)
        }
        // but not several where there was time for none
        #expect(SequenceCounter.plausible(3, within: frame / 2, frameDuration: frame) == 1)
        #expect(SequenceCounter.plausible(0, within: 1, frameDuration: frame) == 0)
    }

    @Test("a wrap is no loss, and a loss across the wrap is counted")
    func wrap() {
        var counter = SequenceCounter()
        _ = counter.lost(before: .max - 1)
        #expect(counter.lost(before: .max) == 0)
        #expect(counter.lost(before: 0) == 0)
        #expect(counter.extended == UInt64(UInt32.max) + 1)
        var lossy = SequenceCounter()
        _ = lossy.lost(before: .max)
        #expect(lossy.lost(before: 2) == 2)
    }

    @Test("any share of losses adds up to the numbers missing", arguments: [1, 10, 50])
    func shares(percent: Int) {
        var faults = FaultScript()
        faults.dropShare = UInt64(percent * 100)
        var counter = SequenceCounter()
        var delivered = 0
        var lost = 0
        let start: UInt32 = .max - 2_000  // so that it wraps on the way
        let kept = (Int64(0)..<10_000).filter { !faults.drops($0) }
        for number in kept {
            lost += counter.lost(before: start &+ UInt32(number))
            delivered += 1
        }
        let span = Int((kept.last ?? 0) - (kept.first ?? 0)) + 1
        #expect(delivered + lost == span)
    }

    @Test("a driver that does not count loses nothing, one that begins anew neither")
    func oddDrivers() {
        var silent = SequenceCounter()
        #expect((0..<5).map { _ in silent.lost(before: 0) } == [0, 0, 0, 0, 0])
        #expect(silent.extended == 4)
        var restarted = SequenceCounter()
        _ = restarted.lost(before: 100)
        #expect(restarted.lost(before: 0) == 0)
        #expect(restarted.lost(before: 3) == 2)
    }
}

@Suite("driver stamps")
struct StampReaderTests {
    private let second: Int64 = 1_000_000_000

    @Test("a monotonic stamp is taken as it is, also when it lies a little ahead")
    func monotonic() {
        var reader = StampReader()
        let now = 1000 * second
        #expect(
            reader.hostTime(stamp: now - 5_000_000, kind: .monotonic, arrival: now)
                == now - 5_000_000)
        #expect(
            reader.hostTime(stamp: now + 29_000_000, kind: .monotonic, arrival: now)
                == now + 29_000_000)
    }

    @Test("an unknown clock is anchored at the first arrival and keeps its distances")
    func unknown() {
        var reader = StampReader()
        let base: Int64 = 77
        let arrival = 500 * second
        #expect(reader.hostTime(stamp: base, kind: .unknown, arrival: arrival) == arrival)
        // arrives 12 ms late: the stamp knows better
        let next = arrival + 33_000_000
        #expect(
            reader.hostTime(stamp: base + 33_000_000, kind: .unknown, arrival: next + 12_000_000)
                == next)
    }

    @Test("no stamp at all means the arrival")
    func noStamp() {
        var reader = StampReader()
        #expect(reader.hostTime(stamp: 0, kind: .unknown, arrival: 9 * second) == 9 * second)
        #expect(reader.hostTime(stamp: 0, kind: .copied, arrival: 10 * second) == 10 * second)
    }

    @Test("a stamp that wraps or jumps is anchored again", arguments: [Int64.max, 1 << 62])
    func wraps(top: Int64) {
        var reader = StampReader()
        let arrival = 100 * second
        let before = reader.hostTime(
            stamp: top - 10, kind: .monotonic, arrival: arrival)
        #expect(before == arrival)
        let later = arrival + 40_000_000
        #expect(
            reader.hostTime(stamp: .min + 5, kind: .monotonic, arrival: later) == later)
        // and continues from there
        #expect(
            reader.hostTime(
                stamp: .min + 5 + 40_000_000, kind: .monotonic, arrival: later + 41_000_000)
                == later + 40_000_000)
    }

    @Test("buffers that waited for a process that stood still keep their stamps, however old")
    func lateDelivery() {
        var (reader, counter) = (StampReader(), SequenceCounter())
        let frame: Int64 = 33_333_333
        let start = 2000 * second
        func read(_ number: Int, arrival: Int64) -> Int64 {
            _ = counter.lost(before: UInt32(number))
            return reader.hostTime(
                stamp: start + Int64(number) * frame, kind: .monotonic, arrival: arrival,
                isNext: counter.isNext)
        }
        for number in 0..<30 {
            #expect(
                read(number, arrival: start + Int64(number + 1) * frame) == start + Int64(number)
                    * frame)
        }
        // twelve seconds later: eight buffers are full, 352 frames found none
        let woken = start + 12 * second
        for number in 30..<38 {
            #expect(read(number, arrival: woken) == start + Int64(number) * frame)
        }
        #expect(read(390, arrival: start + 391 * frame) == start + 390 * frame)

        // the control: without the sequence's word they are taken for another clock's
        var alone = reader
        let old = start + 391 * frame
        #expect(alone.hostTime(stamp: old, kind: .monotonic, arrival: old + 12 * second) != old)
    }

    @Test("an old stamp is another clock's when numbers are missing, go back or say nothing")
    func setClock() {
        let now = 2000 * second
        for (next, stamp) in [(false, now - 6 * second), (true, now - 9 * second)] {
            var reader = StampReader()
            _ = reader.hostTime(
                stamp: now - 7 * second, kind: .monotonic, arrival: now - 7 * second)
            #expect(
                reader.hostTime(stamp: stamp, kind: .monotonic, arrival: now, isNext: next) == now)
        }
        // after an anchored stamp nothing is trusted until one is true again
        var reader = StampReader()
        _ = reader.hostTime(stamp: now + second, kind: .monotonic, arrival: now)
        #expect(
            reader.hostTime(
                stamp: now - 6 * second, kind: .monotonic, arrival: now, isNext: true) == now)
    }

    @Test("a feeder's copied stamps count only where they are plausible")
    func copied() {
        var reader = StampReader()
        let now = 3000 * second
        #expect(
            reader.hostTime(stamp: now - second, kind: .copied, arrival: now)
                == now - second)
        #expect(reader.hostTime(stamp: 5 * second, kind: .copied, arrival: now) == now)
    }
}

@Suite("driver memory")
struct DriverMemoryTests {
    private func picture(
        _ fourCC: String, _ strides: [Int], planes: Int, size: PixelSize = PixelSize(6, 4)
    ) throws -> DriverFrame {
        let format = try #require(V4L2PixelFormat.of(fourCC: fourCC))
        return DriverFrame(
            granted: V4L2GrantedFormat(
                size: size, fourCC: fourCC, memoryPlanes: planes, bytesPerRow: strides,
                color: .bt601),
            pixelFormat: format, holdLimit: .milliseconds(100))
    }

    private func offsets(
        _ fourCC: String, _ strides: [Int], bytes: Int
    ) throws -> [[Int]]? {
        let picture = try picture(fourCC, strides, planes: 1)
        guard case .raw(let format) = picture.pixelFormat.coding else { return nil }
        return [UInt8](repeating: 0, count: bytes).withUnsafeBytes { memory in
            picture.planes(of: [memory], format)?.map { plane in
                [plane.base - (memory.baseAddress ?? plane.base), plane.bytesPerRow, plane.rows]
            }
        }
    }

    @Test("sizes and rows that no frame has are refused before anything is computed of them")
    func hostileSizes() throws {
        let camera = CaptureDevice(id: "x", name: "Webcam", kind: .video, driver: "x")
        func check(_ fourCC: String, _ width: Int, _ height: Int, _ row: Int) throws(MediaError) {
            try V4L2GrantedFormat(
                size: PixelSize(width, height), fourCC: fourCC, memoryPlanes: 1,
                bytesPerRow: [row], color: .bt601
            ).check(of: camera)
        }
        let most = Int(UInt32.max)
        for code in ["RG10", "YUYV", "MJPG", "S561"] {
            for (width, height) in [(0, 480), (640, 0), (65_536, 480), (640, most), (most, most)] {
                let error = #expect(throws: MediaError.self) { try check(code, width, height, 0) }
                #expect(error?.code == .unsupportedFormat)
            }
            #expect(throws: Never.self) { try check(code, 640, 480, 0) }
        }
        for code in ["RG10", "YUYV"] {
            #expect(throws: MediaError.self) { try check(code, 640, 480, most) }
            #expect(throws: Never.self) { try check(code, 65_535, 65_535, 1 << 19) }
        }
        // rows of what is compressed are nobody's, and libv4lconvert counts in 32 bits
        #expect(throws: Never.self) { try check("MJPG", 640, 480, most) }
        #expect(throws: MediaError.self) { try check("S561", 65_535, 65_535, 0) }
    }

    @Test("planes of one memory plane follow each other, rows padded as the driver says")
    func onePlane() throws {
        #expect(try offsets("NV12", [8], bytes: 48) == [[0, 8, 4], [32, 8, 2]])
        #expect(try offsets("YU12", [8], bytes: 48) == [[0, 8, 4], [32, 4, 2], [40, 4, 2]])
        #expect(try offsets("YUYV", [12], bytes: 48) == [[0, 12, 4]])
        // some drivers leave bytesperline at 0 or too small
        #expect(try offsets("YUYV", [0], bytes: 48) == [[0, 12, 4]])
    }

    @Test("YV12 has V before U")
    func swapped() throws {
        #expect(try offsets("YV12", [6], bytes: 36) == [[0, 6, 4], [30, 3, 2], [24, 3, 2]])
    }

    @Test("a buffer that holds less than a frame is none")
    func tooSmall() throws {
        #expect(try offsets("NV12", [8], bytes: 45) == nil)
        #expect(try offsets("YUYV", [12], bytes: 0) == nil)
    }

    @Test("separate memory planes are read each from its start")
    func separatePlanes() throws {
        let picture = try picture("NM12", [8, 16], planes: 2)
        let luma = [UInt8](repeating: 0, count: 32)
        let chroma = [UInt8](repeating: 0, count: 32)
        luma.withUnsafeBytes { first in
            chroma.withUnsafeBytes { second in
                let planes = picture.planes(of: [first, second], .nv12)
                #expect(planes?.map(\.bytesPerRow) == [8, 16])
                #expect(planes?[1].base == second.baseAddress)
            }
        }
    }

    @Test("drivers' colour words mean what the kernel says")
    func colors() {
        func color(_ space: UInt32, _ fourCC: String, quantization: UInt32 = 0)
            -> ColorDescription
        {
            V4L2Color(space: space, encoding: 0, quantization: quantization, transfer: 0)
                .description(fourCC: fourCC)
        }
        let (smpte170m, rec709, srgb, jpeg): (UInt32, UInt32, UInt32, UInt32) = (1, 3, 8, 7)
        #expect(color(rec709, "NV12") == .bt709)
        #expect(color(smpte170m, "YUYV").matrix == 6)
        // what most USB cameras say of YUYV: sRGB with BT.601's matrix, limited range
        #expect(
            color(srgb, "YUYV")
                == ColorDescription(primaries: 1, transfer: 13, matrix: 6, range: .limited))
        #expect(color(jpeg, "YUYV").range == .full)
        #expect(color(srgb, "MJPG") == .jpeg)
        #expect(color(srgb, "RGB3").range == .full)
        #expect(color(rec709, "NV12", quantization: 1).range == .full)
    }
}
