public import Media
public import Reading

/// Cuts a take of several cameras and microphones so that the camera is shown whose microphone is heard. The first
/// microphone is the first camera's, and so on; a camera without one shows while nobody speaks.
public struct SpeakerSwitch: Sendable, Hashable {
    /// How long a shot lasts at least (seconds; 0.2…3600; default 2).
    public var shortestShot: MediaTime

    /// A switch whose shots last at least so long.
    public init(shortestShot: MediaTime = .seconds(2)) { self.shortestShot = shortestShot }

    /// A clip as one for each shot, its audio unbroken: cuts lie where the first camera's frames begin. Reads the
    /// clip's audio. Blocks; not for Swift's cooperative pool.
    /// - Parameters:
    ///   - clip: a clip of the take.
    ///   - asset: the take.
    ///   - cameras: the video tracks, by the container's numbers.
    ///   - microphones: the audio tracks that are listened to, at most one for each camera.
    ///   - progress: hears how much has been listened to (0…1), about once for ten seconds of audio.
    /// - Throws: `invalid-setting` for fewer than two of either, what reading throws.
    public func shots(
        of clip: VideoItem, in asset: Asset, cameras: [Int], microphones: [Int],
        progress: (Double) -> Void = { _ in }
    ) throws(MediaError) -> [VideoItem] {
        guard shortestShot >= .milliseconds(200), shortestShot <= .seconds(3600) else {
            throw .setting(
                "layout",
                "a shot of at least \(shortestShot.spoken) is asked for; it can be 0.2 s to an hour"
            )
        }
        guard !clip.isReversed, !clip.isRamped else {
            throw .setting(
                "layout",
                "\(clip.path) \(clip.isReversed ? "plays backwards" : "changes its speed"), and whose microphone "
                    + "is heard cannot be followed there; leave that or the layout out")
        }
        let sounds = microphones.compactMap { id in
            asset.tracks.first { $0.id == id && $0.mediaType == .audio && $0.format != nil }
        }
        let frames = cameras.compactMap { id in
            asset.tracks.first { $0.id == id && $0.mediaType == .video && $0.format != nil }
        }
        guard cameras.count >= 2, sounds.count >= 2, sounds.count <= cameras.count,
            frames.count == cameras.count
        else {
            throw .setting(
                "layout",
                "the speaker is found by a microphone for each camera, at least two of both; "
                    + "\(asset.path) has \(cameras.count) of the one and \(microphones.count) of the other"
            )
        }
        let end = min(clip.end ?? AngleSlot.end(of: frames), frames.map(\.reach).max() ?? .zero)
        guard clip.start < end else {
            throw .setting(
                "layout",
                "\(clip.path) starts at \(clip.start.spoken), but its cameras last \(end.spoken)")
        }
        let range = MediaTimeRange(from: clip.start, to: end)
        var levels: [[Double]] = []
        for (index, sound) in sounds.enumerated() {
            levels.append(
                try SpeakerLevels.read(asset, sound, range) {
                    progress((Double(index) + $0) / Double(sounds.count))
                })
        }
        let lead = frames[0]
        let frame =
            lead.nominalRate?.frameDuration ?? lead.commonestFrameDuration ?? .milliseconds(40)
        let cuts = SpeakerCuts(
            levels: levels, hasWideShot: cameras.count > sounds.count,
            shortest: shortestShot.approximateSeconds)
        return clip.cut(cuts.shots, frames, frame, until: end)
    }
}

