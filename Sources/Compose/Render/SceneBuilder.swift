package import Media

/// Makes the scene of an instant out of a video composition. Reentrant.
package struct SceneBuilder: Sendable {
    private let composition: VideoComposition
    /// From the render area to the frames made.
    private let scale: Transform2D

    /// - Parameter size: of the frames made; another than the render size scales everything (pixels).
    package init(_ composition: VideoComposition, size: PixelSize? = nil) {
        let size = size ?? composition.scaledSize
        self.composition = composition
        scale = .scale(
            x: Double(size.width) / Double(composition.renderSize.width),
            y: Double(size.height) / Double(composition.renderSize.height))
    }

    /// - Parameters:
    ///   - time: on the timeline.
    ///   - picture: the frame of a track at an instant of the timeline; nil where it has none. Asked only for
    ///     layers that can be seen.
    /// - Throws: `invalid-edit` where no instruction covers the instant; what `picture` throws.
    package func scene(
        at time: MediaTime,
        picture: (_ trackID: Int, _ time: MediaTime) throws(MediaError) -> SampleBuffer?
    ) throws(MediaError) -> Scene {
        guard let instruction = composition.instruction(at: time) else {
            throw .edit(
                "video composition",
                "no instruction covers \(time.spoken); add one, without layers where only the "
                    + "background shows")
        }
        var scene = Scene(background: instruction.background)
        // instructions name the front layer first, scenes the back one
        for layer in instruction.shownLayers.reversed() {
            let opacity = layer.opacity(at: time)
            guard opacity > 0, let sample = try picture(layer.trackID, time) else { continue }
            guard let pixels = sample.pixelBuffer, let format = sample.format.video else {
                throw MediaError(
                    code: .unsupported, subject: "track \(layer.trackID)",
                    message:
                        "Cannot show track \(layer.trackID) at \(time.spoken): what it gives is no "
                        + "frame; decode it first.")
            }
            let crop = layer.crop(at: time)
            var shown = format
            if format.pixelFormat?.hasChroma ?? false { shown.color = .usual(for: format) }
            scene.layers.append(
                SceneLayer(
                    picture: pixels, format: shown,
                    transform: layer.transform(at: time).followed(by: scale),
                    crop: crop?.rectangle, softness: crop?.softness ?? 0, opacity: opacity,
                    fill: layer.fill.scaled(by: scale),
                    decoration: layer.decoration(at: time).scaled(by: scale.meanScale),
                    key: layer.key, grade: layer.grade(at: time),
                    isGradeChanging: layer.isGradeChanging(at: time),
                    // what has no end stands still
                    isMovingStill: layer.isShifting && sample.duration == nil,
                    mask: layer.mask(at: time)?.scaled(by: scale),
                    effects: layer.effects(at: time), shownArea: layer.shownArea(at: time)))
        }
        return scene
    }
}

extension Fill {
    fileprivate func scaled(by scale: Transform2D) -> Fill {
        guard case .blurred(let radius) = self else { return self }
        return .blurred(radius: radius * scale.meanScale)
    }
}

extension Transform2D {
    /// Of a map that only scales.
    fileprivate var meanScale: Double { (a * d).magnitude.squareRoot() }
}

extension PixelFormat {
    /// Whether colours are coded by a matrix: neither RGB nor grey.
    fileprivate var hasChroma: Bool {
        !isRGB && (layout.planes.count > 1 || layout.planes[0].pixelsPerGroup > 1)
    }
}
