package import LibAV
package import Media

/// What is counted while a file's samples pass.
package struct SampleCount {
    package private(set) var samples = 0
    package private(set) var syncSamples = 0
    package private(set) var bytes: Int64 = 0
    private(set) var end: MediaTime?
    /// Audio whose stamps are coarser than its frames and whose packets say how long they are: where the next
    /// one begins (frames).
    private var counted: (placement: AudioPlacement, end: Int64)?
    /// The first instant that is shown, what decoders cut left out.
    package private(set) var firstShown: MediaTime?
    /// The shortest and the longest time from one sample shown to the next.
    package private(set) var steps: ClosedRange<MediaTime>?
    private var first: MediaTime?
    private var last: MediaTime?
    private var lastStep: MediaTime?
    private var stepCounts = StepCounts()
    /// The sample shown last, and whether it says how long it lasts.
    private var final: (start: MediaTime, isStated: Bool)?
    /// Of audio that is coarser in its stamps than in its frames.
    private var sound = AudioLength()
    /// When frames are shown of which an earlier one may still come, in order.
    private var open: [MediaTime] = []

    /// What the first sample states; nil where it is not looked at.
    package private(set) var firstSample: FirstSample?

    mutating func add(_ sample: SampleBuffer) {
        if samples == 0, let video = sample.format.video, FirstSample.isOfUse(to: video),
            let block = sample.block
        {
            firstSample = FirstSample(
                block.withUnsafeBytes { Array($0.prefix(FirstSample.reach)) }, of: video)
        }
        samples += 1
        if sample.isSync { syncSamples += 1 }
        bytes += Int64(sample.block?.count ?? 0)
        let time = sample.presentationTime
        if sample.format.mediaType == .video {
            open.insert(time, at: open.lastIndex { $0 <= time }.map { $0 + 1 } ?? 0)
            if open.count > DecodeOrder.reach { note(open.removeFirst()) }
        } else {
            note(time)
        }
        let shown = SampleCount.moved(time, by: sample, \.leadingTrim)
        firstShown = min(firstShown ?? shown, shown)
        let stop = countedEnd(of: sample) ?? sample.duration.flatMap { try? time.adding($0) }
        let cut = SampleCount.moved(stop ?? time, by: sample, \.trailingTrim, sign: -1)
        end = max(end ?? cut, cut)
        sound.add(sample)
        if final.map({ time >= $0.start }) ?? true { final = (time, stop != nil) }
    }

    /// Where audio ends that is placed by counting, as copies do.
    private mutating func countedEnd(of sample: SampleBuffer) -> MediaTime? {
        let time = sample.presentationTime
        guard let audio = sample.format.audio, audio.isCoarse(inTicksOf: time.timescale),
            let length = sample.duration, length.timescale == Int32(audio.sampleRate)
        else { return nil }
        let stamp = time.ticks(per: length.timescale, rounding: .nearest)
        let known =
            counted?.placement
            ?? AudioPlacement(
                rate: audio.sampleRate, ticks: time.timescale, coded: audio, first: sample,
                firstFrames: 0, isCoarse: true)
        let place = counted.map { known.next(stamp: stamp, counted: $0.end) } ?? known.first
        counted = (known, place + length.value)
        return MediaTime(value: place + length.value, timescale: length.timescale)
    }

    /// After the last sample. A frame shown last that does not say how long it lasts is taken to last as long as the one
    /// before: a container without lengths would lose it otherwise.
    mutating func finish() {
        if let firstShown, let end { self.end = sound.end(from: firstShown, near: end) }
        let isVideo = !open.isEmpty
        for time in open { note(time) }
        open = []
        guard isVideo, let final, !final.isStated, let lastStep,
            let stop = try? final.start.adding(lastStep)
        else { return }
        end = max(end ?? stop, stop)
    }

    /// Takes the next sample in the order shown.
    private mutating func note(_ time: MediaTime) {
        if let last, last.timescale == time.timescale, time > last {
            let step = time - last
            steps = min(steps?.lowerBound ?? step, step)...max(steps?.upperBound ?? step, step)
            lastStep = step
            stepCounts.add(step.value)
        }
        first = first ?? time
        last = time
    }

    /// A time moved by frames of audio that a decoder cuts.
    private static func moved(
        _ time: MediaTime, by sample: SampleBuffer, _ trim: KeyPath<SampleAttachments, Int>,
        sign: Int64 = 1
    ) -> MediaTime {
        let frames = sample.attachments[keyPath: trim]
        guard frames > 0, let rate = sample.format.audio?.sampleRate else { return time }
        let length = MediaTime(value: sign * Int64(frames), timescale: Int32(rate))
        return (try? time.adding(length.scaled(to: time.timescale, rounding: .nearest))) ?? time
    }

    /// As `StepCounts.commonest`.
    package var commonestStep: MediaTime? {
        last.flatMap { stepCounts.commonest(timescale: $0.timescale) }
    }

    /// Frames per second.
    package var rate: Double? {
        guard let first, let last, samples > 1, last > first else { return nil }
        return Double(samples - 1) / (last - first).approximateSeconds
    }
}
