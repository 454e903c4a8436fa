internal import Media

/// V4L2's four-character codes in vcap's terms.
struct V4L2PixelFormat: Sendable, Equatable {
    let coding: VideoFormat.Coding
    /// Whether V stands before U in memory.
    let swapsChroma: Bool

    private init(_ coding: VideoFormat.Coding, swapsChroma: Bool = false) {
        self.coding = coding
        self.swapsChroma = swapsChroma
    }

    private static let table: [String: V4L2PixelFormat] = [
        "YUYV": .init(.raw(.yuyv422)), "YVYU": .init(.raw(.yvyu422)),
        "UYVY": .init(.raw(.uyvy422)),
        "NV12": .init(.raw(.nv12)), "NM12": .init(.raw(.nv12)),
        "NV21": .init(.raw(.nv21)), "NM21": .init(.raw(.nv21)),
        "NV16": .init(.raw(.nv16)), "NM16": .init(.raw(.nv16)),
        "YU12": .init(.raw(.yuv420p)), "YM12": .init(.raw(.yuv420p)),
        "YV12": .init(.raw(.yuv420p), swapsChroma: true),
        "YM21": .init(.raw(.yuv420p), swapsChroma: true),
        "422P": .init(.raw(.yuv422p)), "YM16": .init(.raw(.yuv422p)),
        "YM24": .init(.raw(.yuv444p)),
        "GREY": .init(.raw(.gray)), "Y10": .init(.raw(.gray10le)),
        "Y12": .init(.raw(.gray12le)), "Y16": .init(.raw(.gray16le)),
        "RGB3": .init(.raw(.rgb24)), "BGR3": .init(.raw(.bgr24)),
        "RGBP": .init(.raw(.rgb565le)),
        "BGR4": .init(.raw(.bgra)), "XR24": .init(.raw(.bgra)), "AR24": .init(.raw(.bgra)),
        "XB24": .init(.raw(.rgba)), "AB24": .init(.raw(.rgba)),
        "MJPG": .init(.coded(.mjpeg)), "JPEG": .init(.coded(.mjpeg)),
        "H264": .init(.coded(.h264)), "HEVC": .init(.coded(.hevc)),
    ]

    /// `nil` for what only libv4l2 can read, if anything can.
    static func of(fourCC: String) -> V4L2PixelFormat? { table[fourCC] }

    /// The word for a format in options and listings.
    static func name(ofFourCC fourCC: String) -> String {
        switch of(fourCC: fourCC)?.coding {
        case .raw(let format): format.rawValue
        case .coded(let codec): codec.rawValue
        case nil: fourCC.lowercased()
        }
    }
}
