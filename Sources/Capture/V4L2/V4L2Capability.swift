internal import CV4L2

/// What VIDIOC_QUERYCAP says of a node.
struct V4L2Capability: Sendable, Equatable {
    let driver: String
    let card: String
    let flags: UInt32
    /// Where the device is plugged in, which all of its nodes have in common; `nil` where the driver does not say.
    let bus: String?

    init(of node: borrowing V4L2Node) throws(V4L2Node.Failure) {
        var raw = v4l2_capability()
        try node.call(.queryCapabilities, &raw)
        driver = V4L2Text.string(raw.driver)
        card = V4L2Text.string(raw.card)
        let place = V4L2Text.string(raw.bus_info)
        bus = place.isEmpty ? nil : place
        // the node's own abilities; drivers before Linux 3.4 only give those of the whole device
        flags =
            raw.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
            ? raw.device_caps : raw.capabilities
    }

    /// Whether frames can be streamed from it: metadata-only and output nodes cannot.
    var isCamera: Bool {
        (has(V4L2_CAP_VIDEO_CAPTURE) || isMultiPlanar) && has(V4L2_CAP_STREAMING)
    }

    var isMultiPlanar: Bool {
        has(V4L2_CAP_VIDEO_CAPTURE_MPLANE) && !has(V4L2_CAP_VIDEO_CAPTURE)
    }

    /// The buffer type all streaming calls name.
    var bufferType: UInt32 {
        isMultiPlanar
            ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    }

    private func has(_ flag: some BinaryInteger) -> Bool { flags & UInt32(flag) != 0 }
}

/// Text in fixed arrays of the kernel's structs.
enum V4L2Text {
    static func string<Field>(_ field: Field) -> String {
        withUnsafeBytes(of: field) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// `YUYV` for a four-character code, trailing spaces kept off.
    static func fourCC(_ code: UInt32) -> String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * $0)) & 0x7F }
        var text = String(decoding: bytes, as: UTF8.self)
        while text.last == " " { text.removeLast() }
        return text
    }

    static func code(_ fourCC: String) -> UInt32 {
        let padded = Array(fourCC.utf8.prefix(4)) + [32, 32, 32, 32]
        return (0..<4).reduce(UInt32(0)) { $0 | UInt32(padded[$1]) << (8 * UInt32($1)) }
    }
}
