internal import Media

/// Chooses format, size and rate of a camera from what it lists. A pure function of its inputs.
struct FormatPlanner: Sendable {
    let formats: [VideoCaptureFormat]
    let wanted: VideoInputSettings

    struct Plan: Sendable, Equatable {
        let format: VideoCaptureFormat
        let size: PixelSize
        /// `nil` when the camera lists no rates and none was asked for.
        let frameDuration: MediaTime?
        /// What was chosen and why: one sentence for a person.
        let explanation: String
    }

    /// One way the camera could run, with what speaks against it: less is better, first things
    /// first.
    struct Candidate {
        let format: VideoCaptureFormat
        let size: PixelSize
        let frameDuration: MediaTime?
        let sizeMiss: Int
        let rateMiss: Double
        let rank: Int

        func isBetter(than other: Candidate, sizeFirst: Bool) -> Bool {
            if sizeFirst, sizeMiss != other.sizeMiss { return sizeMiss < other.sizeMiss }
            // 2 % is what lists differ by in writing the same rate (30 and 29.97)
            if abs(rateMiss - other.rateMiss) > 0.02 { return rateMiss < other.rateMiss }
            if sizeMiss != other.sizeMiss { return sizeMiss < other.sizeMiss }
            return rank < other.rank
        }
    }

    static let largestByChoice = PixelSize(1920, 1080)
    static let rateByChoice = FrameRate(30)

    func plan(deviceName: String) throws(MediaError) -> Plan {
        let allowed = formats.filter { rank(of: $0) != nil }
        guard !allowed.isEmpty else { throw noFormat(deviceName) }
        let all = allowed.flatMap { candidates(in: $0) }
        guard
            let best = all.reduce(
                nil as Candidate?,
                { best, next in
                    guard let best else { return next }
                    return next.isBetter(than: best, sizeFirst: wanted.size != nil) ? next : best
                })
        else { throw noFormat(deviceName) }
        return Plan(
            format: best.format, size: best.size, frameDuration: best.frameDuration,
            explanation: explanation(of: best, among: all))
    }

    private func candidates(in format: VideoCaptureFormat) -> [Candidate] {
        guard let rank = rank(of: format) else { return [] }
        return format.sizes.map { entry in
            let size = entry.extent.size(nearest: wanted.size ?? Self.largestByChoice)
            let duration = frameDuration(in: entry.frameDurations)
            return Candidate(
                format: format, size: size, frameDuration: duration, sizeMiss: miss(of: size),
                rateMiss: miss(of: duration), rank: rank)
        }
    }

    /// How far a size is from the one wanted (pixels); without a wish, larger is better up to HD.
    private func miss(of size: PixelSize) -> Int {
        if let wanted = wanted.size {
            return abs(size.width - wanted.width) * wanted.height
                + abs(size.height - wanted.height) * wanted.width
        }
        let most = Self.largestByChoice.area
        return size.area <= most ? most - size.area : size.area - most + most
    }

    /// How far a rate is from the one wanted (as a share of it); 0 when nothing is known.
    private func miss(of duration: MediaTime?) -> Double {
        guard let duration else { return 0 }
        let rate = 1 / duration.approximateSeconds
        switch wanted.rate {
        case .exactly(let exact): return abs(rate / exact.approximate - 1)
        case .maximum: return 1 / rate
        case .automatic: return max(0, 1 - rate / Self.rateByChoice.approximate)
        }
    }

    private func frameDuration(
        in list: [VideoCaptureSize.FrameDurations]
    ) -> MediaTime? {
        let target: MediaTime
        switch wanted.rate {
        case .exactly(let rate): target = rate.frameDuration
        case .automatic: target = Self.rateByChoice.frameDuration
        case .maximum: return list.map(\.shortest).min()
        }
        if list.isEmpty { return wanted.rate == .automatic ? nil : target }
        let nearest = list.map { entry in
            switch entry {
            case .discrete(let duration): duration
            case .range(let shortest, let longest): min(max(target, shortest), longest)
            }
        }
        return nearest.min { distance($0, target) < distance($1, target) }
    }

    private func distance(_ duration: MediaTime, _ target: MediaTime) -> Double {
        abs(target.approximateSeconds / duration.approximateSeconds - 1)
    }
}

extension VideoCaptureSize.Extent {
    func size(nearest wanted: PixelSize) -> PixelSize {
        switch self {
        case .discrete(let size): return size
        case .stepwise(let minimum, let maximum, let step):
            func fit(_ wanted: Int, _ low: Int, _ high: Int, _ step: Int) -> Int {
                let bounded = min(max(wanted, low), high)
                return low + (bounded - low) / max(step, 1) * max(step, 1)
            }
            return PixelSize(
                fit(wanted.width, minimum.width, maximum.width, step.width),
                fit(wanted.height, minimum.height, maximum.height, step.height))
        }
    }
}