extension VideoItem {
    /// - Parameters:
    ///   - shots: which camera from when on (seconds since the clip's start), the first at 0.
    ///   - frame: cuts lie at whole ones since the movie's beginning.
    ///   - end: of what there is.
    fileprivate func cut(
        _ shots: [SpeakerCuts.Shot], _ cameras: [AssetTrack], _ frame: MediaTime,
        until end: MediaTime
    ) -> [VideoItem] {
        let step = frame.timelineTicks
        var spans: [(camera: Int, start: MediaTime)] = []
        for shot in shots {
            let second = Double(Composition.timescale)
            let wanted = start.timelineTicks + Int64(shot.start * second)
            let cut = spans.isEmpty ? start : .timeline((wanted + step / 2) / step * step)
            guard spans.last.map({ cut > $0.start }) ?? true, cut < end else { continue }
            spans.append((shot.camera, cut))
        }
        let ends = spans.dropFirst().map(\.start) + [end]
        var parts: [(camera: Int, start: MediaTime)] = []
        for (span, end) in zip(spans, ends) {
            parts += cameras.parts(of: span.camera, from: span.start, to: end, step)
        }
        let whole = parts.indices.filter { $0 == 0 || parts[$0].camera != parts[$0 - 1].camera }
            .map { parts[$0] }
        return whole.enumerated().map { index, part in
            var item = self
            item.track = cameras[part.camera].id
            if index > 0 {
                (item.start, item.gap, item.at) = (part.start, .zero, nil)
                (item.transition, item.fadeIn) = (.cut, .zero)
            }
            item.end = index + 1 < whole.count ? whole[index + 1].start : end
            let shot = part.start.timelineTicks..<(item.end ?? end).timelineTicks
            item.effects = effects.compactMap { $0.within(shot, of: self) }
            if index + 1 < whole.count { item.fadeOut = .zero }
            return item
        }
    }
}

extension ClipEffect {
    /// What of it lies in a part of its clip, its times counted from where the part begins; nil: nothing.
    /// - Parameter part: ticks of the source.
    fileprivate func within(_ part: Range<Int64>, of clip: VideoItem) -> ClipEffect? {
        func film(_ ticks: Int64) -> Int64 { clip.speed.film(ticks - clip.start.timelineTicks) }
        let shown = film(part.lowerBound)..<film(part.upperBound)
        let begin = at.timelineTicks
        let end = duration.map { begin + $0.timelineTicks } ?? .max
        guard begin < shown.upperBound, end > shown.lowerBound else { return nil }
        var effect = self
        effect.at = .timeline(max(0, begin - shown.lowerBound))
        if duration != nil {
            effect.duration = .timeline(
                min(end, shown.upperBound) - max(begin, shown.lowerBound))
        }
        effect.keyframes = keyframes.compactMap { frame in
            var frame = frame
            frame.time = .timeline(frame.time.timelineTicks - shown.lowerBound)
            return frame.time < .zero ? nil : frame
        }
        return effect
    }
}

extension [AssetTrack] {
    /// Where a camera has ended the one that lasts longest is shown.
    fileprivate func parts(
        of camera: Int, from start: MediaTime, to end: MediaTime, _ step: Int64
    ) -> [(camera: Int, start: MediaTime)] {
        let reach = self[camera].reach
        guard reach < end else { return [(camera, start)] }
        let longest = map(\.reach).max() ?? reach
        let other = firstIndex { $0.reach == longest } ?? camera
        let last = MediaTime.timeline(reach.timelineTicks / step * step)
        return last > start ? [(camera, start), (other, last)] : [(other, start)]
    }
}

/// How loud a microphone is in each window.
enum SpeakerLevels {
    /// Of a window (seconds).
    static let window = 0.02
    private static let rate = 8000
    /// Over which a level is smoothed (windows): syllables are no turns.
    private static let reach = 10

    /// Decibels below full scale, a value for each window of a range.
    static func read(
        _ asset: Asset, _ track: AssetTrack, _ range: MediaTimeRange,
        _ progress: (Double) -> Void
    ) throws(MediaError) -> [Double] {
        let cursor = try AudioCursor(
            asset: asset, track: track,
            format: AudioFormat(coding: .raw(.float32), sampleRate: rate, channels: 1))
        defer { cursor.close() }
        let size = Int(Double(rate) * window)
        let first = range.start.ticks(per: Int32(rate), rounding: .nearest)
        let count = range.duration.ticks(per: Int32(rate), rounding: .nearest)
        var powers: [Double] = []
        let piece = Int64(size * 500)
        for start in stride(from: Int64(0), to: count, by: Int64.Stride(piece)) {
            progress(Double(start) / Double(max(count, 1)))
            let block = try cursor.read(at: first + start, count: Int(min(piece, count - start)))
            block.withUnsafeBytes { bytes in
                let samples = bytes.bindMemory(to: Float.self)
                for begin in stride(from: 0, to: samples.count, by: size) {
                    let window = samples[begin..<min(begin + size, samples.count)]
                    let energy = window.reduce(0.0) { $0 + Double($1) * Double($1) }
                    powers.append(energy / Double(size))
                }
            }
        }
        return smoothed(powers).map { Decibel.level(($0 + 1e-12).squareRoot()) }
    }

