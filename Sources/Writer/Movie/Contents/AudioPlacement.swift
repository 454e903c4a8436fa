package import Media

/// Which frame of its track a decoded packet begins at, from stamps that may be coarser than frames
/// (Matroska's are milliseconds). A pure value.
package struct AudioPlacement: Sendable {
    /// How far a stamp may be off before it is believed (frames).
    let tolerance: Int64
    /// Packets of equal length lie on a grid from here on, so that a rounded stamp states an exact place.
    private let gridStart: Int64
    private let gridStep: Int64?
    private let gridReach: Int64

    package init(
        rate: Int, ticks: Int32, coded: AudioFormat, first: SampleBuffer?, firstFrames: Int,
        isCoarse: Bool
    ) {
        let tick = Int64(rate) / Int64(ticks)
        tolerance = max(tick + tick / 2, Int64(rate) / 2000, 1)
        let stamp = first?.presentationTime.ticks(per: Int32(rate), rounding: .nearest) ?? 0
        // a rounded negative stamp is the encoder's delay, and that is exact
        let priming = Int64(coded.primingFrames)
        let isPriming = isCoarse && stamp < 0 && abs(stamp + priming) <= tolerance
        gridStart = isPriming ? -priming : stamp
        gridStep = isCoarse && firstFrames > 0 ? Int64(firstFrames) : nil
        gridReach = tolerance
    }

    /// Where the track's first packet begins.
    package var first: Int64 { gridStart }

    /// Where the first packet after a jump begins.
    package func landing(stamp: Int64) -> Int64 {
        guard let gridStep else { return stamp }
        let steps = ((stamp - gridStart) * 2 + gridStep).quotientDown(2 * gridStep)
        let near = gridStart + steps * gridStep
        return abs(near - stamp) <= gridReach ? near : stamp
    }

    /// Where a packet begins that follows one which ends at `counted`.
    package func next(stamp: Int64, counted: Int64) -> Int64 {
        abs(stamp - counted) <= tolerance ? counted : stamp
    }
}

extension AudioFormat {
    /// Whether ticks are no parts of a frame: longer (Matroska's milliseconds), or such that frames lie
    /// between them (MPEG-TS's 90,000 a second) and packets of a known length can be counted.
    package func isCoarse(inTicksOf timescale: Int32) -> Bool {
        let rate = Int32(clamping: sampleRate)
        guard rate > 0 else { return false }
        return timescale < rate
            || (timescale % rate != 0 && codec == .aac && framesPerPacket != nil)
    }
}

extension Int64 {
    /// Division rounded down; the divisor is positive.
    fileprivate func quotientDown(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
