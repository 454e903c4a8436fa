internal import LibAV
public import Media
package import Reading

/// What the frames of a film are like.
public struct FilmStyle: Sendable, Hashable {
    /// Pixels (even).
    public var renderSize: PixelSize
    /// Of one frame (seconds).
    public var frameDuration: MediaTime
    public var color: ColorDescription
    /// `yuv420p` or `yuv420p10le`.
    public var pixelFormat: PixelFormat

    public init(
        renderSize: PixelSize, frameDuration: MediaTime, color: ColorDescription = .bt709,
        pixelFormat: PixelFormat = .yuv420p
    ) {
        self.renderSize = renderSize
        self.frameDuration = frameDuration
        self.color = color
        self.pixelFormat = pixelFormat
    }
}

extension FilmStyle {
    /// Largest frame a film gets by a still picture; photographs have many more pixels than films.
    private static let stillBox = PixelSize(width: 1920, height: 1080)
    /// By numbered pictures, which may be rendered for a film, or be photographs.
    private static let sequenceBox = PixelSize(width: 4096, height: 4096)

    /// As the first clip: its upright size made even, its rate, colours as they are usual for that size where the clip
    /// does not state it, and its depth, or 10 bits for a high dynamic range. As a still picture: its shape within
    /// 1920x1080, 30 frames a second, and the usual colours, or BT.2020's where it has a high dynamic range. As numbered
    /// pictures: likewise within 4096x4096, at their rate.
    package init(firstClip format: VideoFormat, track: AssetTrack) {
        let size = format.uprightPixelSize
        if track.isStill || track.isSequence {
            let frame = size.within(track.isStill ? Self.stillBox : Self.sequenceBox)
            var color = frame.height <= 576 ? ColorDescription.bt601 : .bt709
            let isLit = format.color.rangeName != nil
            if isLit {
                color = .init(
                    primaries: 9, transfer: format.color.transfer, matrix: 9, range: .limited)
            }
            self.init(
                renderSize: frame,
                frameDuration: (track.isStill ? FrameRate(30) : FrameRate.film(of: track))
                    .frameDuration, color: color,
                pixelFormat: isLit || track.isSequence && track.isDeep ? .yuv420p10le : .yuv420p)
            return
        }
        self.init(
            renderSize: PixelSize(width: max(2, size.width & ~1), height: max(2, size.height & ~1)),
            frameDuration: FrameRate.film(of: track).frameDuration,
            color: .target(for: format),
            pixelFormat: track.isDeep || format.color.rangeName != nil ? .yuv420p10le : .yuv420p)
    }
}

extension PixelSize {
    /// Made smaller where it is larger than a box, whose sides change places for a standing frame; even.
    fileprivate func within(_ box: PixelSize) -> PixelSize {
        let (long, short) = (max(width, height), min(width, height))
        let scale = min(1, Double(box.width) / Double(long), Double(box.height) / Double(short))
        func side(_ length: Int) -> Int { max(2, Int((Double(length) * scale / 2).rounded()) * 2) }
        return PixelSize(width: side(width), height: side(height))
    }
}

extension AssetTrack {
    /// Whether its frames stay for different times, beyond what rounding makes of equal ones.
    var hasVariableRate: Bool {
        guard let steps = frameDurations, steps.upperBound > steps.lowerBound else { return false }
        return steps.upperBound.approximateSeconds - steps.lowerBound.approximateSeconds > 0.002
    }

    /// Whether the frames have more than 8 bits, as the codec's configuration states, or a picture's high dynamic range.
    package var isDeep: Bool {
        guard let format = format?.video else { return false }
        if isStill, format.color.rangeName != nil { return true }
        let bytes = format.codecConfiguration
        switch format.coding {
        case .raw(let layout): return layout.bitDepth > 8
        case .coded(.prores): return true
        case .coded(.h264): return AVCDepth(bytes).bits > 8
        // bitDepthLumaMinus8 (ISO/IEC 14496-15, 8.3.3.1.2)
        case .coded(.hevc): return bytes.count > 17 && bytes[17] & 7 > 0
        // high_bitdepth (AV1 codec ISO media file format binding, 2.3.3)
        case .coded(.vp9): return VP9Configuration.bitDepth(bytes).map { $0 > 8 } ?? false
        case .coded(.av1): return bytes.count > 2 && bytes[2] & 0x40 != 0
        default: return false
        }
    }
}

/// Bits of a luma sample, as the configuration record of H.264 states (ISO/IEC 14496-15, 5.3.3.1.2).
private struct AVCDepth {
    let bits: Int

    init(_ record: [UInt8]) {
        // profile_idc: High 10, High 4:2:2, High 4:4:4 Predictive (ISO/IEC 14496-10, A.2); the latter two
        // are used with 8 bits as well
        guard record.count > 6, [110, 122, 244].contains(record[1]) else {
            bits = 8
            return
        }
        var rest = record.dropFirst(5)
        for mask in [UInt8(31), 255] {
            guard let count = rest.popFirst() else { break }
            for _ in 0..<count & mask {
                let size = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(2 + size)
            }
        }
        // chroma_format, then bit_depth_luma_minus8; old writers leave both out
        let depth = rest.dropFirst().first.map { Int($0 & 7) + 8 }
        bits = depth ?? (record[1] == 110 ? 10 : 8)
    }
}

