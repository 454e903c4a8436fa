package import Media

/// What the units of a length-prefixed sample of H.264 or HEVC say of where decoding can begin.
package struct CodedEntry: Sendable, Hashable {
    /// Whether nothing that is shown behind it needs anything before it: an instantaneous decoding refresh, and HEVC's clean
    /// random access and broken links. A container's mark of a sync sample does not say so.
    package private(set) var isRefresh = false
    /// Parameter sets that stand in the sample itself.
    package private(set) var sets: [[UInt8]] = []

    /// Looks at a sample whose units have lengths of 4 bytes, as far as its first slice.
    package init(_ sample: BlockBuffer, of codec: VideoCodec?) {
        sample.withUnsafeBytes { bytes in
            read(NALCodec(codec), count: Int64(bytes.count), lengthSize: 4) { offset, count in
                Array(bytes[Int(offset)..<Int(offset) + count])
            }
        }
    }

    /// Looks at a sample that is not in memory.
    /// - Parameters:
    ///   - codec: others than H.264 and HEVC have no units: nothing is read.
    ///   - count: of its bytes.
    ///   - lengthSize: of its units' lengths (1, 2 or 4 bytes).
    ///   - bytes: so many of them from an offset on; fewer where there are none.
    package init(
        of codec: VideoCodec?, count: Int64, lengthSize: Int,
        reading bytes: (_ offset: Int64, _ count: Int) throws(MediaError) -> [UInt8]
    ) throws(MediaError) {
        var failure: MediaError?
        read(NALCodec(codec), count: count, lengthSize: lengthSize) { offset, count in
            do throws(MediaError) { return try bytes(offset, count) } catch {
                failure = error
                return []
            }
        }
        if let failure { throw failure }
    }

    /// Whether samples of a codec are looked at.
    package static func isKnown(_ codec: VideoCodec?) -> Bool { NALCodec(codec) != nil }

    /// Larger sets are none.
    private static let largestSet: Int64 = 1 << 16

    private mutating func read(
        _ codec: NALCodec?, count: Int64, lengthSize: Int, _ bytes: (Int64, Int) -> [UInt8]
    ) {
        guard let codec else { return }
        let size = Int64(lengthSize)
        var offset: Int64 = 0
        while offset + size < count {
            let head = bytes(offset, lengthSize + 1)
            guard head.count == lengthSize + 1 else { return }
            let length = head[..<lengthSize].reduce(Int64(0)) { $0 << 8 | Int64($1) }
            guard length > 0, length <= count - offset - size else { return }
            if let isRefresh = codec.isRefresh(head[lengthSize]) {
                self.isRefresh = isRefresh
                return
            }
            if codec.isParameterSet(head[lengthSize]) {
                guard length <= Self.largestSet else { return }
                sets.append(bytes(offset + size, Int(length)))
            }
            offset += size + length
        }
    }
}

extension NALCodec {
    /// Whether decoding can begin at a slice; nil for a unit that is none.
    fileprivate func isRefresh(_ firstByte: UInt8) -> Bool? {
        let type = type(firstByte)
        return switch self {
        case .h264: (1...5).contains(type) ? type == 5 : nil
        case .hevc: type < 32 ? HEVCSliceHead.entries.contains(type) : nil
        }
    }
}
