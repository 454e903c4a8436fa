internal import CFFmpeg
internal import Media

/// Where a muxer's bytes go: the conforming type does the I/O, and is called on the muxer's thread.
package protocol MuxerOutput: AnyObject {
    /// Writes bytes at a place of the file, which may be before the end.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws
}

/// libav's I/O context over a `MuxerOutput`. Holds at most its buffer; `flush` empties it. Thread-bound.
final class MuxerStream {
    static let bufferSize = 32 << 10

    let pointer: UnsafeMutablePointer<AVIOContext>
    private let target: Target

    /// What the callbacks see; lives as long as the context.
    fileprivate final class Target {
        let output: any MuxerOutput
        var position: Int64 = 0
        var size: Int64 = 0
        var failure: (any Error)?

        init(_ output: any MuxerOutput) { self.output = output }

        func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
            guard failure == nil else { return vcap_averror_eio }
            do { try output.write(bytes, at: position) } catch {
                failure = error
                return vcap_averror_eio
            }
            position += Int64(bytes.count)
            size = max(size, position)
            return Int32(bytes.count)
        }

        func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
            if whence & AVSEEK_SIZE != 0 { return size }
            let base: Int64 = whence == 1 ? position : whence == 2 ? size : 0
            guard base + offset >= 0 else { return Int64(vcap_averror_einval) }
            position = base + offset
            return position
        }
    }

    init(_ output: any MuxerOutput) throws(MediaError) {
        target = Target(output)
        guard let buffer = av_malloc(Self.bufferSize) else {
            throw .memory("av_malloc", "the output buffer", code: .encoderFailed)
        }
        let context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 1,
            Unmanaged.passUnretained(target).toOpaque(), nil, writeToOutput, seekInOutput)
        guard let context else {
            av_free(buffer)
            throw .memory("avio_alloc_context", "the output", code: .encoderFailed)
        }
        context.pointee.seekable = AVIO_SEEKABLE_NORMAL
        pointer = context
    }

    deinit {
        av_free(pointer.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = pointer
        avio_context_free(&context)
    }

    func flush() { avio_flush(pointer) }

    /// What muxers see; bytes can be written at any place all the same.
    var isSeekable: Bool {
        get { pointer.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 }
        set { pointer.pointee.seekable = newValue ? AVIO_SEEKABLE_NORMAL : 0 }
    }

    /// The error the output threw, which every later write would meet again.
    var failure: (any Error)? { target.failure }
}

nonisolated private func writeToOutput(
    _ target: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 {
    guard let target else { return vcap_averror_einval }
    return Unmanaged<MuxerStream.Target>.fromOpaque(target).takeUnretainedValue()
        .write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
}

nonisolated private func seekInOutput(
    _ target: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32
) -> Int64 {
    guard let target else { return Int64(vcap_averror_einval) }
    return Unmanaged<MuxerStream.Target>.fromOpaque(target).takeUnretainedValue()
        .seek(offset, whence)
}
