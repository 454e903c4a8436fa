package import Media

/// Makes the frames of a video composition: by its custom compositor if there is one, else by the built-in
/// one. Thread-bound.
package final class CompositionRenderer {
    private let composition: VideoComposition
    private let builder: SceneBuilder
    private let compositor: FrameCompositor
    private let context: RenderContext

    /// - Parameters:
    ///   - format: of the frames; another size than the render size scales everything.
    ///   - threads: workers (1…64).
    ///   - frameLimit: most frames in existence at once (frames).
    package init(
        _ composition: VideoComposition, format: VideoFormat, threads: Int, frameLimit: Int
    ) throws(MediaError) {
        let pool = PixelBufferPool(
            width: format.width, height: format.height, format: format.pixelFormat ?? .yuv420p,
            limit: frameLimit)
        self.composition = composition
        compositor = try FrameCompositor(target: format, threads: threads, pool: pool)
        builder = SceneBuilder(
            composition, size: PixelSize(width: format.width, height: format.height))
        context = RenderContext(
            format: compositor.target,
            scale: Double(format.width) / Double(composition.renderSize.width), pool: pool)
    }

    /// The frame of an instant.
    /// - Parameters:
    ///   - overlays: tiles over everything.
    ///   - picture: see `SceneBuilder`.
    package func frame(
        at time: MediaTime, overlays: [OverlayTile] = [],
        picture: (_ trackID: Int, _ time: MediaTime) throws(MediaError) -> SampleBuffer?
    ) throws(MediaError) -> PixelBuffer {
        var scene: Scene
        let isPassed = composition.instruction(at: time)?.passthroughTrackID != nil
        if let custom = composition.compositor, !isPassed {
            let frame = try self.frame(by: custom, at: time, picture: picture)
            scene = Scene(layers: [SceneLayer(picture: frame, format: compositor.target)])
        } else {
            scene = try builder.scene(at: time, picture: picture)
        }
        scene.overlays = overlays
        return try compositor.compose(scene)
    }

    private func frame(
        by custom: any VideoCompositor, at time: MediaTime,
        picture: (Int, MediaTime) throws(MediaError) -> SampleBuffer?
    ) throws(MediaError) -> PixelBuffer {
        guard let instruction = composition.instruction(at: time) else {
            throw .edit("video composition", "no instruction covers \(time.spoken); add one")
        }
        var frames: [Int: SampleBuffer] = [:]
        for track in instruction.sourceTrackIDs {
            frames[track] = try picture(track, time)
        }
        let request = CompositionRequest(
            time: time, instruction: instruction, context: context, pictures: frames)
        let frame: PixelBuffer
        do { frame = try custom.compose(request) } catch let error as MediaError {
            throw error
        } catch {
            throw MediaError(
                code: .compositorFailed, subject: "the custom compositor",
                message: "The custom compositor failed at \(time.spoken): \(error).")
        }
        let wanted = context.format
        guard frame.width == wanted.width, frame.height == wanted.height,
            frame.format == wanted.pixelFormat
        else {
            throw MediaError(
                code: .compositorFailed, subject: "the custom compositor",
                message: "The custom compositor gave a \(frame.format.rawValue) frame of "
                    + "\(frame.width)x\(frame.height) at \(time.spoken); make frames with "
                    + "request.context.makeFrame().")
        }
        return frame
    }
}
