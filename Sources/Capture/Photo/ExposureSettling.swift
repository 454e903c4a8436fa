/// Which frame is surely exposed as was set: drivers and sensors apply a setting two or three frames later, some more,
/// and none says with which. So the frames say it: their brightness has changed as it must, and changes no more. A pure
/// value.
struct ExposureSettling: Sendable {
    enum Verdict: Sendable, Hashable {
        case waits
        case settled
        /// The frames show nothing of the setting.
        case unseen
    }

    /// Frames behind the setting that are of it at the earliest: a frame is exposed, read out and queued (count).
    static let least = 3
    /// Frames that are waited for (count).
    static let most = 20
    /// A smaller change of brightness is none (part of it).
    private static let steady = 0.04
    /// What a change of a third of an EV makes at least (part of it).
    private static let seen = 0.08
    /// Codes that noise changes (0…255).
    private static let noise = 2.0

    /// Mean brightness before the setting (0…255); `nil`: not known.
    private let before: Double?
    /// Whether it must be another one.
    private let isChange: Bool
    private var last: Double?
    private var count = 0
    private var hasChanged = false

    /// - Parameters:
    ///   - before: mean brightness of the last frame before the setting (0…255).
    ///   - change: by how much it is brighter (EV; `nil`: not known).
    init(before: Double?, change: Double?) {
        self.before = before
        isChange = before != nil && change.map { abs($0) >= 0.3 } ?? false
    }

    /// - Parameter level: mean brightness of a frame that began behind the setting (0…255).
    mutating func take(_ level: Double) -> Verdict {
        count += 1
        defer { last = level }
        if let before, differs(level, before, Self.seen) { hasChanged = true }
        let isSteady = last.map { !differs(level, $0, Self.steady) } ?? false
        if count > Self.least, isSteady, hasChanged || !isChange { return .settled }
        return count >= Self.most ? .unseen : .waits
    }

    private func differs(_ one: Double, _ other: Double, _ part: Double) -> Bool {
        abs(one - other) > max(Self.noise, part * max(one, other))
    }
}
