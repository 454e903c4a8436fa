package import Media

/// What the beginning of a track's first coded sample states, and no header of a file does.
package struct FirstSample: Sendable, Hashable {
    /// How much of a sample is looked at (bytes).
    package static let reach = 64 << 10

    /// How the lines of frames were taken (ProRes).
    package private(set) var scan = ScanType.unknown

    /// Whether samples of a format are looked at.
    package static func isOfUse(to format: VideoFormat) -> Bool {
        switch format.codec {
        case .prores: true
        default: false
        }
    }

    /// - Parameter bytes: the sample, or as much of it as there is.
    package init(_ bytes: [UInt8], of format: VideoFormat) {
        switch format.codec {
        case .prores: scan = Self.proResScan(bytes)
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
}
