internal import Media

/// How a film's frames are made where some of them are copied: runs of frames in order, without holes.
struct SmartPlan: Sendable, Hashable {
    /// Frames that are made in one way.
    struct Run: Sendable, Hashable {
        enum Work: Sendable, Hashable {
            /// Rendered and encoded; why they are not copied, in order, each once.
            case encode(because: [SmartReason])
            /// Copied: from a sample of a source's track (a place in its `CodedIndex`) on, as many. Its parameter
            /// sets are those of a record of the plan.
            case copy(MediaSource, place: Int, from: MediaTime, record: Int)
        }

        /// By number in the film.
        var frames: Range<Int64>
        let work: Work

        var isCopied: Bool { if case .copy = work { true } else { false } }
    }

    let runs: [Run]
    /// How many frames ahead of being shown copied ones are decoded at most (count).
    let reorder: Int
    /// The parameter sets of what is copied (avcC), as `SmartSets` takes them.
    let records: [[UInt8]]
    /// Whether the film shows several files, so that reasons name theirs.
    let namesSources: Bool

    /// Frames that are copied (count).
    var copiedFrames: Int64 {
        runs.reduce(0) { $0 + ($1.isCopied ? Int64($1.frames.count) : 0) }
    }

    /// Which run a frame is of.
    func run(of frame: Int64) -> Run? {
        let index = runs.partitioningIndex { $0.frames.upperBound > frame }
        return index < runs.count ? runs[index] : nil
    }

    /// The same as spans of the timeline.
    func spans(_ times: FilmTimes) -> [ExportPlan.Span] {
        runs.map { run in
            let start = times.time(ofFrame: run.frames.lowerBound)
            let isLast = run.frames.upperBound >= times.frameCount
            let end = isLast ? times.range.end : times.time(ofFrame: run.frames.upperBound)
            let range = MediaTimeRange(start: start, duration: end - start)
            switch run.work {
            case .encode(let reasons):
                return ExportPlan.Span(
                    range: range, work: .render,
                    reason: reasons.spoken(naming: namesSources).joined(separator: "; "))
            case .copy(let source, _, let from, _):
                return ExportPlan.Span(range: range, work: .copy(source, from: from))
            }
        }
    }
}
