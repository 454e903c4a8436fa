import LibAV
import Media
import TestSupport
import Testing

@testable import Movie

/// A day of a take, in a process of its own: what it holds is measured, not what we think it holds.
@Suite("The memory of a long take", .serialized)
struct LongTakeMemoryTests {
    /// What a process said of what it measured.
    private func show(_ result: ExitTest.Result?) {
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }

    @Test("a day of jittering frames and AAC costs at most 16 bytes a sample, to the end")
    func day() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            try SimulatedDay(isReordered: false, isPCM: false).measureWriting()
        }
        show(result)
    }

    @Test("as does one whose frames are decoded in another order, with PCM")
    func reordered() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            try SimulatedDay(isReordered: true, isPCM: true).measureWriting()
        }
        show(result)
    }

    @Test(
        "a day of Matroska in which every frame is a sync sample costs at most 16 bytes a sample")
    func syncFrames() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            try SimulatedDay.measureMatroska()
        }
        show(result)
    }

    @Test("the index of a day of frames of any size takes at most 10 bytes a sample")
    func sizes() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            SimulatedDay.measureIndex()
        }
        show(result)
    }
}

/// Thirty frames a second whose times jitter, a sync sample every two seconds, and audio.
private struct SimulatedDay {
    static let seconds = 24 * 3600

    let isReordered: Bool
    let isPCM: Bool

    private var tracks: [ContainerTrack] {
        var tracks = CodedTake.synthetic(seconds: 1).tracks
        if isPCM {
            tracks[1] = ContainerTrack(
                format: .audio(
                    AudioFormat(coding: .coded(.pcm16), sampleRate: 48_000, channels: 2)),
                timescale: 48_000)
        }
        return tracks
    }

    /// Up to 2 ms early or late, as a live source is (ticks of 1/90,000 s).
    private static func shake(_ number: Int) -> Int64 { Int64(number * 7919 % 401) - 200 }

    func measureWriting() throws {
        let file = DurableFile(io: DiscardingFileIO(), name: "day.mp4", policy: .never)
        let writer = MovieFileWriter(file: file, container: .mp4)
        let tracks = tracks
        for track in tracks { _ = try writer.addTrack(track) }
        try writer.begin(MovieMetadata())
        let payload = (0..<8).map { BlockBuffer([UInt8](repeating: 0, count: 30 + 5 * $0)) }
        let second = isPCM ? BlockBuffer([UInt8](repeating: 0, count: 400)) : payload[0]
        let audioLength: Int64 = isPCM ? 100 : 1024
        ProcessMemory.restartPeak()
        let before = ProcessMemory()
        var samples = 0
        var nextAudio: Int64 = 0
        for frame in 0..<30 * Self.seconds {
            let decode = Int64(frame) * 3000 + Self.shake(frame) + 3000
            let late = isReordered ? [6000, 3000, 0, 0][frame % 4] + Self.shake(frame * 3) : 0
            let time = MediaTime(value: decode + max(0, late), timescale: 90_000)
            try writer.append(
                SampleBuffer(
                    payload: .coded(payload[frame % 8]), format: tracks[0].format,
                    presentationTime: time, decodeTime: MediaTime(value: decode, timescale: 90_000),
                    duration: MediaTime(value: 3000, timescale: 90_000), isSync: frame % 60 == 0),
                track: 0)
            samples += 1
            while nextAudio * 30 < Int64(frame) * 48_000 {
                try writer.append(
                    SampleBuffer(
                        payload: .coded(second), format: tracks[1].format,
                        presentationTime: MediaTime(value: nextAudio, timescale: 48_000),
                        duration: MediaTime(value: audioLength, timescale: 48_000)), track: 1)
                nextAudio += isPCM ? 1600 : 1024
                samples += 1
            }
        }
        let recorded = ProcessMemory()
        let reported = writer.indexMemory
        ProcessMemory.restartPeak()
        let resident = ProcessMemory().peak
        let clock = HostClock()
        let start = clock.now()
        let summary = try writer.finish()
        let elapsed = (clock.now() - start).approximateSeconds
        let closed = ProcessMemory()
        let held = recorded.heap - before.heap
        let most = closed.peak - resident + held
        print(
            "a day: \(samples) samples, \(perSample(held, samples)) bytes each (reported: "
                + "\(perSample(reported, samples))), while recording at most "
                + "\(perSample(recorded.peak - before.peak, samples)), while closing "
                + "\(perSample(most, samples)); closed in \(elapsed) s, \(summary.fileBytes) bytes")
        #expect(summary.tracks.reduce(0) { $0 + $1.sampleCount } == samples)
        #expect(held <= 16 * samples)
        #expect(recorded.peak - before.peak <= 16 * samples)
        #expect(most <= 16 * samples)
        #expect(elapsed < 3)
    }

