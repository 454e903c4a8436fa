internal import LibAV
internal import Media

/// The picture of a still PNG or TIFF, through libavcodec.
///
/// Of a PNG only what its picture needs is handed on: texts and profiles beside it are packed, and a small file
/// would unpack to anything.
final class CodedStill: DecodedPictures {
    private let file: ImageFile
    private let bytes: FileBytes
    private let codec: VideoCodec
    /// Nil: the whole file is handed on.
    private let structure: PNGStructure?
    private(set) var damagedFrames = 0

    init(
        _ file: ImageFile, _ bytes: FileBytes, _ codec: VideoCodec,
        _ structure: PNGStructure? = nil
    ) {
        self.file = file
        self.bytes = bytes
        self.codec = codec
        self.structure = structure
    }

    func picture(at index: Int) throws(MediaError) -> PixelBuffer {
        let sample = try CodedPicture.decode(
            try coded(), codec, width: file.width, height: file.height, of: file.path)
        damagedFrames = sample.attachments.isDamaged ? 1 : 0
        return try CodedPicture.converted(sample, to: file.pixelFormat, of: file.path)
    }

    private func coded() throws(MediaError) -> [UInt8] {
        guard let structure, let picture = structure.pictures.first else {
            return try bytes.read(0..<bytes.count, most: file.limits.codedBytes)
        }
        var shared: [UInt8] = []
        for range in structure.shared { shared += try bytes.read(range) }
        return try PNGFile.bytes(
            width: file.width, height: file.height, structure, shared: shared, data: picture.data,
            from: bytes, file.limits)
    }
}
