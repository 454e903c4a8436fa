internal import CFFmpeg
internal import Media

/// Owns one `AVCodecContext`. Thread-bound.
final class CodecContext {
    let pointer: UnsafeMutablePointer<AVCodecContext>
    let codec: UnsafePointer<AVCodec>
    let subject: String
    /// Of a decoder; as long as the context is there, its threads may write to them.
    private var complaints: DecoderComplaints?

    init(_ codec: UnsafePointer<AVCodec>, subject: String) throws(MediaError) {
        LibAVLog.prepare()
        guard let context = avcodec_alloc_context3(codec) else {
            throw .memory("avcodec_alloc_context3", subject)
        }
        pointer = context
        self.codec = codec
        self.subject = subject
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&context)
    }

    private var isEncoder: Bool { av_codec_is_encoder(codec) != 0 }

    /// Opens the codec; every option must be one it knows.
    func open(_ options: [(name: String, value: String)]) throws(MediaError) {
        LibAVLog.clear()
        var dictionary = OptionDictionary(options)
        let result = dictionary.lend { avcodec_open2(pointer, codec, $0) }
        guard result >= 0 else {
            throw .call(
                "avcodec_open2", result, code: isEncoder ? .encoderFailed : .decoderFailed,
                subject: subject, attempt: "Cannot open \(subject)",
                advice: "change the size, pixel format or encoder settings")
        }
        if let left = dictionary.firstKey {
            throw .refused(
                isEncoder ? .invalidSetting : .unsupported, subject,
                "Cannot open \(subject): this libavcodec does not know its option \(left).")
        }
    }

    /// Lets a decoder say which of its frames are not whole.
    func complain(to complaints: DecoderComplaints) {
        self.complaints = complaints
        pointer.pointee.opaque = Unmanaged.passUnretained(complaints).toOpaque()
    }

    /// A copy of the global headers the codec made.
    var extradata: [UInt8] {
        Array(
            UnsafeBufferPointer(
                start: pointer.pointee.extradata, count: Int(pointer.pointee.extradata_size)))
    }

    /// Gives the codec its global headers, padded as libavcodec wants.
    func setExtradata(_ bytes: [UInt8]) throws(MediaError) {
        guard !bytes.isEmpty else { return }
        guard bytes.count < 16 << 20 else {
            throw .refused(
                .overLimit, subject,
                "Cannot open \(subject): its configuration of \(bytes.count) bytes is above 16 MiB."
            )
        }
        let size = bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
        guard let memory = av_mallocz(size) else { throw .memory("av_mallocz", subject) }
        memory.copyMemory(from: bytes, byteCount: bytes.count)
        pointer.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        pointer.pointee.extradata_size = Int32(bytes.count)
    }
}

/// Owns one `AVDictionary`.
struct OptionDictionary: ~Copyable {
    private var pointer: OpaquePointer?

    init(_ entries: [(name: String, value: String)]) {
        for entry in entries { av_dict_set(&pointer, entry.name, entry.value, 0) }
    }

    deinit {
        var pointer = pointer
        av_dict_free(&pointer)
    }

    /// Lends the dictionary to a C function, which takes out what it uses.
    mutating func lend<Result>(
        _ body: (UnsafeMutablePointer<OpaquePointer?>) -> Result
    ) -> Result {
        body(&pointer)
    }

    /// The first entry still in it.
    var firstKey: String? {
        guard let entry = av_dict_get(pointer, "", nil, AV_DICT_IGNORE_SUFFIX) else { return nil }
        return String(cString: entry.pointee.key)
    }
}
