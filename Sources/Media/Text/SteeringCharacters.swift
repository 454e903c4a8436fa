extension Unicode.Scalar {
    /// Control characters of either set (a terminal takes U+009B for the beginning of a sequence), line and
    /// paragraph separators, marks of direction, and what reverses the direction of all that follows.
    package var steersTerminals: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069:
            true
        default: false
        }
    }
}