extension FrameRate {
    /// The rate of a film made as a track. Of numbered pictures their own; of an animation the usual rate that is a multiple of its own, so
    /// that each frame comes at its instant; where there is none 30, or 60 for faster ones.
    package static func film(of track: AssetTrack) -> FrameRate {
        if track.isSequence, let rate = track.format?.video?.nominalRate { return rate }
        guard track.isAnimation else { return usual(of: track) }
        let other = FrameRate((track.averageRate ?? 0) > 30.001 ? 60 : 30)
        guard let steps = track.frameDurations, steps.lowerBound == steps.upperBound,
            case let step = steps.lowerBound.reduced, step.value > 0
        else { return other }
        // n pictures a second, each of value/timescale seconds: a whole number of frames each
        let exact = [24, 25, 30, 50, 60].first { rate in
            (Int128(rate) * Int128(step.value)).isMultiple(of: Int128(step.timescale))
        }
        return exact.map { FrameRate(Int32($0)) } ?? other
    }

    /// The usual rate nearest to a track's, or 30 when the track does not state it. A variable rate goes by the
    /// commonest time between two frames: those that a camera left out do not make it slower.
    package static func usual(of track: AssetTrack) -> FrameRate {
        if track.hasVariableRate, let step = track.commonestFrameDuration, step.value > 0,
            let per = Int32(exactly: step.value),
            case let own = FrameRate(step.timescale, per: per), (1...240).contains(own.approximate)
        {
            // a step is known to the tick
            let ticks = step.approximateSeconds * Double(track.timescale)
            let tolerance = 0.005 + 1 / max(1, ticks)
            // times that swing around a rate gather at their longest and shortest
            return own.usual(within: tolerance) ?? track.steadyRate
                ?? own.snapped(within: tolerance)
        }
        if let rate = track.steadyRate { return rate }
        if let nominal = track.format?.video?.nominalRate, (1...240).contains(nominal.approximate) {
            return nominal.snapped()
        }
        guard let average = track.averageRate, average.isFinite, average > 0 else {
            return FrameRate(30)
        }
        let clamped = min(max(average, 1), 240)
        return FrameRate(Int32((clamped * 1000).rounded()), per: 1000).snapped()
    }

    /// The usual rate of frames that come at one, each somewhat early or late, or whose file counts fields or ticks and
    /// not frames; nil of others.
    static func steady(_ average: Double, stated: FrameRate?, isUneven: Bool)
        -> FrameRate?
    {
        let isOff = stated.map { ($0.approximate / average - 1).magnitude > 0.1 } ?? false
        guard isUneven || isOff, (1...240).contains(average) else { return nil }
        // the average of a short clip does not distinguish 30 and 29.97
        if let stated = stated?.snapped(), (stated.approximate / average - 1).magnitude < 0.005 {
            return stated
        }
        return FrameRate(Int32((average * 1000).rounded()), per: 1000).usual(within: 0.005)
    }

    /// A usual rate within half a percent, unless less is known: what a file's rounding made of it is taken back. 24 and
    /// 24000/1001 are a thousandth apart; the nearer one is meant.
    private func snapped(within tolerance: Double = 0.005) -> FrameRate {
        usual(within: tolerance) ?? FrameRate(max(1, Int32(approximate.rounded())))
    }

    private func usual(within tolerance: Double) -> FrameRate? {
        let usual = [
            FrameRate(24000, per: 1001), FrameRate(24), FrameRate(25),
            FrameRate(30000, per: 1001), FrameRate(30), FrameRate(48), FrameRate(50),
            FrameRate(60000, per: 1001), FrameRate(60), FrameRate(90),
            FrameRate(120_000, per: 1001), FrameRate(120), FrameRate(240),
        ]
        func distance(_ rate: FrameRate) -> Double {
            (rate.approximate / approximate - 1).magnitude
        }
        guard let best = usual.min(by: { distance($0) < distance($1) }), distance(best) < tolerance
        else { return nil }
        return best
    }
}

extension ColorDescription {
    /// What a film of this clip's colours is made in: limited range, and what the clip does not state
    /// as it is usual for its height (BT.601 up to 576 lines, BT.709 above).
    package static func target(for format: VideoFormat) -> ColorDescription {
        var color = usual(for: format)
        // full range stays a camera's matter
        color.range = .limited
        return color
    }

    /// A clip's colours, and what it does not state as players show it: as what it states implies, or as it is usual for
    /// its height. RGB frames have no matrix.
    static func usual(for format: VideoFormat) -> ColorDescription {
        var color = format.color
        // a JPEG's matrix says nothing of its primaries: they are taken as other pictures' are, which state nothing
        let isPicture = color.transfer == 13 && color.primaries == 2
        let stated = isPicture || [0, 2].contains(color.matrix) ? color.primaries : color.matrix
        let usual: ColorDescription =
            switch stated {
            case 1: .bt709
            case 5, 6, 7: .bt601
            case 9, 10: .init(primaries: 9, transfer: 14, matrix: 9, range: .limited)
            default: format.height <= 576 ? .bt601 : .bt709
            }
        if color.matrix == 0 || color.matrix == 2 { color.matrix = usual.matrix }
        if color.primaries == 2, !isPicture { color.primaries = usual.primaries }
        if color.transfer == 2 { color.transfer = usual.transfer }
        return color
    }
}
