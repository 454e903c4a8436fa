internal import Media

/// A microphone's samples and losses on one line of time, given away in runs that lie behind each other to the audio
/// frame. A pure value; times are host nanoseconds.
struct AudioLine: Sendable {
    private struct Loss: Sendable {
        let drop: SampleDrop
        let time: Int64
    }

    private var samples: [SampleBuffer] = []
    private var losses: [Loss] = []
    /// Everything before it is on the line.
    private var known = Int64.min
    private var isSilent = false
    private var hasTaken = false
    private var rate: Int64

    init(_ format: FormatDescription) { rate = Int64(format.audio?.sampleRate ?? 48_000) }

    /// Audio frames in memory.
    var frameCount: Int { samples.reduce(0) { $0 + $1.audioFrameCount } }

    mutating func take(_ event: SourceEvent) {
        switch event {
        case .sample(let sample):
            isSilent = false
            samples.append(sample)
            known = max(known, sample.endTime)
        case .dropped(let drop):
            let time = drop.time.nanoseconds()
            losses.append(Loss(drop: drop, time: time))
            known = max(known, time + Int64(drop.count) * 1_000_000_000 / rate)
        case .interrupted, .ended: isSilent = true
        case .resumed(let time, let format):
            isSilent = false
            known = max(known, time.nanoseconds())
            rate = Int64(format.audio?.sampleRate ?? Int(rate))
        }
    }

    /// Whether nothing that comes lies before the time.
    func isDecided(to end: Int64) -> Bool { isSilent || known >= end }

    /// Everything that lies in the time and was not taken yet. What is before it is in no moment: it is reported as late,
    /// or not at all where nothing was taken and nothing lost before, because it is older than the first moment.
    /// - Parameter start: a little before the moment, whose place moves by its camera's jitter.
    mutating func take(from start: Int64, to end: Int64) -> SynchronizedSamples {
        if hasTaken || !losses.isEmpty { letGo(before: start) } else { _ = take(to: start) }
        hasTaken = true
        return take(to: end)
    }

    /// Everything that lies before the time and was not taken yet.
    mutating func take(to end: Int64) -> SynchronizedSamples {
        let isDecided = isDecided(to: end)
        var taken: [SampleBuffer] = []
        while let first = samples.first {
            let (before, rest) = first.split(at: end)
            if let before { taken.append(before) }
            guard let rest else {
                samples.removeFirst()
                continue
            }
            samples[0] = rest
            break
        }
        let drops = losses.filter { $0.time < end }.map(\.drop)
        losses.removeAll { $0.time < end }
        let outcome: SynchronizedSamples.Outcome =
            if !taken.isEmpty { .delivered } else if !drops.isEmpty { .dropped } else {
                isDecided ? .absent : .late
            }
        return SynchronizedSamples(outcome, samples: taken, drops: drops)
    }

    /// Lets go what is older, and reports it with what is taken next.
    mutating func forget(olderThan age: Int64) {
        guard known > .min, let first = samples.first, first.endTime < known - age else { return }
        letGo(before: known - age)
    }

    private mutating func letGo(before time: Int64) {
        guard let first = samples.first, first.presentationTime.nanoseconds() < time else { return }
        let gone = take(to: time)
        var drops = gone.drops
        for sample in gone.samples {
            let drop = SampleDrop(
                cause: .late, count: max(1, sample.audioFrameCount), time: sample.presentationTime)
            if let last = drops.last, last.cause == .late {
                drops[drops.count - 1].count += drop.count
            } else {
                drops.append(drop)
            }
        }
        losses.insert(
            contentsOf: drops.map { Loss(drop: $0, time: $0.time.nanoseconds()) }, at: 0)
        joinLosses()
    }

    /// Losses that follow each other for one cause become one.
    private mutating func joinLosses() {
        var joined: [Loss] = []
        for loss in losses {
            if let last = joined.last, last.drop.cause == loss.drop.cause {
                var drop = last.drop
                drop.count += loss.drop.count
                joined[joined.count - 1] = Loss(drop: drop, time: last.time)
            } else {
                joined.append(loss)
            }
        }
        losses = joined
    }
}

extension SampleBuffer {
    private var frameRate: Int64 { Int64(format.audio?.sampleRate ?? 48_000) }

    /// Of its last audio frame (host clock, ns).
    fileprivate var endTime: Int64 {
        presentationTime.nanoseconds() + Int64(audioFrameCount) * 1_000_000_000 / frameRate
    }

    /// The audio frames that begin before the time, and the others.
    fileprivate func split(at time: Int64) -> (before: SampleBuffer?, rest: SampleBuffer?) {
        let ahead = time - presentationTime.nanoseconds()
        guard ahead > 0 else { return (nil, self) }
        guard case .audio(let block) = payload, let format = format.audio, audioFrameCount > 0
        else { return (self, nil) }
        let count = MediaTime.nanoseconds(ahead)
            .ticks(per: Int32(clamping: frameRate), rounding: .up)
        guard count < audioFrameCount else { return (self, nil) }
        let border = Int(count) * format.bytesPerFrame
        var (before, rest) = (self, self)
        before.payload = .audio(block.slice(0..<border))
        rest.payload = .audio(block.slice(border..<block.count))
        let length = MediaTime(value: count, timescale: Int32(clamping: frameRate))
        rest.presentationTime = presentationTime + length
        if let duration { (before.duration, rest.duration) = (length, duration - length) }
        rest.attachments.lostBefore = 0
        return (before, rest)
    }
}
