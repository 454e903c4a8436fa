import Media
import Testing

@testable import Capture

@Suite struct AudioAssemblerTests {
    @Test("short blocks are joined to 10 ms, long ones cut to 20 ms, and no frame is lost")
    func evenPieces() {
        var assembler = AudioAssembler(bytesPerFrame: 1, rate: 1000)
        var pieces: [AudioAssembler.Piece] = []
        var position = 0
        for count in [3, 4, 5, 47, 2] {
            take(&assembler, count, at: position, &pieces)
            position += count
        }
        assembler.flush { pieces.append($0) }
        #expect(lengths(pieces) == [12, 20, 20, 9])
        #expect(stamps(pieces) == [0, 12_000_000, 32_000_000, 52_000_000])
        #expect(assembler.end == 61_000_000)
    }

    @Test("what was lost is reported by cause, in its place, before the frames that follow")
    func overrun() {
        var assembler = AudioAssembler(bytesPerFrame: 1, rate: 1000)
        var pieces: [AudioAssembler.Piece] = []
        take(&assembler, 5, at: 0, &pieces)
        take(&assembler, 10, at: 42, overrun: 30, late: 7, &pieces)
        #expect(
            pieces == [
                .frames([0, 0, 0, 0, 0], stamp: 0),
                .drop(.overrun, frames: 30, stamp: 5_000_000),
                .drop(.late, frames: 7, stamp: 35_000_000),
                .frames([UInt8](repeating: 0, count: 10), stamp: 42_000_000),
            ])
    }

    @Test("packed and low-aligned 24-bit samples widen to the same 32-bit values")
    func widening() {
        let packed: [UInt8] = [0x01, 0x02, 0x83, 0xff, 0xff, 0x7f]
        let low: [UInt8] = [0x01, 0x02, 0x83, 0xff, 0xff, 0xff, 0x7f, 0x00]
        let wide: [UInt8] = [0, 0x01, 0x02, 0x83, 0, 0xff, 0xff, 0x7f]
        #expect(DeviceSampleLayout.int24In3.widened(packed).bytes == wide)
        #expect(DeviceSampleLayout.int24In4.widened(low).bytes == wide)
        #expect(DeviceSampleLayout.int16.widened([1, 2]).bytes == [1, 2])
    }

    @Test("lengths round to the nearest frame and nanosecond, in both directions")
    func timing() {
        #expect(AudioTiming.nanoseconds(of: 1, rate: 48_000) == 20_833)
        #expect(AudioTiming.nanoseconds(of: 44_100 * 3600, rate: 44_100) == 3_600_000_000_000)
        #expect(AudioTiming.frames(in: 20_833, rate: 48_000) == 1)
        #expect(AudioTiming.frames(in: -1_000_020_833, rate: 48_000) == -48_001)
        #expect(AudioTiming.frames(in: 10_000, rate: 48_000) == 0)
    }

    private func take(
        _ assembler: inout AudioAssembler, _ count: Int, at position: Int, overrun: Int = 0,
        late: Int = 0, _ pieces: inout [AudioAssembler.Piece]
    ) {
        let block = AudioBlock(
            start: 0, frames: count, stamp: Int64(position) * 1_000_000, overrun: overrun,
            late: late, isAnnouncement: false)
        [UInt8](repeating: 0, count: count).withUnsafeBytes { bytes in
            assembler.take(block, bytes) { pieces.append($0) }
        }
    }

    private func lengths(_ pieces: [AudioAssembler.Piece]) -> [Int] {
        pieces.compactMap { if case .frames(let bytes, _) = $0 { bytes.count } else { nil } }
    }

    private func stamps(_ pieces: [AudioAssembler.Piece]) -> [Int64] {
        pieces.compactMap { if case .frames(_, let stamp) = $0 { stamp } else { nil } }
    }
}
