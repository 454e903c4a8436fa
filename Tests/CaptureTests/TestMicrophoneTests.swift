import Media
import TestSupport
import Testing

@testable import Capture

@Suite("the test microphone")
struct TestMicrophoneTests {
    @Test(
        "a beep begins at the audio frame of each white frame",
        arguments: [
            (camera: "size=64x48", microphone: ""),
            (camera: "size=64x48,fps=30000/1001", microphone: "rate=44100,channels=1"),
            (camera: "size=64x48,fps=7", microphone: "rate=8000"),
            (camera: "size=64x48,fps=30000/1001,ppm=300", microphone: "ppm=-500"),
        ])
    func beepsWithFlashes(camera: String, microphone: String) throws {
        let run = TestDeviceRun()
        let frames = try run.camera(camera)
        let sound = try run.microphone(microphone)
        let format = try #require(sound.format.audio)
        let flashes = EventCollector()
        try frames.start { event in
            // kept are the flashes only: the pool is small
            if case .sample(let sample) = event, let frame = sample.pixelBuffer,
                FrameStrip.isFlash(frame)
            {
                flashes.handler(event)
            }
        }
        try sound.start(handler: run.events.handler)
        run.clock.advance(by: .milliseconds(3400))
        #expect(flashes.wait(samples: 4))
        #expect(run.events.wait(samples: 338))
        frames.stop()
        sound.stop()

        let beeps = FlashBeep.beeps(
            in: FlashBeep.channel(0, of: run.events.samples), sampleRate: format.sampleRate)
        #expect(beeps.count == 4)
        let first = try #require(run.events.samples.first?.presentationTime)
        // by the microphone's own clock, frame to stamp
        let ppm = microphone == "ppm=-500" ? 0.9995 : 1.0
        for (flash, beep) in zip(flashes.samples, beeps) {
            let heard =
                first.approximateSeconds + Double(beep) / Double(format.sampleRate) / ppm
            let seen = flash.presentationTime.approximateSeconds
            #expect(abs(heard - seen) <= 0.5 / Double(format.sampleRate) + 1e-8)
        }
    }

    @Test("blocks follow each other without a hole")
    func contiguous() throws {
        let run = TestDeviceRun()
        try run.run(try run.microphone("rate=44100"), until: 2, samples: 199)
        let numbers = run.events.samples.compactMap(\.attachments.sequence)
        #expect(numbers == (0..<UInt64(numbers.count)).map { $0 * 441 })
        #expect(run.events.samples.allSatisfy { $0.audioFrameCount == 441 })
    }

    @Test("a lost block is an overrun of exactly its frames")
    func overrun() throws {
        let run = TestDeviceRun()
        try run.run(try run.microphone("drop=10-11,channels=1"), until: 1, samples: 97)
        #expect(run.events.drops.map(\.count) == [960])
        #expect(run.events.drops.first?.cause == .overrun)
        #expect(run.events.drops.first?.time == .milliseconds(100_100))
    }

    @Test("beeps are found to the frame, and those that a cut shortened are left out")
    func beepFinder() {
        let schedule = DeviceSchedule(origin: 0, rate: FrameRate(48_000), ppm: 0)
        let track = BeepTrack(schedule: schedule, channels: 1)
        let block = track.block(
            from: 500, count: 96_000,
            pictures: DeviceSchedule(origin: 0, rate: FrameRate(30), ppm: 0))
        let sample = SampleBuffer(
            payload: .audio(block),
            format: .audio(AudioFormat(coding: .raw(.int16), sampleRate: 48_000, channels: 1)),
            presentationTime: .zero)
        let sound = FlashBeep.channel(0, of: [sample])
        #expect(FlashBeep.beeps(in: sound, sampleRate: 48_000) == [47_500, 95_500].dropLast())
    }
}
