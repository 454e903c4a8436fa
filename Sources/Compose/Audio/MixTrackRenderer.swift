internal import Media

/// Renders one track's blocks: spans at their speeds, low cut, gate, cut fades, volume, pan, limiter, tap. Thread-bound.
final class MixTrackRenderer {
    /// Sources that stay open although no span is using them, for the cut back to them.
    private static let spareSources = 2

    let mixTrack: MixTrack
    private let sampleRate: Int
    private let channels: Int
    private let open: AudioOpener
    private let fadeTable: [Int: [Float]]
    private let limiter: PeakLimiter?

    /// Spans that are playing, by their index.
    private var playing: [Int: any SpanAudio] = [:]
    /// Open sources, the latest used last.
    private var sources: [(source: MediaSource, sound: any AudioSource)] = []
    /// What the limiter looks at: frames before it.
    private var tape: FrameTape

    init(_ mixTrack: MixTrack, sampleRate: Int, channels: Int, open: @escaping AudioOpener) {
        self.mixTrack = mixTrack
        self.sampleRate = sampleRate
        self.channels = channels
        self.open = open
        tape = FrameTape(channels: channels)
        limiter = mixTrack.treatment.limiter.map {
            PeakLimiter(
                channels: channels, sampleRate: sampleRate, ceiling: Float(Decibel.amplitude($0)))
        }
        let lengths = Set(mixTrack.spans.map { $0.fadeFrames(sampleRate: sampleRate) })
        fadeTable = Dictionary(uniqueKeysWithValues: lengths.map { ($0, CutFade.gains($0)) })
    }

    /// The track's interleaved frames of a block; nil: silence.
    func block(_ range: Range<Int64>, tapping: Bool = true) throws(MediaError) -> [Float]? {
        let tap = tapping ? mixTrack.tap : nil
        let sounding: [Float]?
        if let limiter {
            sounding = try limited(range, by: limiter)
        } else {
            sounding = try levelled(range)
        }
        guard let tap else { return sounding }
        var block = sounding ?? silence(range)
        try self.tap(tap, range, &block)
        return block
    }

    /// Behind volume, pan and limiter.
    private func limited(
        _ range: Range<Int64>, by limiter: PeakLimiter
    ) throws(MediaError) -> [Float]? {
        let context = limiter.context
        let around = range.lowerBound - Int64(context)..<range.upperBound + Int64(context)
        let frames = try tape.frames(around, keeping: around.lowerBound) {
            missing throws(MediaError) in
            try levelled(missing) ?? silence(missing)
        }
        if mixTrack.spans(in: range).isEmpty { return nil }
        return limiter.limit(Array(frames), before: context, count: range.count).frames
    }

    /// Behind volume and pan; nil: silence.
    private func levelled(_ range: Range<Int64>) throws(MediaError) -> [Float]? {
        let indices = mixTrack.spans(in: range)
        playing = playing.filter { indices.contains($0.key) }
        closeSpareSources()
        guard !indices.isEmpty else { return nil }
        var block = silence(range)
        for index in indices {
            let part = mixTrack.spans[index].range.clamped(to: range)
            let frames = try faded(index, part)
            let offset = Int(part.lowerBound - range.lowerBound) * channels
            block.replaceSubrange(offset..<offset + frames.count, with: frames)
        }
        applyGain(range, &block)
        return block
    }

    private func silence(_ range: Range<Int64>) -> [Float] {
        [Float](repeating: 0, count: range.count * channels)
    }

    /// A span's frames with its fades.
    private func faded(_ index: Int, _ part: Range<Int64>) throws(MediaError) -> [Float] {
        let span = mixTrack.spans[index]
        let first = part.lowerBound - span.range.lowerBound
        var frames = try sound(index).read(from: first, count: part.count)
        let gains = fadeTable[span.fadeFrames(sampleRate: sampleRate)] ?? []
        for frame in 0..<part.count {
            let fromStart = Int(first) + frame
            let toEnd = Int(span.count) - 1 - fromStart
            guard min(fromStart, toEnd) < gains.count else { continue }
            let gain =
                (fromStart < gains.count ? gains[fromStart] : 1)
                * (toEnd < gains.count ? gains[toEnd] : 1)
            for channel in 0..<channels { frames[frame * channels + channel] *= gain }
        }
        return frames
    }

