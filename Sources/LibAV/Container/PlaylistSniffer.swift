/// Finds files that are lists of other files, whatever their name says.
enum PlaylistSniffer {
    /// Bytes that must be looked at (bytes).
    static let headSize = 4096

    /// What kind of list a file's first bytes begin, `nil` for none.
    static func kind(of head: [UInt8]) -> String? {
        var text = head[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        text = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let signs: [(String, String)] = [
            ("#EXTM3U", "an HLS or M3U playlist"), ("ffconcat", "an ffconcat list"),
            ("<?xml", "an XML document"), ("<MPD", "a DASH manifest"), ("[playlist]", "a playlist"),
            ("v=0\n", "a session description"), ("v=0\r", "a session description"),
            ("file '", "a concat list"), ("[Script", "subtitles"),
        ]
        return signs.first { text.starts(with: $0.0.utf8) }?.1
    }
}
