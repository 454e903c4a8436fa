/// Opus's header in its two forms: `OpusHead` of Ogg (RFC 7845, 5.1), little-endian, which libav uses,
/// and the body of MP4's `dOps`, big-endian.
enum OpusConfiguration {
    /// The body of `dOps`; `nil` when `head` is no OpusHead.
    static func mp4(fromHead head: [UInt8]) -> [UInt8]? {
        guard head.count >= 19, head.starts(with: Array("OpusHead".utf8)) else { return nil }
        let fixed: [UInt8] = [
            0, head[9],
            head[11], head[10],
            head[15], head[14], head[13], head[12],
            head[17], head[16],
        ]
        return fixed + head[18...]
    }

    /// `OpusHead`; `nil` when `body` is no body of `dOps`.
    static func head(fromMP4 body: [UInt8]) -> [UInt8]? {
        guard body.count >= 11, body[0] == 0 else { return nil }
        let fixed: [UInt8] = [
            1, body[1],
            body[3], body[2],
            body[7], body[6], body[5], body[4],
            body[9], body[8],
        ]
        return Array("OpusHead".utf8) + fixed + body[10...]
    }
}