    private func applyGain(_ range: Range<Int64>, _ block: inout [Float]) {
        let gains = mixTrack.gain.gains(range)
        guard channels == 2 else {
            for frame in 0..<range.count { block[frame] *= gains[frame] }
            return
        }
        if let sides = mixTrack.pan.constant {
            if sides == (1, 1), gains.allSatisfy({ $0 == 1 }) { return }
            for frame in 0..<range.count {
                block[frame * 2] *= gains[frame] * sides.left
                block[frame * 2 + 1] *= gains[frame] * sides.right
            }
            return
        }
        for (frame, sides) in mixTrack.pan.sides(range).enumerated() {
            block[frame * 2] *= gains[frame] * sides.left
            block[frame * 2 + 1] *= gains[frame] * sides.right
        }
    }

    private func tap(
        _ tap: AudioTap, _ range: Range<Int64>, _ block: inout [Float]
    ) throws(MediaError) {
        let count = block.count
        let time = MediaTime(value: range.lowerBound, timescale: Int32(sampleRate))
        tap.process(
            &block, AudioTap.Context(time: time, sampleRate: sampleRate, channels: channels))
        guard block.count == count else {
            throw MediaError(
                code: .invalidSetting, subject: "tap \(tap.name)",
                message: "The audio tap \(tap.name) on track \(mixTrack.trackID) gave back "
                    + "\(block.count) samples for \(count); it must keep their number.")
        }
    }

    private func sound(_ index: Int) throws(MediaError) -> any SpanAudio {
        if let sound = playing[index] { return sound }
        let span = mixTrack.spans[index]
        let sound = treated(try makeAudio(span), count: span.count)
        playing[index] = sound
        return sound
    }

    private func treated(_ audio: any SpanAudio, count: Int64) -> any SpanAudio {
        var audio = audio
        if let frequency = mixTrack.treatment.lowCut {
            audio = LowCutAudio(
                audio, count: count, channels: channels, sampleRate: sampleRate,
                frequency: frequency)
        }
        if let gate = mixTrack.treatment.gate {
            audio = GatedAudio(
                audio, count: count, channels: channels, sampleRate: sampleRate, gate: gate)
        }
        return audio
    }

    private func makeAudio(_ span: AudioSpan) throws(MediaError) -> any SpanAudio {
        let limits = span.sourceFrame..<span.sourceFrame + span.sourceCount
        let forward = try source(span.source)
        let source = span.isReversed ? BackwardAudio(forward, limits) : forward
        if span.speed.isOne {
            return PlainAudio(
                SourceWindow(source, channels: channels, limits: limits), origin: span.sourceFrame)
        }
        if span.keepsPitch {
            let window = SourceWindow(
                source, channels: channels, limits: limits, history: sampleRate / 5)
            return TimeStretch(window, span: span, sampleRate: sampleRate)
        }
        return Varispeed(
            SourceWindow(source, channels: channels, limits: limits), origin: span.sourceFrame,
            speed: span.speed)
    }

    private func source(_ wanted: MediaSource) throws(MediaError) -> any AudioSource {
        if let index = sources.firstIndex(where: { $0.source == wanted }) {
            let found = sources.remove(at: index)
            sources.append(found)
            return found.sound
        }
        let opened = try open(wanted, sampleRate)
        sources.append((wanted, opened))
        return opened
    }

    private func closeSpareSources() {
        let inUse = Set(playing.keys.map { mixTrack.spans[$0].source })
        var spare = sources.count { !inUse.contains($0.source) } - Self.spareSources
        sources.removeAll { entry in
            guard spare > 0, !inUse.contains(entry.source) else { return false }
            spare -= 1
            return true
        }
    }
}
