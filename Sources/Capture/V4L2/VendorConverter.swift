internal import CV4L2
internal import Media

/// Reads formats that nothing else decodes, by libv4lconvert, into RGB: of its targets the one that
/// every one of its decoders writes without going past the end (HSV overruns YUV ones, 1.22).
/// Thread-bound: the stream's thread.
final class VendorConverter: @unchecked Sendable {  // because only the stream's thread uses it
    static let target = PixelFormat.rgb24

    /// What libv4lconvert 1.22 reads and we do not. It is not asked by trial: fed with empty frames,
    /// its decoders of vendors' compressions do not keep to their buffers.
    static let readable: Set<String> = [
        "RGB4", "BA24", "BX24", "HSV3", "HSV4", "NV61", "M420", "HM12", "KONI", "Y10B",
        "S920", "S910", "SONX", "S501", "S505", "S508", "S561", "P207", "PJPG", "JPGL",
        "O511", "O518", "M310", "JL20", "905C", "S680", "S401", "CPIA",
    ]

    private let converter: OpaquePointer
    private var source: v4l2_format
    private var target: v4l2_format
    let size: PixelSize

    /// - Throws: why libv4lconvert cannot read the format.
    init(
        node: borrowing V4L2Node, granted: V4L2GrantedFormat, device: CaptureDevice
    ) throws(MediaError) {
        guard Self.readable.contains(granted.fourCC) else {
            throw Self.refusal(granted, device, "does not know it either")
        }
        guard granted.memoryPlanes == 1, let converter = v4lconvert_create(node.descriptor) else {
            throw Self.refusal(granted, device, "cannot read it from this device")
        }
        self.converter = converter
        size = granted.size
        // anew, because a multi-planar driver's description is another struct
        source = Self.format(
            granted.fourCC, size, bytesPerRow: granted.bytesPerRow.first ?? 0, bytes: 0)
        target = Self.format(
            "RGB3", size, bytesPerRow: 3 * size.width, bytes: 3 * size.area)
    }

    deinit { v4lconvert_destroy(converter) }

    private static func format(
        _ fourCC: String, _ size: PixelSize, bytesPerRow: Int, bytes: Int
    ) -> v4l2_format {
        var format = v4l2_format()
        format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        format.fmt.pix.width = UInt32(size.width)
        format.fmt.pix.height = UInt32(size.height)
        format.fmt.pix.pixelformat = V4L2Text.code(fourCC)
        format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        format.fmt.pix.bytesperline = UInt32(bytesPerRow)
        format.fmt.pix.sizeimage = UInt32(bytes)
        return format
    }

    /// One frame; `nil` when the bytes are not one.
    func convert(_ bytes: UnsafeRawBufferPointer) -> PixelBuffer? {
        let count = 3 * size.area
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        let input = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        let written = v4lconvert_convert(
            converter, &source, &target, input, Int32(bytes.count), memory, Int32(count))
        guard written == Int32(count) else {
            memory.deallocate()
            return nil
        }
        let plane = PixelPlane(
            base: UnsafeRawPointer(memory), bytesPerRow: 3 * size.width, rows: size.height)
        let release = ReleasedMemory(memory)
        return PixelBuffer(
            width: size.width, height: size.height, format: Self.target,
            storage: PixelStorage(planes: [plane]) { release.free() })
    }

    private static func refusal(
        _ granted: V4L2GrantedFormat, _ device: CaptureDevice, _ why: String
    ) -> MediaError {
        MediaError(
            code: .unsupportedFormat, function: "v4lconvert_create", subject: device.id,
            message: "Cannot read the format \(granted.fourCC) of \(device.name): "
                + "libv4lconvert \(why); take another format of `vcap formats`.")
    }
}

private struct ReleasedMemory: @unchecked Sendable {  // because one storage frees it, once
    private let memory: UnsafeMutablePointer<UInt8>

    init(_ memory: UnsafeMutablePointer<UInt8>) { self.memory = memory }

    func free() { memory.deallocate() }
}
