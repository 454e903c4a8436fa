internal import Media

extension Watermark {
    /// Why nothing of it is seen where it shows; `nil` where something is, or that is not known beforehand.
    /// - Parameters:
    ///   - video: how the film is drawn.
    ///   - end: of the film (ticks).
    func reasonUnseen(in video: VideoComposition, until end: Int64) -> String? {
        if let range = timeRange, range.isBetweenFrames(of: video.frameDuration, until: end) {
            return "from \(range.start.spoken) to \(range.end.spoken) the film has no frame; "
                + "let it show for at least \(video.frameDuration.spoken)"
        }
        if opacity * 255 < 0.5 {
            return opacity == 0
                ? "its opacity is 0"
                : "its opacity, \(opacity), is less than a step of brightness; give it more"
        }
        guard isBlank(in: video.renderSize) else { return nil }
        if let origin {
            return "at its place, \(Int(origin.x)),\(Int(origin.y)), nothing of it is inside the "
                + "film's \(video.renderSize)"
        }
        var solid = self
        (solid.horizontalMargin, solid.verticalMargin, solid.opacity) = (nil, nil, 1)
        return solid.isBlank(in: video.renderSize)
            ? "nothing is drawn for it; give it another text, image or size"
            : horizontalMargin == nil && verticalMargin == nil
                ? "it is too faint; give it more opacity"
                : "its margin leaves no room for it in the film's \(video.renderSize); make it smaller"
    }

    /// Whether no pixel of a frame is changed by it. What cannot be drawn is reported elsewhere.
    private func isBlank(in frame: PixelSize) -> Bool {
        var always = layer(renderSize: frame)
        always.timeRange = nil
        do throws(MediaError) {
            let tiles = try LayerRenderer(always, renderSize: frame).tiles(at: .zero)
            return !tiles.contains { $0.isSeen(in: frame) }
        } catch {
            return false
        }
    }
}

extension MediaTimeRange {
    /// Whether no frame of a film begins in it.
    fileprivate func isBetweenFrames(of frame: MediaTime, until end: Int64) -> Bool {
        let step = frame.timelineTicks
        guard step > 0 else { return false }
        let first = (start.timelineTicks + step - 1) / step * step
        return first >= min(self.end.timelineTicks, end)
    }
}

extension OverlayTile {
    /// Whether it changes a pixel of the frame, by a step of 8 bits at least.
    fileprivate func isSeen(in frame: PixelSize) -> Bool {
        let rows = max(0, -y)..<max(max(0, -y), min(image.height, frame.height - y))
        let columns = max(0, -x)..<max(max(0, -x), min(image.width, frame.width - x))
        return image.withPlane(0) { plane in
            rows.contains { row in
                let pixels = plane.row(row)
                return columns.contains { Double(pixels[4 * $0 + 3]) * opacity >= 0.5 }
            }
        }
    }
}
