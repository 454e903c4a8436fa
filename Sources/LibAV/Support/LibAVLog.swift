internal import CFFmpeg
internal import Glibc
internal import Media

/// libav's log, kept instead of printed: the last warning or error of each thread, for errors to
/// carry. Also sets the process-wide bound of a single libav allocation. Thread-safe.
enum LibAVLog {
    /// Longest line kept (bytes).
    static let lineCapacity = 512
    /// Most bytes libav may allocate at once (bytes): a 64-megapixel frame of four 16-bit components.
    static let allocationLimit = 512 << 20

    /// Takes over libav's log; every room entry calls it, only the first call does anything.
    static func prepare() { _ = installed }

    /// Lets libav allocate more at once from now on, for an encoder that asks for much (bytes).
    static func allow(_ bytes: Int) {
        prepare()
        bound.withLock { bound in
            guard bytes > bound else { return }
            bound = bytes
            av_max_alloc(bytes)
        }
    }

    private static let bound = Lock(allocationLimit)

    private static let installed: Bool = {
        av_log_set_callback(keepLogLine)
        av_max_alloc(allocationLimit)
        return true
    }()

    fileprivate static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { free($0) }
        return key
    }()

    /// The calling thread's last line, which it then forgets.
    static func lastLine() -> String? {
        guard let memory = pthread_getspecific(key) else { return nil }
        let line = memory.assumingMemoryBound(to: CChar.self)
        guard line[0] != 0 else { return nil }
        let text = String(cString: line)
        line[0] = 0
        let end = text.lastIndex { !$0.isWhitespace }
        // it becomes a part of a sentence
        return end.map { withoutAddresses(text[...$0]).replacing(". ", with: "; ") }
    }

    /// "[png @ 0x55…] text" as "[png] text": where libav's objects lie says nothing to anybody.
    private static func withoutAddresses(_ text: Substring) -> String {
        var (result, rest) = ("", text)
        while let mark = rest.firstRange(of: " @ 0x") {
            result += rest[..<mark.lowerBound]
            rest = rest[mark.upperBound...].drop { $0.isHexDigit }
        }
        return result + rest
    }

    /// Forgets the calling thread's line, before a call whose failure would be reported.
    static func clear() {
        guard let memory = pthread_getspecific(key) else { return }
        memory.assumingMemoryBound(to: CChar.self)[0] = 0
    }

    /// The calling thread's memory for a line.
    fileprivate static func lineMemory() -> UnsafeMutablePointer<CChar>? {
        if let memory = pthread_getspecific(key) {
            return memory.assumingMemoryBound(to: CChar.self)
        }
        guard let memory = calloc(1, lineCapacity) else { return nil }
        pthread_setspecific(key, memory)
        return memory.assumingMemoryBound(to: CChar.self)
    }
}

nonisolated private func keepLogLine(
    _ object: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>?,
    _ arguments: CVaListPointer?
) {
    guard let format else { return }
    DecoderComplaints.hear(format, level: level, from: object)
    guard level <= AV_LOG_WARNING, let arguments, let line = LibAVLog.lineMemory() else { return }
    var printsPrefix: Int32 = 1
    av_log_format_line2(
        object, level, format, arguments, line, Int32(LibAVLog.lineCapacity), &printsPrefix)
}
