internal import Media

/// What of a camera's frames is left out by intent: by a rate, and under pressure. Counts what is because of pressure.
struct FrameThinning: Sendable {
    /// Most frames a second (default: all).
    private let rate: FrameRate?
    /// The camera's, where it is known.
    private let camera: FrameRate?
    /// Under pressure one of so many passes.
    private var divisor = 1
    private var thinner: FrameThinner?
    /// Without pressure.
    private var wanted: FrameThinner?
    /// Frames that it would let pass, and that pass, since the pressure last changed (frames).
    private var counts = (wanted: 0, passed: 0)
    private var leftOutBefore: Int

    /// - Parameter leftOut: frames that were left out before because of pressure (frames).
    init(
        _ rate: FrameRate?, of camera: FrameRate?, divisor: Int = 1, leftOut: Int = 0
    ) {
        (self.rate, self.camera, leftOutBefore) = (rate, camera, leftOut)
        thin(by: divisor)
    }

    /// Frames left out because of pressure so far (frames).
    var leftOut: Int { leftOutBefore + max(0, counts.wanted - counts.passed) }

    /// From now on one of so many passes, of those that pass otherwise.
    mutating func thin(by divisor: Int) {
        leftOutBefore = leftOut
        counts = (0, 0)
        self.divisor = divisor
        thinner = FrameThinner(rate, of: camera, divisor: divisor)
        wanted = FrameThinner(rate, of: camera, divisor: 1)
    }

    /// Whether a frame of this time passes.
    mutating func passes(_ time: MediaTime) -> Bool {
        let passes = thinner?.passes(time) ?? true
        if divisor > 1 {
            if wanted?.passes(time) ?? true { counts.wanted += 1 }
            if passes { counts.passed += 1 }
        }
        return passes
    }

    /// How long a frame lasts where frames behind it are left out; `nil` where each passes.
    var lengthBeforeLeftOut: MediaTime? {
        let own = camera ?? FrameRate(30)
        let isThinned = divisor > 1 || rate.map { $0 < own } ?? false
        return isThinned ? own.frameDuration : nil
    }
}
