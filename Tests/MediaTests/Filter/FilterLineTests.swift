import TestSupport
import Testing

@testable import Media

/// A camera of 30 frames a second, a filter and a listener, by a clock of their own.
private struct Course {
    var line: FilterLine
    /// How each frame went out.
    private(set) var outcomes: [FrameFiltering.Outcome] = []
    private(set) var looks = 0

    init(_ line: FilterLine) { self.line = line }

    /// - Parameter length: of the processor's work on a frame (ms).
    mutating func run(frames: Int64, working length: (Int) -> Int64) {
        var processed = 0
        run(frames: frames) { job in
            guard job.kind == .process else { return 1 }
            defer { processed += 1 }
            return length(processed)
        }
    }

    /// With a detector that is asked each 100 ms, and for what is settled behind its last look (ms).
    /// - Parameter look: how long one of its looks takes.
    mutating func run(frames: Int64, looking look: (Int) -> Int64) {
        var (last, passed): (Int64?, Int64?) = (nil, nil)
        var looks = 0
        run(frames: frames) { job in
            let time = job.frame.presentationTime.nanoseconds() / 1_000_000
            let work: Int64 = job.kind == .look ? 0 : 3
            if job.kind == .look, last.map({ time > $0 && time - $0 + 5 < 100 }) ?? false {
                passed = time
                return work
            }
            guard job.kind == .look || last.map({ $0 < time }) ?? true else { return work }
            let isBehind = passed.map { $0 > time && $0 - time <= 250 } ?? false
            last = job.kind == .process && isBehind ? passed : time
            passed = nil
            defer { looks += 1 }
            return work + look(looks)
        }
        self.looks = looks
    }

    /// - Parameter length: of a job (ms), by its kind and what was done before.
    private mutating func run(frames: Int64, _ length: (FilterLine.Job) -> Int64) {
        var work: (job: FilterLine.Job, start: Int64, end: Int64)?
        for tick in 0..<frames * 33 + 1000 {
            let now = tick * 1_000_000
            if tick % 33 == 0, tick / 33 < frames {
                line.push(.sample(FilterLineTests.frame(at: now)), at: now)
            }
            if let done = work, tick >= done.end {
                finish(done.job, took: now - done.start)
                work = nil
            }
            if work == nil, let job = line.nextJob(at: now) {
                work = (job, now, tick + length(job))
            }
            while let out = line.takeOut(at: now) {
                if let outcome = out.outcome { outcomes.append(outcome) }
            }
        }
    }

    private mutating func finish(_ job: FilterLine.Job, took: Int64) {
        switch job.kind {
        case .look: line.lookedAt(job.number, job.frame, took: took)
        case .process: line.finish(job.number, job.frame, took: took)
        }
    }
}

@Suite("frames that wait for a filter")
struct FilterLineTests {
    fileprivate static func frame(at time: Int64) -> SampleBuffer {
        .planar(
            [UInt8](repeating: 100, count: 16), width: 4, height: 4, at: .nanoseconds(time))
    }

    private func line(
        ahead: Int64, timeout: Int64 = 300_000_000, capacity: Int = 24
    ) -> FilterLine {
        FilterLine(
            lookAhead: .nanoseconds(ahead), timeout: timeout, capacity: capacity
        ) { .sample($0) }
    }

    @Test("a filter that looks ahead and was slow once settles frames again", arguments: [0, 150])
    func recovers(_ ahead: Int) {
        var course = Course(line(ahead: Int64(ahead) * 1_000_000))
        course.run(frames: 120, working: { $0 == 10 ? 350 : 5 })
        #expect(course.outcomes.count == 120)
        #expect(course.outcomes.contains(.late))
        #expect(course.outcomes.suffix(90).allSatisfy { $0 == .processed })
    }

    @Test("a filter that is always slow settles some frames", arguments: [0, 150])
    func slow(_ ahead: Int) {
        var course = Course(line(ahead: Int64(ahead) * 1_000_000))
        course.run(frames: 120, working: { _ in 90 })
        let processed = course.outcomes.filter { $0 == .processed }.count
        #expect(course.outcomes.count == 120 && processed > 20, "\(processed)")
    }

