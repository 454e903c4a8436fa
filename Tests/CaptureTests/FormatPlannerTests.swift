import Media
import Testing

@testable import Capture

@Suite("the format planner")
struct FormatPlannerTests {
    private static func format(
        _ fourCC: String, _ sizes: [(PixelSize, [Int32])]
    ) -> VideoCaptureFormat {
        VideoCaptureFormat(
            coding: V4L2PixelFormat.of(fourCC: fourCC)?.coding,
            name: V4L2PixelFormat.name(ofFourCC: fourCC), fourCC: fourCC,
            sizes: sizes.map { size, rates in
                VideoCaptureSize(
                    extent: .discrete(size),
                    frameDurations: rates.map { .discrete(FrameRate($0).frameDuration) })
            }, bayer: V4L2PixelFormat.of(fourCC: fourCC)?.bayer)
    }

    private static let vga = PixelSize(640, 480)
    private static let hd = PixelSize(1280, 720)
    private static let fullHD = PixelSize(1920, 1080)
    private static let uhd = PixelSize(3840, 2160)

    /// What most USB cameras list: raw is slow at larger sizes.
    static let usual = [
        format("YUYV", [(vga, [30, 15]), (hd, [10, 5]), (fullHD, [5])]),
        format("MJPG", [(vga, [30]), (hd, [60, 30]), (fullHD, [30]), (uhd, [15])]),
    ]
    /// Some list it the other way round.
    static let reversed = [
        format("YUYV", [(vga, [30]), (hd, [30])]), format("MJPG", [(vga, [30]), (hd, [15])]),
    ]
    static let withCoded = usual + [format("H264", [(hd, [30]), (fullHD, [30])])]

    private func plan(
        _ formats: [VideoCaptureFormat], _ wanted: VideoInputSettings
    ) throws -> FormatPlanner.Plan {
        try FormatPlanner(formats: formats, wanted: wanted).plan(deviceName: "Webcam")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let formats: [VideoCaptureFormat]
        let wanted: VideoInputSettings
        /// Four characters, size and rate expected.
        let expected: (String, PixelSize, Int32)
        var testDescription: String { "\(wanted) → \(expected)" }
    }

    static let cases: [Case] = [
        // nothing asked for: the largest up to 1080p that runs at 30
        Case(formats: usual, wanted: .init(), expected: ("MJPG", fullHD, 30)),
        Case(formats: reversed, wanted: .init(), expected: ("YUYV", hd, 30)),
        Case(formats: withCoded, wanted: .init(), expected: ("MJPG", fullHD, 30)),
        // raw where it reaches the rate, else compressed
        Case(formats: usual, wanted: .init(size: vga), expected: ("YUYV", vga, 30)),
        Case(formats: usual, wanted: .init(size: hd), expected: ("MJPG", hd, 30)),
        Case(
            formats: usual, wanted: .init(size: hd, rate: .exactly(FrameRate(10))),
            expected: ("YUYV", hd, 10)),
        Case(
            formats: usual, wanted: .init(size: hd, rate: .exactly(FrameRate(60))),
            expected: ("MJPG", hd, 60)),
        Case(
            formats: usual, wanted: .init(size: hd, rate: .maximum), expected: ("MJPG", hd, 60)),
        Case(
            formats: reversed, wanted: .init(size: hd, rate: .maximum),
            expected: ("YUYV", hd, 30)),
        // a size it has not: the nearest
        Case(
            formats: usual, wanted: .init(size: PixelSize(800, 600)),
            expected: ("YUYV", vga, 30)),
        Case(formats: usual, wanted: .init(size: uhd), expected: ("MJPG", uhd, 15)),
        // a rate it has not: the nearest at the size
        Case(
            formats: reversed, wanted: .init(size: hd, rate: .exactly(FrameRate(25))),
            expected: ("YUYV", hd, 30)),
        // a rate alone: the largest size that has it
        Case(
            formats: usual, wanted: .init(rate: .exactly(FrameRate(60))),
            expected: ("MJPG", hd, 60)),
        // its own words
        Case(
            formats: usual, wanted: .init(size: vga, inputFormat: .named("mjpg")),
            expected: ("MJPG", vga, 30)),
        Case(
            formats: usual, wanted: .init(size: hd, inputFormat: .named("yuyv")),
            expected: ("YUYV", hd, 10)),
        Case(
            formats: withCoded, wanted: .init(size: hd, inputFormat: .coded),
            expected: ("H264", hd, 30)),
        Case(
            formats: usual, wanted: .init(size: vga, inputFormat: .coded),
            expected: ("MJPG", vga, 30)),
    ]

    @Test("it chooses what the device can do best", arguments: cases)
    func chooses(test: Case) throws {
        let plan = try plan(test.formats, test.wanted)
        #expect(plan.format.fourCC == test.expected.0)
        #expect(plan.size == test.expected.1)
        #expect(plan.frameDuration == FrameRate(test.expected.2).frameDuration)
    }

