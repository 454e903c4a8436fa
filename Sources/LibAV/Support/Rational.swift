internal import CFFmpeg
internal import Media

extension MediaTime {
    /// A libav time stamp. `nil` for libav's "no time".
    /// - Throws: `MediaTimeError.overflow` when it does not fit, or the time base is not positive.
    init?(stamp: Int64, timeBase: AVRational) throws(MediaTimeError) {
        guard stamp != vcap_no_pts else { return nil }
        guard timeBase.num > 0, timeBase.den > 0 else { throw .overflow }
        let (value, overflow) = stamp.multipliedReportingOverflow(by: Int64(timeBase.num))
        if overflow { throw .overflow }
        self.init(value: value, timescale: timeBase.den)
    }

    /// For messages (seconds, rounded down).
    var wholeSeconds: Int64 { value / Int64(timescale) }
}

extension AVRational {
    init(_ numerator: Int32, _ denominator: Int32) { self.init(num: numerator, den: denominator) }

    var frameRate: FrameRate? { num > 0 && den > 0 ? FrameRate(num, per: den) : nil }
}
