internal import CFFmpeg
internal import Glibc
internal import Media

/// A regular file, opened by us, as libav's input: a name is never taken for a protocol, and every read
/// looks at the deadline. Closes its descriptor exactly once. Thread-bound.
final class FileInput {
    static let bufferSize = 32 << 10

    // immutable
    let path: String
    let pointer: UnsafeMutablePointer<AVIOContext>
    private let source: Source

    /// What the callbacks see; lives as long as the context.
    fileprivate final class Source {
        let descriptor: Int32
        let view: FileView
        let clock: any MediaClock
        var position: Int64 = 0
        var deadline: MediaTime?
        var hasTimedOut = false
        var readError: Int32 = 0
        var isShortened = false

        init(descriptor: Int32, view: FileView, clock: any MediaClock) {
            self.descriptor = descriptor
            self.view = view
            self.clock = clock
        }

        deinit { close(descriptor) }

        var isLate: Bool {
            if let deadline, clock.now() > deadline { hasTimedOut = true }
            return hasTimedOut
        }

        func read(_ target: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int32 {
            if isLate { return vcap_averror_exit }
            let (place, length) = view.place(of: position, most: Int(count))
            let got = length == 0 ? 0 : pread(descriptor, target, length, Int(place))
            guard got >= 0 else {
                readError = errno
                return -errno
            }
            if got == 0, length > 0 { isShortened = true }
            position += Int64(got)
            return got == 0 ? vcap_averror_eof : Int32(got)
        }

        func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
            if whence & AVSEEK_SIZE != 0 { return view.size }
            let base: Int64 = whence & 3 == 1 ? position : whence & 3 == 2 ? view.size : 0
            let (target, overflow) = base.addingReportingOverflow(offset)
            guard !overflow, target >= 0 else { return Int64(vcap_averror_einval) }
            position = target
            return target
        }
    }

    /// - Parameter excluded: bytes that are read as if they were not in the file.
    init(
        path: String, excluding excluded: [Range<Int64>] = [], clock: any MediaClock
    ) throws(MediaError) {
        self.path = path
        source = try Self.open(path, excluded, clock)
        guard let buffer = av_malloc(Self.bufferSize) else {
            throw .memory("av_malloc", "the input buffer")
        }
        let context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
            Unmanaged.passUnretained(source).toOpaque(), readFromSource, nil, seekInSource)
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

    private static func open(
        _ path: String, _ excluded: [Range<Int64>], _ clock: any MediaClock
    ) throws(MediaError) -> Source {
        guard !path.utf8.contains(0) else {
            throw .refused(
                .noSuchFile, "", "Cannot open a file whose name holds a NUL character.")
        }
        // a FIFO without a writer must not block the open
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            let number = errno
            throw MediaError(
                code: .noSuchFile, function: "open", subject: path, errno: number,
                message: "Cannot open \(path): \(String(cString: strerror(number))).")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .refused(
                .noSuchFile, path, "Cannot open \(path): it is not a regular file; copy it to one.")
        }
        let view = FileView(size: Int64(status.st_size), excluding: excluded)
        return Source(descriptor: descriptor, view: view, clock: clock)
    }

    /// The first bytes of the file.
    func head(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(source.descriptor, buffer.baseAddress, count, 0))
        }
    }

    /// Begins a call that may take so long.
    func allow(_ timeout: MediaTime) {
        source.hasTimedOut = false
        source.deadline =
            source.clock.now()
            + timeout.scaled(
                to: MediaTime.hostTimescale, rounding: .up)
    }

    var hasTimedOut: Bool { source.hasTimedOut }

    /// The errno of a failed read; 0 for none.
    var readError: Int32 { source.readError }

    /// Whether bytes were missing that the file had when it was opened.
    var isShortened: Bool { source.isShortened }

    /// For libav's own loops between reads.
    var interrupt: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: isSourceLate, opaque: Unmanaged.passUnretained(source).toOpaque())
    }
}

nonisolated private func readFromSource(
    _ source: UnsafeMutableRawPointer?, _ target: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 {
    guard let source else { return vcap_averror_einval }
    return Unmanaged<FileInput.Source>.fromOpaque(source).takeUnretainedValue()
        .read(target, Int(count))
}

nonisolated private func seekInSource(
    _ source: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32
) -> Int64 {
    guard let source else { return Int64(vcap_averror_einval) }
    return Unmanaged<FileInput.Source>.fromOpaque(source).takeUnretainedValue()
        .seek(offset, whence)
}

nonisolated private func isSourceLate(_ source: UnsafeMutableRawPointer?) -> Int32 {
    guard let source else { return 0 }
    return Unmanaged<FileInput.Source>.fromOpaque(source).takeUnretainedValue().isLate ? 1 : 0
}
