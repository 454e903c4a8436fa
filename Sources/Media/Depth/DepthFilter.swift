/// What is done to the maps of a depth camera before anybody gets them. A value with a memory of the frames before.
///
/// Two things are done, each bounded and in the map's own steps: a hole is filled from around it, and a value
/// follows the ones before it, so that what stands still does not flicker.
public struct DepthFilter: Sendable {
    /// What is done.
    public struct Settings: Sendable, Hashable {
        /// *how far from a point that is known a hole is filled (pixels; 0…64; 0: not; default 8)*
        public var holeReach: Int
        /// *whether values follow those of the frames before (default yes)*
        public var isTemporal: Bool

        /// - Parameters:
        ///   - holeReach: how far from a point that is known a hole is filled (pixels).
        ///   - isTemporal: whether values follow those of the frames before.
        public init(holeReach: Int = 8, isTemporal: Bool = true) {
            self.holeReach = holeReach
            self.isTemporal = isTemporal
        }

        /// - Throws: `invalidSetting` for a reach that is none.
        public func validate() throws(MediaError) {
            guard (0...64).contains(holeReach) else {
                throw .depth("Holes are filled from 0 to 64 pixels away, not \(holeReach).")
            }
        }
    }

    /// What is done.
    public let settings: Settings
    private var smoothing = DepthSmoothing()

    /// - Parameter settings: what is done.
    /// - Throws: `invalidSetting` for settings that none can be.
    public init(_ settings: Settings = Settings()) throws(MediaError) {
        try settings.validate()
        self.settings = settings
    }

    /// The next frame of the camera, filtered. A frame of another size or format begins anew.
    /// - Parameter data: raw.
    public mutating func apply(_ data: DepthData) -> DepthData {
        var values = data.steps
        if settings.isTemporal { smoothing.smooth(&values, like: data) }
        if settings.holeReach > 0 {
            values = DepthHoles.filled(
                values, data.width, data.height, data.kind, settings.holeReach)
        }
        var format = data.format
        format.isFiltered = true
        return DepthData(values: values, width: data.width, height: data.height, format: format)
    }

    /// Forgets the frames before: frames were lost, or the camera was away.
    public mutating func reset() { smoothing = DepthSmoothing() }
}

/// Fills holes from the known points around them.
enum DepthHoles {
    /// Of the known points next to the left, right, above and below the farthest counts: what one camera sees and the
    /// other does not lies beside something near, and belongs to what is behind it.
    static func filled(
        _ values: [UInt16], _ width: Int, _ height: Int, _ kind: DepthKind, _ reach: Int
    ) -> [UInt16] {
        var result = values
        func take(_ candidate: UInt16, _ place: Int) {
            guard candidate > 0 else { return }
            let now = result[place]
            let isFarther = kind == .depth ? candidate > now : candidate < now
            if now == 0 || isFarther { result[place] = candidate }
        }
        func sweep(_ first: Int, _ step: Int, _ count: Int) {
            var (known, age, place) = (UInt16(0), 0, first)
            for _ in 0..<count {
                if values[place] > 0 {
                    (known, age) = (values[place], 0)
                } else {
                    age += 1
                    if age <= reach { take(known, place) }
                }
                place += step
            }
        }
        for row in 0..<height {
            sweep(row * width, 1, width)
            sweep((row + 1) * width - 1, -1, width)
        }
        for column in 0..<width {
            sweep(column, width, height)
            sweep((height - 1) * width + column, -width, height)
        }
        return result
    }
}

/// Lets values follow those of the frames before.
struct DepthSmoothing: Sendable {
    /// A new value counts two fifths …
    private static let share: Int32 = 102
    /// … where it differs by no more than this part of itself: what moved is not smoothed.
    private static let motion: Int32 = 32
    /// A point of which nothing comes keeps its value for so many frames.
    private static let longestHold: UInt8 = 3

    /// Values in 256ths of a step; 0: nothing is known.
    private var levels: [Int32] = []
    /// Frames since a value came (frames).
    private var ages: [UInt8] = []
    private var width = 0
    private var format: DepthFormat?

    mutating func smooth(_ values: inout [UInt16], like data: DepthData) {
        if format != data.format || width != data.width || levels.count != values.count {
            levels = values.map { Int32($0) << 8 }
            ages = Array(repeating: 0, count: values.count)
            (format, width) = (data.format, data.width)
            return
        }
        for place in values.indices {
            let (new, old) = (Int32(values[place]) << 8, levels[place])
            if new == 0 {
                ages[place] = min(ages[place] + 1, Self.longestHold + 1)
                if ages[place] > Self.longestHold { levels[place] = 0 }
            } else {
                ages[place] = 0
                let isNear = old > 0 && abs(new - old) <= max(256, new / Self.motion)
                levels[place] =
                    isNear
                    ? old + (new - old) / 256 * Self.share + (new - old) % 256 * Self.share / 256
                    : new
            }
            values[place] = UInt16(clamping: (levels[place] + 128) >> 8)
        }
    }
}
