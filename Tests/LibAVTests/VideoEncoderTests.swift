import LibAV
import Media
import Testing

private func settings(_ codec: VideoCodec) -> VideoEncoderSettings {
    var settings = VideoEncoderSettings(codec: codec)
    settings.preset = "ultrafast"
    settings.threads = 2
    return settings
}

/// The types of a length-prefixed H.264 sample's units.
private func unitTypes(_ sample: SampleBuffer) -> [UInt8] {
    let bytes = sample.block?.bytes ?? []
    var types: [UInt8] = []
    var offset = 0
    while offset + 4 < bytes.count {
        let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        types.append(bytes[offset + 4] & 31)
        offset += 4 + length
    }
    #expect(offset == bytes.count)
    return types
}

@Test("a camera of varying rate gets a sync sample at least each second, and nowhere else")
func syncInterval() throws {
    let encoder = try VideoEncoder(settings: settings(.h264), input: TestFrames.format())
    // 30 Hz, then the 7.5 Hz of low light, then 30 Hz again
    var ticks: Int64 = 0
    let samples = (0..<90).map { number -> SampleBuffer in
        defer { ticks += (30..<50).contains(number) ? 12_000 : 3000 }
        return TestFrames.sample(number, at: MediaTime(value: ticks, timescale: 90_000))
    }
    let coded = try encoder.encodeAll(samples)
    #expect(coded.count == 90)
    #expect(coded.map(\.presentationTime) == samples.map(\.presentationTime))
    let syncs = coded.filter(\.isSync).map(\.presentationTime.value)
    #expect(syncs.first == 0)
    for (before, after) in zip(syncs, syncs.dropFirst()) {
        #expect((72_000...90_000).contains(after - before))
    }
    #expect(coded.allSatisfy { $0.decodeTime == nil })
    #expect(coded.filter(\.isSync).allSatisfy { unitTypes($0).contains(5) })
    #expect(coded.filter { !$0.isSync }.allSatisfy { unitTypes($0).allSatisfy { $0 == 1 } })
}

@Test("a hard scene change does not make a sync sample")
func sceneChange() throws {
    let encoder = try VideoEncoder(settings: settings(.h264), input: TestFrames.format())
    let samples = (0..<20).map { number in
        let frame = number < 10 ? 0 : 255 - number
        return TestFrames.sample(frame, at: MediaTime(value: Int64(number), timescale: 30))
    }
    #expect(
        try encoder.encodeAll(samples).map(\.isSync) == [true] + .init(repeating: false, count: 19))
}

@Test(
    "the frame after a resume is a sync sample because it asks to be",
    arguments: [VideoCodec.h264, .hevc])
func forcedSync(codec: VideoCodec) throws {
    let encoder = try VideoEncoder(settings: settings(codec), input: TestFrames.format())
    let samples = (0..<20).map { number in
        TestFrames.sample(
            number, at: MediaTime(value: Int64(number), timescale: 30), forcesSync: number == 7)
    }
    let coded = try encoder.encodeAll(samples)
    #expect(coded.indices.filter { coded[$0].isSync } == [0, 7])
}

@Test(
    "a coded frame comes out at most 200 ms after it went in",
    arguments: [VideoCodec.h264, .hevc])
func delay(codec: VideoCodec) throws {
    var settings = VideoEncoderSettings(codec: codec)
    settings.preset = "veryfast"
    let encoder = try VideoEncoder(settings: settings, input: TestFrames.format())
    var out = 0
    var greatest = 0
    for (index, sample) in TestFrames.samples(24).enumerated() {
        out += try encoder.encode(sample).count
        greatest = max(greatest, index + 1 - out)
    }
    #expect(greatest <= 6, "\(greatest) pictures at 30 Hz are held")
    #expect(out > 0)
}

@Test(
    "parameter sets depend on the settings and not on the frames",
    arguments: [VideoCodec.h264, .hevc])
func parameterSets(codec: VideoCodec) throws {
    let first = try VideoEncoder(settings: settings(codec), input: TestFrames.format())
    _ = try first.encodeAll(TestFrames.samples(5))
    let second = try VideoEncoder(settings: settings(codec), input: TestFrames.format())
    _ = try second.encodeAll(
        TestFrames.samples(9).reversed().enumerated().map { index, sample in
            var sample = sample
            sample.presentationTime = MediaTime(value: Int64(index), timescale: 25)
            return sample
        })
    #expect(!first.format.codecConfiguration.isEmpty)
    #expect(first.format.codecConfiguration == second.format.codecConfiguration)
    #expect(first.fingerprint == second.fingerprint)
    var other = settings(codec)
    other.preset = "superfast"
    let third = try VideoEncoder(settings: other, input: TestFrames.format())
    #expect(first.fingerprint != third.fingerprint)
}

@Test("a re-encoded span can take a parameter set number of its own")
func parameterSetNumber() throws {
    var other = settings(.h264)
    other.parameterSetID = 1
    let first = try VideoEncoder(settings: settings(.h264), input: TestFrames.format())
    let second = try VideoEncoder(settings: other, input: TestFrames.format())
    // the byte after profile, constraints and level begins with seq_parameter_set_id as ue(v)
    let at = 8 + 4
    #expect(first.format.codecConfiguration[at] & 0x80 == 0x80)
    #expect(second.format.codecConfiguration[at] & 0xE0 == 0x40)
}

@Test("a frame that is not after the one before is refused and the next one is taken")
func backwardFrame() throws {
    let encoder = try VideoEncoder(settings: settings(.h264), input: TestFrames.format())
    _ = try encoder.encode(TestFrames.sample(0, at: .milliseconds(100)))
    #expect(throws: MediaError.self) {
        _ = try encoder.encode(TestFrames.sample(1, at: .milliseconds(100)))
    }
    _ = try encoder.encode(TestFrames.sample(2, at: .milliseconds(133)))
    #expect(try encoder.finish().count == 2)
}

@Test("every wrong setting is named")
func wrongSettings() {
    func subject(_ change: (inout VideoEncoderSettings) -> Void) -> String? {
        var settings = VideoEncoderSettings(codec: .h264)
        change(&settings)
        do {
            try settings.validate()
            return nil
        } catch { return error.subject }
    }
    #expect(subject { _ in } == nil)
    #expect(subject { $0.codec = .vp9 } == "codec")
    #expect(subject { $0.rateControl = .quality(60) } == "rateControl")
    #expect(subject { $0.rateControl = .lossless } == "rateControl")
    #expect(subject { $0.rateControl = .bitrate(1) } == "rateControl")
    #expect(subject { $0.preset = "warp" } == "preset")
    #expect(subject { $0.keyFrameInterval = .zero } == "keyFrameInterval")
    #expect(subject { $0.threads = 0 } == "threads")
    #expect(subject { $0.parameterSetID = 32 } == "parameterSetID")
    #expect(subject { ($0.codec, $0.parameterSetID) = (.hevc, 1) } == "parameterSetID")
}

@Test("pixel formats an encoder does not take are refused with those it takes")
func wrongPixelFormat() {
    do {
        _ = try VideoEncoder(settings: settings(.h264), input: TestFrames.format(.yuyv422))
        Issue.record("yuyv422 was accepted")
    } catch {
        #expect(error.code == .invalidSetting)
        #expect(error.message.contains("yuv420p"))
    }
}
