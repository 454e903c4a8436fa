internal import Media
internal import Writing

/// Makes the film's frames and audio in order and hands them to the writer. Audio goes a little
/// ahead of the frames, so that neither track waits in memory for the other. Thread-bound: the
/// export's thread.
final class ExportLoop {
    /// How far audio is ahead (ms).
    static let audioLead = MediaTime.milliseconds(300)
    /// Audio frames appended at once.
    private static let audioBlock = 4096

    private let film: Film
    private let plan: ExportPlan
    private let shelf: SourceShelf
    private let inputs: ExportInputs
    private let pictures: FilmRenderer?
    private let sound: MixRenderer?
    private let times: FilmTimes

    typealias Checkpoint = (ExportTally) throws(MediaError) -> Void

    init(
        film: Film, plan: ExportPlan, settings: ExportSettings, shelf: SourceShelf,
        inputs: ExportInputs
    ) throws(MediaError) {
        self.film = film
        self.plan = plan
        self.shelf = shelf
        self.inputs = inputs
        times = plan.times
        if let format = inputs.videoFormat {
            pictures = try FilmRenderer(
                film, format: format, threads: settings.threads, shelf: shelf)
        } else {
            pictures = nil
        }
        sound =
            inputs.audio == nil || inputs.copiedAudio != nil
            ? nil
            : try film.sound(
                sampleRate: plan.sampleRate, codedAs: plan.preset.audio, shelf: shelf)
    }

    /// - Parameters:
    ///   - elapsed: since the export began (seconds).
    ///   - checkpoint: after each frame, or each second of a film without; may throw to end it.
    func run(
        from unfinished: UnfinishedExport?, tally: inout ExportTally,
        elapsed: () -> MediaTime, _ checkpoint: Checkpoint
    ) throws(MediaError) {
        try checkpoint(tally)
        try measureAudio { () throws(MediaError) in try checkpoint(tally) }
        // the writer's own encoder looks at what it is given itself
        let isFitting =
            inputs.smart.map {
                unfinished?.isCoded(with: $0.format.codecConfiguration) ?? false
            } ?? true
        if let unfinished, let video = inputs.video, isFitting {
            try unfinished.copy(into: video)
            tally.resumedFrames = unfinished.frames
            tally.frames = unfinished.frames
            inputs.smart?.skip(unfinished.frames)
        }
        try markChapters()
        try make(upTo: plan.frameCount, &tally, elapsed: elapsed, checkpoint)
        try conclude(&tally, checkpoint)
    }

    func markChapters() throws(MediaError) {
        for chapter in plan.chapters(of: film) {
            try inputs.writer.mark(chapter.title, at: chapter.time)
        }
    }

    /// Makes the frames before one, and the audio beside them.
    func make(
        upTo end: Int64, _ tally: inout ExportTally, elapsed: () -> MediaTime,
        _ checkpoint: Checkpoint
    ) throws(MediaError) {
        tally.pace = plan.smart.map {
            ExportPace($0, size: plan.size ?? PixelSize(1, 1), from: tally.frames)
        }
        while tally.frames < end {
            let time = plan.frameDuration * tally.frames
            let begun = elapsed()
            try appendAudio(upTo: time + Self.audioLead, &tally)
            let heard = elapsed()
            try appendFrame(tally.frames)
            tally.pace?.made(tally.frames, audio: heard - begun, picture: elapsed() - heard)
            tally.frames += 1
            try checkpoint(tally)
        }
    }

