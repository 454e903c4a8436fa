/// Foresees when the disk is full, from the bytes a second of movie takes.
///
/// A pure value. The rate is measured over movie time, so that a pause does not look like relief.
struct DiskWatch: Sendable {
    enum Finding: Sendable, Equatable {
        case low(DiskWarning)
        /// Less than the reserve and two seconds of recording is left: stop now.
        case full
    }

    private struct Look: Sendable {
        var movieTime: Int64
        var written: Int64
    }

    private let reserve: Int64
    private let warnings: Set<DiskWarning>
    private var reported: Set<DiskWarning> = []
    private var looks: [Look] = []
    private static let window: Int64 = 15_000_000_000
    private static let shortest: Int64 = 2_000_000_000

    /// Recording time left (seconds); `nil` until the rate is measured.
    private(set) var secondsLeft: Int64?
    private(set) var freeBytes: Int64?

    init(reserve: Int64, warnings: Set<DiskWarning>) {
        self.reserve = reserve
        self.warnings = warnings
    }

    /// Bytes a second of movie takes; `nil` until two seconds are measured.
    var bytesPerSecond: Double? {
        guard let first = looks.first, let last = looks.last,
            last.movieTime - first.movieTime >= Self.shortest
        else { return nil }
        let seconds = Double(last.movieTime - first.movieTime) / 1e9
        return max(0, Double(last.written - first.written)) / seconds
    }

    /// One look, about every half second.
    /// - Parameters:
    ///   - free: space on the disk (bytes).
    ///   - written: size of the movie so far (bytes).
    ///   - movieTime: length of the movie so far (ns).
    mutating func look(free: Int64, written: Int64, movieTime: Int64) -> [Finding] {
        freeBytes = free
        if looks.last?.movieTime != movieTime {
            looks.append(Look(movieTime: movieTime, written: written))
            while let first = looks.first, looks.count > 2,
                movieTime - first.movieTime > Self.window
            {
                looks.removeFirst()
            }
        }
        let usable = free - reserve
        guard let rate = bytesPerSecond, rate > 0 else { return usable <= 0 ? [.full] : [] }
        let left = max(0, Double(usable) / rate)
        secondsLeft = left < 1e9 ? Int64(left) : nil
        if left < 2 { return [.full] }
        return warn(left)
    }

    private mutating func warn(_ left: Double) -> [Finding] {
        // reported again only after the danger was clearly over
        reported = reported.filter { left < Double($0.secondsLeft) * 2 }
        let due = warnings.filter { left < Double($0.secondsLeft) && !reported.contains($0) }
        reported.formUnion(due)
        // the nearest warning says it all
        return due.max().map { [.low($0)] } ?? []
    }
}
