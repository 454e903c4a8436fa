package import Media

/// Decodes the pictures of a file, each as it is seen: of an animation with those before it under it.
/// Thread-bound.
///
/// Holds the canvas of an animation and the file. Forwards each picture is laid on the one before;
/// further back it begins with the last picture that leaves nothing of what was there before.
package final class ImageDecoder: @unchecked Sendable {  // because its owner serialises its calls
    // immutable
    package let file: ImageFile
    /// Of decoded pictures; the orientation is still to be applied.
    package let format: VideoFormat
    private let placements: [PicturePlacement]
    private let patches: any AnimationPatches
    private let starts: [Int]

    // owned by the calling thread
    private var canvas: AnimationCanvas?
    /// Which picture the canvas shows.
    private var shown: Int?
    /// Whether any picture has been laid since the canvas was empty.
    private var isBegun = false
    private var damaged: Set<Int> = []
    private var lastDamage: ImageError?

    /// - Throws: `no-such-file`, `not-permitted`, `damaged-file` for a file that has become another one.
    package init(_ file: ImageFile) throws(ImageError) {
        self.file = file
        let bytes = try FileBytes(file.path)
        guard bytes.count == file.byteCount else {
            throw .damaged(file.path, "it has changed since it was opened")
        }
        switch file.contents {
        case .gif(let structure):
            placements = structure.pictures.map(\.placement)
            patches = GIFPatches(bytes, structure)
        case .webp(let structure):
            placements = structure.pictures.map(\.placement)
            patches = WebPPatches(bytes, structure, file.limits)
        case .png(let structure):
            placements = structure.pictures.map(\.placement)
            patches = try PNGPatches(bytes, structure, file.limits)
        }
        starts = Self.starts(placements, file.width, file.height)
        format = VideoFormat(
            coding: .raw(file.pixelFormat), width: file.width, height: file.height,
            color: file.color, orientation: file.orientation)
    }

    /// Pictures that could not be decoded, or not to their end, so far (count); what was there before
    /// shows instead of what is missing.
    package var damagedPictures: Int { damaged.count }

    /// - Throws: `damaged-file` when neither the picture nor any before it can be decoded.
    package func picture(at index: Int) throws(ImageError) -> PixelBuffer {
        precondition(placements.indices.contains(index), "the file has such a picture")
        var canvas = take(before: index)
        try lay((shown.map { $0 + 1 } ?? starts[index])..<(index + 1), on: &canvas)
        if !isBegun, starts[index] > 0 {
            // the picture that needs none before it cannot be decoded: those before are still seen
            canvas.clear()
            try lay(0..<(index + 1), on: &canvas)
        }
        if !isBegun, let lastDamage { throw lastDamage }
        shown = index
        let result = canvas.picture(file.pixelFormat)
        self.canvas = canvas
        return result
    }

    /// The canvas, taken out of its place; begun anew where it does not lead to the picture, or where a
    /// later one needs none before it.
    private func take(before index: Int) -> AnimationCanvas {
        // one holder only, at any time: it is written where it lies
        var known = canvas
        canvas = nil
        let leads = shown.map { $0 <= index && starts[index] <= $0 + 1 } ?? false
        if !leads {
            shown = nil
            isBegun = false
            known?.clear()
        }
        return known ?? AnimationCanvas(width: file.width, height: file.height)
    }

    /// For each picture the last one up to it that needs none before it.
    private static func starts(
        _ placements: [PicturePlacement], _ width: Int, _ height: Int
    ) -> [Int] {
        var latest = 0
        return placements.enumerated().map { index, placement in
            if placement.covers(width, height), placement.disposal != .restore { latest = index }
            return latest
        }
    }

    private func lay(
        _ range: Range<Int>, on canvas: inout AnimationCanvas
    ) throws(ImageError) {
        for index in range {
            canvas.prepare(for: placements[index])
            do throws(ImageError) {
                let patch = try patches.patch(index)
                canvas.lay(patch.picture, placements[index])
                isBegun = true
                if let damage = patch.damage { note(damage, index) }
            } catch {
                guard error.code == .damagedFile else { throw error }
                note(error, index)
            }
        }
    }

    private func note(_ error: ImageError, _ index: Int) {
        damaged.insert(index)
        lastDamage = error
    }
}
