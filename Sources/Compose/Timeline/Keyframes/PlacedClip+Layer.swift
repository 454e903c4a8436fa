internal import Media

extension PlacedClip {
    /// Its layer, fitted into the frame or its place, with all that changes as ramps; nil: it shows nothing.
    /// - Parameters:
    ///   - usual: the project's.
    ///   - sampler: of the film's frames, in ticks from the clip's beginning.
    func layer(
        in frame: PixelSize, _ usual: FitMode, _ sampler: RampSampler
    ) -> LayerInstruction? {
        guard let format, let track = videoTrackID else { return nil }
        var layer = LayerInstruction(trackID: track, opacities: opacities(sampler))
        // its screen would show through bars of its own
        let isTransparent = item.key != nil || item.mask != nil
        let fit = isTransparent && fit(usual) == .blurred ? .contain : fit(usual)
        let plain = fit == .blurred ? FitMode.contain : fit
        layer.key = item.key
        layer.grade = item.grade.isEmpty ? nil : item.grade
        layer.grades = grades
        layer.effects = effects(sampler)
        layer.shownAreas = shownAreas(sampler)
        if !isFramed { layer.fill = fit.fill(in: frame) }
        if let animation = ClipAnimation(self, of: format.uprightSize, in: frame, plain) {
            layer.follow(animation, from: start, for: ticks, sampler)
        } else if isFramed || item.view != nil {
            let layout = ClipLayout(item, of: format.uprightSize, in: frame, plain)
            layer.transforms = [TransformRamp(layout.transform)]
            layer.crops = layout.crop.map { [CropRectangleRamp(CropRectangle($0))] } ?? []
            layer.decoration = item.look.decoration(of: layout.shown, in: frame)
        } else {
            layer.transforms = [TransformRamp(fit.transform(for: format, in: frame))]
        }
        return layer
    }

    /// Between its own grade and those of its key frames.
    private var grades: [GradeRamp] {
        let track = KeyTrack(
            item.grade, item.keyframes.map { ($0.time, $0.curve, $0.grade) })
        guard !track.isConstant else { return [] }
        var ramps = zip(track.keys, track.keys.dropFirst()).compactMap { from, to in
            from.tick < to.tick
                ? GradeRamp(
                    timeRange: .ticks(start + from.tick, to.tick - from.tick), from: from.value,
                    to: to.value, curve: to.curve) : nil
        }
        if let last = track.keys.last {
            ramps.append(
                GradeRamp(
                    timeRange: .ticks(start + last.tick, 0), from: last.value, to: last.value))
        }
        return ramps
    }

    /// Of its own, without transitions: of its look or key frames, and its fades.
    private func opacities(_ sampler: RampSampler) -> [OpacityRamp] {
        let (fadeIn, fadeOut) = (item.fadeIn.timelineTicks, item.fadeOut.timelineTicks)
        let track = KeyTrack(
            item.look.opacity, item.keyframes.map { ($0.time, $0.curve, $0.opacity) })
        guard track.isConstant else {
            let bends = track.ticks + [fadeIn, ticks - fadeOut]
            return sampler.pieces(bends.within(ticks)) { tick, isBefore in
                let own = track.value(at: tick, before: isBefore) { $0.mixed($1, $2) }
                return min(1, max(0, own)) * fade(at: tick)
            }.map { OpacityRamp(timeRange: $0.range(from: start), from: $0.from, to: $0.to) }
        }
        let most = item.look.opacity
        var ramps: [OpacityRamp] = []
        if fadeIn > 0 {
            ramps.append(OpacityRamp(timeRange: .ticks(start, fadeIn), from: 0, to: most))
        }
        if fadeOut > 0 {
            ramps.append(OpacityRamp(timeRange: .ticks(end - fadeOut, fadeOut), from: most, to: 0))
        }
        if ramps.isEmpty, most != 1 { ramps.append(OpacityRamp(most)) }
        return ramps
    }

    /// How much of it there is, but for transitions (0…1).
    /// - Parameter tick: from its beginning.
    func fade(at tick: Int64) -> Double {
        let (fadeIn, fadeOut) = (item.fadeIn.timelineTicks, item.fadeOut.timelineTicks)
        var factor = 1.0
        if tick < fadeIn { factor = Double(tick) / Double(fadeIn) }
        if ticks - tick < fadeOut { factor *= Double(ticks - tick) / Double(fadeOut) }
        return factor
    }
}

extension LayerInstruction {
    /// Lies and looks as a clip that changes.
    /// - Parameters:
    ///   - start: of the clip (ticks of the timeline).
    ///   - length: of the clip (ticks).
    fileprivate mutating func follow(
        _ animation: ClipAnimation, from start: Int64, for length: Int64, _ sampler: RampSampler
    ) {
        let pieces = sampler.pieces(animation.bends.within(length), animation.state)
        transforms = pieces.map {
            TransformRamp(
                timeRange: $0.range(from: start), from: $0.from.transform, to: $0.to.transform)
        }
        if pieces.contains(where: { $0.from.isCropped || $0.to.isCropped }) {
            crops = pieces.map {
                CropRectangleRamp(
                    timeRange: $0.range(from: start), from: $0.from.visible, to: $0.to.visible)
            }
        }
        guard let first = pieces.first?.from.decoration else { return }
        decoration = first
        if pieces.contains(where: { $0.from.decoration != first || $0.to.decoration != first }) {
            decorations = pieces.map {
                DecorationRamp(
                    timeRange: $0.range(from: start), from: $0.from.decoration,
                    to: $0.to.decoration)
            }
        }
    }
}

extension RampSampler.Piece {
    /// - Parameter start: of the item, from whose beginning the piece counts (ticks of the timeline).
    func range(from start: Int64) -> MediaTimeRange { .ticks(start + self.start, end - self.start) }
}

extension [Int64] {
    /// Instants between 0 and a length, both among them, each once and in order.
    func within(_ length: Int64) -> [Int64] {
        Set(self + [0, length]).filter { (0...length).contains($0) }.sorted()
    }
}
