internal import Glibc

/// Which frame is surely exposed as was set: drivers and sensors apply a setting two or three frames later, some more,
/// and none says with which. So the frames say it: their brightness has changed as it must, stays so, and changes no
/// more. A pure value.
struct ExposureSettling: Sendable {
    enum Verdict: Sendable, Hashable {
        case waits
        case settled
        /// The frames show nothing of the setting.
        case unseen
    }

    /// Frames behind the setting that are of it at the earliest: a frame is exposed, read out and queued (count).
    static let least = 3
    /// Frames that are waited for where none shows the setting (count).
    static let most = 20
    /// Frames that are waited for once one has shown it, as with a slow driver and a flash behind it (count).
    static let longest = 40
    /// A smaller change of brightness is none (part of it).
    static let steady = 0.04
    /// What a change of a third of an EV makes at least (part of it).
    private static let seen = 0.08
    /// What a change makes at least, as gamma, glare and clipped areas leave it (EV of codes for each EV of light).
    private static let response = 0.12
    /// Smaller changes cannot be distinguished from the scene's (EV).
    private static let smallest = 0.28
    /// Codes that noise changes (0…255).
    private static let noise = 2.0

    /// Mean brightness before the setting (0…255); `nil`: not known.
    private let before: Double?
    /// By how much it is brighter (EV; `nil`: not known).
    private let change: Double?
    /// With which frame behind a setting it was seen earlier in the row, at the latest (from 1; `nil`: never).
    private let known: Int?
    private var last: Double?
    private var count = 0
    /// The first of the frames up to the last one that all show the setting (from 1).
    private(set) var first: Int?
    private var wasShown = false

    /// - Parameters:
    ///   - before: mean brightness of the last frame before the setting (0…255).
    ///   - change: by how much it is brighter (EV; `nil`: not known).
    ///   - known: with which frame an earlier setting was seen (from 1; `nil`: none was).
    init(before: Double?, change: Double?, known: Int? = nil) {
        self.before = before
        self.change = change
        self.known = known
    }

    /// - Parameters:
    ///   - level: mean brightness of a frame that began behind the setting (0…255).
    ///   - number: of the frame behind the setting (from 1), where frames between were not looked at.
    mutating func take(_ level: Double, number: Int? = nil) -> Verdict {
        count += 1
        let number = max(number ?? count, count)
        defer { last = level }
        first = shows(level) ? first ?? number : nil
        wasShown = wasShown || first != nil
        let isSteady = last.map { !Self.differs(level, $0, Self.steady) } ?? false
        // the one behind it, because a setting falls anywhere into a frame
        let isLate = known.map { number >= $0 + 2 } ?? true
        if count > Self.least, isSteady, isLate, isCertain(at: number) { return .settled }
        return count >= (wasShown ? Self.longest : Self.most) ? .unseen : .waits
    }

    private func isCertain(at number: Int) -> Bool {
        guard let change, before != nil else { return known != nil }
        if abs(change) < 0.01 { return true }
        if abs(change) < Self.smallest { return known != nil }
        return first.map { number > $0 } ?? false
    }

    /// Whether the brightness is another one, in the direction of the setting and by enough.
    private func shows(_ level: Double) -> Bool {
        guard let before, let change, abs(change) >= Self.smallest else { return false }
        guard Self.differs(level, before, Self.seen), (level > before) == (change > 0) else {
            return false
        }
        return abs(log2(max(level, 1) / max(before, 1))) >= Self.response * abs(change)
    }

    static func differs(_ one: Double, _ other: Double, _ part: Double) -> Bool {
        abs(one - other) > max(noise, part * max(one, other))
    }
}
