internal import CWebP
internal import Media

/// The pictures of a WebP, each by itself. Thread-bound.
///
/// Source: libwebp's simple decoder.
final class WebPPatches: AnimationPatches {
    // immutable
    private let file: FileBytes
    private let pictures: [WebPStructure.Picture]
    private let limits: ImageLimits

    init(_ file: FileBytes, _ structure: WebPStructure, _ limits: ImageLimits) {
        self.file = file
        pictures = structure.pictures
        self.limits = limits
    }

    func patch(_ index: Int) throws(MediaError) -> AnimationPatch {
        let picture = pictures[index]
        let coded = try file.read(picture.data, most: limits.codedBytes)
        let (width, height) = (picture.placement.width, picture.placement.height)
        var ownWidth: Int32 = 0
        var ownHeight: Int32 = 0
        guard WebPGetInfo(coded, coded.count, &ownWidth, &ownHeight) != 0,
            (Int(ownWidth), Int(ownHeight)) == (width, height)
        else { throw .damaged(file.path, "a picture in it is none", function: "WebPGetInfo") }
        var result = PixelBuffer(width: width, height: height, format: .rgba)
        let isDecoded = result.withMutablePlanes { planes in
            let size = planes[0].bytesPerRow * (height - 1) + 4 * width
            return WebPDecodeRGBAInto(
                coded, coded.count, planes[0].row(0), size, Int32(planes[0].bytesPerRow)) != nil
        }
        guard isDecoded else {
            throw .damaged(
                file.path, "a picture in it cannot be decoded", function: "WebPDecodeRGBAInto")
        }
        return AnimationPatch(pixels: .straight(result))
    }
}
