import Capture
import Media
import Movie
import Recording
import Testing
import Writing

@testable import vcap

@Suite("What a recording is asked to be")
struct RecordPlanTests {
    private func plan(_ words: String...) throws -> RecordPlan {
        try RecordPlan(ArgumentParser.parse(words, as: Verbs.record))
    }

    private func complaint(_ words: String...) -> CommandFailure? {
        do {
            _ = try RecordPlan(ArgumentParser.parse(words, as: Verbs.record))
            return nil
        } catch { return error }
    }

    @Test("without options the first camera and the default microphone go into H.264 and AAC")
    func defaults() throws {
        let plan = try plan()
        #expect(plan.cameras == [.automatic])
        #expect(plan.microphones == [.automatic])
        #expect(plan.video == .encoded(VideoOutputSettings()))
        #expect(plan.cameraSettings == VideoInputSettings())
        #expect(plan.connection == CaptureConnection())
        #expect(plan.syncPolicy == .standard)
        #expect(plan.settings(outputPath: "a.mp4").audio.codec == .aac)
        #expect(plan.settings(outputPath: "a.webm").audio.codec == .opus)
        #expect(plan.wantedPixels == .yuv420p)
    }

    @Test("several devices keep their order; none leaves a kind out")
    func devices() throws {
        let plan = try plan("-c", "0", "-c", "test:", "-a", "none")
        #expect(plan.cameras == [.selector("0"), .selector("test:")])
        #expect(plan.microphones.isEmpty)
        #expect(complaint("-c", "none", "-a", "none")?.code == .usage)
        #expect(complaint("-c", "none", "-c", "0")?.code == .usage)
    }

