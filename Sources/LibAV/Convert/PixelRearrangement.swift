package import Media

/// Puts the samples of frames elsewhere in memory: in another order, rotated and mirrored, in one pass. Reentrant.
///
/// No code changes but where the target has half the source's rows of chroma: two of them become their mean, halves
/// rounded up.
package struct PixelRearrangement: Sendable {
    private enum Work: Sendable {
        /// Whole groups of a format's planes.
        case groups
        /// One component after the other.
        case components([ComponentMove])
    }

    // immutable
    package let source: PixelFormat
    package let target: PixelFormat
    /// What is done to a frame: mirrored first, then rotated clockwise.
    package let orientation: VideoOrientation
    private let work: Work

    /// Nil where codes must be computed, or where samples have no place: rotated by a quarter, 4:2:2 has half the rows.
    package init?(
        from source: PixelFormat, to target: PixelFormat,
        orientation: VideoOrientation = .upright
    ) {
        self.source = source
        self.target = target
        self.orientation = orientation
        if source == target, source.layout.isMovedInGroups(by: orientation) {
            work = .groups
            return
        }
        guard
            let moves = ComponentMove.moves(
                from: source, to: target, swapsAxes: orientation.swapsAxes)
        else { return nil }
        work = .components(moves)
    }

    /// Whether frames are only copied.
    package var changesNothing: Bool { source == target && orientation == .upright }

    /// Into a new frame.
    package func convert(_ frame: PixelBuffer) -> PixelBuffer {
        let swaps = orientation.swapsAxes
        var result = PixelBuffer(
            width: swaps ? frame.height : frame.width,
            height: swaps ? frame.width : frame.height, format: target)
        convert(frame, into: &result)
        return result
    }

    /// Into a frame of the target's format and the rotated size, which is overwritten.
    package func convert(_ frame: PixelBuffer, into result: inout PixelBuffer) {
        let swaps = orientation.swapsAxes
        precondition(
            frame.format == source && result.format == target
                && result.width == (swaps ? frame.height : frame.width)
                && result.height == (swaps ? frame.width : frame.height),
            "a rearranged frame needs room of its own size")
        result.withMutablePlanes { targets in
            frame.withPlanes { sources in
                let size = PixelSize(frame.width, frame.height)
                switch work {
                case .groups: moveGroups(sources, targets, size)
                case .components(let moves):
                    ComponentMove.run(
                        moves, sources, targets, size, orientation, isWide: source.bitDepth > 8)
                }
            }
        }
    }

    private func moveGroups(
        _ sources: [PixelPlane], _ targets: [MutablePixelPlane], _ size: PixelSize
    ) {
        let rotation = SampleRotation(orientation)
        for (index, layout) in source.layout.planes.enumerated() {
            let columns = (size.width + layout.pixelsPerGroup - 1) / layout.pixelsPerGroup
            rotation.move(
                sources[index], columns, layout.rows(height: size.height), layout.bytesPerGroup,
                targets[index])
        }
    }
}

extension PixelFormat {
    /// Whether frames keep their format when they are mirrored and rotated; else they are converted (to yuv420p)
    /// on the way.
    package func canRotate(by rotation: VideoOrientation) -> Bool {
        PixelRearrangement(from: self, to: self, orientation: rotation) != nil
    }
}

extension PixelBuffer {
    /// The frame mirrored, then rotated clockwise.
    /// - Throws: `.unsupported` for a format whose chroma has no square grid, by a quarter.
    package func rotated(by orientation: VideoOrientation) throws(MediaError) -> PixelBuffer {
        guard
            let rotation = PixelRearrangement(from: format, to: format, orientation: orientation)
        else {
            throw .refused(
                .unsupported, format.rawValue,
                "Cannot rotate \(format.rawValue) frames; convert them to yuv420p first.")
        }
        return rotation.convert(self)
    }
}

extension PixelLayout {
    /// Whether each group of samples stays together.
    fileprivate func isMovedInGroups(by orientation: VideoOrientation) -> Bool {
        if orientation == .upright { return true }
        // of pixels that share chroma in one group each has its own luma
        guard planes.count > 1 || planes[0].pixelsPerGroup == 1 else { return false }
        return !orientation.swapsAxes
            || planes.allSatisfy { $0.pixelsPerGroup == $0.rowsPerRow }
    }
}
