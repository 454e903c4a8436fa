internal import Media

/// An area while it changes.
struct AreaCourse {
    private let area: FrameArea
    private let x: KeyTrack<Double>
    private let y: KeyTrack<Double>
    private let width: KeyTrack<Double>
    private let height: KeyTrack<Double>
    private let rotation: KeyTrack<Double>
    private let softness: KeyTrack<Double>
    private let above: KeyTrack<Double>
    private let below: KeyTrack<Double>

    init(_ area: FrameArea, _ keyframes: [AreaKeyframe]) {
        func track(_ own: Double, _ path: KeyPath<AreaKeyframe, Double?>) -> KeyTrack<Double> {
            KeyTrack(own, keyframes.map { ($0.time, $0.curve, $0[keyPath: path]) })
        }
        self.area = area
        x = track(area.x, \.x)
        y = track(area.y, \.y)
        width = track(area.width, \.width)
        height = track(area.height, \.height)
        rotation = track(area.rotation, \.rotation)
        softness = track(area.softness, \.softness)
        above = track(area.above ?? 0, \.above)
        below = track(area.below ?? 0, \.below)
    }

    /// Where it may bend or jump (ticks from the clip's beginning, in no order).
    private var bends: [Int64] {
        [x, y, width, height, rotation, softness, above, below].flatMap(\.ticks)
    }

    /// At an instant.
    /// - Parameters:
    ///   - tick: from the clip's beginning.
    ///   - isBefore: what it comes to from before, where it jumps.
    func state(at tick: Int64, before isBefore: Bool) -> FrameArea {
        func number(_ track: KeyTrack<Double>, _ range: ClosedRange<Double>) -> Double {
            let value = track.value(at: tick, before: isBefore) { $0.mixed($1, $2) }
            // a curve may lead beyond both
            return min(range.upperBound, max(range.lowerBound, value))
        }
        var result = area
        result.x = number(x, -4...4)
        result.y = number(y, -4...4)
        result.width = number(width, 0...4)
        result.height = number(height, 0...4)
        result.rotation = number(rotation, -36_000...36_000)
        result.softness = number(softness, 0...1)
        if area.above != nil { result.above = number(above, 0...1) }
        if area.below != nil { result.below = number(below, 0...1) }
        return result
    }

    /// - Parameters:
    ///   - start: of the clip (ticks of the timeline).
    ///   - length: of the clip (ticks).
    ///   - span: in which it is at all (ticks from the clip's beginning).
    func ramps(
        from start: Int64, for length: Int64, within span: Range<Int64>, _ sampler: RampSampler
    ) -> [AreaRamp] {
        var ramps: [AreaRamp] = []
        func stay(_ area: FrameArea, from tick: Int64) {
            ramps.append(AreaRamp(area, from: .timeline(start + tick)))
        }
        if span.lowerBound > 0 { stay(.nothing, from: 0) }
        let inner = Set(bends + [span.lowerBound, span.upperBound])
            .filter { span.contains($0) || $0 == span.upperBound }.sorted()
        if inner.count > 1, bends.contains(where: { $0 > 0 }) {
            for piece in sampler.pieces(inner, state) {
                ramps.append(
                    AreaRamp(timeRange: piece.range(from: start), from: piece.from, to: piece.to))
            }
        } else if !span.isEmpty {
            stay(state(at: span.lowerBound, before: false), from: span.lowerBound)
        }
        if span.upperBound < length { stay(.nothing, from: span.upperBound) }
        return ramps
    }
}

extension PlacedClip {
    /// What of its frames shows, as ramps; empty: all of them.
    func shownAreas(_ sampler: RampSampler) -> [AreaRamp] {
        guard let mask = item.mask else { return [] }
        return AreaCourse(mask.area, mask.keyframes).ramps(
            from: start, for: ticks, within: 0..<ticks, sampler)
    }

    /// What is done to areas of its frames.
    func effects(_ sampler: RampSampler) -> [LayerEffect] {
        item.effects.compactMap { effect in
            let from = effect.at.timelineTicks
            let to = min(ticks, effect.duration.map { from + $0.timelineTicks } ?? ticks)
            guard from < to, effect.follow == nil else { return nil }
            let isSteady = from == 0 && to == ticks && effect.keyframes.isEmpty
            if isSteady, effect.area.isWhole { return LayerEffect(effect.effect) }
            return LayerEffect(
                effect.effect,
                areas: AreaCourse(effect.area, effect.keyframes).ramps(
                    from: start, for: ticks, within: from..<to, sampler))
        }
    }
}
