public import Media

/// One format a device lists.
public enum CaptureDeviceFormat: Sendable, Hashable {
    case video(VideoCaptureFormat)
    case audio(AudioCaptureFormat)

    public var video: VideoCaptureFormat? {
        if case .video(let format) = self { format } else { nil }
    }

    public var audio: AudioCaptureFormat? {
        if case .audio(let format) = self { format } else { nil }
    }
}

/// A pixel format or codec of a camera with the sizes and rates it has in it.
public struct VideoCaptureFormat: Sendable, Hashable {
    /// What vcap receives; `nil` when only a conversion by libv4l2 can read it.
    public var coding: VideoFormat.Coding?
    /// The word for it in `--input-format` (`yuyv422`, `nv12`, `mjpeg`, `h264`), else the four
    /// characters of the driver in lower case.
    public var name: String
    /// The driver's four-character code (V4L2's `pixelformat`); empty for devices without one.
    public var fourCC: String
    public var sizes: [VideoCaptureSize]
    /// What the values of frames are where they are distances; `nil`: frames to be seen, or nobody says.
    public var depth: DepthFormat?
    /// How a sensor's raw values lie; `nil`: frames that are developed already.
    public var bayer: BayerFormat?

    public init(
        coding: VideoFormat.Coding?, name: String, fourCC: String = "",
        sizes: [VideoCaptureSize], depth: DepthFormat? = nil, bayer: BayerFormat? = nil
    ) {
        self.depth = depth
        self.bayer = bayer
        self.coding = coding
        self.name = name
        self.fourCC = fourCC
        self.sizes = sizes
    }
}

/// One size or a range of sizes, with the frame durations possible there.
public struct VideoCaptureSize: Sendable, Hashable {
    public var extent: Extent
    /// Frame durations, shortest first; empty when the driver does not list any.
    public var frameDurations: [FrameDurations]

    public enum Extent: Sendable, Hashable {
        case discrete(PixelSize)
        /// From `minimum` to `maximum` in steps (pixels; steps positive).
        case stepwise(minimum: PixelSize, maximum: PixelSize, step: PixelSize)
    }

    public enum FrameDurations: Sendable, Hashable {
        case discrete(MediaTime)
        /// Every duration between the two.
        case range(shortest: MediaTime, longest: MediaTime)
    }

    public init(extent: Extent, frameDurations: [FrameDurations]) {
        self.extent = extent
        self.frameDurations = frameDurations
    }
}

/// Sample format, rates and channel counts of a microphone.
public struct AudioCaptureFormat: Sendable, Hashable {
    /// What vcap receives.
    public var sampleFormat: AudioSampleFormat
    /// Sample rates (Hz): single values are ranges of one.
    public var sampleRates: [ClosedRange<Int>]
    /// Channels (count).
    public var channels: ClosedRange<Int>

    public init(
        sampleFormat: AudioSampleFormat, sampleRates: [ClosedRange<Int>],
        channels: ClosedRange<Int>
    ) {
        self.sampleFormat = sampleFormat
        self.sampleRates = sampleRates
        self.channels = channels
    }
}
