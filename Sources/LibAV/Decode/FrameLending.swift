internal import CFFmpeg
internal import Media

/// libavcodec's `get_buffer2` for software decoders: a frame in one block of `PixelHeap`, with the
/// rows, edges and padding `avcodec_default_get_buffer2` (libavcodec 59) gives. Called by any of the decoder's
/// threads.
nonisolated func lendFrameMemory(
    _ context: UnsafeMutablePointer<AVCodecContext>?, _ frame: UnsafeMutablePointer<AVFrame>?,
    _ flags: Int32
) -> Int32 {
    guard let context, let frame else { return vcap_averror_einval }
    guard let layout = DecodedLayout(context, frame) else {
        return avcodec_default_get_buffer2(context, frame, flags)
    }
    let block = PixelHeap.shared.take(layout.byteCount)
    let holder = Unmanaged.passRetained(BlockHolder(block)).toOpaque()
    let base = block.base.assumingMemoryBound(to: UInt8.self)
    guard let buffer = av_buffer_create(base, block.byteCount, returnBlock, holder, 0) else {
        Unmanaged<BlockHolder>.fromOpaque(holder).release()
        PixelHeap.shared.giveBack(block)
        return vcap_averror_enomem
    }
    frame.pointee.buf.0 = buffer
    withUnsafeMutableBytes(of: &frame.pointee.data) { memory in
        let data = memory.bindMemory(to: UnsafeMutablePointer<UInt8>?.self)
        for (plane, offset) in layout.offsets.enumerated() { data[plane] = base + offset }
    }
    withUnsafeMutableBytes(of: &frame.pointee.linesize) { memory in
        let strides = memory.bindMemory(to: Int32.self)
        for (plane, stride) in layout.strides.enumerated() { strides[plane] = stride }
    }
    let start = UnsafeMutableRawPointer(frame)
        .advanced(by: MemoryLayout<AVFrame>.offset(of: \.data) ?? 0)
    frame.pointee.extended_data = start.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)
    return 0
}

/// Where the planes of a frame to be decoded lie in one block.
private struct DecodedLayout {
    /// What libavcodec's vector code may touch behind a plane (bytes).
    private static let padding = 128
    private static let alignment = 64

    private(set) var offsets: [Int] = []
    private(set) var strides: [Int32] = []
    private(set) var byteCount = 0

    /// `nil` for what is not plain planes of samples.
    init?(
        _ context: UnsafeMutablePointer<AVCodecContext>, _ frame: UnsafeMutablePointer<AVFrame>
    ) {
        let format = AVPixelFormat(rawValue: frame.pointee.format)
        let unusual = UInt64(
            AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM)
        guard let description = av_pix_fmt_desc_get(format),
            description.pointee.flags & unusual == 0
        else { return nil }
        var (width, height) = (frame.pointee.width, frame.pointee.height)
        var alignments = [Int32](repeating: 1, count: Int(AV_NUM_DATA_POINTERS))
        avcodec_align_dimensions2(context, &width, &height, &alignments)
        var rows = [Int32](repeating: 0, count: 4)
        // wider until the rows of every plane are aligned
        while true {
            guard width > 0, av_image_fill_linesizes(&rows, format, width) >= 0 else { return nil }
            let isAligned = zip(rows, alignments).allSatisfy { $0 % max(1, $1) == 0 }
            if isAligned { break }
            width += width & ~(width - 1)
        }
        var sizes = [Int](repeating: 0, count: 4)
        guard av_image_fill_plane_sizes(&sizes, format, height, rows.map { Int($0) }) >= 0 else {
            return nil
        }
        for (size, row) in zip(sizes, rows) where size > 0 {
            offsets.append(byteCount)
            strides.append(row)
            let end = byteCount + size + Self.padding
            byteCount = (end + Self.alignment - 1) / Self.alignment * Self.alignment
        }
        guard !offsets.isEmpty else { return nil }
    }
}

private final class BlockHolder: Sendable {
    let block: PixelHeap.Block
    init(_ block: PixelHeap.Block) { self.block = block }
}

nonisolated private func returnBlock(
    _ holder: UnsafeMutableRawPointer?, _ data: UnsafeMutablePointer<UInt8>?
) {
    guard let holder else { return }
    PixelHeap.shared.giveBack(Unmanaged<BlockHolder>.fromOpaque(holder).takeRetainedValue().block)
}
