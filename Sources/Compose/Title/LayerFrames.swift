package import Media

/// Draws a layer tree as pictures of the frame's size, for a track of its own. Thread-bound.
///
/// While what is drawn stays the same, so does the picture: it is conformed once.
package final class LayerFrames: @unchecked Sendable {  // because its owner serialises its calls
    /// One tile as it lies in the picture.
    private struct Piece: Equatable {
        let identity: UInt64
        let x: Int
        let y: Int
        let opacity: Double

        init(_ tile: OverlayTile) {
            identity = tile.identity
            x = tile.x
            y = tile.y
            opacity = tile.opacity
        }
    }

    private let renderer: LayerRenderer
    private let format: VideoFormat
    private var latest: (pieces: [Piece], sample: SampleBuffer)?

    /// - Throws: what `LayerRenderer` throws.
    package init(_ layer: Layer, renderSize: PixelSize) throws(MediaError) {
        renderer = try LayerRenderer(layer, renderSize: renderSize)
        format = VideoFormat(
            coding: .raw(.bgra), width: renderSize.width, height: renderSize.height,
            color: ColorDescription(primaries: 1, transfer: 13, matrix: 0, range: .full))
    }

    var warnings: [LayerWarning] { renderer.warnings }

    /// The tree at an instant of the timeline; nil where nothing is drawn.
    package func picture(at time: MediaTime) throws(MediaError) -> SampleBuffer? {
        let tiles = try renderer.tiles(at: time)
        let pieces = tiles.map(Piece.init)
        if let latest, latest.pieces == pieces { return latest.sample }
        latest = nil
        guard !tiles.isEmpty else { return nil }
        var picture = TransparentPicture(width: format.width, height: format.height)
        for tile in tiles { picture.draw(tile) }
        picture.separate()
        let sample = SampleBuffer(
            payload: .pixels(picture.picture), format: .video(format), presentationTime: time)
        latest = (pieces, sample)
        return sample
    }
}
