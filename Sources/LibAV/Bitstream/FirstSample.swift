package import Media

/// What the beginning of a track's first coded sample states, and no header of a file does.
package struct FirstSample: Sendable, Hashable {
    /// How much of a sample is looked at (bytes).
    package static let reach = 64 << 10

    /// How the lines of frames were taken (ProRes).
    package private(set) var scan = ScanType.unknown
    /// Whether messages with the metadata of HDR10+ go with the frames (HEVC).
    package private(set) var hasHDR10Plus = false

    /// Whether samples of a format are looked at.
    package static func isOfUse(to format: VideoFormat) -> Bool {
        switch format.codec {
        case .prores: true
        // HDR10+ adds to PQ; not every file says that it is
        case .hevc: [2, 16].contains(format.color.transfer)
        default: false
        }
    }

    /// - Parameter bytes: the sample, or as much of it as there is.
    package init(_ bytes: [UInt8], of format: VideoFormat) {
        switch format.codec {
        case .prores: scan = Self.proResScan(bytes)
        case .hevc:
            let units = Self.units(bytes, format.codecConfiguration)
            hasHDR10Plus = LightMessages(units.map { bytes[$0] }).hasHDR10Plus
        default: break
        }
    }

    /// `interlace_mode` of the frame header (SMPTE RDD 36, 5.1.1).
    private static func proResScan(_ bytes: [UInt8]) -> ScanType {
        guard bytes.count > 20, bytes[4..<8].elementsEqual("icpf".utf8) else { return .unknown }
        switch bytes[20] >> 2 & 3 {
        case 0: return .progressive
        case 1, 2: return .interlaced
        default: return .unknown
        }
    }

    /// HEVC's messages before the first slice (the type 39).
    private static func units(_ bytes: [UInt8], _ configuration: [UInt8]) -> [Range<Int>] {
        let all =
            configuration.count > 21
            ? lengthUnits(bytes, Int(configuration[21] & 3) + 1)
            : bytes.withUnsafeBytes { NALUnits.annexBUnits(in: $0) }
        return all.prefix { NALCodec.hevc.type(bytes[$0.lowerBound]) >= 32 }
            .filter { NALCodec.hevc.type(bytes[$0.lowerBound]) == 39 }
    }

    private static func lengthUnits(_ bytes: [UInt8], _ lengthSize: Int) -> [Range<Int>] {
        var units: [Range<Int>] = []
        var offset = 0
        while offset + lengthSize < bytes.count {
            let length = bytes[offset..<(offset + lengthSize)].reduce(0) { $0 << 8 | Int($1) }
            offset += lengthSize
            let end = min(bytes.count, offset + length)
            guard end > offset else { break }
            units.append(offset..<end)
            offset = end
        }
        return units
    }
}
