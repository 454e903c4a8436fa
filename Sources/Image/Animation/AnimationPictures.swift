internal import Media

/// The pictures of an animation as they are seen, each with those before it under it. Thread-bound.
///
/// Forwards each picture is drawn on the one before; further back it begins with the last picture that
/// leaves nothing of what was there before.
final class AnimationPictures: DecodedPictures {
    // immutable
    private let width: Int
    private let height: Int
    private let pixelFormat: PixelFormat
    private let placements: [PicturePlacement]
    private let patches: any AnimationPatches
    private let starts: [Int]

    // owned by the calling thread
    private var canvas: AnimationCanvas?
    /// Which picture the canvas shows.
    private var shown: Int?
    /// Whether any picture has been drawn since the canvas was empty.
    private var isBegun = false
    /// Whether any picture behind those that cannot be decoded can be, once that was looked for.
    private var laterBegins: Bool?
    private var damaged: Set<Int> = []
    private var lastDamage: MediaError?

    init(
        _ file: ImageFile, _ placements: [PicturePlacement], _ patches: any AnimationPatches
    ) {
        (width, height) = (file.width, file.height)
        pixelFormat = file.pixelFormat
        self.placements = placements
        self.patches = patches
        starts = Self.starts(placements, width, height)
    }

    var damagedFrames: Int { damaged.count }

    func picture(at index: Int) throws(MediaError) -> PixelBuffer {
        var canvas = take(before: index)
        try compose((shown.map { $0 + 1 } ?? starts[index])..<(index + 1), on: &canvas)
        if !isBegun, starts[index] > 0 {
            // the picture that needs none before it cannot be decoded: those before are still seen
            canvas.clear()
            try compose(0..<(index + 1), on: &canvas)
        }
        if !isBegun, let lastDamage, !canBegin(behind: index) { throw lastDamage }
        shown = index
        let result = canvas.picture()
        self.canvas = canvas
        return result
    }

    /// Whether any later picture can be decoded: until then nothing is seen, as in browsers.
    private func canBegin(behind index: Int) -> Bool {
        if let laterBegins { return laterBegins }
        let result = placements.indices.dropFirst(index + 1).contains { later in
            do throws(MediaError) {
                _ = try patches.patch(later)
                return true
            } catch { return false }
        }
        laterBegins = result
        return result
    }

    /// The canvas, taken out of its place; begun anew where it does not lead to the picture, or where a
    /// later one needs none before it.
    private func take(before index: Int) -> AnimationCanvas {
        // one holder only, at any time: it is written where it lies
        var known = canvas
        canvas = nil
        let leads =
            known != nil && shown.map { $0 <= index && starts[index] <= $0 + 1 } ?? false
        if !leads {
            shown = nil
            isBegun = false
            known?.clear()
        }
        return known ?? AnimationCanvas(width: width, height: height, format: pixelFormat)
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

    private func compose(
        _ range: Range<Int>, on canvas: inout AnimationCanvas
    ) throws(MediaError) {
        for index in range {
            canvas.prepare(for: placements[index])
            do throws(MediaError) {
                let patch = try patches.patch(index)
                canvas.compose(patch, placements[index])
                isBegun = true
                if let damage = patch.damage { note(damage, index) }
            } catch {
                guard [.damagedFile, .decoderFailed].contains(error.code) else { throw error }
                note(error, index)
            }
        }
    }

    private func note(_ error: MediaError, _ index: Int) {
        damaged.insert(index)
        lastDamage = error
    }
}
