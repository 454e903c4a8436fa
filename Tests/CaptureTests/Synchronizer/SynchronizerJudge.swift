import Media

@testable import Capture

/// Compares what a matcher decided with what is true. Everything is compared with the schedule, nothing with the matcher.
struct SynchronizerJudge {
    let schedule: SynchronizerSchedule
    private(set) var complaints: [String] = []
    private(set) var outcomes: [SynchronizedSamples.Outcome: Int] = [:]
    /// Up to where a source's frames were given away.
    private var passed: [Int64]
    private let reach: Int64

    init(_ schedule: SynchronizerSchedule) {
        self.schedule = schedule
        passed = schedule.sources.map { _ in .min }
        reach = schedule.sources[0].interval / 2
    }

    mutating func judge(_ decisions: [SynchronizerSchedule.Decision]) {
        judgeMoments(decisions)
        for decision in decisions {
            for source in schedule.sources.indices.dropFirst() {
                judge(decision, source)
                outcomes[decision.moment.sources[source].outcome, default: 0] += 1
            }
        }
    }

    /// Each frame of the first source, and each that it reported as lost, once and in order.
    private mutating func judgeMoments(_ decisions: [SynchronizerSchedule.Decision]) {
        let expected = schedule.sources[0].frames.filter { $0.arrival != nil }
        guard expected.count == decisions.count else {
            complaints.append("\(decisions.count) moments of \(expected.count)")
            return
        }
        for (frame, decision) in zip(expected, decisions) {
            let lead = decision.moment.sources[0]
            let isAsItIs =
                frame.isLost
                ? lead.outcome == .dropped && lead.drops.first?.cause == .driverGap
                    && abs(decision.moment.time - frame.time) <= tolerance(0)
                : lead.outcome == .delivered && decision.moment.time == frame.time
            if !isAsItIs { complaints.append("moment \(frame.time) is \(lead.outcome)") }
            if decision.time > (frame.arrival ?? 0) + schedule.timeout {
                complaints.append("moment \(frame.time) waited beyond the timeout")
            }
        }
    }

    /// How far a lost frame may be from where it is thought to have been.
    private func tolerance(_ source: Int) -> Int64 {
        schedule.sources[source].jitter == 0 ? 2 : 2 * schedule.sources[source].jitter + 2
    }

    private mutating func judge(_ decision: SynchronizerSchedule.Decision, _ source: Int) {
        let (moment, answer) = (decision.moment.time, decision.moment.sources[source])
        let frames = schedule.sources[source].frames.filter { $0.time > passed[source] }
        let come = frames.filter { $0.arrival.map { $0 <= decision.time } == true }
        // what is older than this may have been let go
        let age = 2 * (schedule.timeout + schedule.sources[0].interval)
        let newest = come.map(\.time).max() ?? 0
        let here = come.filter { !$0.isLost && $0.time >= newest - age }
        let nearest = here.map { abs($0.time - moment) }.min()
        func complain(_ text: String) {
            complaints.append("source \(source), moment \(moment): \(answer.outcome), but \(text)")
        }
        switch answer.outcome {
        case .delivered:
            let time = answer.sample?.presentationTime.nanoseconds() ?? 0
            if abs(time - moment) > reach { complain("it is more than half a frame away") }
            if !come.contains(where: { $0.time == time }) { complain("it came twice, or never") }
            if let nearest, nearest < abs(time - moment) { complain("another one is nearer") }
            passed[source] = time
        case .dropped:
            let isTooLate = answer.drops.first?.cause == .late
            let isThere = frames.contains { frame in
                abs(frame.time - moment) <= reach + (isTooLate ? 0 : tolerance(source))
                    && frame.isLost != isTooLate
            }
            if !isThere { complain("none was lost") }
            if isTooLate, moment >= newest - 2 * schedule.timeout { complain("it was kept") }
            if let nearest, nearest <= reach { complain("there is one") }
            // a lost frame's place is an estimate, and the frame itself is not reported twice
            passed[source] =
                (answer.drops.first?.time.nanoseconds() ?? .min)
                + (isTooLate ? 0 : tolerance(source))
        case .absent:
            // what was never reported cannot be known
            let inReach = frames.filter {
                $0.arrival != nil && abs($0.time - moment) <= reach - tolerance(source)
            }
            if !inReach.isEmpty { complain("there was one: \(inReach)") }
        case .late:
            if let nearest, nearest <= reach { complain("there is one") }
            if come.contains(where: { $0.time >= moment + reach + tolerance(source) }) {
                complain("it was decided")
            }
        }
    }
}
