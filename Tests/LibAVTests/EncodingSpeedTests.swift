import LibAV
import Media
import Testing

@Suite("encoders in a hurry")
struct EncodingSpeedTests {
    private static let presets = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower",
        "veryslow", "placebo",
    ]

    private func configuration(
        _ codec: VideoCodec, _ preset: String, _ speed: EncodingSpeed
    ) throws -> [UInt8] {
        var settings = VideoEncoderSettings(codec: codec)
        settings.preset = preset
        settings.speed = speed
        settings.threads = 2
        return try VideoEncoder(settings: settings, input: TestFrames.format()).format
            .codecConfiguration
    }

    @Test(
        "a faster preset writes the parameter sets of the one that was set, so both fit one track",
        arguments: presets)
    func sameParameterSets(preset: String) throws {
        let own = try configuration(.h264, preset, .asSet)
        #expect(try configuration(.h264, preset, .faster) == own)
        #expect(try configuration(.h264, preset, .fastest) == own)
    }

    @Test("x265 too", arguments: presets.prefix(8))
    func sameParameterSetsOfHEVC(preset: String) throws {
        let own = try configuration(.hevc, preset, .asSet)
        #expect(try configuration(.hevc, preset, .faster) == own)
        #expect(try configuration(.hevc, preset, .fastest) == own)
    }

    @Test("without what it shall write, a faster preset would write other parameter sets")
    func control() throws {
        #expect(
            try configuration(.h264, "veryfast", .asSet)
                != configuration(.h264, "ultrafast", .asSet))
        #expect(
            try configuration(.hevc, "veryfast", .asSet)
                != configuration(.hevc, "ultrafast", .asSet))
    }

    @Test("nothing is faster than the fastest, and nothing that is slower is taken for faster")
    func presetsInUse() {
        var settings = VideoEncoderSettings(codec: .h264)
        func inUse(_ preset: String) -> [String] {
            EncodingSpeed.allCases.map { speed in
                (settings.preset, settings.speed) = (preset, speed)
                return settings.presetInUse
            }
        }
        #expect(inUse("ultrafast") == ["ultrafast", "ultrafast", "ultrafast"])
        #expect(inUse("superfast") == ["superfast", "superfast", "ultrafast"])
        #expect(inUse("medium") == ["medium", "superfast", "ultrafast"])
        // which has parameter sets that no faster preset writes
        settings.codec = .hevc
        #expect(inUse("slow") == ["slow", "superfast", "ultrafast"])
        #expect(inUse("slower") == ["slower", "slower", "slower"])
        settings.codec = .h264
        settings.lowLatency = false
        #expect(inUse("medium") == ["medium", "medium", "medium"])
    }
}
