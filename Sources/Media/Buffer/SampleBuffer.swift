/// One sample of a track: a frame, a run of audio frames or a coded sample, with its times.
public struct SampleBuffer: Sendable {
    public enum Payload: Sendable {
        case pixels(PixelBuffer)
        /// Interleaved PCM; the frame count is the byte count over `AudioFormat.bytesPerFrame`.
        case audio(BlockBuffer)
        /// A coded sample, the UTF-8 of plain text, or packed metadata.
        case coded(BlockBuffer)
    }

    public var payload: Payload
    public var format: FormatDescription
    /// When the sample is to be shown (frame of reference: the host clock on a source's side, the
    /// track on a movie's side).
    public var presentationTime: MediaTime
    /// When a coded sample is to be decoded; `nil` means at its presentation time.
    public var decodeTime: MediaTime?
    /// How long it lasts; `nil` when only the next sample says.
    public var duration: MediaTime?
    /// Whether decoding can start here. Raw samples are always sync samples.
    public var isSync: Bool
    public var attachments: SampleAttachments

    public init(
        payload: Payload, format: FormatDescription, presentationTime: MediaTime,
        decodeTime: MediaTime? = nil, duration: MediaTime? = nil, isSync: Bool = true,
        attachments: SampleAttachments = SampleAttachments()
    ) {
        self.payload = payload
        self.format = format
        self.presentationTime = presentationTime
        self.decodeTime = decodeTime
        self.duration = duration
        self.isSync = isSync
        self.attachments = attachments
    }

    public var pixelBuffer: PixelBuffer? {
        if case .pixels(let buffer) = payload { buffer } else { nil }
    }

    /// The bytes of an audio or coded sample.
    public var block: BlockBuffer? {
        switch payload {
        case .pixels: nil
        case .audio(let block), .coded(let block): block
        }
    }

    /// Number of audio frames in a raw audio sample; 0 for anything else.
    public var audioFrameCount: Int {
        guard case .audio(let block) = payload, let format = format.audio, format.bytesPerFrame > 0
        else { return 0 }
        return block.count / format.bytesPerFrame
    }
}

extension SampleBuffer {
    /// The text of a sample of plain text; `nil` for anything else.
    public var text: String? {
        guard case .text(let format) = format, format.coding == .raw,
            case .coded(let block) = payload
        else { return nil }
        return block.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

/// Of an interlaced frame: which lines were taken first.
public enum FieldOrder: Sendable, Hashable {
    /// The first line and every other one below it.
    case topFirst
    /// The second line and every other one below it.
    case bottomFirst
}

/// What a source knows about a sample besides its times.
public struct SampleAttachments: Sendable, Hashable {
    /// The driver's sequence number, when it counts.
    public var sequence: UInt64?
    /// When the sample reached user space (host clock).
    public var arrivalTime: MediaTime?
    /// Samples lost immediately before this one (frames).
    public var lostBefore: Int
    /// Raw audio frames to cut from the decoded start (frames; the first coded samples of a track).
    public var leadingTrim: Int
    /// Raw audio frames to cut from the decoded end (frames; the last coded sample of a track).
    public var trailingTrim: Int
    /// Asks an encoder to make this a sync sample.
    public var forcesSync: Bool
    /// Whether a decoder could not decode all of it; what could be decoded shows.
    public var isDamaged = false
    /// Whether it is only decoded, because others need it, and not shown.
    public var isHidden = false
    /// What filters did with the frame, in their order; empty where none did.
    public var filterings: [FrameFiltering] = []
    /// Which of its two fields was taken first, of a decoded frame that has fields of two instants, as its stream says or,
    /// of codecs that cannot, its container; nil: all its lines are of one.
    public var fieldOrder: FieldOrder?

    public init(
        sequence: UInt64? = nil, arrivalTime: MediaTime? = nil, lostBefore: Int = 0,
        leadingTrim: Int = 0, trailingTrim: Int = 0, forcesSync: Bool = false
    ) {
        self.sequence = sequence
        self.arrivalTime = arrivalTime
        self.lostBefore = lostBefore
        self.leadingTrim = leadingTrim
        self.trailingTrim = trailingTrim
        self.forcesSync = forcesSync
    }
}
