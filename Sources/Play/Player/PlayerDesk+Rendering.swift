internal import Media

extension PlayerDesk {
    /// What the render thread does next.
    enum Rendering {
        case open(PlayerQuality)
        /// - Parameter isTarget: somebody waits for it.
        case frame(Int64, isTarget: Bool)
        /// Frames up to this one, in their order, because they will be shown from the last one on.
        case run(upTo: Int64, stride: Int64, most: Int64, turn: Int)
        case wait
        case end
    }

    /// Frames that are made before they are due (count).
    private static let ahead = 12

    /// - Parameter open: what the renderer makes.
    func rendering(at now: Int64, open: PlayerQuality?) -> Rendering {
        if isStopped { return .end }
        guard hasFrames, canMove else { return .wait }
        if open != quality { return .open(quality) }
        if let target, !store.contains(number(of: target.index)) {
            return target.isBackward
                ? run(upTo: target.index) : .frame(number(of: target.index), isTarget: true)
        }
        guard rate != 0 else { return .wait }
        let from = target.map { $0.index + direction * stride } ?? next
        return isForward ? forward(from, at: now) : backward(from)
    }

    private func forward(_ from: Int64, at now: Int64) -> Rendering {
        var from = from
        if motion == .runs, !store.contains(number(of: from)) {
            // what would be late when it is there is left out
            let reachable = index(at: clock.time(at: now + lead + renderTime))
            if reachable > from { from += (reachable - from + stride - 1) / stride * stride }
        }
        let last = isLooping ? Int64.max : (pass + 1) * times.frameCount - 1
        for step in 0..<Int64(min(Self.ahead, store.capacity - 2)) {
            let index = from + step * stride
            guard index <= last else { break }
            let number = number(of: index)
            if !store.contains(number) { return .frame(number, isTarget: false) }
        }
        return .wait
    }

    private func backward(_ from: Int64) -> Rendering {
        let first = isLooping ? Int64.min : pass * times.frameCount
        for step in 0..<Int64(max(1, store.capacity / 2)) {
            let index = from - step * stride
            guard index >= first else { break }
            if !store.contains(number(of: index)) { return run(upTo: index) }
        }
        return .wait
    }

    private func run(upTo index: Int64) -> Rendering {
        .run(
            upTo: number(of: index), stride: stride, most: Int64(max(1, store.capacity / 2)),
            turn: renderTurn)
    }

    /// A frame was made.
    /// - Parameters:
    ///   - took: how long (ns); nil: it was sought first, which says nothing of the next one.
    ///   - isTarget: somebody waited for it when it was begun.
    mutating func keep(
        _ frame: PixelBuffer, as number: Int64, quality: PlayerQuality, took: Int64?,
        isTarget: Bool
    ) {
        counts.rendered += 1
        if let took { renderTime = renderTime == 0 ? took : (renderTime * 3 + took) / 4 }
        guard quality == self.quality else { return }
        // of wishes that come faster than frames each one that was made is seen
        if isTarget, motion == .waits, let target, self.number(of: target.index) != number {
            passed = number
        }
        let playhead = target?.index ?? (motion == .runs ? next : shown ?? next)
        store.keep(
            frame, as: number, playhead: self.number(of: playhead),
            isForward: isForward && !(target?.isBackward ?? false),
            length: isLooping ? times.frameCount : nil)
        version += 1
    }
}
