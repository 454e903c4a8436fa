internal import Capture
internal import Media

/// What becomes of the moments of a pair of cameras, in their order. A pure value.
///
/// ```
///  moment    both cameras have a frame ──▶ matched; counted where an earlier pair is on its way
///            one of them lost it       ──▶ lost, for the camera's reason
///            the right one had none    ──▶ counted: nothing was lost
///  a camera is away                    ──▶ interrupted, until both are there
/// ```
struct StereoDesk: Sendable {
    /// What is done next.
    enum Step: Sendable {
        case match(left: SampleBuffer, right: SampleBuffer)
        case say(SourceEvent)
    }

    // immutable
    private let depth: DepthFormat

    private var steps = FIFO<Step>()
    /// Whether a pair waits or is being matched.
    private var hasPair = false
    /// The cameras that are away (0: left).
    private var away: Set<Int> = []
    private var hasEnded = false
    /// What the left camera delivers, where that changed.
    private var left: FormatDescription?
    private(set) var counts = StereoDepthCounts()

    /// - Parameter depth: of the maps.
    init(_ depth: DepthFormat) { self.depth = depth }

    /// What the maps of a camera's frames are: as large, and without a rate, which matching decides.
    func format(of left: FormatDescription) -> FormatDescription {
        guard let frames = left.video else { return left }
        var format = VideoFormat(
            coding: .raw(.gray16le), width: frames.width, height: frames.height,
            pixelAspect: frames.pixelAspect)
        format.depth = depth
        return .video(format)
    }

    /// Somebody else listens: what was to be said is not said to them, and no camera is known to be away.
    mutating func restart() {
        steps = FIFO()
        (hasPair, away, hasEnded, left) = (false, [], false, nil)
    }

    // MARK: What comes

    /// What both cameras had for a moment.
    /// - Parameter skipped: moments before it that were not delivered (moments).
    mutating func take(
        left: SynchronizedSamples, right: SynchronizedSamples, at time: MediaTime, skipped: Int = 0
    ) {
        counts.busy += skipped
        if let drop = left.drops.first ?? right.drops.first {
            return lose(drop.cause, at: time, \.lost)
        }
        guard let one = left.sample, let other = right.sample else {
            // that a slower camera has no frame is no loss
            if right.outcome == .late {
                lose(.late, at: time, \.late)
            } else {
                counts.unpaired += 1
            }
            return
        }
        if one.attachments.isDamaged || other.attachments.isDamaged {
            lose(.damaged, at: time, \.lost)
        } else if !away.isEmpty {
            // it was said already that none comes
            lose(.late, at: time, \.late)
        } else if hasPair {
            // depth gets fewer frames than light, by intent
            counts.busy += 1
        } else {
            hasPair = true
            steps.append(.match(left: one, right: other), weight: 1)
        }
    }

    /// What a camera says besides frames.
    /// - Parameter camera: 0 is the left one.
    mutating func take(_ event: SourceEvent, of camera: Int) {
        switch event {
        case .sample, .dropped: break  // they come as moments
        case .interrupted:
            if away.isEmpty { say(event) }
            away.insert(camera)
        case .resumed(let time, let format):
            if camera == 0 { left = format }
            guard away.remove(camera) != nil, away.isEmpty else { return }
            hasEnded = false
            say(.resumed(at: time, format: self.format(of: left ?? format)))
        case .ended:
            away.insert(camera)
            if !hasEnded { say(event) }
            hasEnded = true
        }
    }

    /// The pair that was taken has been matched, or could not be.
    mutating func finish(succeeded: Bool) {
        hasPair = false
        if succeeded { counts.matched += 1 } else { counts.failed += 1 }
    }

    // MARK: What is done

    /// `nil` while there is nothing to be done.
    mutating func next() -> Step? { steps.popFirst() }

    private mutating func say(_ event: SourceEvent) { steps.append(.say(event), weight: 1) }

    private mutating func lose(
        _ cause: SampleDrop.Cause, at time: MediaTime,
        _ count: WritableKeyPath<StereoDepthCounts, Int>
    ) {
        counts[keyPath: count] += 1
        say(.dropped(SampleDrop(cause: cause, count: 1, time: time)))
    }
}
