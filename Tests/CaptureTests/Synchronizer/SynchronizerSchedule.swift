import Media
import TestSupport

@testable import Capture

/// Sources of random rates, delays and losses, and what is true of them.
struct SynchronizerSchedule {
    struct Frame {
        let time: Int64
        let isLost: Bool
        /// When the frame, or the report of its loss, comes; nil: it never does.
        var arrival: Int64?
    }

    struct Source {
        let interval: Int64
        let jitter: Int64
        let format: FormatDescription
        var frames: [Frame]
    }

    struct Arrival {
        let source: Int
        let time: Int64
        let event: SourceEvent
    }

    static let length: Int64 = 1_000_000_000
    let timeout: Int64
    private(set) var sources: [Source] = []
    private(set) var arrivals: [Arrival] = []

    init(seed: UInt64) {
        var random = SplitMix(seed: seed)
        timeout = Int64.random(in: 20_000_000...300_000_000, using: &random)
        for index in 0..<Int.random(in: 2...4, using: &random) {
            addSource(index, &random)
        }
        arrivals.sort { ($0.time, $0.source) < ($1.time, $1.source) }
    }

    private mutating func addSource(_ index: Int, _ random: inout SplitMix) {
        let rate = FrameRate(Int32.random(in: 5...60, using: &random))
        let interval = rate.frameDuration.nanoseconds()
        let jitter = Bool.random(using: &random) ? 0 : interval / 8
        var video = VideoFormat(coding: .raw(.yuv420p), width: 16, height: 16)
        video.nominalRate = rate
        let loss: Double = [0, 0.05, 0.3].randomElement(using: &random) ?? 0
        let phase = 1_000_000_000 + Int64.random(in: 0..<interval, using: &random)
        let delay = Int64.random(in: 0...100_000_000, using: &random)
        let (slow, joins) = (
            Double.random(in: 0...0.1, using: &random), Bool.random(using: &random)
        )
        var frames: [Frame] = []
        var last: Int64 = 0
        for number in 0..<Self.length / interval {
            var arrival = phase + number * interval + delay
            if Double.random(in: 0..<1, using: &random) < slow {
                arrival += Int64.random(in: 0...600_000_000, using: &random)
            }
            last = max(last, arrival)
            let shift = jitter > 0 ? Int64.random(in: -jitter...jitter, using: &random) : 0
            frames.append(
                Frame(
                    time: phase + number * interval + shift,
                    isLost: Double.random(in: 0..<1, using: &random) < loss, arrival: last))
        }
        let format = FormatDescription.video(video)
        if joins { joinLosses(&frames) }
        sources.append(
            Source(interval: interval, jitter: jitter, format: format, frames: frames))
        report(index, frames, joins: joins)
        let end = frames.last?.time ?? 0
        arrivals.append(
            Arrival(
                source: index, time: max(last, end) + 1, event: .ended(at: .nanoseconds(end))))
    }

    /// As a driver reports them: with the next frame that comes.
    private func joinLosses(_ frames: inout [Frame]) {
        var next: Int64?
        for index in frames.indices.reversed() {
            if frames[index].isLost {
                frames[index].arrival = next
            } else {
                next = frames[index].arrival
            }
        }
    }

    private mutating func report(_ source: Int, _ frames: [Frame], joins: Bool) {
        let format = sources[source].format
        var lost: (time: Int64, count: Int)?
        for frame in frames {
            guard let arrival = frame.arrival else { continue }
            if frame.isLost {
                if joins, let before = lost {
                    lost = (before.time, before.count + 1)
                } else {
                    lost = (frame.time, 1)
                }
                if !joins { reportLoss(source, &lost, arrival) }
                continue
            }
            reportLoss(source, &lost, arrival)
            let sample = SampleBuffer(
                payload: .coded(BlockBuffer([])), format: format,
                presentationTime: .nanoseconds(frame.time))
            arrivals.append(Arrival(source: source, time: arrival, event: .sample(sample)))
        }
    }

    private mutating func reportLoss(
        _ source: Int, _ lost: inout (time: Int64, count: Int)?, _ arrival: Int64
    ) {
        guard let (time, count) = lost else { return }
        let drop = SampleDrop(cause: .driverGap, count: count, time: .nanoseconds(time))
        arrivals.append(Arrival(source: source, time: arrival, event: .dropped(drop)))
        lost = nil
    }
}

extension SynchronizerSchedule {
    struct Decision {
        let moment: MomentMatcher.Moment
        /// When it was decided.
        let time: Int64
    }

    /// What the matcher decides, and the most frames that it held of each source.
    /// - Parameter withholds: events that the matcher does not get.
    func run(withholding withholds: (SourceEvent) -> Bool = { _ in false }) -> (
        [Decision], held: [Int]
    ) {
        var matcher = MomentMatcher(sources.map(\.format), timeout: timeout)
        var decisions: [Decision] = []
        var held = [Int](repeating: 0, count: sources.count)
        func decide(at now: Int64) {
            while let moment = matcher.next(at: now) {
                decisions.append(Decision(moment: moment, time: now))
            }
        }
        for arrival in arrivals where !withholds(arrival.event) {
            while let deadline = matcher.deadline, deadline <= arrival.time { decide(at: deadline) }
            matcher.take(arrival.event, from: arrival.source, arrival: arrival.time)
            held = zip(held, matcher.held).map { max($0, $1) }
            decide(at: arrival.time)
        }
        while let deadline = matcher.deadline { decide(at: deadline) }
        return (decisions, held)
    }
}
