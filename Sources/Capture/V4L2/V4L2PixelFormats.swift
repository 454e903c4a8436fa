internal import Media

/// V4L2's four-character codes in vcap's terms.
struct V4L2PixelFormat: Sendable, Equatable {
    let coding: VideoFormat.Coding
    /// Whether V stands before U in memory.
    let swapsChroma: Bool
    /// Whether the values are distances, in a unit that V4L2 leaves open.
    let isDepth: Bool
    /// How a sensor's raw values lie.
    let bayer: BayerFormat?

    private init(_ bayer: BayerFormat) {
        (coding, swapsChroma, isDepth) = (.coded(.rawvideo), false, false)
        self.bayer = bayer
    }

    private init(_ coding: VideoFormat.Coding, swapsChroma: Bool = false, isDepth: Bool = false) {
        bayer = nil
        self.coding = coding
        self.swapsChroma = swapsChroma
        self.isDepth = isDepth
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
        "Z16": .init(.raw(.gray16le), isDepth: true),
        "RGB3": .init(.raw(.rgb24)), "BGR3": .init(.raw(.bgr24)),
        "RGBP": .init(.raw(.rgb565le)),
        "BGR4": .init(.raw(.bgra)), "XR24": .init(.raw(.bgra)), "AR24": .init(.raw(.bgra)),
        "XB24": .init(.raw(.rgba)), "AB24": .init(.raw(.rgba)),
        "MJPG": .init(.coded(.mjpeg)), "JPEG": .init(.coded(.mjpeg)),
        "H264": .init(.coded(.h264)), "HEVC": .init(.coded(.hevc)),
    ].merging(sensors) { first, _ in first }

    /// Of the kernel's "Raw Bayer Formats", each of the patterns BGGR, GBRG, GRBG, RGGB.
    private static var sensors: [String: V4L2PixelFormat] {
        let rows: [(codes: [String], bits: Int, packing: BayerFormat.Packing)] = [
            (["BA81", "GBRG", "GRBG", "RGGB"], 8, .words),
            (["BG10", "GB10", "BA10", "RG10"], 10, .words),
            (["pBAA", "pGAA", "pgAA", "pRAA"], 10, .mipi),
            (["BG12", "GB12", "BA12", "RG12"], 12, .words),
            (["pBCC", "pGCC", "pgCC", "pRCC"], 12, .mipi),
            (["BG14", "GB14", "GR14", "RG14"], 14, .words),
            (["pBEE", "pGEE", "pgEE", "pREE"], 14, .mipi),
            (["BYR2", "GB16", "GR16", "RG16"], 16, .words),
        ]
        let patterns: [BayerFormat.Pattern] = [.bggr, .gbrg, .grbg, .rggb]
        return Dictionary(
            uniqueKeysWithValues: rows.flatMap { row in
                zip(row.codes, patterns).map { code, pattern in
                    (code, .init(BayerFormat(pattern, bits: row.bits, packing: row.packing)))
                }
            })
    }

    /// `nil` for what only libv4l2 can read, if anything can.
    static func of(fourCC: String) -> V4L2PixelFormat? { table[fourCC] }

    /// The word for a format in options and listings.
    static func name(ofFourCC fourCC: String) -> String {
        let known = of(fourCC: fourCC)
        if known?.isDepth == true { return fourCC.lowercased() }
        if let bayer = known?.bayer { return bayer.name }
        return switch known?.coding {
        case .raw(let format): format.rawValue
        case .coded(let codec): codec.rawValue
        case nil: fourCC.lowercased()
        }
    }
}
