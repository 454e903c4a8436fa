internal import Media

/// What of a layer tree shows at an instant, back to front.
indirect enum DrawnLayer {
    /// One layer's own contents.
    case contents(DrawnContents)
    /// Several that fade together: drawn as one, then made transparent.
    case group([DrawnLayer], opacity: Double)
}

/// A layer's contents and where they lie.
struct DrawnContents {
    /// As described, for messages.
    let layer: Layer
    var contents: Layer.Contents
    let bounds: Rectangle
    /// From the layer's coordinates to the render area's.
    let map: Homography
    var opacity: Double
    /// What the layers around it leave of it.
    let clips: [LayerClip]
    /// Since its layer, or the nearest one around it that has a time, came.
    let age: MediaTime
}

extension Layer {
    /// The tree at an instant (timeline time).
    func drawn(at time: MediaTime) -> [DrawnLayer] {
        drawn(at: time, since: .zero, in: .identity, clips: [])
    }

    private func drawn(
        at time: MediaTime, since beginning: MediaTime, in parent: Homography, clips: [LayerClip]
    ) -> [DrawnLayer] {
        guard isShown(at: time) else { return [] }
        let now = presentation(at: time)
        let opacity = min(max(now.opacity, 0), 1)
        guard opacity > 0 else { return [] }
        let beginning = timeRange?.start ?? beginning
        let map = now.flatMap.followed(by: parent)
        let clips = clipsToBounds ? clips + [LayerClip(bounds: now.bounds, map: map)] : clips
        var result: [DrawnLayer] = []
        if now.contents.isVisible {
            result.append(
                .contents(
                    DrawnContents(
                        layer: self, contents: now.contents, bounds: now.bounds, map: map,
                        opacity: 1, clips: clips, age: time - beginning)))
        }
        let order = sublayers.indices.sorted {
            (sublayers[$0].zOrder, $0) < (sublayers[$1].zOrder, $1)
        }
        for index in order {
            result += sublayers[index].drawn(
                at: time, since: beginning, in: map, clips: clips)
        }
        guard opacity < 1, !result.isEmpty else { return result }
        guard result.count == 1 else { return [.group(result, opacity: opacity)] }
        return [result[0].faded(opacity)]
    }
}

extension DrawnLayer {
    /// The same, more transparent.
    func faded(_ factor: Double) -> DrawnLayer {
        switch self {
        case .contents(var contents):
            contents.opacity *= factor
            return .contents(contents)
        case .group(let layers, let opacity): return .group(layers, opacity: opacity * factor)
        }
    }
}

extension Layer.Contents {
    var isVisible: Bool {
        switch self {
        case .none: false
        case .text(let text): !text.text.isEmpty
        case .image: true
        case .solid(let color): color.alpha > 0
        case .shape(let shape): (shape.fill?.alpha ?? 0) > 0 || (shape.stroke?.alpha ?? 0) > 0
        }
    }
}
