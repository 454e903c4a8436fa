internal import Media

/// What an export has appended so far.
struct ExportTally: Sendable {
    var frames: Int64 = 0
    /// That a first pass looked at.
    var seenFrames: Int64 = 0
    var audioFrames: Int64 = 0
    /// Up to when audio was asked for (seconds).
    var audioTime = MediaTime.zero
    var resumedFrames: Int64 = 0
    /// Made while the recording went on.
    var preparedFrames: Int64 = 0
    var limitedSamples: Int64 = 0
    /// By how much at most (dB).
    var reduction = 0.0
    var damagedFrames = 0
    var damagedAudio = 0
    /// How the loudness target was reached; nil: there is none.
    var loudness: LoudnessReport?
    var notes: [String] = []
    /// Where some frames are copied and others encoded.
    var pace: ExportPace?

    /// Takes over what of the sources could not be decoded.
    mutating func add(_ damage: [String: SourceDamage]) {
        for (path, damage) in damage.sorted(by: { $0.key < $1.key }) {
            damagedFrames += damage.pictures
            damagedAudio += damage.sound
            // a clip may be a title's frame too
            if let note = damage.sentence(of: path), !notes.contains(note) { notes.append(note) }
        }
    }

    /// - Parameter bytes: written so far (bytes).
    func progress(of plan: ExportPlan, bytes: Int64) -> ExportProgress {
        let rate = Int32(plan.sampleRate)
        let isFirstPass = plan.passes == 2 && seenFrames < plan.frameCount
        let shown = isFirstPass ? seenFrames : frames
        let reached =
            plan.frameCount > 0
            ? plan.frameDuration * shown : MediaTime(value: audioFrames, timescale: rate)
        let made =
            plan.frameCount > 0
            ? plan.frameDuration * (frames - resumedFrames + seenFrames) : reached
        var progress = ExportProgress(
            frames: shown, frameCount: plan.frameCount, time: min(reached, plan.range.duration),
            duration: plan.range.duration, bytes: bytes, elapsed: .zero, made: made)
        (progress.isMixed, progress.estimate) = (plan.smart != nil, pace?.timeLeft)
        (progress.pass, progress.passes) = (isFirstPass ? 1 : plan.passes, plan.passes)
        return progress
    }
}
