internal import CV4L2
internal import Media

/// What S_FMT granted: size, layout in memory and colour.
struct V4L2GrantedFormat: Sendable, Equatable {
    let size: PixelSize
    let fourCC: String
    /// Memory planes of a buffer (1, or one a colour plane in multi-planar formats).
    let memoryPlanes: Int
    /// Distance between rows of the first frame plane (bytes), and of others where the driver
    /// distinguishes them.
    let bytesPerRow: [Int]
    let color: ColorDescription

    /// Asks for a format; the driver changes what it does not like.
    static func set(
        _ fourCC: String, _ size: PixelSize, on node: borrowing V4L2Node,
        _ capability: V4L2Capability
    ) throws(V4L2Node.Failure) -> V4L2GrantedFormat {
        var format = v4l2_format()
        format.type = capability.bufferType
        let code = V4L2Text.code(fourCC)
        if capability.isMultiPlanar {
            vcap_set_mplane(&format, UInt32(size.width), UInt32(size.height), code)
        } else {
            format.fmt.pix.width = UInt32(size.width)
            format.fmt.pix.height = UInt32(size.height)
            format.fmt.pix.pixelformat = code
            format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        }
        try node.callRetrying(.setFormat, &format)
        return capability.isMultiPlanar ? multiPlanar(&format) : singlePlanar(&format)
    }

    private static func singlePlanar(_ format: inout v4l2_format) -> V4L2GrantedFormat {
        let frame = format.fmt.pix
        let fourCC = V4L2Text.fourCC(frame.pixelformat)
        return V4L2GrantedFormat(
            size: PixelSize(Int(frame.width), Int(frame.height)), fourCC: fourCC,
            memoryPlanes: 1, bytesPerRow: [Int(frame.bytesperline)],
            color: V4L2Color(
                space: frame.colorspace, encoding: vcap_pix_ycbcr(&format),
                quantization: frame.quantization, transfer: frame.xfer_func
            ).description(fourCC: fourCC))
    }

    private static func multiPlanar(_ format: inout v4l2_format) -> V4L2GrantedFormat {
        let fourCC = V4L2Text.fourCC(vcap_mplane_pixelformat(&format))
        let planes = Int(vcap_mplane_count(&format))
        let size = PixelSize(
            Int(vcap_mplane_width(&format)), Int(vcap_mplane_height(&format)))
        let strides = (0..<planes).map { Int(vcap_mplane_stride(&format, Int32($0))) }
        let color = V4L2Color(
            space: vcap_mplane_colorspace(&format), encoding: vcap_mplane_ycbcr(&format),
            quantization: vcap_mplane_quantization(&format),
            transfer: vcap_mplane_transfer(&format))
        return V4L2GrantedFormat(
            size: size, fourCC: fourCC, memoryPlanes: planes, bytesPerRow: strides,
            color: color.description(fourCC: fourCC))
    }

    /// Between rows at most (bytes): of the widest frame with eight bytes a pixel, and what drivers add to a row.
    private static let mostBytesPerRow = 1 << 20

    /// What a driver grants becomes places in memory: sizes and rows that no frame has are refused.
    func check(of device: CaptureDevice) throws(MediaError) {
        let known = V4L2PixelFormat.of(fourCC: fourCC)
        var hasRows = known?.bayer != nil
        if case .raw = known?.coding { hasRows = true }
        guard (1...65_535).contains(size.width), (1...65_535).contains(size.height),
            // libv4lconvert counts in 32 bits
            known != nil || 3 * size.area <= Int(Int32.max)
        else { throw refusal(of: device, "frames of \(size)") }
        if hasRows, let row = bytesPerRow.first(where: { $0 > Self.mostBytesPerRow }) {
            throw refusal(of: device, "rows of \(row) bytes for frames of \(size)")
        }
    }

    private func refusal(of device: CaptureDevice, _ what: String) -> MediaError {
        MediaError(
            code: .unsupportedFormat, function: "VIDIOC_S_FMT", subject: device.id,
            message:
                "The driver of \(device.name) grants \(what) as \(fourCC), which cannot be; take another "
                + "format or size of `vcap formats`.")
    }

    /// Sets the frame duration; answers what the driver granted, `nil` when it does not say.
    static func setFrameDuration(
        _ duration: MediaTime?, on node: borrowing V4L2Node, _ capability: V4L2Capability
    ) -> MediaTime? {
        var parameters = v4l2_streamparm()
        parameters.type = capability.bufferType
        guard (try? node.call(.getParameters, &parameters)) != nil else { return nil }
        if let duration, let numerator = UInt32(exactly: duration.value) {
            parameters.parm.capture.timeperframe = v4l2_fract(
                numerator: numerator, denominator: UInt32(duration.timescale))
            // a driver without S_PARM keeps its own rate, which the answer of G_PARM states
            if (try? node.call(.setParameters, &parameters)) == nil {
                parameters = v4l2_streamparm()
                parameters.type = capability.bufferType
                guard (try? node.call(.getParameters, &parameters)) != nil else { return nil }
            }
        }
        return V4L2Listing.duration(parameters.parm.capture.timeperframe)
    }
}
