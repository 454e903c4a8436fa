internal import Media
internal import Reading

extension TimelineBuilder {
    /// How the clips' frames become one; nil: the film has nothing to show.
    func videoComposition(
        _ clips: [PlacedClip], _ overlays: [[PlacedClip]], until end: Int64,
        in composition: inout Composition
    ) throws(MediaError) -> VideoComposition? {
        let overlay = timeline.watermark != nil || !timeline.titles.isEmpty
        let all = clips + overlays.joined()
        guard overlay || all.contains(where: { $0.picture != nil }) else { return nil }
        let style = style()
        for clip in all where clip.reasonNotMixed(at: style.frameDuration) != nil {
            // a span whose frames are the source's own can be copied
            try composition.blendFrames(
                false, in: .ticks(clip.start, clip.ticks), of: clip.videoTrackID ?? 0)
        }
        // a track that reaches to the film's end makes the composition as long
        let first = composition.tracks(of: .video).first?.id ?? composition.addTrack(.video)
        let covered = composition.track(first)?.endTick ?? 0
        if covered < end {
            try composition.insertEmpty(.ticks(covered, end - covered), into: first)
        }
        var video = VideoComposition(
            renderSize: style.renderSize, frameDuration: style.frameDuration, color: style.color,
            pixelFormat: style.pixelFormat)
        let shown = all.filter { $0.picture != nil }
        video.state(lightOf: shown.filter { $0.item.generator == nil }.compactMap(\.format))
        // what is generated is SDR's
        if shown.contains(where: { $0.item.generator != nil }) {
            video.contentLight?.includeWhite()
        }
        video.instructions = instructions(clips, until: end, style)
        for track in overlays {
            let over = instructions(track, until: end, style)
            video.instructions = video.instructions.covered(by: over)
        }
        for (index, instruction) in video.instructions.enumerated() {
            video.instructions[index].layers = instruction.layers.map {
                $0.needed(in: instruction.timeRange)
            }
        }
        video.animation = animation(style.renderSize, until: end)
        if video.animation != nil { video.contentLight?.includeWhite() }
        return video
    }

    /// Each clip alone, and between two the span in which they overlap.
    private func instructions(
        _ clips: [PlacedClip], until end: Int64, _ style: FilmStyle
    ) -> [Instruction] {
        let (frame, step) = (style.renderSize, style.frameDuration.timelineTicks)
        let background = timeline.settings.background
        var result: [Instruction] = []
        var before: (side: Transition.Side?, clip: PlacedClip)?
        for clip in clips {
            let own = side(clip, frame, step)
            let covered = before?.clip.end ?? 0
            if covered < clip.start {
                result.append(
                    Instruction(
                        timeRange: .ticks(covered, clip.start - covered), background: background))
            }
            if clip.overlapBefore > 0, let before {
                let range = MediaTimeRange.ticks(clip.start, clip.overlapBefore)
                result.append(
                    clip.isFramed || before.clip.isFramed
                        ? .crossing(
                            from: before.side, to: own, over: range, background: background,
                            curve: clip.item.transition.curve)
                        : clip.item.transition.instruction(
                            between: before.side, own, over: range, frame: frame,
                            background: background))
            }
            let start = clip.start + clip.overlapBefore
            let alone = clip.end - clip.overlapAfter - start
            if alone > 0 {
                result.append(
                    Instruction(
                        timeRange: .ticks(start, alone), background: background,
                        layers: own.map { [$0.layer] } ?? []))
            }
            before = (own, clip)
        }
        let covered = clips.last?.end ?? 0
        if covered < end {
            result.append(
                Instruction(timeRange: .ticks(covered, end - covered), background: background))
        }
        return result
    }

    /// The clip's layer, fitted into the frame or its place; nil without pictures.
    /// - Parameter step: of the film (ticks).
    private func side(_ clip: PlacedClip, _ frame: PixelSize, _ step: Int64) -> Transition.Side? {
        let sampler = RampSampler(step: max(1, step), origin: -clip.start)
        guard let format = clip.format,
            let layer = clip.layer(in: frame, timeline.settings.fit, sampler)
        else { return nil }
        let size = format.uprightSize
        return Transition.Side(
            layer: layer, width: size.width, height: size.height,
            mayBeTransparent: clip.item.key != nil || clip.item.mask != nil
                || clip.picture?.track.hasAlpha ?? format.mayBeTransparent)
    }

