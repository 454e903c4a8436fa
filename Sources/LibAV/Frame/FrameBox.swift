internal import CFFmpeg
internal import Media

/// Owns one `AVFrame`.
final class FrameBox: @unchecked Sendable {  // because shared data never changes
    let pointer: UnsafeMutablePointer<AVFrame>

    init() throws(MediaError) {
        guard let frame = av_frame_alloc() else { throw .memory("av_frame_alloc", "a frame") }
        pointer = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    /// Plane pointers and strides of a frame, for C functions.
    var dataPointers: [UnsafeMutablePointer<UInt8>?] {
        withUnsafeBytes(of: pointer.pointee.data) {
            Array($0.bindMemory(to: UnsafeMutablePointer<UInt8>?.self))
        }
    }

    var strides: [Int32] {
        withUnsafeBytes(of: pointer.pointee.linesize) { Array($0.bindMemory(to: Int32.self)) }
    }
}

extension FrameBox {
    /// Lets the frame show a pixel buffer without a copy; the buffer is held as long as libav
    /// holds the frame.
    func show(_ frame: PixelBuffer, as format: AVPixelFormat) throws(MediaError) {
        av_frame_unref(pointer)
        pointer.pointee.width = Int32(frame.width)
        pointer.pointee.height = Int32(frame.height)
        pointer.pointee.format = format.rawValue
        let planes = frame.withPlanes { $0 }
        withUnsafeMutableBytes(of: &pointer.pointee.data) { memory in
            let data = memory.bindMemory(to: UnsafeMutablePointer<UInt8>?.self)
            for (index, plane) in planes.enumerated() {
                data[index] = UnsafeMutablePointer(mutating: plane.row(0))
            }
        }
        withUnsafeMutableBytes(of: &pointer.pointee.linesize) { memory in
            let strides = memory.bindMemory(to: Int32.self)
            for (index, plane) in planes.enumerated() { strides[index] = Int32(plane.bytesPerRow) }
        }
        let holder = Unmanaged.passRetained(FrameHolder(frame)).toOpaque()
        let size = planes[0].bytesPerRow * planes[0].rows
        pointer.pointee.buf.0 = av_buffer_create(
            pointer.pointee.data.0, size, releaseFrame, holder, AV_BUFFER_FLAG_READONLY)
        if pointer.pointee.buf.0 == nil {
            Unmanaged<FrameHolder>.fromOpaque(holder).release()
            throw .memory("av_buffer_create", "a frame")
        }
        pointer.pointee.extended_data = dataStart
    }

    private var dataStart: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>? {
        UnsafeMutableRawPointer(pointer).advanced(by: MemoryLayout<AVFrame>.offset(of: \.data) ?? 0)
            .assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)
    }
}

private final class FrameHolder: Sendable {
    let picture: PixelBuffer
    init(_ frame: PixelBuffer) { self.picture = frame }
}

nonisolated private func releaseFrame(
    _ holder: UnsafeMutableRawPointer?, _ data: UnsafeMutablePointer<UInt8>?
) {
    if let holder { Unmanaged<FrameHolder>.fromOpaque(holder).release() }
}
