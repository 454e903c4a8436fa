/// Which of Apple's six ProRes codecs samples are of. The samples do not say it themselves: QuickTime has it in the
/// track's sample entry, Matroska as the codec's private data, we as a format's codec configuration.
package struct ProResKind: Sendable, Hashable {
    /// The four characters of the sample entry, first one highest (`apco`, `apcs`, `apcn`, `apch`, `ap4h`, `ap4x`).
    package var code: UInt32
    /// QuickTime's depth of the frames: 32 with opacity, 24 without; nil where nobody says.
    package var depth: UInt16?

    package init(code: UInt32, depth: UInt16?) {
        self.code = code
        self.depth = depth
    }

    /// ProRes 4444.
    package init(hasAlpha: Bool) {
        self.init(code: 0x6170_3468, depth: hasAlpha ? 32 : 24)
    }

    /// - Parameter configuration: the code, then the depth if it is known; nil where it is neither.
    package init?(_ configuration: [UInt8]) {
        guard configuration.count == 4 || configuration.count == 6,
            configuration.starts(with: Array("ap".utf8))
        else { return nil }
        code = configuration.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        depth =
            configuration.count == 6
            ? UInt16(configuration[4]) << 8 | UInt16(configuration[5]) : nil
    }

    package var configuration: [UInt8] {
        let name = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
        guard let depth else { return name }
        return name + [UInt8(depth >> 8), UInt8(truncatingIfNeeded: depth)]
    }

    /// The depth of a sample entry: nobody is harmed by opacity that is stated and is not there.
    package var entryDepth: UInt16 { depth ?? (hasAlpha == false ? 24 : 32) }

    /// Whether opacity goes with the frames; nil where only the samples state.
    package var hasAlpha: Bool? {
        // "ap4", and "apc" of those without
        guard code >> 8 == 0x61_7034 else { return false }
        return depth == 32 ? true : nil
    }
}
