internal import LibAV
package import Media

/// Makes the picture of a display of a preview's frames: scaled into a box, mirrored, with overlays in the display's
/// own pixels. Keeps what it needs for frames of one kind. Thread-bound.
// because its owner serialises its calls
package final class PreviewFitter: @unchecked Sendable {
    private struct Kind: Equatable {
        var input: VideoFormat
        var size: PixelSize
    }

    // owned by the calling thread
    private var kind: Kind?
    private var converter: FrameConverter?
    /// Of HDR and wide colours to what displays show, in the size that is wanted.
    private var toned: FrameConformer?

    package init() {}

    /// - Parameters:
    ///   - box: what the picture must fit into (pixels). A zoomed frame is cut to its middle instead of scaled.
    /// - Throws: what the frame cannot be converted for.
    package func picture(
        of frame: PreviewFrame, in box: PixelSize, isMirrored: Bool = false,
        overlays: PreviewOverlays = []
    ) throws(MediaError) -> PreviewPicture {
        var (pixels, format) = (frame.pixels, frame.format)
        let size: PixelSize
        if frame.isZoomed {
            pixels = pixels.middle(box)
            (format.width, format.height) = (pixels.width, pixels.height)
            size = PixelSize(pixels.width, pixels.height)
        } else {
            size = format.shownSize.fitted(into: box)
        }
        let shown = try convert(pixels, format, to: size)
        let picture = Self.picture(of: overlays.applied(to: shown))
        return isMirrored ? picture.mirrored : picture
    }

    private func convert(
        _ pixels: PixelBuffer, _ format: VideoFormat, to size: PixelSize
    ) throws(MediaError) -> PixelBuffer {
        var (pixels, format) = (pixels, format)
        let wanted = Kind(input: format, size: size)
        if kind != wanted {
            toned = try Self.toned(format, to: size)
            let target = FrameTarget(pixelFormat: .rgb24, size: size, orientation: .upright)
            converter = FrameConverter(
                to: try target.format(of: toned?.output ?? format), limit: 2,
                exhaustion: .allocates)
            kind = wanted
        }
        if let toned { (pixels, format) = (try toned.convert(pixels).picture, toned.output) }
        guard let converter else { return pixels }
        do throws(FrameConverter.Failure) { return try converter.convert(pixels, format) } catch {
            throw error.error
        }
    }

    private static func toned(
        _ format: VideoFormat, to size: PixelSize
    ) throws(MediaError) -> FrameConformer? {
        guard StandardFrames.changes(format) else { return nil }
        var output = format
        output.coding = .raw(.yuv444p)
        output.color = .bt709
        (output.masteringDisplay, output.contentLight) = (nil, nil)
        let swaps = format.orientation.swapsAxes
        output.stretch(
            to: swaps ? PixelSize(size.height, size.width) : size)
        return try FrameConformer(from: format, to: output)
    }

    private static func picture(of pixels: PixelBuffer) -> PreviewPicture {
        let (width, height) = (pixels.width, pixels.height)
        let bytes = pixels.withPlane(0) { plane in
            [UInt8](unsafeUninitializedCapacity: width * height * 3) { bytes, count in
                for y in 0..<height {
                    guard let base = bytes.baseAddress else { break }
                    (base + y * width * 3)
                        .update(from: plane.row(y), count: width * 3)
                }
                count = width * height * 3
            }
        }
        return PreviewPicture(width: width, height: height, bytes: bytes)
    }
}

extension PixelBuffer {
    /// Its middle, as large as a box allows, sharing its memory; sides and place are even, as chroma is.
    func middle(_ box: PixelSize) -> PixelBuffer {
        guard width > box.width || height > box.height else { return self }
        let wide = min(width, max(2, box.width / 2 * 2))
        let high = min(height, max(2, box.height / 2 * 2))
        let (left, top) = ((width - wide) / 4 * 2, (height - high) / 4 * 2)
        let layout = format.layout.planes
        let planes = withPlanes { planes in
            zip(planes, layout).map { plane, layout in
                let column = left / layout.pixelsPerGroup * layout.bytesPerGroup
                let row = top / layout.rowsPerRow
                return PixelPlane(
                    base: plane.base + row * plane.bytesPerRow + column,
                    bytesPerRow: plane.bytesPerRow, rows: layout.rows(height: high))
            }
        }
        let whole = self
        return PixelBuffer(
            width: wide, height: high, format: format,
            storage: PixelStorage(planes: planes, isReadOnly: true) { _ = whole })
    }
}
