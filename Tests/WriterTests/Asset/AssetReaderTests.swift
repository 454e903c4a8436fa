import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Reading an asset")
struct AssetReaderTests {
    private let footage: Footage

    init() throws { footage = try Footage() }

    private static let bFrames = [
        "-c:v", "libx264", "-preset", "veryfast", "-bf", "3", "-g", "20", "-crf", "20",
    ]

    /// Numbered frames with the test audio.
    private func film(_ name: String = "film.mp4", seconds: Int = 3) throws -> Asset {
        try footage.encode(
            name,
            [
                "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "96x48", "-r", "30", "-i",
                try footage.pictures(seconds * 30), "-f", "s16le", "-ar", "48000", "-ac", "1", "-i",
                try footage.sound(frames: seconds * 48_000),
            ] + Self.bFrames + ["-c:a", "aac", "-b:a", "128k"])
    }

    private func all(_ output: any AssetReaderOutput) throws -> [SampleBuffer] {
        var samples: [SampleBuffer] = []
        while let sample = try output.next() { samples.append(sample) }
        return samples
    }

    private func numbers(_ samples: [SampleBuffer]) throws -> [Int] {
        try samples.map { FrameStrip.number(in: try #require($0.pixelBuffer)) }
    }

    @Test(
        "tasks read outputs as sequences, of the formats asked for, and the first one starts the reader"
    )
    func sequences() async throws {
        let asset = try await Asset(loading: film().path)
        let pictures = try AssetReaderTrackOutput(
            asset: asset, track: asset.first(.video), settings: .frames(.yuv420p))
        let sound = try AssetReaderTrackOutput(
            asset: asset, track: asset.first(.audio), settings: .audio(nil))
        let reader = AssetReader()
        try reader.add(pictures)
        try reader.add(sound)
        async let frames = reader.samples(of: sound).reduce(0) { count, sample in
            #expect(sample.format == sound.format)
            return count + sample.audioFrameCount
        }
        var samples: [SampleBuffer] = []
        for try await sample in reader.samples(of: pictures) { samples.append(sample) }
        #expect(try numbers(samples) == Array(0..<90))
        #expect(samples[0].format.video?.coding == pictures.format?.video?.coding)
        #expect(try await frames == 3 * 48_000)
        guard case .completed = reader.status else {
            Issue.record("the reader is \(reader.status)")
            return
        }
    }

    @Test("a file that went away, and a cancelled reader, throw into the sequence of samples")
    func failingSequences() async throws {
        let asset = try film()
        let output = try AssetReaderTrackOutput(asset: asset, track: asset.first(.video))
        let reader = AssetReader()
        try reader.add(output)
        var iterator = reader.samples(of: output).makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        reader.cancel()
        await #expect(throws: (any Error).self) { _ = try await iterator.next() }
        try FileManager.default.removeItem(atPath: asset.path)
        await #expect(throws: (any Error).self) { _ = try await Asset(loading: asset.path) }
        let late = AssetReader()
        try late.add(try AssetReaderTrackOutput(asset: asset, track: asset.first(.video)))
        var lost = late.samples(of: late.outputs[0]).makeAsyncIterator()
        await #expect(throws: (any Error).self) { _ = try await lost.next() }
    }

    @Test("a range gives its pictures and frames exactly, cut at its ends, and then is completed")
    func range() throws {
        let asset = try film()
        let reader = AssetReader()
        let frames = try AssetReaderTrackOutput(
            asset: asset, track: asset.first(.video), settings: .frames(.rgb24))
        let sound = try AssetReaderTrackOutput(
            asset: asset, track: asset.first(.audio),
            settings: .audio(AudioFormat(coding: .raw(.int16), sampleRate: 48_000, channels: 2)))
        try reader.add(frames)
        try reader.add(sound)
        // half into frame 15, a quarter into frame 60
        reader.timeRange = MediaTimeRange(
            from: MediaTime(value: 31, timescale: 60), to: MediaTime(value: 241, timescale: 120))
        #expect(throws: MediaError.self) { try frames.next() }
        if case .unknown = reader.status {} else { Issue.record("not started") }
        try reader.start()
        let shown = try all(frames)
        #expect(shown.count == 46)
        #expect(shown.allSatisfy { $0.pixelBuffer?.format == .rgb24 })
        #expect(shown.first?.presentationTime == MediaTime(value: 31, timescale: 60))
        #expect(shown.first?.duration == MediaTime(value: 1, timescale: 60))
        #expect(shown.last?.presentationTime == .seconds(2))
        #expect(shown.last?.duration == MediaTime(value: 1, timescale: 120))
        if case .reading = reader.status {} else { Issue.record("sound is still to come") }
        let heard = try all(sound)
        #expect(heard.reduce(0) { $0 + $1.audioFrameCount } == 241 * 400 - 31 * 800)
        #expect(heard.first?.presentationTime == MediaTime(value: 31, timescale: 60))
        #expect(heard.allSatisfy { $0.format.audio?.channels == 2 })
        if case .completed = reader.status {} else { Issue.record("\(reader.status)") }
        #expect(try frames.next() == nil)
        #expect(asset.openDescriptors == 0)
    }

    @Test("two outputs are read at any pace, and each frame comes once in order")
    func pace() throws {
        for name in ["p.mp4", "p.mkv"] {
            let asset = try film(name)
            let reader = AssetReader()
            let pictures = try AssetReaderTrackOutput(
                asset: asset, track: asset.first(.video), settings: .frames(nil), threads: 2)
            let sound = try AssetReaderTrackOutput(
                asset: asset, track: asset.first(.audio), settings: .audio(nil))
            try reader.add(pictures)
            try reader.add(sound)
            try reader.start()
            // all the audio first: nothing waits for the frames, nothing gathers for them
            let heard = try all(sound)
            let frames = heard.reduce(0) { $0 + $1.audioFrameCount }
            #expect(abs(frames - 3 * 48_000) < 2500)
            let shown = try all(pictures)
            #expect(try numbers(shown) == Array(0..<90))
            let times = shown.map(\.presentationTime)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test("coded samples come as they are, from the sync sample a range needs")
    func coded() throws {
        let asset = try film()
        let reader = AssetReader()
        let frames = try AssetReaderTrackOutput(asset: asset, track: asset.first(.video))
        let sound = try AssetReaderTrackOutput(asset: asset, track: asset.first(.audio))
        try reader.add(frames)
        try reader.add(sound)
        reader.timeRange = MediaTimeRange(start: .seconds(1), duration: .seconds(1))
        try reader.start()
        let coded = try all(frames)
        #expect(coded.first?.isSync == true)
        #expect(try #require(coded.first).presentationTime <= .seconds(1))
        #expect(!coded.dropFirst().contains { $0.isSync && $0.presentationTime <= .seconds(1) })
        let decode = coded.map { $0.decodeTime ?? $0.presentationTime }
        #expect(zip(decode, decode.dropFirst()).allSatisfy { $0 < $1 })
        let shown = Set(coded.map { $0.presentationTime.ticks(per: 30, rounding: .nearest) })
        #expect(shown.isSuperset(of: 30..<60))
        let packets = try all(sound)
        let first = try #require(packets.first)
        let start = first.presentationTime.ticks(per: 48_000, rounding: .nearest)
        #expect(start + Int64(first.attachments.leadingTrim) == 48_000)
        let last = try #require(packets.last)
        let end = last.presentationTime.ticks(per: 48_000, rounding: .nearest) + 1024
        #expect(end - Int64(last.attachments.trailingTrim) == 96_000)
        #expect(packets.dropFirst().allSatisfy { $0.attachments.leadingTrim == 0 })
    }

    @Test("an animation that is read as YUV says so: its matrix is none of RGB's")
    func animationColors() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.gif")
        try Data(PlainGIF.bytes(delays: [10, 10])).write(to: URL(fileURLWithPath: path))
        let asset = try Asset.load(path)
        let reader = AssetReader()
        let output = try AssetReaderTrackOutput(
            asset: asset, track: asset.first(.video), settings: .frames(.yuv420p))
        try reader.add(output)
        try reader.start()
        let formats = try all(output).map(\.format.video)
        #expect(formats.count == 2)
        for format in formats + [output.format?.video] {
            #expect(format?.color.matrix == 6 && format?.color.range == .limited)
        }
    }

    @Test("ranges can be read anew in any order when that was asked for, and not else")
    func resetting() throws {
        let asset = try film()
        let track = try asset.first(.video)
        let reader = AssetReader()
        let output = try AssetReaderTrackOutput(
            asset: asset, track: track, settings: .frames(nil))
        output.supportsRandomAccess = true
        try reader.add(output)
        reader.timeRange = MediaTimeRange(start: .zero, duration: .milliseconds(100))
        try reader.start()
        #expect(try numbers(all(output)) == [0, 1, 2])
        try output.reset(forReadingTimeRanges: [
            MediaTimeRange(start: .seconds(2), duration: .milliseconds(100)),
            MediaTimeRange(start: .seconds(1), duration: .milliseconds(67)),
        ])
        #expect(try numbers(all(output)) == [60, 61, 62, 30, 31, 32])
        if case .reading = reader.status {} else { Issue.record("\(reader.status)") }
        output.markConfigurationAsFinal()
        if case .completed = reader.status {} else { Issue.record("\(reader.status)") }
        let other = try AssetReaderTrackOutput(asset: asset, track: track)
        let second = AssetReader()
        try second.add(other)
        try second.start()
        #expect(throws: MediaError.self) { try other.reset(forReadingTimeRanges: []) }
        second.cancel()
        if case .cancelled = second.status {} else { Issue.record("\(second.status)") }
        #expect(throws: MediaError.self) { try other.next() }
        #expect(asset.openDescriptors == 0)
    }

    @Test("an empty edit gives no frames and its length of silence; a held frame comes once")
    func edits() throws {
        let plain = try footage.movie("e.mp4", Self.bFrames)
        let lead = try #require(plain.first(.video).edits.first?.mediaTime).value
        let tick = Int64(try plain.first(.video).timescale) / 30
        let asset = try footage.edit(
            plain, track: 0,
            [
                EditListBox.Entry(duration: 200, mediaTime: nil),
                EditListBox.Entry(duration: 300, mediaTime: lead + 30 * tick),
                EditListBox.Entry(duration: 500, mediaTime: lead + 3 * tick, rate: 0),
                EditListBox.Entry(duration: 100, mediaTime: lead),
            ])
        let track = try asset.first(.video)
        let reader = AssetReader()
        let output = try AssetReaderTrackOutput(
            asset: asset, track: track, settings: .frames(nil))
        try reader.add(output)
        try reader.start()
        let shown = try all(output)
        #expect(try numbers(shown) == Array(30..<39) + [3, 0, 1, 2])
        #expect(shown.first?.presentationTime == .milliseconds(200))
        #expect(shown[9].presentationTime == .milliseconds(500))
        #expect(shown[9].duration == .milliseconds(500))
        #expect(track.start == .milliseconds(200))
        #expect(track.timeRange.duration == .milliseconds(900))
        #expect(track.segments.count == 4)
        #expect(track.segments[0].source == nil)
        #expect(track.segments[2].source?.duration == .zero)
        #expect(track.segments[1].timeRange.end == .milliseconds(500))
    }

    @Test("a track states its natural size, rate, language and the movie its chapters")
    func description() throws {
        let meta = footage.folder.file("meta.txt")
        let text = """
            ;FFMETADATA1
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=1000
            title=One
            [CHAPTER]
            TIMEBASE=1/1000
            START=1000
            END=3000
            title=Two
            """
        try text.write(toFile: meta, atomically: true, encoding: .utf8)
        let frames = try footage.pictures(90)
        let asset = try footage.encode(
            "m.mp4",
            [
                "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "96x48", "-r", "30000/1001", "-i",
                frames, "-i", meta, "-map_metadata", "1", "-vf", "setsar=4/3",
                "-metadata:s:v", "language=fra",
            ] + Self.bFrames)
        let track = try asset.first(.video)
        #expect(track.naturalSize?.width == 128)
        #expect(track.naturalSize?.height == 48)
        #expect(track.nominalRate == FrameRate(30_000, per: 1001))
        #expect(track.language == "fra" || track.language == "fr")
        #expect(track.orientation == .upright)
        #expect(asset.chapters.map(\.title) == ["One", "Two"])
        #expect(asset.chapters.first?.timeRange.duration == .seconds(1))
    }
}
