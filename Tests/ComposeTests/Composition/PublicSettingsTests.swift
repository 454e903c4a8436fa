import Compose
import Media
import Movie
import Testing
import Writing

@Test("settings, presets and layers are made outside the library, every field by its initialiser")
func settingsFromOutside() throws {
    var video = VideoOutputSettings(
        codec: .h264, rate: .bitrate(2_000_000), preset: "fast", keyFrameInterval: .seconds(2),
        threads: 2)
    (video.profile, video.level) = (.high, VideoLevel(4))
    let audio = AudioOutputSettings(codec: .aac, bitrate: 128_000)
    let preset = ExportPreset(
        name: "own", largestSize: PixelSize(width: 640, height: 360), video: video, audio: audio)
    #expect(preset.video == video && preset.audio == audio)
    try ExportSettings(preset: preset).validate()
    _ = ImageGeneratorSettings(maximumSize: PixelSize(width: 64, height: 64))
    var fields = ConversionSettings()
    fields.size = PixelSize(width: 640, height: 360)
    try fields.validate()
    let instruction = Instruction(
        timeRange: MediaTimeRange(start: .zero, duration: .seconds(1)))
    #expect(instruction.passthroughTrackID == nil && instruction.enablePostProcessing)
    var composition = Composition()
    #expect(composition.addTrack(.video, preferredID: 7) == 7)
}

@Test("a film's size, shape and colours are its composition's, and refused in a preset")
func pictureFieldsOfPresets() {
    let changes: [(String, (inout VideoOutputSettings) -> Void)] = [
        ("width and height", { ($0.width, $0.height) = (640, 360) }),
        ("pixel aspect", { $0.pixelAspect = PixelAspect(4, 3) }),
        ("color", { $0.color = .bt709 }),
        ("expected frame rate", { $0.expectedFrameRate = FrameRate(25) }),
    ]
    for (field, change) in changes {
        var video = VideoOutputSettings()
        change(&video)
        #expect {
            try ExportSettings(preset: ExportPreset(name: "own", video: video)).validate()
        } throws: { error in
            (error as? MediaError)?.subject == "preset"
                && (error as? MediaError)?.message.contains(field) == true
        }
    }
}
