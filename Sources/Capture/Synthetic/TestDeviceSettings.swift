internal import Media

/// What stands behind `test:` in a selector, e.g. `test:2,size=640x360,drop=10%`.
struct TestDeviceSettings: Sendable, Hashable {
    /// Which test device (1…99): several can run at once.
    var number = 1
    /// Fixes the frame size; any even size otherwise.
    var size: PixelSize?
    /// Fixes the frame rate; any otherwise. For a microphone: the rate of the frames its
    /// beeps belong to.
    var frameRate: FrameRate?
    /// Fixes the camera's format.
    var format: TestCameraFormat?
    /// How the camera says its frames must be rotated; it draws them lying so.
    var rotation = VideoOrientation.Rotation.none
    /// Fixes the sample rate (Hz).
    var sampleRate: Int?
    /// Fixes the channels (count).
    var channels: Int?
    /// The exposure time with which a camera's pattern is as bright as it is drawn (100 µs each); `nil`: it has no controls.
    var exposure: Int64?
    /// Frames between a setting of its controls and the first that shows it (count).
    var lag = 2
    /// When the button of a camera with controls is pressed, which sets its gain (ns of device time); `nil`: never.
    var button: Int64?
    /// How much faster than the host clock the device runs (ppm).
    var ppm: Int64 = 0
    var faults = FaultScript()

    static let help =
        "the parameters are a device number (1 to 99), size=WxH, fps=N or N/D, "
        + "format=yuv420p|nv12|yuyv422|mjpeg|z16|y16|bayer_rggb8 (and the like), rotate=0|90|180|270, exposure=MS (gives it controls), lag=FRAMES, button=AT (seconds), rate=HZ, channels=N, drop=N% or drop=N or "
        + "drop=FIRST-LAST, stall=AT+LENGTH, unplug=AT+LENGTH (seconds), jitter=MS, ppm=N"

    /// - Throws: `MediaError` with `invalidSetting`, naming the parameter.
    init(parsing text: String) throws(MediaError) {
        guard !text.isEmpty else { return }
        for (index, part) in text.split(separator: ",", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index == 0, let number = Int(part), (1...99).contains(number) {
                self.number = number
                continue
            }
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, try set(pair[0], to: pair[1]) else {
                throw Self.refusal(of: String(part))
            }
        }
    }

    init() {}

    /// `false` when the parameter is unknown or its value cannot be read.
    private mutating func set(_ name: String, to text: String) throws(MediaError) -> Bool {
        switch name {
        case "size": return assign(&size, SettingText.size(text))
        case "fps": return assign(&frameRate, SettingText.frameRate(text))
        case "format": return assign(&format, TestCameraFormat(name: text))
        case "rotate":
            guard let parsed = Int(text).flatMap(VideoOrientation.Rotation.init(rawValue:)) else {
                return false
            }
            rotation = parsed
        case "exposure":
            guard let time = SettingText.nanoseconds(text, unit: 10), (1...10_000).contains(time)
            else { return false }
            exposure = time
        case "lag":
            guard let frames = SettingText.integer(text, in: 0...30) else { return false }
            lag = frames
        case "button":
            return assign(&button, SettingText.nanoseconds(text, unit: 1_000_000_000))
        case "rate": return assign(&sampleRate, SettingText.integer(text, in: 8000...384_000))
        case "channels": return assign(&channels, SettingText.integer(text, in: 1...64))
        case "drop": return addDrop(text)
        case "stall": return append(SettingText.span(text), to: &faults.stalls)
        case "unplug": return append(SettingText.span(text), to: &faults.unplugs)
        case "jitter":
            guard let value = SettingText.nanoseconds(text, unit: 1_000_000) else { return false }
            faults.jitter = value
        case "ppm":
            guard let value = SettingText.integer(text, in: -100_000...100_000) else {
                return false
            }
            ppm = Int64(value)
        default: return false
        }
        return true
    }

    private func assign<Value>(_ place: inout Value?, _ value: Value?) -> Bool {
        place = value
        return value != nil
    }

    private func append<Value>(_ value: Value?, to list: inout [Value]) -> Bool {
        guard let value else { return false }
        list.append(value)
        return true
    }

    private mutating func addDrop(_ text: String) -> Bool {
        if text.hasSuffix("%") {
            guard let share = SettingText.nanoseconds(String(text.dropLast()), unit: 100),
                share <= 10_000
            else { return false }
            faults.dropShare = UInt64(share)
            return true
        }
        return append(SettingText.units(text), to: &faults.drops)
    }

    private static func refusal(of part: String) -> MediaError {
        MediaError(
            code: .invalidSetting, subject: "test:",
            message: "The test device does not understand \"\(part)\"; \(help).")
    }
}

/// The forms in which a test camera delivers its frames.
enum TestCameraFormat: Sendable, Hashable {
    case yuv420p, nv12, yuyv422, mjpeg
    /// Depth in millimetres, and the same without a word of it.
    case z16, y16
    /// A sensor's raw values.
    case bayer(BayerFormat)

    /// What it lists; of raw values it has every form besides.
    static let listed: [TestCameraFormat] = [
        .yuv420p, .nv12, .yuyv422, .mjpeg, .z16, .y16, .bayer(BayerFormat(.rggb, bits: 12)),
    ]

    init?(name: String) {
        if let listed = Self.listed.first(where: { $0.name == name }) {
            self = listed
        } else if let bayer = BayerFormat(name: name) {
            self = .bayer(bayer)
        } else {
            return nil
        }
    }

    var name: String {
        switch self {
        case .yuv420p: "yuv420p"
        case .nv12: "nv12"
        case .yuyv422: "yuyv422"
        case .mjpeg: "mjpeg"
        case .z16: "z16"
        case .y16: "y16"
        case .bayer(let bayer): bayer.name
        }
    }

    /// The raw format; for `mjpeg` that of the frames before they are encoded. `nil` for a sensor's values.
    var pixelFormat: PixelFormat? {
        switch self {
        case .yuv420p, .mjpeg: .yuv420p
        case .nv12: .nv12
        case .yuyv422: .yuyv422
        case .z16, .y16: .gray16le
        case .bayer: nil
        }
    }

    var coding: VideoFormat.Coding {
        if self == .mjpeg { return .coded(.mjpeg) }
        return pixelFormat.map { .raw($0) } ?? .coded(.rawvideo)
    }

    var color: ColorDescription {
        switch self {
        case .mjpeg: .jpeg
        case .z16, .y16: .unspecified
        case .yuv420p, .nv12, .yuyv422: .bt709
        case .bayer: .developed
        }
    }

    /// What the values of frames are where they are distances.
    var depth: DepthFormat? { self == .z16 ? .millimetres : nil }

    /// How a sensor's values lie.
    var bayer: BayerFormat? {
        guard case .bayer(var bayer) = self else { return nil }
        bayer.blackLevel = TestBayerScene.blackLevel(bits: bayer.bits)
        return bayer
    }
}

extension ColorDescription {
    /// Of a sensor's values when they are developed: RGB with sRGB's curve.
    static let developed = ColorDescription(primaries: 1, transfer: 13, matrix: 0, range: .full)
}