    /// The mean of the windows around each.
    private static func smoothed(_ powers: [Double]) -> [Double] {
        var sums = [0.0]
        sums.reserveCapacity(powers.count + 1)
        for power in powers { sums.append(sums[sums.count - 1] + power) }
        return powers.indices.map { index in
            let (from, to) = (max(0, index - reach), min(powers.count, index + reach + 1))
            return (sums[to] - sums[from]) / Double(to - from)
        }
    }
}

/// Who speaks when, by the levels of the microphones.
struct SpeakerCuts {
    /// A camera from an instant on (seconds).
    struct Shot: Equatable {
        let camera: Int
        let start: Double
    }

    /// Of each microphone, a level for each window (dB below full scale).
    let levels: [[Double]]
    /// Whether a camera more than there are microphones shows while nobody speaks.
    let hasWideShot: Bool
    /// Seconds.
    let shortest: Double

    /// What is below is no speech (dB).
    private static let least = -50.0
    /// By how much another one must be louder while the one who is shown speaks (dB).
    private static let lead = 3.0
    /// How long somebody else must speak until they are shown, and nobody until all are (seconds).
    private static let turn = 0.4
    private static let silence = 3.0
    /// How long before somebody's first word they are shown (seconds).
    private static let ahead = 0.1

    var shots: [Shot] {
        let count = levels.map(\.count).min() ?? 0
        let floors = levels.map(Self.floor)
        let first = (0..<count).first { index in
            levels.indices.contains { levels[$0][index] >= floors[$0] }
        }
        var shots = [Shot(camera: 0, start: 0)]
        var run: (camera: Int, start: Int)?
        for index in 0..<count {
            let current = shots[shots.count - 1]
            let wanted = speaker(index, floors, current.camera)
            guard let wanted, wanted != current.camera else {
                run = nil
                continue
            }
            if run?.camera != wanted { run = (wanted, index) }
            guard let began = run?.start else { continue }
            let lasts = Double(index - began) * SpeakerLevels.window
            let wait = wanted == levels.count ? Self.silence : Self.turn
            let now = Double(index) * SpeakerLevels.window
            // the first one to speak is shown from the beginning
            let isFirst = shots.count == 1 && wanted < levels.count && began == first
            guard lasts >= wait, isFirst || now >= current.start + shortest else { continue }
            let heard = Double(began) * SpeakerLevels.window
            let start = max(heard - Self.ahead, current.start + shortest)
            shots = isFirst ? [] : shots
            shots.append(Shot(camera: wanted, start: isFirst ? 0 : start))
            run = nil
        }
        return shots
    }

    /// Whose camera belongs here; nil: nobody's in particular.
    private func speaker(_ index: Int, _ floors: [Double], _ current: Int) -> Int? {
        let speaking = levels.indices.filter { levels[$0][index] >= floors[$0] }
        guard let loudest = speaking.max(by: { levels[$0][index] < levels[$1][index] }) else {
            return hasWideShot ? levels.count : nil
        }
        if speaking.contains(current), levels[loudest][index] < levels[current][index] + Self.lead {
            return current
        }
        return loudest
    }

    /// From which level on a microphone hears somebody: well above what it hears in its quietest tenth.
    private static func floor(_ levels: [Double]) -> Double {
        let sorted = levels.sorted()
        let quiet = sorted.isEmpty ? least : sorted[sorted.count / 10]
        return max(least, min(quiet, -35) + 6)
    }
}
