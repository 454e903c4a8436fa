internal import Media

/// Renders one track's blocks: spans at their speeds, cut fades, volume, pan, tap. Thread-bound.
final class MixTrackRenderer {
    /// Sources that stay open although no span is using them, for the cut back to them.
    private static let spareSources = 2

    let mixTrack: MixTrack
    private let sampleRate: Int
    private let channels: Int
    private let open: AudioOpener
    private let fadeTable: [Int: [Float]]

    /// Spans that are playing, by their index.
    private var playing: [Int: any SpanAudio] = [:]
    /// Open sources, the latest used last.
    private var sources: [(source: MediaSource, sound: any AudioSource)] = []

    init(_ mixTrack: MixTrack, sampleRate: Int, channels: Int, open: @escaping AudioOpener) {
        self.mixTrack = mixTrack
        self.sampleRate = sampleRate
        self.channels = channels
        self.open = open
        let lengths = Set(mixTrack.spans.map { $0.fadeFrames(sampleRate: sampleRate) })
        fadeTable = Dictionary(uniqueKeysWithValues: lengths.map { ($0, CutFade.gains($0)) })
    }

    /// The track's interleaved frames of a block; nil: silence.
    func block(_ range: Range<Int64>, tapping: Bool = true) throws(MediaError) -> [Float]? {
        let indices = mixTrack.spans(in: range)
        playing = playing.filter { indices.contains($0.key) }
        closeSpareSources()
        let tap = tapping ? mixTrack.tap : nil
        guard !indices.isEmpty || tap != nil else { return nil }
        var block = [Float](repeating: 0, count: range.count * channels)
        for index in indices {
            let part = mixTrack.spans[index].range.clamped(to: range)
            let frames = try faded(index, part)
            let offset = Int(part.lowerBound - range.lowerBound) * channels
            block.replaceSubrange(offset..<offset + frames.count, with: frames)
        }
        applyGain(range, &block)
        if let tap { try self.tap(tap, range, &block) }
        return block
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
        let sides = channels == 2 ? mixTrack.sides : (left: 1, right: 1)
        if sides == (1, 1), gains.allSatisfy({ $0 == 1 }) { return }
        for frame in 0..<range.count {
            if channels == 2 {
                block[frame * 2] *= gains[frame] * sides.left
                block[frame * 2 + 1] *= gains[frame] * sides.right
            } else {
                block[frame] *= gains[frame]
            }
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
        let sound = try makeAudio(mixTrack.spans[index])
        playing[index] = sound
        return sound
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
                source, channels: channels, limits: limits, history: sampleRate / 10)
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
