internal import Media

/// Whether HEVC frames can follow others. An IDR begins anew; a clean random access frame (CRA) is taken
/// to continue from what a decoder has, by its number. An end of sequence before it would say so, but then
/// frames not yet shown are thrown away, and ffmpeg reads across it when it follows edit lists.
///
/// Source: ITU-T H.265, 7.4.2.2 (types 19, 20, 21), 8.1.3, C.5.2.2.
enum HEVCSplice {
    /// - Parameter sample: the first behind the splice, with lengths of four bytes.
    static func isPossible(at sample: SampleBuffer) -> Bool {
        guard sample.format.video?.codec == .hevc, let block = sample.block else { return true }
        return block.withUnsafeBytes { bytes in
            var at = 0
            while at + 5 <= bytes.count {
                let length = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
                let type = bytes[at + 4] >> 1 & 0x3F
                // of the frames' own units the first says the kind
                if type < 32 { return type == 19 || type == 20 }
                at += 4 + length
            }
            return false
        }
    }
}
