import Media
import Testing

@testable import Movie
@testable import Writing

@Suite("Fades")
struct AudioFadeTests {
    private func block<Value>(_ values: [Value]) -> BlockBuffer {
        BlockBuffer(count: values.count * MemoryLayout<Value>.stride) { target in
            values.withUnsafeBytes { target.copyMemory(from: $0) }
        }
    }

    private func values<Value>(_ block: BlockBuffer, _: Value.Type) -> [Value] {
        block.withUnsafeBytes { Array($0.bindMemory(to: Value.self)) }
    }

    private func format(_ sample: AudioSampleFormat, _ channels: Int = 1) -> AudioFormat {
        AudioFormat(coding: .raw(sample), sampleRate: 48_000, channels: channels)
    }

    @Test("a fade out goes down in even steps to almost nothing, and reaches no other frame")
    func out() {
        let fade = AudioFade(length: 4, sinceStart: nil, untilEnd: 0)
        let faded = fade.apply(
            to: block([Float](repeating: 1, count: 6)), format: format(.float32))
        #expect(values(faded, Float.self) == [1, 1, 0.875, 0.625, 0.375, 0.125])
    }

    @Test("a fade in is its mirror, for whole numbers and every channel too")
    func `in`() {
        let fade = AudioFade(length: 4, sinceStart: 0, untilEnd: nil)
        let stereo = fade.apply(
            to: block([Int16](repeating: 800, count: 12)), format: format(.int16, 2))
        #expect(
            values(stereo, Int16.self) == [
                100, 100, 300, 300, 500, 500, 700, 700, 800, 800, 800, 800,
            ])
        let wide = fade.apply(to: block([Int32](repeating: -8, count: 5)), format: format(.int32))
        #expect(values(wide, Int32.self) == [-1, -3, -5, -7, -8])
    }

    @Test("a span shorter than two fades takes the lower of both and never clips")
    func overlapping() {
        let fade = AudioFade(length: 4, sinceStart: 0, untilEnd: 0)
        let faded = values(
            fade.apply(to: block([Float](repeating: 1, count: 3)), format: format(.float32)),
            Float.self)
        #expect(faded == [0.125, 0.375, 0.125])
    }

    @Test("a run far from any cut comes back as the very same bytes")
    func untouched() {
        let run = block([Float](repeating: 0.3, count: 10))
        for fade in [
            AudioFade(length: 4, sinceStart: 4, untilEnd: 4),
            AudioFade(length: 4, sinceStart: nil, untilEnd: nil),
            AudioFade(length: 0, sinceStart: 0, untilEnd: 0),
        ] {
            #expect(!fade.touches(10))
            let same = fade.apply(to: run, format: format(.float32))
            #expect(values(same, Float.self) == values(run, Float.self))
        }
    }
}

@Suite("Ticks")
struct TickSequenceTests {
    @Test("times round to the nearest tick, ties up, before zero as after it")
    func rounding() {
        #expect(TickSequence.ticks(500_000, timescale: 1000) == 1)
        #expect(TickSequence.ticks(499_999, timescale: 1000) == 0)
        #expect(TickSequence.ticks(-500_000, timescale: 1000) == 0)
        #expect(TickSequence.ticks(-500_001, timescale: 1000) == -1)
        #expect(TickSequence.ticks(1, from: 3, to: 90_000) == 30_000)
        // a day in nanoseconds times any timescale fits
        let day: Int64 = 86_400 * 1_000_000_000
        #expect(TickSequence.ticks(day, timescale: 768_000) == 86_400 * 768_000)
    }

    @Test("what meets the tick before is refused and counted, the next one is not")
    func increasing() {
        var ticks = TickSequence(timescale: 1000)
        #expect(ticks.next(0) == 0)
        #expect(ticks.next(400_000) == nil)
        #expect(ticks.next(600_000) == 1)
        #expect(ticks.take(1) == nil)
        #expect(ticks.take(-5) == nil)
        #expect(ticks.refused == 3 && ticks.last == 1)
        #expect(ticks.take(2) == 2)
    }
}

@Suite("Runs of PCM for containers with coarse ticks")
struct PCMJoinerTests {
    private func run(_ start: Int64, _ frames: Int64) -> SampleBuffer {
        let format = FormatDescription.audio(
            AudioFormat(coding: .coded(.pcm16), sampleRate: 48_000, channels: 1))
        let bytes = (0..<frames * 2).map { UInt8(truncatingIfNeeded: start * 2 + $0) }
        return SampleBuffer(
            payload: .coded(BlockBuffer(bytes)), format: format,
            presentationTime: MediaTime(value: start, timescale: 48_000),
            duration: MediaTime(value: frames, timescale: 48_000))
    }

    @Test("short runs are joined until each has a tick of its own, and no byte is lost")
    func joining() {
        var joiner = PCMJoiner(rate: 48_000)
        #expect(joiner.shortest == 240)
        var out: [SampleBuffer] = []
        var start: Int64 = 0
        for frames: Int64 in [960, 100, 100, 100, 7, 960, 5] {
            if let joined = joiner.join(run(start, frames)) { out.append(joined) }
            start += frames
        }
        if let rest = joiner.finish() { out.append(rest) }
        #expect(joiner.finish() == nil)
        #expect(out.map { $0.duration?.value } == [960, 300, 967, 5])
        #expect(out.map(\.presentationTime.value) == [0, 960, 1260, 2227])
        let bytes = out.flatMap { $0.block?.withUnsafeBytes { Array($0) } ?? [] }
        #expect(bytes == (0..<start * 2).map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test("a low rate still has a shortest run of at least a frame")
    func lowRate() {
        #expect(PCMJoiner(rate: 100).shortest == 1)
    }
}
