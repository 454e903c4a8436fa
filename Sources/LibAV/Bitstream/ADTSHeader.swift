/// The header before each sample of AAC in MPEG-TS and `.aac` files (ISO/IEC 14496-3, 1.A.2.2). MP4 and
/// Matroska have its facts once, as an AudioSpecificConfig, and the bare samples.
struct ADTSHeader: Hashable {
    /// Audio object type less one: Main, LC, SSR, LTP.
    let profile: UInt8
    let frequencyIndex: UInt8
    /// As an AudioSpecificConfig has it; 0: the samples state.
    let channelConfiguration: UInt8

    private static let frequencies = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025,
        8_000, 7_350,
    ]

    /// - Returns: nil for bytes that begin with no header, or with one whose facts do not fit a
    ///   configuration of two bytes.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
        profile = bytes[2] >> 6
        frequencyIndex = bytes[2] >> 2 & 15
        channelConfiguration = (bytes[2] & 1) << 2 | bytes[3] >> 6
        guard Int(frequencyIndex) < Self.frequencies.count, channelConfiguration > 0 else {
            return nil
        }
    }

    /// Of the coded samples; with SBR what is heard has twice as many (Hz).
    var sampleRate: Int { Self.frequencies[Int(frequencyIndex)] }

    var audioSpecificConfiguration: [UInt8] {
        [
            (profile + 1) << 3 | frequencyIndex >> 1,
            (frequencyIndex & 1) << 7 | channelConfiguration << 3,
        ]
    }

    /// How many bytes come before the bare sample (bytes); nil where there are several in one, which only a
    /// decoder can part.
    static func length(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count > 9, bytes[6] & 3 == 0 else { return nil }
        return bytes[1] & 1 == 1 ? 7 : 9
    }
}
