import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Capture

@Suite("a movie as camera and microphone")
struct FileDeviceTests {
    /// Two seconds of 25 frames a second and a tone, as ffmpeg makes them.
    private func clip(_ folder: TemporaryFolder, _ codec: [String]) throws -> String {
        let path = folder.file("clip.mkv")
        let made = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25:duration=2"]
                + ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=1.9"]
                + codec + ["-c:a", "pcm_s16le", path])
        #expect(made.status == 0, "\(made)")
        return path
    }

    private func device(
        _ path: String, _ kind: MediaType, _ provider: FileProvider
    ) throws -> CaptureDevice {
        try #require(try provider.device(named: path, kind: kind))
    }

    @Test("MJPEG frames pass as they are coded, round after round, each at its time")
    func loops() throws {
        let folder = try TemporaryFolder()
        let provider = FileProvider()
        let clock = ManualClock(at: .seconds(10))
        let camera = try device(try clip(folder, ["-c:v", "mjpeg"]), .video, provider)
        #expect(camera.formats.first?.video?.name == "mjpeg")
        let stream = try provider.openVideo(camera, settings: .init(), clock: clock)
        #expect(stream.format.video?.coding == .coded(.mjpeg))
        let events = EventCollector()
        try stream.start(handler: events.handler)
        clock.advance(by: .milliseconds(4990))
        #expect(events.wait(samples: 125))
        stream.stop()
        for (index, sample) in events.samples.enumerated() {
            let expected = 10.0 + Double(index) / 25
            #expect(abs(sample.presentationTime.approximateSeconds - expected) < 0.0015)
        }
        #expect(events.samples[0].block?.bytes == events.samples[50].block?.bytes)
    }

    @Test(
        "a camera that starts a moment after the clip's microphone begins with the clip all the same"
    )
    func startsLate() throws {
        let folder = try TemporaryFolder()
        let provider = FileProvider()
        let clock = ManualClock(at: .seconds(10))
        let path = try clip(folder, ["-c:v", "libx264", "-g", "50", "-bf", "0"])
        let microphone = try provider.openAudio(
            device(path, .audio, provider), settings: .init(), clock: clock)
        try microphone.start { _ in }
        clock.advance(by: .milliseconds(300))
        let camera = try provider.openVideo(
            device(path, .video, provider), settings: .init(), clock: clock)
        let events = EventCollector()
        try camera.start(handler: events.handler)
        clock.advance(by: .milliseconds(700))
        #expect(events.wait(samples: 20))
        camera.stop()
        microphone.stop()
        // the next sync sample is a second later
        #expect(events.samples[0].presentationTime == .seconds(10))
    }

    @Test("no frame of a movie with B-frames is there before its light would have fallen")
    func reordered() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("clip.mp4")
        let made = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25:duration=2"]
                + ["-c:v", "libx264", "-bf", "2", "-x264-params", "b-adapt=0:b-pyramid=none"]
                + ["-pix_fmt", "yuv420p", path])
        #expect(made.status == 0, "\(made)")
        let provider = FileProvider()
        let clock = ManualClock(at: .seconds(10))
        let camera = try provider.openVideo(
            device(path, .video, provider), settings: .init(), clock: clock)
        let events = EventCollector()
        try camera.start(handler: events.handler)
        // decoding times alone would deliver those until 0.6 s
        clock.advance(by: .milliseconds(500))
        #expect(events.wait(samples: 11))
        usleep(50_000)
        camera.stop()
        let times = events.samples.map { $0.presentationTime.approximateSeconds - 10 }
        #expect(times.allSatisfy { $0 >= 0 && $0 <= 0.5 }, "\(times)")
        #expect(times.sorted() != times, "no frame is reordered")
    }

    @Test(
        "a movie of which a table is damaged ends as a camera with a sentence, and is not read over and over",
        arguments: ["stsz", "stss", "stts", "stco", "stsc"])
    func damagedTable(_ table: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("clip.mp4")
        let made = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25:duration=2"]
                + ["-c:v", "libx264", "-g", "25", "-pix_fmt", "yuv420p", path])
        #expect(made.status == 0, "\(made)")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let name = Array(table.utf8)
        let place = try #require(
            bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == name })
        let size = bytes[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
        // everything behind name, version and flags
        for index in place + 8..<place - 4 + size { bytes[index] = 0x7F }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let provider = FileProvider()
        let clock = ManualClock(at: .seconds(10))
        // a table may ask for more memory than there is
        let refusals = [MediaError.Code.damagedFile, .outOfMemory]
        let camera: CaptureDevice
        do { camera = try device(path, .video, provider) } catch let error as MediaError {
            #expect(refusals.contains(error.code), "\(error.message)")
            return
        }
        let stream: any CaptureStream
        do { stream = try provider.openVideo(camera, settings: .init(), clock: clock) } catch {
            #expect(refusals.contains(error.code), "\(error.message)")
            return
        }
        let events = EventCollector()
        try stream.start(handler: events.handler)
        clock.advance(by: .seconds(5))
        #expect(events.wait { !$0.isEmpty })
        stream.stop()
    }

    @Test("what is no movie is a damaged file to a camera, not a wrong word of the user's")
    func noMovie() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("clip.mp4")
        try Data("no movie at all".utf8).write(to: URL(fileURLWithPath: path))
        #expect {
            _ = try FileProvider().device(named: path, kind: .video)
        } throws: {
            ($0 as? MediaError)?.code == .damagedFile
        }
    }

    @Test("audio is an unbroken run, filled with silence where it is shorter than the movie")
    func sound() throws {
        let folder = try TemporaryFolder()
        let provider = FileProvider()
        let clock = ManualClock(at: .seconds(10))
        let microphone = try device(try clip(folder, ["-c:v", "mjpeg"]), .audio, provider)
        let stream = try provider.openAudio(microphone, settings: .init(), clock: clock)
        let events = EventCollector()
        try stream.start(handler: events.handler)
        clock.advance(by: .seconds(5))
        #expect(
            events.wait { events in
                events.reduce(0) { sum, event in
                    if case .sample(let sample) = event {
                        sum + sample.audioFrameCount
                    } else {
                        sum
                    }
                } >= 230_000
            })
        stream.stop()
        var next: UInt64 = 0
        for sample in events.samples {
            #expect(sample.attachments.sequence == next)
            next += UInt64(sample.audioFrameCount)
        }
        let wave = FlashBeep.channel(0, of: events.samples)
        #expect(wave[91_300..<95_900].allSatisfy { $0 == 0 })
        #expect(wave[96_100..<96_300].contains { abs($0) > 0.05 }, "the second round")
        #expect(Array(wave[0..<1000]) == Array(wave[96_000..<97_000]))
    }

    @Test("H.264 frames decode in an output, and after a loss from the next sync sample on")
    func predicted() throws {
        let folder = try TemporaryFolder()
        let provider = FileProvider()
        let clock = ManualClock(at: .seconds(10))
        let path = try clip(folder, ["-c:v", "libx264", "-g", "10", "-bf", "0"])
        let camera = try device(path, .video, provider)
        let stream = try provider.openVideo(camera, settings: .init(), clock: clock)
        let coded = EventCollector()
        try stream.start(handler: coded.handler)
        clock.advance(by: .milliseconds(1500))
        #expect(coded.wait(samples: 30))
        stream.stop()
        let format = try #require(stream.format.video)
        let conversion = try FrameConversion(
            from: format, to: FrameTarget(pixelFormat: .yuv420p), by: CaptureConnection())
        var decoded: [Int] = []
        for (index, sample) in coded.samples.prefix(30).enumerated() where index != 12 {
            if index == 13 { conversion.noteLoss() }
            if let frames = try? conversion.convert(sample, where: { _ in true }),
                !frames.isEmpty
            {
                decoded.append(index)
            }
        }
        #expect(decoded == Array(0..<12) + Array(20..<30))
    }

    @Test("a file that is missing, or lacks the medium, is refused by name")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let provider = FileProvider()
        let missing = #expect(throws: MediaError.self) {
            try provider.device(named: "/no/such/clip.mp4", kind: .video)
        }
        #expect(missing?.code == .noSuchFile)
        #expect(missing?.message.contains("/no/such/clip.mp4") == true)
        let silent = folder.file("silent.mkv")
        _ = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:duration=1", silent])
        let noAudio = #expect(throws: MediaError.self) {
            try provider.device(named: silent, kind: .audio)
        }
        #expect(noAudio?.message.contains("holds no audio") == true)
        let camera = try device(silent, .video, provider)
        #expect(throws: MediaError.self) {
            try provider.openVideo(
                camera, settings: VideoInputSettings(inputFormat: .named("mjpeg")),
                clock: ManualClock())
        }
    }
}
