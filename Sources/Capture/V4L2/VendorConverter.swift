internal import CV4L2
internal import Media

/// Reads formats that nothing else decodes, by libv4lconvert, into YUV 4:2:0.
/// Thread-bound: the stream's thread.
final class VendorConverter: @unchecked Sendable {  // because only the stream's thread uses it
    private let converter: OpaquePointer
    private var source: v4l2_format
    private var target: v4l2_format
    let size: PixelSize

    /// - Throws: why libv4lconvert cannot read the format.
    init(
        node: borrowing V4L2Node, granted: V4L2GrantedFormat, device: CaptureDevice
    ) throws(CaptureError) {
        guard let converter = v4lconvert_create(node.descriptor) else {
            throw Self.refusal(granted, device, "is out of memory")
        }
        self.converter = converter
        source = granted.raw.format
        size = granted.size
        target = v4l2_format()
        target.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        target.fmt.pix.width = UInt32(size.width)
        target.fmt.pix.height = UInt32(size.height)
        target.fmt.pix.pixelformat = V4L2Text.code("YU12")
        target.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        target.fmt.pix.bytesperline = UInt32(size.width)
        target.fmt.pix.sizeimage = UInt32(Self.bytes(size))
    }

    deinit { v4lconvert_destroy(converter) }

    /// One picture; `nil` when the bytes are not one.
    func convert(_ bytes: UnsafeRawBufferPointer) -> PixelBuffer? {
        let count = Self.bytes(size)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        let input = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        let written = v4lconvert_convert(
            converter, &source, &target, input, Int32(bytes.count), memory, Int32(count))
        guard written == Int32(count) else {
            memory.deallocate()
            return nil
        }
        let (width, height) = (size.width, size.height)
        let chroma = (width + 1) / 2 * ((height + 1) / 2)
        let base = UnsafeRawPointer(memory)
        let planes = [
            PixelPlane(base: base, bytesPerRow: width, rows: height),
            PixelPlane(
                base: base + width * height, bytesPerRow: (width + 1) / 2, rows: (height + 1) / 2),
            PixelPlane(
                base: base + width * height + chroma, bytesPerRow: (width + 1) / 2,
                rows: (height + 1) / 2),
        ]
        let release = ReleasedMemory(memory)
        return PixelBuffer(
            width: width, height: height, format: .yuv420p,
            storage: PixelStorage(planes: planes) { release.free() })
    }

    private static func bytes(_ size: PixelSize) -> Int {
        size.area + 2 * ((size.width + 1) / 2 * ((size.height + 1) / 2))
    }

    private static func refusal(
        _ granted: V4L2GrantedFormat, _ device: CaptureDevice, _ why: String
    ) -> CaptureError {
        CaptureError(
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
