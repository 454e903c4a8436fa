internal import Media
internal import Reading

extension TimelineBuilder {
    /// How the clips' frames become one; nil: the film has nothing to show.
    func videoComposition(
        _ clips: [PlacedClip], until end: Int64, in composition: inout Composition
    ) throws(MediaError) -> VideoComposition? {
        let overlay = timeline.watermark != nil || !timeline.titles.isEmpty
        guard overlay || clips.contains(where: { $0.picture != nil }) else { return nil }
        let style = style(clips)
        // a track that reaches to the film's end makes the composition as long
        let first = composition.tracks(of: .video).first?.id ?? composition.addTrack(.video)
        let covered = composition.track(first)?.endTick ?? 0
        if covered < end {
            try composition.insertEmpty(.ticks(covered, end - covered), into: first)
        }
        var video = VideoComposition(
            renderSize: style.renderSize, frameDuration: style.frameDuration, color: style.color,
            pixelFormat: style.pixelFormat)
        video.instructions = instructions(clips, until: end, composition, style.renderSize)
        video.animation = animation(style.renderSize, until: end)
        return video
    }

    /// Settings first, then the first movie, then the first clip with frames (animations and still ones
    /// have no rate of their own), then 1080p at 30.
    private func style(_ clips: [PlacedClip]) -> FilmStyle {
        var style = FilmStyle(
            renderSize: PixelSize(width: 1920, height: 1080),
            frameDuration: FrameRate(30).frameDuration)
        let shown = clips.filter { $0.format != nil }
        let lead = shown.first { $0.isMovie } ?? shown.first
        if let format = lead?.format, let track = lead?.picture?.track {
            style = FilmStyle(firstClip: format, track: track)
        }
        let settings = timeline.settings
        if let size = settings.renderSize { style.renderSize = size }
        if let rate = settings.frameRate { style.frameDuration = rate.frameDuration }
        if let color = settings.color { style.color = color }
        if let format = settings.pixelFormat { style.pixelFormat = format }
        return style
    }

    /// Each clip alone, and between two the span in which they overlap.
    private func instructions(
        _ clips: [PlacedClip], until end: Int64, _ composition: Composition, _ frame: PixelSize
    ) -> [Instruction] {
        let background = timeline.settings.background
        var result: [Instruction] = []
        var before: (side: Transition.Side?, clip: PlacedClip)?
        for clip in clips {
            let own = side(clip, composition, frame)
            let covered = before?.clip.end ?? 0
            if covered < clip.start {
                result.append(
                    Instruction(
                        timeRange: .ticks(covered, clip.start - covered), background: background))
            }
            if clip.overlapBefore > 0, let before {
                result.append(
                    clip.item.transition.instruction(
                        between: before.side, own, over: .ticks(clip.start, clip.overlapBefore),
                        frame: frame, background: background))
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

    /// The clip's layer, fitted into the frame; nil without pictures.
    private func side(
        _ clip: PlacedClip, _ composition: Composition, _ frame: PixelSize
    ) -> Transition.Side? {
        guard let format = clip.format,
            let track = composition.tracks(of: .video).first(where: { track in
                let segment = track.segment(at: .timeline(clip.start))
                return segment?.start == clip.start && segment?.source?.path == clip.asset.path
            })
        else { return nil }
        let fit = clip.item.fit ?? timeline.settings.fit
        let size = format.uprightSize
        return Transition.Side(
            layer: LayerInstruction(
                trackID: track.id,
                transforms: [TransformRamp(fit.transform(for: format, in: frame))],
                fill: fit.fill(in: frame)),
            width: size.width, height: size.height,
            mayBeTransparent: clip.picture?.track.hasAlpha ?? format.mayBeTransparent)
    }

    /// Titles and the watermark over them.
    private func animation(_ frame: PixelSize, until end: Int64) -> Layer? {
        var layers: [Layer] = timeline.titles.map { item in
            let start = item.at.timelineTicks
            let length = min(item.duration.timelineTicks, end - start)
            return item.style.layer(
                text: item.text, image: item.image, timeRange: .ticks(start, length),
                renderSize: frame, look: item.look)
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
        var layer = (old ?? new)?.layer
        let isLeaving = old != nil
        layer?.opacities = [
            OpacityRamp(timeRange: range, from: isLeaving ? 1 : 0, to: isLeaving ? 0 : 1)
        ]
        return Instruction(
            timeRange: range, background: background, layers: layer.map { [$0] } ?? [])
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
