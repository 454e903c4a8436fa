internal import LibAV
internal import Media

/// A coded still picture through libavcodec. Reentrant.
enum CodedPicture {
    /// - Parameters:
    ///   - bytes: one whole coded picture.
    ///   - width: as its header states (pixels); it must come out so.
    /// - Returns: a raw picture; its format says what its codes mean as far as the file does.
    /// - Throws: `damaged-file`, `over-limit`, `unsupported`.
    static func decode(
        _ bytes: consuming [UInt8], _ codec: VideoCodec, width: Int, height: Int, of path: String
    ) throws(MediaError) -> SampleBuffer {
        let format = VideoFormat(coding: .coded(codec), width: width, height: height)
        let coded = SampleBuffer(
            payload: .coded(BlockBuffer(bytes)), format: .video(format), presentationTime: .zero)
        var found: SampleBuffer?
        do throws(MediaError) {
            // libavcodec counts the columns that it adds for its own use
            let decoder = try VideoDecoder(
                format: format, maximumPixels: width * height + 1024 * height)
            found = try decoder.decode(coded).first
            if found == nil { found = try decoder.finish().first }
        } catch {
            throw error.of(path)
        }
        guard var sample = found, let picture = sample.pixelBuffer,
            (picture.width, picture.height) == (width, height), var raw = sample.format.video
        else { throw .damaged(path, "a picture in it cannot be decoded") }
        // pictures that are no movie's have no other range
        if raw.color.range == .unspecified { raw.color.range = .full }
        sample.format = .video(raw)
        return sample
    }

    /// The same in another pixel format.
    static func converted(
        _ sample: SampleBuffer, to pixels: PixelFormat, of path: String
    ) throws(MediaError) -> PixelBuffer {
        guard let picture = sample.pixelBuffer, let format = sample.format.video else {
            throw .damaged(path, "a picture in it cannot be decoded")
        }
        guard picture.format != pixels else { return picture }
        var target = format
        target.coding = .raw(pixels)
        do throws(MediaError) {
            return try PixelConverter(from: format, to: target).convert(picture)
        } catch {
            throw error.of(path)
        }
    }
}