    @Test(
        "after one look that took long, looks are as far apart as before, and every frame is settled"
    )
    func slowLook() {
        var course = Course(line(ahead: 150_000_000, timeout: 400_000_000))
        course.run(frames: 240, looking: { $0 == 10 ? 400 : 40 })
        #expect(course.outcomes.count == 240 && course.outcomes.contains(.late))
        #expect(course.outcomes.suffix(180).allSatisfy { $0 == .processed }, "\(course.outcomes)")
        #expect(course.looks < 100, "\(course.looks)")
        var steady = Course(line(ahead: 150_000_000, timeout: 400_000_000))
        steady.run(frames: 240, looking: { _ in 40 })
        #expect(steady.outcomes.allSatisfy { $0 == .processed })
    }

    @Test("a detector that is always slow settles some frames", arguments: [200, 250])
    func slowDetector(_ length: Int64) {
        var course = Course(line(ahead: 150_000_000, timeout: 400_000_000))
        course.run(frames: 240, looking: { _ in length })
        let processed = course.outcomes.filter { $0 == .processed }.count
        #expect(course.outcomes.count == 240 && processed >= 15, "\(processed)")
    }

    @Test("where fewer frames fit than are looked at ahead, they are processed and not pushed out")
    func large() {
        var course = Course(line(ahead: 250_000_000, capacity: 5))
        course.run(frames: 60, working: { _ in 5 })
        #expect(course.outcomes == [FrameFiltering.Outcome](repeating: .processed, count: 60))
    }

    /// The jobs of three frames in front of an end, so long after they came.
    private func jobs(ahead: Int64, at now: Int64) -> [String] {
        var line = line(ahead: ahead)
        for number in 0..<3 {
            line.push(.sample(Self.frame(at: Int64(number) * 33_000_000)), at: 0)
        }
        line.push(.ended(at: .seconds(1)), at: 0)
        var jobs: [String] = []
        while jobs.count < 10, let job = line.nextJob(at: now) {
            switch job.kind {
            case .look:
                jobs.append("look \(job.number)")
                line.lookedAt(job.number, job.frame)
            case .process:
                jobs.append("process \(job.number)")
                line.finish(job.number, job.frame, took: 0)
            }
        }
        return jobs
    }

    @Test("frames in front of an end are all looked at before one is processed, unless time is up")
    func end() {
        #expect(
            jobs(ahead: 150_000_000, at: 1_000_000)
                == ["look 1", "look 2", "look 3", "process 1", "process 2", "process 3"])
        let eachByItself = ["look 1", "process 1", "look 2", "process 2", "look 3", "process 3"]
        // at half of its time a frame waits for looks that there is time for, and not behind that
        #expect(
            jobs(ahead: 150_000_000, at: 160_000_000).prefix(3) == ["look 1", "look 2", "look 3"])
        #expect(jobs(ahead: 150_000_000, at: 299_999_999).first == "look 1")
        #expect(jobs(ahead: 0, at: 1_000_000) == eachByItself)
    }

    @Test(
        "what was done with frames is counted filter by filter, with the last reason of a failure")
    func counts() {
        func frame(_ outcome: FrameFiltering.Outcome, _ failure: String? = nil) -> [FrameFiltering]
        {
            [
                FrameFiltering(name: "grey", fallback: .black, outcome: .processed, covered: 2),
                FrameFiltering(
                    name: "blue", fallback: .unprocessed, outcome: outcome, failure: failure),
            ]
        }
        var counts: [FilterCounts] = []
        counts.count([])
        #expect(counts.isEmpty)
        counts.count(frame(.processed))
        counts.count(frame(.late))
        #expect(counts.map(\.name) == ["grey", "blue"] && counts[1].failure == nil)
        counts.count(frame(.failed, "it broke"))
        counts.count(frame(.late))
        #expect((counts[0].processed, counts[0].covered, counts[0].unprocessed) == (4, 8, 0))
        #expect((counts[1].processed, counts[1].late, counts[1].failed) == (1, 2, 1))
        #expect(counts[1].failure == "it broke" && counts[1].fallback == .unprocessed)
    }
}