    @Test("one device twice is a mistake of the words, however it is named; built-in ones are many")
    func sameDeviceTwice() throws {
        #expect(complaint("-c", "0", "-c", "0")?.code == .usage)
        #expect(complaint("-a", "default", "-a", "default")?.message.contains("--mic") == true)
        #expect(try plan("-c", "test:", "-c", "test:", "-a", "test:").cameras.count == 2)
        let choice = DeviceChoice(
            discovery: DeviceDiscovery(providers: [OneCamera()]), aliases: ["desk": "/dev/video7"])
        for words in [["0", "desk"], ["Front", "/dev/video7"], ["one:", "0"]] {
            #expect {
                try RecordInputs.requireEachOnce(
                    words.map(RecordPlan.Choice.selector), .video, "--camera", choice)
            } throws: { error in
                (error as? CommandFailure)?.code == .usage
                    && "\(error)".contains("\(words[0]) and \(words[1]) are Front camera")
            }
        }
        try RecordInputs.requireEachOnce([.selector("0")], .video, "--camera", choice)
    }

    @Test(
        "the camera that nobody names shows light, where there is one; where depth is spoken of, depth"
    )
    func firstCamera() throws {
        func format(_ coding: VideoFormat.Coding, _ depth: DepthFormat?) -> CaptureDeviceFormat {
            .video(
                VideoCaptureFormat(
                    coding: coding, name: "some", fourCC: depth == nil ? "YUYV" : "Z16 ",
                    sizes: [
                        VideoCaptureSize(
                            extent: .discrete(PixelSize(640, 480)), frameDurations: [])
                    ], depth: depth))
        }
        let depth = CaptureDevice(
            id: "one:depth", name: "Depth", kind: .video, driver: "one",
            formats: [format(.raw(.gray16le), .millimetres)])
        let light = CaptureDevice(
            id: "one:light", name: "Light", kind: .video, driver: "one",
            formats: [format(.raw(.yuyv422), nil)])
        func first(_ cameras: [CaptureDevice], _ settings: VideoInputSettings = .init()) throws
            -> String
        {
            try DeviceChoice(
                discovery: DeviceDiscovery(providers: [OneCamera(cameras: cameras)]), aliases: [:]
            ).firstCamera(wanted: settings).id
        }
        #expect(try first([depth, light]) == "one:light")
        #expect(try first([light, depth]) == "one:light")
        #expect(try first([depth]) == "one:depth")
        #expect(try first([light, depth], .init(depth: .millimetres)) == "one:depth")
    }

    @Test("the reserve of the disk is 64 MiB, or what was given")
    func reserve() throws {
        #expect(try plan().settings(outputPath: "a.mp4").diskReserve == 64 << 20)
        #expect(
            try plan("--min-free", "1.5G").settings(outputPath: "a.mp4").diskReserve == 3 << 29)
        #expect(try plan("--min-free", "0").diskReserve == 0)
        #expect(try plan().followsPressure)
        #expect(try !plan("--pressure", "off").followsPressure)
        #expect(complaint("--pressure", "on")?.code == .usage)
        #expect(complaint("--min-free", "-1")?.code == .usage)
        #expect(complaint("--min-free", "9999999999T")?.code == .usage)
    }

    @Test("size, rate, format and controls are what the camera is asked for")
    func cameraSettings() throws {
        let settings = try plan(
            "-s", "720p", "-r", "30000/1001", "--input-format", "mjpeg", "--ctrl", "gain=3",
            "--ctrl", "focus=off"
        ).cameraSettings
        #expect(settings.size == PixelSize(1280, 720))
        #expect(settings.rate == .exactly(FrameRate(30_000, per: 1001)))
        #expect(settings.inputFormat == .named("mjpeg"))
        #expect(
            settings.cameraSettings == [.gain(.value(3)), .native(name: "focus", value: 0)])
        #expect(try plan("-r", "max").cameraSettings.rate == .maximum)
    }

    @Test("copying asks the camera for coded samples and takes no encoder options")
    func copying() throws {
        let plan = try plan("--codec", "copy")
        #expect(plan.video == .copied)
        #expect(plan.wantedPixels == nil)
        #expect(plan.cameraSettings.inputFormat == .coded)
        for option in [["-b", "8M"], ["--crf", "20"], ["--encoder-preset", "fast"]] {
            let words = ["--codec", "copy"] + option
            #expect(throws: CommandFailure.self) {
                _ = try RecordPlan(ArgumentParser.parse(words, as: Verbs.record))
            }
        }
    }

    @Test("rate control, preset and sync samples reach the encoder")
    func encoding() throws {
        #expect(
            try plan("--codec", "hevc", "-b", "8M", "--encoder-preset", "fast", "-g", "500ms").video
                == .encoded(
                    VideoOutputSettings(
                        codec: .hevc, rate: .bitrate(8_000_000), preset: "fast",
                        keyFrameInterval: .milliseconds(500))))
        #expect(
            try plan("--crf", "18", "-g", "15", "-r", "30").video
                == .encoded(
                    VideoOutputSettings(
                        rate: .quality(18), keyFrameInterval: .milliseconds(500))))
        #expect(complaint("-g", "15")?.code == .usage)
        #expect(complaint("-b", "8M", "--crf", "20")?.code == .usage)
        #expect(complaint("--codec", "mjpeg", "--encoder-preset", "fast")?.code == .usage)
    }

    @Test("flips and turns are one orientation, the flips first")
    func orientation() throws {
        func rotated(_ words: String...) throws -> [Int] {
            let connection = try RecordPlan(ArgumentParser.parse(words, as: Verbs.record))
                .connection
            return [connection.rotation.rawValue, connection.isMirrored ? 1 : 0]
        }
        #expect(try rotated("--rotate", "90") == [90, 0])
        #expect(try rotated("--hflip") == [0, 1])
        #expect(try rotated("--vflip") == [180, 1])
        #expect(try rotated("--hflip", "--vflip") == [180, 0])
        #expect(try rotated("--hflip", "--rotate", "90") == [90, 1])
        #expect(try rotated("--vflip", "--rotate", "180") == [0, 1])
    }

    @Test("microphones share a track when asked to, and there must be some")
    func mixing() throws {
        #expect(try plan().settings(outputPath: "a.mp4").microphones == .separate)
        #expect(try plan("--mix").settings(outputPath: "a.mp4").microphones == .mixed)
        #expect(complaint("--mix", "-a", "none")?.message.contains("nothing to mix") == true)
    }

    @Test("the camera's own word counts unless a number is given")
    func automaticRotation() throws {
        #expect(try plan().connection.followsDevice)
        #expect(try plan("--rotate", "auto", "--hflip").connection.followsDevice)
        #expect(try plan("--rotate", "auto", "--hflip").connection.isMirrored)
        #expect(try !plan("--rotate", "0").connection.followsDevice)
        #expect(complaint("--rotate", "45")?.code == .usage)
    }

    @Test("frames that are copied cannot be rotated where the file cannot say so")
    func rotatedCopy() throws {
        for file in ["a.mkv", "a.ts"] {
            let refusal = complaint("--codec", "copy", "--rotate", "90", "-o", file)
            #expect(refusal?.code == .usage)
            #expect(refusal?.message.contains("record into .mp4 or .mov") == true)
        }
        #expect(complaint("--codec", "copy", "--hflip", "-o", "a.mkv") != nil)
        #expect(complaint("--codec", "copy", "--rotate", "0", "-o", "a.mkv") == nil)
        #expect(complaint("--codec", "copy", "--rotate", "90", "-o", "a.mp4") == nil)
        #expect(complaint("--codec", "copy", "--rotate", "90") == nil)
        #expect(complaint("--rotate", "90", "-o", "a.mkv") == nil)
    }

    @Test("audio is coded as asked, and movies played as inputs are known")
    func soundAndInputs() throws {
        #expect(
            try plan("--audio-codec", "pcm").settings(outputPath: "a.mov").audio.codec == .pcm16)
        #expect(
            try plan("--audio-codec", "flac").settings(outputPath: "a.mkv").audio.codec == .flac)
        #expect(try plan("-c", "file:a b.mp4", "-a", "test:").inputFiles == ["a b.mp4"])
    }

    @Test("audio only fits a container that holds none of the video codings")
    func audioAlone() throws {
        let settings = try plan("-c", "none").settings(outputPath: "a.webm")
        #expect(throws: Never.self) { try settings.validate() }
        let control = try plan().settings(outputPath: "a.webm")
        #expect(throws: MediaError.self) { try control.validate() }
    }

    @Test("how often to sync is a time, always or never")
    func sync() throws {
        #expect(try plan("--sync", "500ms").syncPolicy == .every(.milliseconds(500)))
        #expect(try plan("--sync", "always").syncPolicy == .everyWrite)
        #expect(try plan("--sync", "never").syncPolicy == .never)
        #expect(complaint("--sync", "1ms")?.code == .usage)
    }

    @Test("keys of the user's own replace the built-in ones; one key cannot mean two things")
    func keys() throws {
        func key(_ text: String) -> Key { ValueKind.key.parse(text) ?? Key(byte: 0) }
        let standard = try KeyBindings(pauseKey: nil, stopKey: nil)
        #expect(standard.action(for: key("p")) == .togglePause)
        #expect(standard.action(for: key("space")) == .togglePause)
        #expect(standard.action(for: key("m")) == .mark)
        #expect(standard.action(for: key("q")) == .stop)
        #expect(standard.action(for: key("?")) == .help)
        #expect(standard.action(for: key("x")) == nil)
        let own = try KeyBindings(pauseKey: key("x"), stopKey: key("m"))
        #expect(own.action(for: key("x")) == .togglePause)
        #expect(own.action(for: key("p")) == nil)
        #expect(own.action(for: key("m")) == .stop)
        // what has lost its key has another one, which is said
        #expect(own.action(for: key("n")) == .mark)
        #expect(own.moves == ["the key m stops: n sets markers"])
        #expect(standard.moves.isEmpty)
        var crowded = try KeyBindings(pauseKey: key("l"), stopKey: key("v"))
        #expect(crowded.moves.isEmpty)
        crowded.hasLivePhotos = true
        #expect(crowded.action(for: key("j")) == .livePhoto)
        #expect(crowded.action(for: key("l")) == .togglePause)
        #expect(crowded.moves == ["the key l pauses and resumes: j takes live photos"])
        #expect(crowded.description.contains("j live photo, v or Ctrl-C stop, ? help"))
        #expect(try KeyBindings(pauseKey: nil, stopKey: key("p")).action(for: key("p")) == .stop)
        #expect(throws: CommandFailure.self) {
            try KeyBindings(pauseKey: key("x"), stopKey: key("x"))
        }
        #expect(
            standard.description
                == "keys: p or space pause or resume, m marker, i photo, q or Ctrl-C stop, ? help")
        #expect(
            standard.shortDescription == "p pause  m marker  i photo  q stop  ? help")
        #expect(standard.action(for: key("l")) == nil)
        var live = standard
        live.hasLivePhotos = true
        #expect(live.action(for: key("l")) == .livePhoto)
        #expect(live.description.contains("i photo, l live photo, q or Ctrl-C stop"))
        #expect(live.page().contains { $0.contains("l ") && $0.contains("live photo") })
    }
}

/// One camera with several names.
private struct OneCamera: DeviceProvider {
    let prefix = "one"
    let camera = CaptureDevice(
        id: "one:front", name: "Front camera", kind: .video, driver: "one", node: "/dev/video7")

    var cameras: [CaptureDevice]?

    func devices(of kind: MediaType) -> [CaptureDevice] {
        kind == .video ? cameras ?? [camera] : []
    }
    func device(named name: String, kind: MediaType) -> CaptureDevice? { camera }
    func defaultDevice(of kind: MediaType) -> CaptureDevice? { nil }
    func openVideo(
        _ device: CaptureDevice, settings: VideoInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream { throw OneCamera.refusal }
    func openAudio(
        _ device: CaptureDevice, settings: AudioInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream { throw OneCamera.refusal }
    func watch(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> (any DeviceWatch)? { nil }
    func openControls(
        of device: CaptureDevice, exclusively: Bool
    ) throws(MediaError) -> any DeviceControlAccess { throw OneCamera.refusal }

    private static let refusal = MediaError(
        code: .noSuchDevice, subject: "one:", message: "It cannot be opened.")
}
