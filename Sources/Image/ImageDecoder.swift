package import Media

/// Decodes the pictures of a file, each as it is seen: of an animation with those before it under it.
/// Thread-bound.
///
/// Holds what decoding needs and the canvas of an animation; pictures can be asked for in any order, forwards
/// is cheapest.
package final class ImageDecoder: @unchecked Sendable {  // because its owner serialises its calls
    // immutable
    package let file: ImageFile
    /// Of decoded pictures; the orientation is still to be applied.
    package let format: VideoFormat
    private let pictures: any DecodedPictures
    private let profile: ColorProfile?
    /// How many pixels of a side become one after decoding (count).
    private let reduction: Int

    /// - Parameter box: a still picture is made smaller by halves, no smaller than it fills this (pixels, before it is
    ///   rotated) or than 16,384 a side: JPEG and most PNG while they are decoded, any other right behind; nil: as it is stored.
    /// - Throws: `no-such-file`, `not-permitted`, `damaged-file` for a file that has become another one or cannot be
    ///   decoded, `unsupported` for a side above 16,384 without a box.
    package init(
        _ file: ImageFile, fitting box: (width: Int, height: Int)? = nil
    ) throws(MediaError) {
        self.file = file
        var (width, height) = (file.width, file.height)
        let longest = max(width, height)
        guard longest <= ImageLimits.shownSide || box != nil && file.isStill else {
            throw MediaError(
                code: .unsupported, subject: file.path,
                message: "Cannot show \(file.path) as large as it is: a side of \(width)x\(height) "
                    + "is above \(ImageLimits.shownSide) pixels; "
                    + (file.isStill
                        ? "ask for a smaller size." : "make it smaller where it comes from."))
        }
        let bytes = try FileBytes(file.path)
        guard bytes.count == file.byteCount else {
            throw .damaged(file.path, "it has changed since it was opened")
        }
        let wanted = file.isStill ? box : nil
        var factor = wanted.map { Self.reduction(width, height, filling: $0) } ?? 1
        let decoded = (width: max(1, width / factor), height: max(1, height / factor))
        switch file.contents {
        case .gif(let structure):
            pictures = AnimationPictures(
                file, structure.pictures.map(\.placement), GIFPatches(bytes, structure))
        case .webp(let structure):
            pictures = AnimationPictures(
                file, structure.pictures.map(\.placement),
                WebPPatches(bytes, structure, file.limits))
        case .apng(let structure):
            pictures = AnimationPictures(
                file, structure.pictures.map(\.placement),
                try PNGPatches(bytes, structure, file.limits))
        case .png(let structure) where factor > 1 && PNGRows.reads(file, structure):
            pictures = PNGRows(file, bytes, structure, factor: factor)
            factor = 1
        case .png(let structure): pictures = CodedStill(file, bytes, .png, structure)
        case .tiff: pictures = CodedStill(file, bytes, .tiff)
        case .jpeg(let structure):
            let jpeg = JPEGPictures(file, bytes, structure, fitting: box)
            (width, height) = (jpeg.width, jpeg.height)
            pictures = jpeg
        case .avif: pictures = AVIFPictures(try AVIFReader(bytes, file.limits), file)
        case .heic: pictures = HEICPictures(try HEICReader(bytes, file.limits), file)
        }
        if case .jpeg = file.contents {
            factor = 1
        } else {
            (width, height) = decoded
        }
        reduction = factor
        format = VideoFormat(
            coding: .raw(file.pixelFormat), width: width, height: height,
            color: file.color, orientation: file.orientation)
        profile = ColorProfile(file.profile, .rgb, file.pixelFormat)
    }

    /// How many pixels of each side become one, at most what a side has: a power of two.
    static func reduction(
        _ width: Int, _ height: Int, filling box: (width: Int, height: Int)
    ) -> Int {
        // as large as it will be shown within the box
        let scale = min(Double(box.width) / Double(width), Double(box.height) / Double(height))
        var factor = 1
        while 2 * factor <= min(width, height), 1 / Double(2 * factor) >= scale { factor *= 2 }
        while max(width, height) > factor * ImageLimits.shownSide { factor *= 2 }
        return factor
    }

    /// Pictures that could not be decoded, or not to their end, so far (count); what was there before
    /// shows instead of what is missing.
    package var damagedFrames: Int { pictures.damagedFrames }

    /// - Throws: `damaged-file` when neither the picture nor any before it can be decoded.
    package func picture(at index: Int) throws(MediaError) -> PixelBuffer {
        precondition(file.pictures.indices.contains(index), "the file has such a picture")
        var picture = try pictures.picture(at: index)
        if reduction > 1 { picture = picture.reduced(by: reduction) }
        guard let profile else { return picture }
        if !picture.isUniquelyHeld() {
            // a profile means the same for every pixel of every picture
            let change = picture.change
            picture = picture.copy()
            picture.change = change
        }
        profile.apply(&picture)
        return picture
    }
}

/// The pictures of a file of one kind as they are seen. Thread-bound.
protocol DecodedPictures: AnyObject {
    /// Pictures that could not be decoded to their end so far (count).
    var damagedFrames: Int { get }

    func picture(at index: Int) throws(MediaError) -> PixelBuffer
}
