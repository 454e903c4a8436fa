import Media
import TestSupport
import Testing

@testable import Movie

@Suite("The index of a track while it grows")
struct SampleIndexTests {
    @Test("any take's tables are those of the standard, byte for byte", arguments: 0..<60)
    func tables(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var index = SampleIndex()
        var plain = PlainTables()
        let isReordered = seed % 3 == 0
        let allSync = seed % 4 == 0
        let largest: UInt64 = [200, 20_000, 1 << 32][Int(seed % 5 % 3)]
        var (time, offset) = (Int64(0), Int64(seed % 2 == 0 ? 48 : 3 << 31))
        for _ in 0..<400 {
            var chunk: [SampleIndex.Sample] = []
            for _ in 0..<(random.next() % 4 == 0 ? 1 + random.next() % 60 : 8) {
                // runs of equal distances, jitter, and now and then a long hole
                let kind = random.next() % 20
                let step: UInt64 =
                    kind < 9 ? 3000 : kind < 19 ? 2600 + random.next() % 800 : random.next() >> 32
                time += Int64(max(1, step))
                let late = isReordered ? Int32(truncatingIfNeeded: random.next()) >> 12 : 0
                chunk.append(
                    SampleIndex.Sample(
                        decodeTime: time, compositionOffset: random.next() % 5 == 0 ? 0 : late,
                        duration: UInt32(truncatingIfNeeded: random.next()) >> 16,
                        size: UInt32(random.next() % largest),
                        isSync: allSync || random.next() % 60 == 0))
            }
            index.appendChunk(chunk, at: offset)
            plain.appendChunk(chunk, at: offset)
            // what was moved by a failing disk may lie before what came earlier
            offset = max(48, offset + Int64(random.next() % 900_000) - back(random.next()))
        }
        var builder = BoxBuilder()
        index.writeTables(to: &builder) { $0 }
        #expect(builder.bytes == plain.bytes)
        #expect(builder.bytes.count <= index.tableBytes)
    }

    private func back(_ number: UInt64) -> Int64 { number % 50 == 0 ? 2_000_000 : 0 }

    @Test("a track without samples has tables without rows")
    func empty() {
        var builder = BoxBuilder()
        SampleIndex().writeTables(to: &builder) { $0 }
        var plain = BoxBuilder()
        plain.append(TimeToSampleBox(table: PackedTable(columns: 2)))
        plain.append(SampleToChunkBox(table: PackedTable(columns: 3)))
        plain.append(SampleSizeBox(constantSize: 0, count: 0, table: PackedTable(columns: 1)))
        ChunkOffsetBox(offsets: []).writeShortest(to: &plain)
        #expect(builder.bytes == plain.bytes)
    }

    @Test("frames of PCM cost the index a few bytes a chunk")
    func pcm() {
        var index = SampleIndex(bytesPerFrame: 4)
        for number in 0..<Int64(4000) {
            let samples = (0..<25).map { place in
                SampleIndex.Sample(
                    decodeTime: (number * 25 + place) * 480, compositionOffset: 0, duration: 480,
                    size: 1920, isSync: true)
            }
            index.appendChunk(samples, at: 48 + number * 48_000)
        }
        #expect(index.count == 100_000)
        #expect(index.fileCount == 48_000_000)
        #expect(index.memory < 4000 * 5)
    }

    @Test("any whole number comes back, in as few bytes as it needs", arguments: [0, 1, 77])
    func numbers(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var log = NumberLog()
        let numbers =
            [0, 0x7F, 0x80, 0x3FFF, 0x4000, .max]
            + (0..<20_000).map { _ in random.next() >> (random.next() % 64) }
        for number in numbers { log.append(number) }
        #expect(Array(log) == numbers)
        #expect(log.count == numbers.count)

        var signed = NumberLog()
        let values = numbers.map { Int64(bitPattern: $0) }
        for value in values { signed.append(signed: value) }
        var reader = signed.makeIterator()
        for value in values { #expect(reader.nextSigned() == value) }
        #expect(reader.nextSigned() == nil)

        var small = NumberLog()
        for number in 0..<UInt64(80_000) { small.append(number % 128) }
        #expect(small.memory < 90_000)
    }

    @Test("values that repeat cost nothing, whatever they are")
    func runs() {
        var log = RunLog()
        let values: [UInt32] = [0, 0xFFFF_FFFF, 0xFFFF_FFFF, 5, 5, 5, 0x8000_0000, 0]
        for value in values { log.append(value) }
        #expect(log.runs == 5)
        let back = log.flatMap { Array(repeating: $0.value, count: Int($0.count)) }
        #expect(back == values)
        for _ in 0..<1_000_000 { log.append(3000) }
        #expect(log.runs == 6)
        #expect(log.memory < 1000)
    }
}
