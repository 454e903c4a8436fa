import TestSupport

/// A short recording with jittering cameras, a sound card, pauses, resumes and delays, at random.
struct RandomSchedule {
    enum Event {
        case lead(time: Int64)
        case other(time: Int64)
        case audio(time: Int64, frames: Int)
        case pause(at: Int64)
        case resume(at: Int64)
    }

    static let stallLimit: Int64 = 500_000_000

    let start: Int64
    let end: Int64
    let audioRate: Int
    let hasLead: Bool
    /// In the order of delivery.
    private(set) var events: [Event] = []

    /// When the first audio is heard.
    var firstAudio: Int64 {
        events.lazy.compactMap { if case .audio(let time, _) = $0 { time } else { nil } }.first
            ?? .max
    }

    init(seed: UInt64) {
        var random = SplitMix(seed: seed)
        start = 5_000_000_000 + Int64.random(in: 0..<1_000_000_000, using: &random)
        end = start + Int64.random(in: 400_000_000...1_600_000_000, using: &random)
        audioRate = Bool.random(using: &random) ? 48_000 : 44_100
        hasLead = Int.random(in: 0..<8, using: &random) != 0
        var deliveries: [(at: Int64, event: Event)] = []
        if hasLead {
            deliveries += camera(&random, maySleep: true).map { ($0.at, .lead(time: $0.time)) }
            deliveries += camera(&random, maySleep: false).map { ($0.at, .other(time: $0.time)) }
        }
        deliveries += soundCard(&random)
        deliveries += commands(&random)
        // a stable order for equal instants, so that a seed is a schedule
        events = deliveries.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element.event)
    }

    private func camera(
        _ random: inout SplitMix, maySleep: Bool
    ) -> [(at: Int64, time: Int64)] {
        let period = Int64.random(in: 33_000_000...110_000_000, using: &random)
        let latency = Int64.random(in: 0...60_000_000, using: &random)
        let sleep = Int64.random(in: start...end, using: &random)
        let sleeps = maySleep && Int.random(in: 0..<6, using: &random) == 0
        var frames: [(at: Int64, time: Int64)] = []
        var time = start - Int64.random(in: 0...100_000_000, using: &random)
        while time < end + 100_000_000 {
            // stamps of one camera are in order; deliveries too
            let at = max(time + latency, frames.last?.at ?? 0)
            if !(sleeps && (sleep...sleep + 700_000_000).contains(time)) {
                frames.append((at, time))
            }
            time += period + Int64.random(in: -period / 2...period / 2, using: &random)
        }
        return frames
    }

    private func soundCard(_ random: inout SplitMix) -> [(at: Int64, event: Event)] {
        let latency = Int64.random(in: 0...60_000_000, using: &random)
        let anchor = start - Int64.random(in: -5_000_000...50_000_000, using: &random)
        var runs: [(at: Int64, event: Event)] = []
        var frame: Int64 = 0
        while true {
            let time = anchor + frame * 1_000_000_000 / Int64(audioRate)
            if time > end + 100_000_000 { return runs }
            let frames = Int.random(in: 1000...4000, using: &random)
            frame += Int64(frames)
            let full = anchor + frame * 1_000_000_000 / Int64(audioRate)
            runs.append((full + latency, .audio(time: time, frames: frames)))
        }
    }

    private func commands(_ random: inout SplitMix) -> [(at: Int64, event: Event)] {
        var commands: [(at: Int64, event: Event)] = []
        var now = start
        var pauses = true
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let jump = Int.random(in: 0..<4, using: &random)
            now += jump == 0 ? 0 : Int64.random(in: 0...400_000_000, using: &random)
            guard now < end else { break }
            // sometimes asked for early, sometimes late; now and then twice
            let asked = now + Int64.random(in: -20_000_000...20_000_000, using: &random)
            let event: Event = pauses ? .pause(at: asked) : .resume(at: asked)
            commands.append((now, event))
            if jump == 3 { commands.append((now, event)) }
            pauses.toggle()
        }
        return commands
    }
}
