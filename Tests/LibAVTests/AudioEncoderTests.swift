import LibAV
import Media
import Testing

private func roundTrip(_ codec: AudioCodec, _ audio: [Float], at start: MediaTime) throws -> (
    coded: [SampleBuffer], decoded: [SampleBuffer], encoder: AudioEncoder
) {
    let encoder = try AudioEncoder(
        settings: AudioEncoderSettings(codec: codec), input: AudioSignals.format())
    let coded = try encoder.encodeAll(audio, at: start)
    let decoder = try AudioDecoder(format: encoder.format)
    var decoded: [SampleBuffer] = []
    for sample in coded { decoded += try decoder.decode(sample) }
    return (coded, try decoded + decoder.finish(), encoder)
}

@Test(
    "a burst comes back at its very frame and the length is exact, whatever the codec",
    arguments: AudioCodec.allCases.prefix(9))
func exactRoundTrip(codec: AudioCodec) throws {
    let start = MediaTime(value: 4800, timescale: 48_000)
    for length in [100, 10_000, 48_000] {
        let audio =
            length < 2000
            ? AudioSignals.sine(700, frames: length)
            : AudioSignals.burst(at: length / 2, frames: length)
        let (coded, decoded, encoder) = try roundTrip(codec, audio, at: start)
        let values = AudioSignals.values(decoded)
        #expect(values.count == length)
        #expect(decoded.first?.presentationTime == start)
        if length >= 2000 {
            #expect(AudioSignals.shift(audio, values, within: -30...30) == 0)
            let loudest = zip(audio, values).map { ($0 - $1).magnitude }.max() ?? 1
            #expect(loudest < 0.2)
        }
        // the samples follow each other without a hole, from the priming on
        let priming = MediaTime(value: Int64(encoder.format.primingFrames), timescale: 48_000)
        var next = start - priming
        for sample in coded {
            #expect(sample.presentationTime == next)
            next += try #require(sample.duration)
        }
    }
}

@Test(
    "lossless codecs return the very samples",
    arguments: [AudioCodec.flac, .alac, .pcm24, .pcm32, .pcmFloat])
func lossless(codec: AudioCodec) throws {
    let audio = AudioSignals.sine(997, frames: 9000)
    let (_, decoded, _) = try roundTrip(codec, audio, at: .zero)
    let values = AudioSignals.values(decoded)
    #expect(zip(audio, values).allSatisfy { ($0 - $1).magnitude <= 1.0 / 8_388_608 })
    #expect(values.count == audio.count)
}

@Test("AAC and Opus state their priming and their configuration in MP4's form")
func configurations() throws {
    let aac = try AudioEncoder(
        settings: AudioEncoderSettings(codec: .aac), input: AudioSignals.format())
    #expect(aac.format.primingFrames == 1024)
    #expect(aac.format.framesPerPacket == 1024)
    #expect(aac.format.codecConfiguration.prefix(2) == [0x11, 0x88])  // AAC-LC, 48 kHz, mono
    let opus = try AudioEncoder(
        settings: AudioEncoderSettings(codec: .opus), input: AudioSignals.format(channels: 2))
    #expect(opus.format.framesPerPacket == 960)
    let skip = opus.format.primingFrames
    #expect(skip > 0)
    #expect(
        opus.format.codecConfiguration == [
            0, 2, UInt8(skip >> 8), UInt8(skip & 255), 0, 0, 0xBB, 0x80, 0, 0, 0,
        ])
}

@Test("a rate that a codec does not know is refused with those it knows")
func wrongRate() {
    do {
        _ = try AudioEncoder(
            settings: AudioEncoderSettings(codec: .opus), input: AudioSignals.format(rate: 44_100))
        Issue.record("44.1 kHz was accepted")
    } catch {
        #expect(error.message.contains("48000"))
    }
    #expect(throws: MediaError.self) {
        _ = try AudioEncoder(
            settings: AudioEncoderSettings(codec: .flac, bitrate: 64_000),
            input: AudioSignals.format())
    }
}
