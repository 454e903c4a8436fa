package import Media

/// Which of two passes over the same frames an encoder makes: the first one sees where bits are needed, the second one
/// spends them there.
package enum EncodingPass: Sendable, Hashable {
    /// Writes what it sees to a file beside which more may lie; its samples are of no use and are not handed out.
    case first(statistics: String)
    /// Encodes the very frames by it.
    case second(statistics: String)

    package var statistics: String {
        switch self {
        case .first(let path), .second(let path): path
        }
    }

    package var isFirst: Bool { if case .first = self { true } else { false } }

    /// Codecs that have one.
    package static let codecs: Set<VideoCodec> = [.h264, .hevc, .vp9]
}
