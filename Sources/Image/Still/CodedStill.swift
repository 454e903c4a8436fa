internal import LibAV
internal import Media

/// The picture of a still PNG or TIFF, through libavcodec.
final class CodedStill: DecodedPictures {
    private let file: ImageFile
    private let bytes: FileBytes
    private let codec: VideoCodec
    private(set) var damagedPictures = 0

    init(_ file: ImageFile, _ bytes: FileBytes, _ codec: VideoCodec) {
        self.file = file
        self.bytes = bytes
        self.codec = codec
    }

    func picture(at index: Int) throws(ImageError) -> PixelBuffer {
        let coded = try bytes.read(0..<bytes.count, most: file.limits.codedBytes)
        let sample = try CodedPicture.decode(
            coded, codec, width: file.width, height: file.height, of: file.path)
        damagedPictures = sample.attachments.isDamaged ? 1 : 0
        return try CodedPicture.converted(sample, to: file.pixelFormat, of: file.path)
    }
}
