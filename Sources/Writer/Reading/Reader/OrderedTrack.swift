internal import Media
internal import Movie

/// A track whose file has no decode times, or such as other containers do not take, with those of
/// `DecodeOrder`. Thread-bound.
final class OrderedTrack: CodedTrack {
    // immutable
    let format: FormatDescription
    let line: EditLine
    let hasCoarseStamps: Bool
    let decodeTimes = DecodeTimes.inOrder
    private let source: any CodedTrack

    // owned by the calling thread
    private var order: DecodeOrder

    /// The track itself where its decode times will do.
    static func over(_ source: any CodedTrack) -> any CodedTrack {
        source.decodeTimes == .inOrder ? source : OrderedTrack(source)
    }

    private init(_ source: any CodedTrack) {
        self.source = source
        format = source.format
        line = source.line
        hasCoarseStamps = source.hasCoarseStamps
        order = OrderedTrack.order(of: source)
    }

    private static func order(of source: any CodedTrack) -> DecodeOrder {
        DecodeOrder(timescale: source.line.timescale, isStated: source.decodeTimes == .stated)
    }

    func next() throws(MediaError) -> SampleBuffer? {
        while order.needsMore {
            if let sample = try source.next() { order.push(sample) } else { order.end() }
        }
        return order.next()
    }

    func seek(to media: Int64) throws(MediaError) -> Bool {
        order = OrderedTrack.order(of: source)
        return try source.seek(to: media)
    }

    func syncTime(before media: Int64) -> Int64? { source.syncTime(before: media) }

    func shownTime(at media: Int64) -> Int64? { source.shownTime(at: media) }

    func close() { source.close() }
}

/// What a track's decode times are worth.
enum DecodeTimes: Sendable {
    /// Strictly increasing, and never after the presentation times.
    case inOrder
    /// As the file has them.
    case stated
    /// The file has none.
    case unknown
}

extension VideoCodec {
    /// Whether frames may be decoded in another order than shown, each a sample of its own.
    var isReordered: Bool { [.h264, .hevc, .mpeg4, .mpeg2video].contains(self) }
}
