import LibAV
import Media
import Testing

@Test(
    "channels are mixed at one level, whatever the samples are stored as", arguments: [1, 2])
func mixedLevel(channels: Int) throws {
    let left = (0..<4800).flatMap { [Int16]([$0 % 50 < 25 ? 16_384 : -16_384, 0, 0, 0, 0, 0]) }
    let block = left.withUnsafeBytes { BlockBuffer($0) }
    let input = AudioSignals.format(.int16, channels: 6)
    func level(_ sample: AudioSampleFormat) throws -> Double {
        let output = AudioSignals.format(sample, channels: channels)
        let mixed = try AudioResampler(from: input, to: output, isSteerable: false).convert(block)
        return mixed.withUnsafeBytes { bytes in
            sample == .int16
                ? Double(bytes.bindMemory(to: Int16.self)[0]) / 32_768
                : Double(bytes.bindMemory(to: Float.self)[0])
        }
    }
    let exact = try level(.float32)
    #expect(exact > 0.3)
    #expect(try abs(level(.int16) - exact) < 2.0 / 32_768)
}

@Test(
    "an hour of a microphone off by 500 ppm is steered back without a step, to the frame",
    arguments: [500, -500])
func drift(ppm: Int) throws {
    // a scaled hour: 60 s at the hour's rate of drift, corrected every half second as a recorder does
    let rate = 48_000
    let seconds = 60
    let resampler = try AudioResampler(from: AudioSignals.format(), to: AudioSignals.format())
    var output: [Float] = []
    var fed = 0
    var debt = 0.0
    var greatestError = 0
    for half in 0..<(2 * seconds) {
        // half a second of host time brings this many frames of the device's
        let until = (half + 1) * rate / 2 * (1_000_000 + ppm) / 1_000_000
        debt += Double(-rate / 2 * ppm) / 1_000_000
        let delta = Int(debt.rounded())
        debt -= Double(delta)
        try resampler.steer(deltaFrames: delta, over: rate / 2)
        let audio = AudioSignals.sine(1000, frames: until - fed, from: fed)
        output += AudioSignals.values(try resampler.convert(AudioSignals.block(audio)))
        fed = until
        let error = output.count + resampler.delayFrames - (half + 1) * rate / 2
        greatestError = max(greatestError, error.magnitude == 0 ? 0 : Int(error.magnitude))
    }
    output += AudioSignals.values(try resampler.finish())
    #expect(output.count == seconds * rate)
    #expect(greatestError <= 4, "frames of error at some time")
    // a sine has no third difference above (2πf/rate)³ times its height; a step of one frame has
    let body = output[1000..<(output.count - 1000)]
    let bound = 0.5 * Float(0.1309 * 0.1309 * 0.1309) * 1.5
    var greatest: Float = 0
    for index in body.indices.dropFirst(3) {
        let third = body[index] - 3 * body[index - 1] + 3 * body[index - 2] - body[index - 3]
        greatest = max(greatest, third.magnitude)
    }
    #expect(greatest < bound, "third difference \(greatest)")
}

@Test("whole seconds of 44.1 kHz become exactly as many of 48 kHz, in any block size")
func exactCount() throws {
    let resampler = try AudioResampler(
        from: AudioSignals.format(rate: 44_100), to: AudioSignals.format(.int16, channels: 2))
    let audio = AudioSignals.sine(441, frames: 44_100 * 2, rate: 44_100)
    var frames = 0
    var offset = 0
    while offset < audio.count {
        let size = min(1 + offset % 1777, audio.count - offset)
        let block = AudioSignals.block(Array(audio[offset..<offset + size]))
        frames += try resampler.convert(block).count / 4
        offset += size
        #expect(resampler.framesOut == Int64(frames))
    }
    frames += try resampler.finish().count / 4
    #expect(frames == 96_000)
    #expect(resampler.framesOut == 96_000)
}

@Test("a tone stays in its place through a change of rate")
func phase() throws {
    let resampler = try AudioResampler(
        from: AudioSignals.format(rate: 44_100), to: AudioSignals.format())
    let audio = AudioSignals.sine(500, frames: 44_100, rate: 44_100)
    let output =
        AudioSignals.values(try resampler.convert(AudioSignals.block(audio)))
        + AudioSignals.values(try resampler.finish())
    let ideal = AudioSignals.sine(500, frames: 48_000)
    let error = zip(ideal, output).dropFirst(200).dropLast(200).map { ($0 - $1).magnitude }.max()
    #expect(try #require(error) < 0.001)
}

@Test("without steering equal rates pass through untouched, and steering is refused")
func passThrough() throws {
    let resampler = try AudioResampler(
        from: AudioSignals.format(), to: AudioSignals.format(), isSteerable: false)
    let audio = AudioSignals.sine(3000, frames: 1000)
    #expect(AudioSignals.values(try resampler.convert(AudioSignals.block(audio))) == audio)
    #expect(try resampler.finish().count == 0)
    #expect(throws: MediaError.self) { try resampler.steer(deltaFrames: 1, over: 48_000) }
    let steerable = try AudioResampler(from: AudioSignals.format(), to: AudioSignals.format())
    #expect(throws: MediaError.self) { try steerable.steer(deltaFrames: 600, over: 48_000) }
}
