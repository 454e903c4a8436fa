public import Media

/// Something that was found in a frame.
public protocol MetadataObject: Sendable {
    /// What it is.
    var type: MetadataObjectType { get }
    /// When the frame begins that shows it (frame of reference: the frame's source; of a camera the host clock).
    var time: MediaTime { get }
    /// Where in the upright frame.
    var bounds: NormalizedRect { get }
}

/// What can be found in frames; more may be added.
public struct MetadataObjectType: RawRepresentable, Sendable, Hashable {
    /// As tracks, reports and options name it (`ean13`).
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let aztec = Self(rawValue: "aztec")
    public static let codabar = Self(rawValue: "codabar")
    public static let code39 = Self(rawValue: "code39")
    public static let code93 = Self(rawValue: "code93")
    public static let code128 = Self(rawValue: "code128")
    public static let dataMatrix = Self(rawValue: "datamatrix")
    public static let ean8 = Self(rawValue: "ean8")
    public static let ean13 = Self(rawValue: "ean13")
    /// Interleaved 2 of 5, ITF-14 too.
    public static let itf = Self(rawValue: "itf")
    public static let pdf417 = Self(rawValue: "pdf417")
    public static let qr = Self(rawValue: "qr")
    public static let upca = Self(rawValue: "upca")
    public static let upce = Self(rawValue: "upce")

    /// Every machine-readable code that can be looked for.
    public static let codes: Set<Self> = [
        .aztec, .codabar, .code39, .code93, .code128, .dataMatrix, .ean8, .ean13, .itf, .pdf417,
        .qr, .upca, .upce,
    ]

    /// A person's face.
    public static let face = Self(rawValue: "face")
    /// A person's body.
    public static let humanBody = Self(rawValue: "body")
    /// A cat's face.
    public static let catHead = Self(rawValue: "cat")

    /// Everything that is known again from frame to frame (`DetectedObject`).
    public static let objects: Set<Self> = [.face, .humanBody, .catHead]
}

/// What one frame shows.
public struct DetectedObjects: Sendable {
    /// When the frame begins (frame of reference: the frame's source; of a camera the host clock).
    public var time: MediaTime
    /// Of the upright frame (pixels).
    public var frameSize: PixelSize
    /// Empty: the frame was looked at and shows nothing.
    public var objects: [any MetadataObject]

    public init(time: MediaTime, frameSize: PixelSize, objects: [any MetadataObject]) {
        self.time = time
        self.frameSize = frameSize
        self.objects = objects
    }
}