    @Test("it says why it took the compressed format, and what it could not grant")
    func explains() throws {
        let compressed = try plan(Self.usual, .init(size: Self.hd))
        #expect(
            compressed.explanation
                == "1280x720 at 30 fps as mjpeg; uncompressed it reaches only 10 fps at that size")
        let other = try plan(Self.reversed, .init(size: PixelSize(800, 600)))
        #expect(other.explanation.contains("800x600 was asked for"))
        let rate = try plan(
            Self.reversed, .init(size: Self.hd, rate: .exactly(FrameRate(30000, per: 1001))))
        #expect(rate.explanation.contains("30000/1001 fps was asked for"))
    }

    @Test("ranges of sizes and durations are used to the step")
    func ranges() throws {
        let format = VideoCaptureFormat(
            coding: .raw(.nv12), name: "nv12", fourCC: "NV12",
            sizes: [
                VideoCaptureSize(
                    extent: .stepwise(
                        minimum: PixelSize(32, 32), maximum: PixelSize(4000, 3000),
                        step: PixelSize(16, 2)),
                    frameDurations: [
                        .range(
                            shortest: FrameRate(120).frameDuration,
                            longest: FrameRate(1).frameDuration)
                    ])
            ])
        let exact = try plan(
            [format], .init(size: PixelSize(1290, 720), rate: .exactly(FrameRate(25))))
        #expect(exact.size == PixelSize(1280, 720))
        #expect(exact.frameDuration == FrameRate(25).frameDuration)
        #expect(try plan([format], .init()).size == PixelSize(1920, 1080))
        #expect(
            try plan([format], .init(rate: .maximum)).frameDuration
                == FrameRate(120).frameDuration)
    }

    @Test("a camera that lists no rates runs at its own")
    func unlistedRates() throws {
        let format = VideoCaptureFormat(
            coding: .coded(.mjpeg), name: "mjpeg", fourCC: "MJPG",
            sizes: [VideoCaptureSize(extent: .discrete(Self.vga), frameDurations: [])])
        #expect(try plan([format], .init()).frameDuration == nil)
        #expect(
            try plan([format], .init(rate: .exactly(FrameRate(15)))).frameDuration
                == FrameRate(15).frameDuration)
    }

    @Test("formats only libv4l2 reads come last")
    func vendorLast() throws {
        let vendor = Self.format("S561", [(Self.fullHD, [30])])
        #expect(try plan([vendor] + Self.usual, .init()).format.fourCC == "MJPG")
        #expect(try plan([vendor], .init()).format.fourCC == "S561")
    }

    @Test(
        "a sensor's raw values are taken where nothing else is there or they are named, never to be copied"
    )
    func raw() throws {
        let raw = Self.format("RG10", [(Self.fullHD, [30])])
        let vendor = Self.format("S561", [(Self.fullHD, [30])])
        #expect(raw.name == "bayer_rggb10le" && raw.coding == .coded(.rawvideo))
        #expect(try plan([raw] + Self.usual, .init()).format.fourCC == "MJPG")
        #expect(try plan([raw, vendor], .init()).format.fourCC == "RG10")
        for word in ["bayer_rggb10le", "RG10", "rg10"] {
            let named = VideoInputSettings(inputFormat: .named(word))
            #expect(try plan(Self.usual + [raw], named).format.fourCC == "RG10")
        }
        #expect(throws: MediaError.self) { try plan([raw], .init(inputFormat: .coded)) }
        // codes of packed forms differ in case alone
        let packed = ["pGAA", "pgAA"].map { Self.format($0, [(Self.fullHD, [30])]) }
        #expect(packed.map(\.name) == ["bayer_gbrg10p", "bayer_grbg10p"])
        for code in ["pGAA", "pgAA"] {
            let named = VideoInputSettings(inputFormat: .named(code))
            #expect(try plan(packed, named).format.fourCC == code)
        }
    }

    /// A sensor's values beside what the camera has developed.
    private static func besideSensor(_ sensor: [(PixelSize, [Int32])]) -> [VideoCaptureFormat] {
        [
            format("RG10", sensor), format("YUYV", [(vga, [30])]),
            format("MJPG", [(vga, [30]), (hd, [30])]),
        ]
    }

    @Test(
        "a sensor's raw values are not taken by themselves where they are larger, faster or without rates"
    )
    func rawIsNoPreference() throws {
        let sensors: [[(PixelSize, [Int32])]] = [
            [(Self.fullHD, [30])], [(Self.hd, [120])], [(Self.fullHD, [])], [(Self.hd, [])],
        ]
        let wishes: [VideoInputSettings] = [
            .init(), .init(size: Self.fullHD), .init(rate: .maximum),
            .init(rate: .exactly(FrameRate(120))), .init(size: Self.hd, rate: .maximum),
        ]
        for sensor in sensors {
            for wish in wishes {
                let chosen = try plan(Self.besideSensor(sensor), wish)
                #expect(chosen.format.fourCC == "MJPG", "\(sensor) \(wish)")
            }
        }
        let refused = try plan(Self.besideSensor(sensors[0]), .init(size: Self.fullHD))
        #expect(
            refused.explanation.contains(
                "1920x1080 was asked for, which it has as bayer_rggb10le only"),
            "\(refused.explanation)")
    }

    @Test("the largest size is that of developed frames, unless a sensor's values are named")
    func largestSize() {
        let camera = CaptureDevice(
            id: "x", name: "Webcam", kind: .video, driver: "x",
            formats: Self.besideSensor([(Self.uhd, [30])]).map { .video($0) })
        #expect(camera.largestSize(for: .init()) == Self.hd)
        let named = VideoInputSettings(inputFormat: .named("bayer_rggb10le"))
        #expect(camera.largestSize(for: named) == Self.uhd)
        let sensor = CaptureDevice(
            id: "x", name: "Sensor", kind: .video, driver: "x",
            formats: [.video(Self.format("RG10", [(Self.uhd, [30])]))])
        #expect(sensor.largestSize(for: .init()) == Self.uhd)
    }

    @Test("a format it does not have is refused with those it has")
    func refusals() throws {
        let error = #expect(throws: MediaError.self) {
            try plan(Self.usual, .init(inputFormat: .named("nv12")))
        }
        #expect(
            error?.message == "Webcam does not have the format nv12; it has yuyv422, mjpeg.")
        let coded = #expect(throws: MediaError.self) {
            try plan([Self.usual[0]], .init(inputFormat: .coded))
        }
        #expect(coded?.code == .unsupportedFormat)
        #expect(throws: MediaError.self) { try plan([], .init()) }
    }
}
