public import Media

extension Transition {
    /// The instruction for the span in which the clips overlap. Nothing but ramps: the renderer
    /// need not know of transitions.
    ///
    /// - Parameters:
    ///   - old: The clip that goes.
    ///   - new: The clip that comes.
    ///   - range: On the timeline.
    ///   - frame: The render area (pixels).
    ///   - background: What bars are made of.
    public func instruction(
        from old: Side, to new: Side, over range: MediaTimeRange, frame: PixelSize,
        background: Color = .black
    ) -> Instruction {
        let span = TransitionSpan(
            timeRange: range, frame: frame, background: background, curve: curve)
        var (front, back) = (old.layer, new.layer)
        switch kind {
        case .cut: return span.instruction([back])
        case .dissolve:
            front = old.covering(span)
            front.opacities = span.opacity(from: 1, to: 0)
        case .push(let direction):
            let shift = direction.shift(frame)
            front = old.moving(over: span) { .translation(x: shift.x * $0, y: shift.y * $0) }
            back = new.moving(over: span) {
                .translation(x: (-shift.x).mixed(0, $0), y: (-shift.y).mixed(0, $0))
            }
        case .wipe(let direction, let softness):
            front = old.covering(span)
            front.crops = old.wipe(direction, softness: softness, over: span)
        case .fade(let color):
            (front, back) = (old.covering(span), new.covering(span))
            (front.opacities, back.opacities) = span.fades
            var result = span.instruction([front, back])
            result.background = color
            return result
        case .zoom, .iris, .luma, .custom:
            if let effect { return effect.instruction(from: old, to: new, over: span) }
        }
        return span.instruction([front, back])
    }
}

extension Transition.Direction {
    /// Where a frame goes that leaves this way (pixels).
    fileprivate func shift(_ frame: PixelSize) -> (x: Double, y: Double) {
        switch self {
        case .left: (-Double(frame.width), 0)
        case .right: (Double(frame.width), 0)
        case .up: (0, -Double(frame.height))
        case .down: (0, Double(frame.height))
        }
    }
}

extension TransitionSpan {
    /// Opacities of the old frame, which goes in the first half of the progress, and of the new one, which comes in the
    /// second.
    fileprivate var fades: (old: [OpacityRamp], new: [OpacityRamp]) {
        guard curve == .linear else {
            func ramps(_ opacity: (Double) -> Double) -> [OpacityRamp] {
                LayerInstruction(trackID: 0).pieces(over: timeRange, []) { _, share in
                    min(1, max(0, opacity(curve.value(at: share))))
                }.map { OpacityRamp(timeRange: $0.0, from: $0.1, to: $0.2) }
            }
            return (ramps { 1 - 2 * $0 }, ramps { 2 * $0 - 1 })
        }
        let (first, second) = timeRange.halves
        return (
            [OpacityRamp(timeRange: first, from: 1, to: 0)],
            [OpacityRamp(timeRange: second, from: 0, to: 1)]
        )
    }
}

extension MediaTimeRange {
    /// The range cut in the middle, on the timeline's grid.
    fileprivate var halves: (MediaTimeRange, MediaTimeRange) {
        let (from, to) = (start.timelineTicks, end.timelineTicks)
        let middle = (from + to) / 2
        return (
            MediaTimeRange(start: .timeline(from), duration: .timeline(middle - from)),
            MediaTimeRange(start: .timeline(middle), duration: .timeline(to - middle))
        )
    }
}
