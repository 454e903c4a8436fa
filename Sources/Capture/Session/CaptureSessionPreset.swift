internal import Media

/// Size and rate of every camera of a session that is added without settings of its own.
public enum CaptureSessionPreset: String, Sendable, Hashable, CaseIterable {
    /// The largest frames the camera has, at whatever rate it has there up to 30.
    case photo
    /// The largest frames up to 1920x1080 that reach 30 a second.
    case high
    /// The size next to 640x480, 30 a second.
    case medium
    /// The size next to 320x240, 15 a second.
    case low
    case qvga320x240 = "320x240"
    case vga640x480 = "640x480"
    case hd1280x720 = "1280x720"
    case hd1920x1080 = "1920x1080"
    case uhd3840x2160 = "3840x2160"
    /// What each input asks for (the default of a configuration).
    case inputPriority

    /// Exactly this size, or the camera is refused.
    var exactSize: PixelSize? {
        switch self {
        case .photo, .high, .medium, .low, .inputPriority: nil
        case .qvga320x240: PixelSize(320, 240)
        case .vga640x480: PixelSize(640, 480)
        case .hd1280x720: PixelSize(1280, 720)
        case .hd1920x1080: PixelSize(1920, 1080)
        case .uhd3840x2160: PixelSize(3840, 2160)
        }
    }

    /// What is asked of a device; inputs that ask for a size or rate themselves stay as they are.
    func applied(to input: CaptureDeviceInput) -> CaptureDeviceInput {
        guard self != .inputPriority, case .video(var settings) = input.settings,
            settings.size == nil, settings.rate == .automatic
        else { return input }
        switch self {
        case .photo: settings.size = input.device.largestSize(for: settings)
        case .high, .inputPriority: break
        case .medium:
            (settings.size, settings.rate) = (PixelSize(640, 480), .exactly(FrameRate(30)))
        case .low: (settings.size, settings.rate) = (PixelSize(320, 240), .exactly(FrameRate(15)))
        default: settings.size = exactSize
        }
        return CaptureDeviceInput(camera: input.device, settings: settings)
    }

    /// Why a camera cannot; `nil` where it can, as far as it lists what it has.
    func refusal(of input: CaptureDeviceInput) -> MediaError? {
        let device = input.device
        guard let size = exactSize, case .video(let settings) = applied(to: input).settings,
            settings.size == size, settings != input.videoSettings
        else { return nil }
        let extents = device.formats.compactMap(\.video).flatMap(\.sizes).map(\.extent)
        guard !extents.isEmpty, !extents.contains(where: { $0.size(nearest: size) == size }) else {
            return nil
        }
        let nearest = extents.map { $0.size(nearest: size) }
            .min { abs($0.area - size.area) < abs($1.area - size.area) }
        return MediaError(
            code: .unsupportedFormat, subject: device.id,
            message: "\(device.name) has no frames of \(size), as the preset \(rawValue) wants; "
                + "nearest is \(nearest.map(\.description) ?? "unknown"): take another preset, or give the "
                + "input settings of its own.")
    }
}

extension CaptureDeviceInput {
    fileprivate var videoSettings: VideoInputSettings? {
        if case .video(let settings) = settings { settings } else { nil }
    }
}