    private func perSample(_ bytes: Int, _ samples: Int) -> Double {
        Self.perSample(bytes, samples)
    }

    private static func perSample(_ bytes: Int, _ samples: Int) -> Double {
        Double(bytes * 10 / samples) / 10
    }

    /// Motion JPEG alone: nothing shares the cost of the cues.
    static func measureMatroska() throws {
        let writer = try LibAVContainerWriter(
            file: DurableFile(io: DiscardingFileIO(), name: "day.mkv", policy: .never),
            container: .matroska, fragmentInterval: .milliseconds(250))
        let format = FormatDescription.video(
            VideoFormat(coding: .coded(.mjpeg), width: 1280, height: 720, color: .jpeg))
        _ = try writer.addTrack(ContainerTrack(format: format, timescale: 90_000))
        try writer.begin(MovieMetadata())
        let payload = BlockBuffer([UInt8](repeating: 0, count: 48))
        ProcessMemory.restartPeak()
        let before = ProcessMemory()
        let count = 30 * seconds
        for frame in 0..<count {
            try writer.append(
                SampleBuffer(
                    payload: .coded(payload), format: format,
                    presentationTime: MediaTime(
                        value: Int64(frame + 1) * 3000 + shake(frame), timescale: 90_000),
                    duration: MediaTime(value: 3000, timescale: 90_000), isSync: true),
                track: 0)
        }
        let recorded = ProcessMemory()
        let summary = try writer.finish()
        let most = ProcessMemory().peak - before.peak
        print(
            "a day of Matroska: \(count) sync samples, while recording at most "
                + "\(perSample(recorded.peak - before.peak, count)) bytes each, with the closing "
                + "\(perSample(most, count))")
        #expect(summary.tracks[0].sampleCount == count)
        #expect(recorded.peak - before.peak <= 16 * count)
        #expect(most <= 16 * count)
    }

    /// Frames of 1 to 260 KB, in another order, each with its own times.
    static func measureIndex() {
        let before = ProcessMemory()
        var index = SampleIndex()
        var random = SplitMix(seed: 24)
        var offset: Int64 = 48
        var chunk: [SampleIndex.Sample] = []
        let count = 30 * seconds
        for frame in 0..<count {
            let size = UInt32(1000 + random.next() % (frame % 60 == 0 ? 260_000 : 60_000))
            chunk.append(
                SampleIndex.Sample(
                    decodeTime: Int64(frame) * 3000 + shake(frame),
                    compositionOffset: Int32(frame % 3) * 3000 + Int32(shake(frame * 3)),
                    duration: 3000, size: size, isSync: frame % 60 == 0))
            guard chunk.count == 7 else { continue }
            index.appendChunk(chunk, at: offset)
            offset += chunk.reduce(900) { $0 + Int64($1.size) }
            chunk.removeAll(keepingCapacity: true)
        }
        let held = ProcessMemory().heap - before.heap
        print("the index of a day: \(Double(held * 10 / count) / 10) bytes a picture")
        #expect(held <= 10 * count)
        #expect(index.memory <= 10 * count)
        #expect(abs(index.memory - held) < 1 << 20)
    }
}

/// Takes any bytes and keeps none.
private final class DiscardingFileIO: FileIO {
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int { bytes.count }
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int { 0 }
    func synchronize() {}
    func synchronizeName() {}
    func allocate(from start: Int64, to end: Int64) {}
    func truncate(to size: Int64) {}
    func size() -> Int64 { 0 }
    func close() {}
}
