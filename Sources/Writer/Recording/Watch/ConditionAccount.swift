internal import Media
internal import Writing

/// Where the movie is black, frozen or silent, of one source. A span counts from its condition's limit on, and
/// only with what of it is in the movie.
///
/// A pure value. Times are host nanoseconds unless said.
struct ConditionAccount: Sendable {
    /// A span of the movie (movie time, ns).
    struct Span: Sendable, Hashable {
        var start: Int64
        var length: Int64
    }

    /// All spans of one condition.
    struct Total: Sendable, Hashable {
        var count = 0
        /// Length of all (movie time, ns).
        var length: Int64 = 0
        /// The first of them.
        var spans: [Span] = []
    }

    /// What is to be reported.
    struct News: Sendable, Hashable {
        var condition: TrackCondition
        var span: Span
        var isOver: Bool
    }

    private struct Run: Sendable {
        let condition: TrackCondition
        let start: Int64
        var end: Int64
        var isStated = false
    }

    /// Spans that are kept one by one.
    static let spanLimit = 100

    private var open: Run?
    private var closed: [Run] = []
    private var news: [News] = []
    private var isFinished = false
    /// Whether the source was gone since it was last seen.
    private var isBack = false
    private(set) var totals: [TrackCondition: Total] = [:]
    /// What lasts now, for longer than its limit.
    private(set) var current: News?

    // MARK: What was seen

    /// The source had this condition from `since` to `time`; `nil` for none.
    mutating func saw(_ condition: TrackCondition?, since: Int64, at time: Int64) {
        guard !isFinished else { return }
        let since = isBack ? time : since
        isBack = false
        if open != nil, open?.condition == condition {
            open?.end = max(time, since)
            return
        }
        close(at: time)
        if let condition { open = Run(condition: condition, start: since, end: time) }
    }

    /// The source is gone: what it showed last ended there.
    mutating func interrupt() {
        isBack = true
        if let end = open?.end { close(at: end) }
    }

    /// The movie ends.
    mutating func finish(at end: Int64) {
        guard !isFinished else { return }
        isFinished = true
        // nothing is over but the movie
        open?.isStated = false
        close(at: end)
    }

    private mutating func close(at time: Int64) {
        guard var run = open else { return }
        open = nil
        run.end = max(time, run.end)
        closed.append(run)
    }

    // MARK: What it means

    /// Accounts for everything that the gate has decided.
    mutating func settle(by gate: PauseGate) {
        let horizon = gate.horizon
        for run in closed where run.end < horizon {
            let span = Self.span(of: run, by: gate)
            guard span.length >= run.condition.limit else { continue }
            totals[run.condition, default: Total()].add(span)
            if run.isStated {
                news.append(News(condition: run.condition, span: span, isOver: true))
            }
        }
        closed.removeAll { $0.end < horizon }
        current = nil
        guard let run = open else { return }
        let span = Self.span(of: run, by: gate)
        guard span.length >= run.condition.limit else { return }
        current = News(condition: run.condition, span: span, isOver: false)
        if !run.isStated, let current {
            news.append(current)
            open?.isStated = true
        }
    }

    private static func span(of run: Run, by gate: PauseGate) -> Span {
        let start = gate.length(at: run.start)
        return Span(start: start, length: gate.length(at: run.end) - start)
    }

    /// What has begun or ended since the last call.
    mutating func takeNews() -> [News] {
        defer { news = [] }
        return news
    }
}

extension ConditionAccount.Total {
    fileprivate mutating func add(_ span: ConditionAccount.Span) {
        count += 1
        length += span.length
        if spans.count < ConditionAccount.spanLimit { spans.append(span) }
    }
}
