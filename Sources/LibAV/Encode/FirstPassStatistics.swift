internal import CFFmpeg
internal import Glibc
internal import Media

/// What the first of two passes saw, on its way to the second. x264 and x265 read and write their files themselves;
/// libvpx leaves it to its owner.
final class FirstPassStatistics {
    // immutable
    private let pass: EncodingPass
    private let codec: VideoCodec
    /// Text with its final zero, for libavcodec, which keeps no copy.
    private let text: UnsafeMutableBufferPointer<CChar>

    /// Reads what the first pass of a codec without files of its own wrote.
    init(_ pass: EncodingPass, of codec: VideoCodec) throws(MediaError) {
        self.pass = pass
        self.codec = codec
        guard codec == .vp9, !pass.isFirst else {
            text = .allocate(capacity: 0)
            return
        }
        guard let file = fopen(pass.statistics, "re") else { throw Self.failure("fopen", pass) }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let size = max(0, ftell(file))
        rewind(file)
        text = .allocate(capacity: size + 1)
        text.initialize(repeating: 0)
        guard fread(text.baseAddress, 1, size, file) == size else {
            throw Self.failure("fread", pass)
        }
    }

    deinit { text.deallocate() }

    func show(to context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.flags |= pass.isFirst ? AV_CODEC_FLAG_PASS1 : AV_CODEC_FLAG_PASS2
        if !text.isEmpty { context.pointee.stats_in = text.baseAddress }
    }

    /// Writes what a first pass saw, once all frames were in.
    func keep(of context: UnsafeMutablePointer<AVCodecContext>) throws(MediaError) {
        guard codec == .vp9, pass.isFirst else { return }
        guard let seen = context.pointee.stats_out, let file = fopen(pass.statistics, "we") else {
            throw Self.failure("fopen", pass)
        }
        let isWritten = fputs(seen, file) >= 0
        guard fclose(file) == 0, isWritten else { throw Self.failure("fputs", pass) }
    }

    private static func failure(_ function: String, _ pass: EncodingPass) -> MediaError {
        .call(
            function, -errno, code: .encoderFailed, subject: pass.statistics,
            attempt: "Cannot keep what the first pass saw")
    }
}