    /// Makes what is heard behind the last frame, and ends the film.
    func conclude(
        _ tally: inout ExportTally, _ checkpoint: Checkpoint
    ) throws(MediaError) {
        var next = MediaTime(value: tally.audioFrames, timescale: Int32(plan.sampleRate))
        while tally.audioFrames < plan.audioFrameCount {
            next += .seconds(1)
            try appendAudio(upTo: next, &tally)
            try checkpoint(tally)
        }
        try inputs.writer.endSession(atSourceTime: plan.range.duration)
        count(in: &tally)
        tally.loudness = sound?.report.loudness
        // less than that is no louder than rounding
        if tally.limitedSamples > 0, tally.reduction >= 0.05 {
            tally.notes.append(
                "The audio is too loud by \((tally.reduction * 10).rounded() / 10) dB in "
                    + "\(tally.limitedSamples) of its frames and was lowered there; lower a "
                    + (sound?.report.levels.isEmpty ?? true
                        ? "volume." : "volume or a clip's loudness."))
        }
        tally.notes += sound?.report.levels.compactMap(\.shortfall) ?? []
        tally.notes += sound?.report.loudness?.shortfall.map { [$0] } ?? []
    }

    /// Takes over what this loop met on its way.
    func count(in tally: inout ExportTally) {
        if let report = sound?.report {
            tally.limitedSamples += report.limitedFrames
            tally.reduction = max(tally.reduction, report.reduction)
        }
        for line in pictures?.warnings ?? [] where !tally.notes.contains(line) {
            tally.notes.append(line)
        }
    }

    /// Listens to speech and measures the loudness, where the mix asks for it.
    private func measureAudio(
        _ checkpoint: () throws(MediaError) -> Void
    ) throws(MediaError) {
        var ended: MediaError?
        do throws(MediaError) {
            try sound?.prepare {
                do throws(MediaError) { try checkpoint() } catch { ended = error }
                return ended != nil
            }
        } catch { throw ended ?? error }
        // it is read once more, and damage met there counts
        shelf.forgetAudioDamage()
    }

    private func appendFrame(_ number: Int64) throws(MediaError) {
        guard let pictures, let video = inputs.video, let format = inputs.videoFormat else {
            return
        }
        if let smart = inputs.smart {
            let samples = try smart.samples(forFrame: number) { () throws(MediaError) in
                try pictures.picture(at: times.time(ofFrame: number))
            }
            for sample in samples { try video.appendBlocking(sample) }
            return
        }
        let time = plan.frameDuration * number
        let frame = try pictures.picture(at: times.time(ofFrame: number))
        // the last one ends where the film does
        let isLast = number == plan.frameCount - 1
        let left = plan.range.duration.timelineTicks - time.timelineTicks
        try video.appendBlocking(
            SampleBuffer(
                payload: .pixels(frame), format: .video(format), presentationTime: time,
                duration: isLast && left > 0 ? .timeline(left) : plan.frameDuration))
    }

    private func appendAudio(
        upTo time: MediaTime, _ tally: inout ExportTally
    ) throws(MediaError) {
        tally.audioTime = max(tally.audioTime, min(time, plan.range.duration))
        if let copied = inputs.copiedAudio { return try append(copied, upTo: time, &tally) }
        guard let sound, let audio = inputs.audio else { return }
        let rate = Int32(plan.sampleRate)
        let end = min(plan.audioFrameCount, time.ticks(per: rate, rounding: .up))
        while tally.audioFrames < end {
            let count = min(Self.audioBlock, Int(end - tally.audioFrames))
            let block = try sound.read(
                from: times.firstAudioFrame + tally.audioFrames, count: count)
            try audio.appendBlocking(
                SampleBuffer(
                    payload: .audio(block), format: .audio(inputs.audioFormat),
                    presentationTime: MediaTime(value: tally.audioFrames, timescale: rate)))
            tally.audioFrames += Int64(count)
        }
    }

    private func append(
        _ copied: CopiedAudio, upTo time: MediaTime, _ tally: inout ExportTally
    ) throws(MediaError) {
        for packet in try copied.packets(before: min(time, plan.range.duration)) {
            try inputs.audio?.appendBlocking(packet)
        }
        tally.audioFrames = min(
            plan.audioFrameCount, time.ticks(per: Int32(plan.sampleRate), rounding: .up))
    }
}
