import Compose
import Media
import Reading
import TestSupport
import Testing
import Writing

@Suite("The frames of a film through a reader")
struct VideoCompositionOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two clips, of 20 and 10 frames, the second one from its fifth frame on.
    private func film() async throws -> Film {
        let first = try await NumberedClip(frames: 20, hasAudio: false)
            .write(to: folder.file("a.mp4"))
        let second = try await NumberedClip(frames: 15, firstNumber: 100, hasAudio: false)
            .write(to: folder.file("b.mp4"))
        var composition = Composition()
        try composition.insert(first, at: .zero)
        try composition.insert(
            second, range: MediaTimeRange(start: frames(5), duration: frames(10)),
            at: composition.duration)
        let assets = [first, second]
        return Film(
            composition: composition,
            videoComposition: try VideoComposition(propertiesOf: composition, assets: assets),
            assets: assets)
    }

    private let numbers = Array(0..<20) + Array(105..<115)

    private func frames(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 30) }

    private func samples(_ output: VideoCompositionOutput) throws -> [SampleBuffer] {
        var samples: [SampleBuffer] = []
        while let sample = try output.next() { samples.append(sample) }
        return samples
    }

    private func shown(_ samples: [SampleBuffer]) -> [Int] {
        samples.compactMap { $0.pixelBuffer.map { FrameStrip.number(in: $0) } }
    }

    private func read(
        _ output: VideoCompositionOutput, range: MediaTimeRange? = nil
    ) throws -> [SampleBuffer] {
        let reader = AssetReader()
        reader.timeRange = range
        try reader.add(output)
        try reader.start()
        let samples = try samples(output)
        guard case .completed = reader.status else {
            Issue.record("the reader is \(reader.status)")
            return samples
        }
        return samples
    }

    @Test("every frame of the film comes once, in order, each until the next one")
    func whole() async throws {
        let output = try VideoCompositionOutput(film: try await film())
        let samples = try read(output)
        #expect(shown(samples) == numbers)
        for (index, sample) in samples.enumerated() {
            #expect(sample.presentationTime == frames(Int64(index)))
            #expect(sample.duration == frames(1))
            #expect(sample.format == .video(output.format))
        }
        #expect(output.format.width == 192 && output.format.height == 108)
        #expect(output.format.nominalRate == FrameRate(30, per: 1))
    }

    @Test(
        "a range begins within a frame and ends within one; what is outside the film is not there")
    func range() async throws {
        let film = try await film()
        let whole = try read(try VideoCompositionOutput(film: film))
        let part = try read(
            try VideoCompositionOutput(film: film),
            range: MediaTimeRange(start: .milliseconds(650), duration: .milliseconds(120)))
        // frames of 33.3 ms: 19 from 633 ms on, 23 from 767 ms on
        #expect(shown(part) == [19, 105, 106, 107, 108])
        #expect(part.first?.presentationTime == .milliseconds(650))
        #expect(
            part.last.flatMap { sample in sample.duration.map { sample.presentationTime + $0 } }
                == .milliseconds(770))
        #expect(part[1].presentationTime == whole[20].presentationTime)
        let end = try read(
            try VideoCompositionOutput(film: film),
            range: MediaTimeRange(start: frames(28), duration: .seconds(9)))
        #expect(shown(end) == [113, 114])
    }

    @Test("ranges are read anew, backwards too, and give the same frames")
    func randomAccess() async throws {
        let output = try VideoCompositionOutput(film: try await film(), threads: 1)
        output.supportsRandomAccess = true
        let reader = AssetReader()
        try reader.add(output)
        try reader.start()
        #expect(shown(try samples(output)) == numbers)
        try output.reset(forReadingTimeRanges: [
            MediaTimeRange(start: frames(22), duration: frames(2)),
            MediaTimeRange(start: frames(3), duration: frames(2)),
        ])
        #expect(shown(try samples(output)) == [107, 108, 3, 4])
        output.markConfigurationAsFinal()
        guard case .completed = reader.status else {
            Issue.record("the reader is \(reader.status)")
            return
        }
    }

    @Test("a reader's video and audio of one film are of one length, and go into a writer")
    func intoAWriter() async throws {
        let clip = try await NumberedClip(frames: 30).write(to: folder.file("c.mp4"))
        var composition = Composition()
        try composition.insert(clip, at: .zero)
        let film = Film(
            composition: composition,
            videoComposition: try VideoComposition(propertiesOf: composition, assets: [clip]))
        let pictures = try VideoCompositionOutput(film: film)
        let sound = AudioMixOutput(film: film)
        let reader = AssetReader()
        try reader.add(pictures)
        try reader.add(sound)
        try reader.start()
        let path = folder.file("copy.mov")
        let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
        let video = try writer.inputReceiver(
            for: VideoOutputSettings(codec: .h264, preset: "ultrafast"),
            sourceFormat: pictures.format)
        let audio = try writer.inputReceiver(
            for: AudioOutputSettings(codec: .pcm16), sourceFormat: sound.format)
        try writer.startSession(atSourceTime: .zero)
        while let sample = try pictures.next() {
            try await video.append(sample)
            if let block = try sound.next() { try await audio.append(block) }
        }
        while let block = try sound.next() { try await audio.append(block) }
        try writer.endSession(atSourceTime: film.composition.duration)
        _ = try await writer.finish()
        let copy = try Asset.load(path)
        #expect(copy.tracks.map(\.duration) == [.seconds(1), .seconds(1)])
    }

    @Test("the guide's example counts what a range of two seconds has")
    func guide() async throws {
        let clip = try await NumberedClip(frames: 100).write(to: folder.file("g.mp4"))
        var composition = Composition()
        try composition.insert(clip, at: .zero)
        let read = try GuideExamples.reading(
            Film(
                composition: composition,
                videoComposition: try VideoComposition(
                    propertiesOf: composition, assets: [clip])))
        #expect(read.frames == 60)
        #expect(read.samples == 96_000)
    }

    @Test("a film without frames, and one whose instructions leave a hole, are refused in words")
    func refused() async throws {
        var film = try await film()
        film.videoComposition?.instructions.removeFirst()
        let output = try VideoCompositionOutput(film: film)
        let hole = #expect(throws: MediaError.self) { try read(output) }
        #expect(hole?.code == .invalidEdit)
        #expect(hole?.message.contains("0 s") == true, "\(hole?.message ?? "")")
        film = Film(composition: Composition(), videoComposition: nil)
        let none = #expect(throws: MediaError.self) { try VideoCompositionOutput(film: film) }
        #expect(none?.message == "The film has no video.")
    }
}
