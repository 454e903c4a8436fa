package import Media

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
        let all = eligible.flatMap { candidates(in: $0) }
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

    /// Among which it chooses.
    var eligible: [VideoCaptureFormat] { meant(formats.filter { rank(of: $0) != nil }) }

    /// Where depth is spoken of, what says that it is, else what can be; where nobody does, what can be seen.
    private func meant(_ listed: [VideoCaptureFormat]) -> [VideoCaptureFormat] {
        let stated = listed.filter { $0.depth != nil }
        let isAutomatic = wanted.inputFormat == .automatic
        guard wanted.depth != nil else {
            guard isAutomatic else { return listed }
            let seen = listed.filter { $0.depth == nil }
            return developed(seen.isEmpty ? listed : seen)
        }
        if !stated.isEmpty { return stated }
        let grey = listed.filter { $0.coding == .raw(.gray16le) }
        if !grey.isEmpty { return grey }
        return isAutomatic ? developed(listed) : listed
    }

    /// Without a sensor's raw values, however large or fast they are, unless nothing else is there but what only
    /// libv4l2 reads.
    private func developed(_ listed: [VideoCaptureFormat]) -> [VideoCaptureFormat] {
        let others = listed.filter { $0.bayer == nil }
        return others.contains { $0.coding != nil && !$0.sizes.isEmpty } ? others : listed
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

extension CaptureDevice {
    /// The most pixels it has in the formats that would do; `nil` where it lists none.
    /// - Parameter wanted: format and depth are looked at.
    package func largestSize(for wanted: VideoInputSettings) -> PixelSize? {
        let planner = FormatPlanner(formats: formats.compactMap(\.video), wanted: wanted)
        return planner.eligible.flatMap(\.sizes)
            .map { $0.extent.size(nearest: PixelSize(65_535, 65_535)) }
            .max { $0.area < $1.area }
    }
}

extension VideoCaptureSize.Extent {
    /// - Parameter wanted: between the steps the next smaller one is taken.
    package func size(nearest wanted: PixelSize) -> PixelSize {
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
