internal import CFFmpeg

/// Into how many slices FFV1 parts a frame: each is coded by itself, so that threads share the work and
/// damage stays in one of them. libavcodec 59 takes only counts that a grid of at most twice as many columns
/// as rows gives, none of whose slices is above a size (libavcodec's ffv1enc refuses the others).
struct FFV1Slices {
    /// Frames up to this size are one slice, larger ones four, and one for each `large` beyond (pixels).
    private static let small = 64 * 64
    private static let large = 512 << 10
    private static let mostCount = 256
    /// Most bits of a slice, opacity and one bit a component included.
    private static let mostBits: Int64 = 8 << 24

    /// nil: no count is possible, as for frames of one row or column.
    let count: Int?

    init(_ width: Int, _ height: Int, _ format: AVPixelFormat) {
        let pixels = width * height
        let wanted = pixels <= Self.small ? 1 : max(4, (pixels + Self.large - 1) / Self.large)
        let possible = Self.possible(width, height, format)
        count = possible.first { $0 >= wanted } ?? possible.last
    }

    /// What libavcodec 59 allocates for a packet (bytes).
    static func packetSize(_ width: Int, _ height: Int) -> Int {
        min(Int(Int32.max), width * height * 37 * 4 + (1 << 20))
    }

    /// Whether ffv1enc refuses so many parts of a side: where the side does not divide by the chroma's step, the last part
    /// must not either, or chroma at the edge would be in no slice.
    private static func isRefused(_ side: Int, _ parts: Int, _ shift: Int) -> Bool {
        let step = 1 << shift
        let last = side - side * (parts - 1) / parts
        return side % step != 0 && last % step == 0
    }

    /// In rising order.
    private static func possible(_ width: Int, _ height: Int, _ format: AVPixelFormat) -> [Int] {
        guard let description = av_pix_fmt_desc_get(format)?.pointee else { return [] }
        let isRGB = description.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
        let (chromaAcross, chromaDown) =
            isRGB ? (0, 0) : (Int(description.log2_chroma_w), Int(description.log2_chroma_h))
        // a half at the edge is a whole
        let columns = (width + (1 << chromaAcross) - 1) >> chromaAcross
        let rows = (height + (1 << chromaDown) - 1) >> chromaDown
        let bits = Int64(description.comp.0.depth + 1) * Int64(description.nb_components)
        var counts: Set<Int> = []
        let first = min(width > 352 || height > 288 ? 2 : 1, rows)
        guard first < 32 else { return [] }
        for down in first..<32 {
            // ffv1enc writes of slices of one row or column another place than theirs, and decoders
            // return other frames (libavcodec 59): (place + 1) * count / size is exact from two on
            guard height >= 2 * down else { break }
            guard !Self.isRefused(height, down, chromaDown) else { continue }
            for across in down..<2 * down
            where across <= columns && down <= rows && width >= 2 * across
                && !Self.isRefused(width, across, chromaAcross)
            {
                let slice = (width + across - 1) / across * ((height + down - 1) / down)
                if Int64(slice) * bits <= mostBits, across * down <= mostCount {
                    counts.insert(across * down)
                }
            }
        }
        return counts.sorted()
    }
}