    /// Titles and the watermark over them.
    private func animation(_ frame: PixelSize, until end: Int64) -> Layer? {
        var layers: [Layer] = timeline.titles.map { item in
            let start = item.at.timelineTicks
            let length = min(item.duration.timelineTicks, end - start)
            return item.layer(
                over: .ticks(start, length), in: frame, theme: timeline.settings.theme)
        }
        if let watermark = timeline.watermark {
            layers.append(watermark.layer(renderSize: frame))
        }
        return layers.isEmpty ? nil : Layer(name: "film", covering: frame, sublayers: layers)
    }
}

extension Transition {
    /// The same where a clip may have no video: then the other fades.
    fileprivate func instruction(
        between old: Side?, _ new: Side?, over range: MediaTimeRange, frame: PixelSize,
        background: Color
    ) -> Instruction {
        if let old, let new {
            return instruction(
                from: old, to: new, over: range, frame: frame, background: background)
        }
        return .crossing(
            from: old, to: new, over: range, background: background, curve: curve)
    }
}

extension Instruction {
    /// The span in which a clip that does not fill the frame comes or goes: what both show at one place stays, all
    /// else fades.
    fileprivate static func crossing(
        from old: Transition.Side?, to new: Transition.Side?, over range: MediaTimeRange,
        background: Color, curve: TimingCurve
    ) -> Instruction {
        var (front, back) = (old?.layer, new?.layer)
        let isCovered =
            old.map { old in new.map { $0.covers(old) && !$0.mayBeTransparent } ?? false } ?? false
        front?.fade(over: range, from: 1, to: 0, curve)
        if !isCovered { back?.fade(over: range, from: 0, to: 1, curve) }
        return Instruction(
            timeRange: range, background: background, layers: [front, back].compactMap(\.self))
    }
}

extension LayerInstruction {
    /// Its opacity times one that changes.
    fileprivate mutating func fade(
        over range: MediaTimeRange, from: Double, to: Double, _ curve: TimingCurve
    ) {
        opacities = pieces(over: range, opacities.map(\.timeRange)) { time, share in
            opacity(at: time) * from.mixed(to, max(0, min(1, curve.value(at: share))))
        }.map { OpacityRamp(timeRange: $0.0, from: $0.1, to: $0.2) }
    }
}

extension Transition.Side {
    /// Whether it shows something of its own at every place where another one does.
    fileprivate func covers(_ other: Transition.Side) -> Bool {
        area == other.area && layer.decoration == other.layer.decoration
            && layer.opacities.isEmpty && other.layer.opacities.isEmpty
            && layer.masks == other.layer.masks
            && layer.shownAreas == other.layer.shownAreas && !layer.isMoving
            && !other.layer.isMoving
    }

    /// The corners of what is shown (sixteenths of a pixel).
    private var area: [Int] {
        let crop =
            layer.crops.first?.start ?? Rectangle(x: 0, y: 0, width: width, height: height)
        let transform = layer.transforms.first?.start ?? .identity
        let corners = [
            (crop.x, crop.y), (crop.x + crop.width, crop.y),
            (crop.x, crop.y + crop.height), (crop.x + crop.width, crop.y + crop.height),
        ].map { transform.apply(x: $0.0, y: $0.1) }
        return corners.flatMap { [Int(($0.0 * 16).rounded()), Int(($0.1 * 16).rounded())] }
    }
}

extension [Instruction] {
    /// With the layers of others over theirs; both cover the same span without holes.
    fileprivate func covered(by others: [Instruction]) -> [Instruction] {
        var result: [Instruction] = []
        var (own, other) = (0, 0)
        while own < count, other < others.count {
            let (below, above) = (self[own], others[other])
            let start = Swift.max(below.timeRange.start, above.timeRange.start).timelineTicks
            let ends = (below.timeRange.end.timelineTicks, above.timeRange.end.timelineTicks)
            let end = Swift.min(ends.0, ends.1)
            if start < end {
                var instruction = below
                instruction.timeRange = .ticks(start, end - start)
                instruction.layers = above.layers + below.layers
                result.append(instruction)
            }
            if ends.0 == end { own += 1 }
            if ends.1 == end { other += 1 }
        }
        return result
    }
}

extension VideoFormat {
    /// Whether frames of this coding can have an alpha channel.
    var mayBeTransparent: Bool {
        switch coding {
        case .raw(let format): format.hasAlpha
        case .coded(let codec):
            [.gif, .png, .apng, .webp, .prores, .ffv1, .vp8, .vp9].contains(codec)
        }
    }
}
