internal import Media

/// How PCM is stored in a movie.
struct PCMCoding: Hashable {
    let bits: Int
    let isFloat: Bool
    let isBigEndian: Bool

    init(bits: Int, isFloat: Bool, isBigEndian: Bool) {
        self.bits = bits
        self.isFloat = isFloat
        self.isBigEndian = isBigEndian
    }

    init?(_ codec: AudioCodec) {
        switch codec {
        case .pcm16: self.init(bits: 16, isFloat: false, isBigEndian: false)
        case .pcm24: self.init(bits: 24, isFloat: false, isBigEndian: false)
        case .pcm32: self.init(bits: 32, isFloat: false, isBigEndian: false)
        case .pcmFloat: self.init(bits: 32, isFloat: true, isBigEndian: false)
        case .pcm16Big: self.init(bits: 16, isFloat: false, isBigEndian: true)
        case .pcm24Big: self.init(bits: 24, isFloat: false, isBigEndian: true)
        default: return nil
        }
    }

    /// Whether the oldest entry, `sowt`, says it all.
    var isPlain: Bool { bits == 16 && !isFloat && !isBigEndian }

    /// The flags of QuickTime's version 2 audio description.
    var flags: UInt32 {
        (isFloat ? 1 : 4) | (isBigEndian ? 2 : 0) | 8
    }

    /// Nil for widths vcap has no codec for.
    var codec: AudioCodec? {
        switch (bits, isFloat, isBigEndian) {
        case (16, false, false): .pcm16
        case (24, false, false): .pcm24
        case (32, false, false): .pcm32
        case (32, true, false): .pcmFloat
        case (16, false, true): .pcm16Big
        case (24, false, true): .pcm24Big
        default: nil
        }
    }
}
