internal import CFFmpeg
internal import Media

/// Bytes in memory as libav's input. Thread-bound.
final class MemoryInput {
    private static let bufferSize = 32 << 10

    // immutable
    let pointer: UnsafeMutablePointer<AVIOContext>
    private let source: Source

    /// What the callbacks see; lives as long as the context.
    fileprivate final class Source {
        let bytes: [UInt8]
        var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func read(_ target: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
            let part = bytes[position...].prefix(count)
            guard !part.isEmpty else { return vcap_averror_eof }
            part.withUnsafeBufferPointer { bytes in
                if let base = bytes.baseAddress { target.update(from: base, count: bytes.count) }
            }
            position += part.count
            return Int32(part.count)
        }

        func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
            if whence & AVSEEK_SIZE != 0 { return Int64(bytes.count) }
            let base = whence & 3 == 1 ? position : whence & 3 == 2 ? bytes.count : 0
            let (target, isOver) = Int64(base).addingReportingOverflow(offset)
            guard !isOver, (0...Int64(bytes.count)).contains(target) else {
                return Int64(vcap_averror_einval)
            }
            position = Int(target)
            return target
        }
    }

    init(_ bytes: [UInt8]) throws(MediaError) {
        source = Source(bytes)
        guard let buffer = av_malloc(Self.bufferSize) else {
            throw .memory("av_malloc", "the input buffer")
        }
        let context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
            Unmanaged.passUnretained(source).toOpaque(), readFromMemory, nil, seekInMemory)
        guard let context else {
            av_free(buffer)
            throw .memory("avio_alloc_context", "the input")
        }
        context.pointee.seekable = AVIO_SEEKABLE_NORMAL
        pointer = context
    }

    deinit {
        av_free(pointer.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = pointer
        avio_context_free(&context)
    }
}

nonisolated private func readFromMemory(
    _ source: UnsafeMutableRawPointer?, _ target: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 {
    guard let source, let target else { return vcap_averror_einval }
    return Unmanaged<MemoryInput.Source>.fromOpaque(source).takeUnretainedValue()
        .read(target, Int(count))
}

nonisolated private func seekInMemory(
    _ source: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32
) -> Int64 {
    guard let source else { return Int64(vcap_averror_einval) }
    return Unmanaged<MemoryInput.Source>.fromOpaque(source).takeUnretainedValue()
        .seek(offset, whence)
}
