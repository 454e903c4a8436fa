internal import Media

extension TitleItem {
    /// Its style's layer, in one of its own where it is placed or changes.
    /// - Parameters:
    ///   - range: when it shows (timeline time).
    ///   - frame: of the film (pixels).
    ///   - theme: of the film.
    func layer(
        over range: MediaTimeRange, in frame: PixelSize, theme: TitleTheme
    ) -> Layer {
        let styled = style.layer(
            text: text, image: image, timeRange: range, renderSize: frame, look: look, theme: theme)
        guard placement != TitlePlacement() || !keyframes.isEmpty else { return styled }
        let (width, height) = (Double(frame.width), Double(frame.height))
        let middle = styled.middleOfContents
        var layer = Layer(name: "placed title", covering: frame, sublayers: [styled])
        layer.anchor = Point(x: middle.x / width, y: middle.y / height)
        layer.timeRange = range
        layer.opacity = placement.opacity
        layer.scale = Point(x: placement.scale, y: placement.scale)
        layer.rotation.z = placement.rotation
        layer.position = Point(
            x: middle.x + placement.x * width, y: middle.y + placement.y * height)
        let start = range.start
        layer.animations = [
            animation(.opacity, placement.opacity, start) { $0.opacity },
            animation(.rotationZ, placement.rotation, start) { $0.rotation },
            animation(.positionX, layer.position.x, start) { $0.x.map { middle.x + $0 * width } },
            animation(.positionY, layer.position.y, start) { $0.y.map { middle.y + $0 * height } },
            animation(.scale, layer.scale, start) { $0.scale.map { Point(x: $0, y: $0) } },
        ].compactMap(\.self)
        return layer
    }

    /// Nil: the value stays.
    private func animation<Value: Animatable>(
        _ path: LayerKeyPath<Value>, _ own: Value, _ start: MediaTime,
        _ value: (TitleKeyframe) -> Value?
    ) -> LayerAnimation? {
        let track = KeyTrack(own, keyframes.map { ($0.time, $0.curve, value($0)) })
        guard !track.isConstant else { return nil }
        // ends a tick later, so that the last of two values at one time is come to
        let length = (track.ticks.last ?? 0) + 1
        return .keyframes(
            path, values: track.keys.map(\.value),
            keyTimes: track.ticks.map { Double($0) / Double(length) },
            curves: track.keys.dropFirst().map(\.curve),
            timing: AnimationTiming(begin: start, duration: .timeline(length), fill: .both))
    }
}

extension Layer {
    /// Of its bar, where it has one, as its text may be short; else of all that its own layers fill (its own
    /// coordinates).
    fileprivate var middleOfContents: Point {
        if let bar = sublayers.first(where: { $0.name == TitleStage.bar }) { return bar.position }
        var (left, top) = (Double.infinity, Double.infinity)
        var (right, bottom) = (-Double.infinity, -Double.infinity)
        for layer in sublayers {
            let x = layer.position.x - layer.anchor.x * layer.bounds.width
            let y = layer.position.y - layer.anchor.y * layer.bounds.height
            (left, top) = (min(left, x), min(top, y))
            (right, bottom) = (
                max(right, x + layer.bounds.width), max(bottom, y + layer.bounds.height)
            )
        }
        return sublayers.isEmpty
            ? Point(x: bounds.width / 2, y: bounds.height / 2)
            : Point(x: (left + right) / 2, y: (top + bottom) / 2)
    }
}
