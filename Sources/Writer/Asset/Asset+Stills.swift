internal import LibAV
internal import Media

/// What is asked of picture files and animations beyond what any movie is asked.
extension Asset {
    /// Most pictures of an animation (count), and most pixels of all of them together.
    static let mostAnimationPictures = 50_000
    static let mostAnimationPixels = 1 << 36

    /// Containers of a picture that moves without being a movie.
    private static let animations = ["gif", "apng"]

    /// Whether a file shows one picture and has no length: a picture file, or an animation of one.
    static func isStill(_ demuxer: Demuxer, _ counts: [SampleCount]) -> Bool {
        demuxer.isStill
            || animations.contains(demuxer.containerName) && counts.first?.samples == 1
    }

    /// Looks at a picture file's or an animation's first sample while the file is read.
    /// - Throws: `damaged-file`, `unsupported`.
    static func check(
        _ sample: SampleBuffer, number: Int, of demuxer: Demuxer
    ) throws(WriterError) {
        guard demuxer.isStill || animations.contains(demuxer.containerName) else { return }
        let path = demuxer.path
        if demuxer.isStill, number == 1, let codec = sample.format.video?.codec,
            let block = sample.block,
            !block.withUnsafeBytes({ StillStructure.isWhole($0, codec) })
        {
            throw WriterError(
                code: .damagedFile, subject: path,
                message: "Cannot read \(path): the picture is cut off; the file is damaged or "
                    + "incomplete.")
        }
        let pixels = sample.format.video.map { $0.width * $0.height } ?? 0
        guard number <= mostAnimationPictures, pixels <= mostAnimationPixels / number else {
            throw WriterError(
                code: .unsupported, subject: path,
                message: "Cannot read \(path): an animation of \(number) pictures or more of "
                    + "\(pixels >> 10) thousand pixels is above the limit.")
        }
    }

    /// - Throws: `damaged-file` for an animation without a whole picture.
    static func checkPictures(_ demuxer: Demuxer, _ counts: [SampleCount]) throws(WriterError) {
        guard demuxer.isStill || animations.contains(demuxer.containerName),
            counts.allSatisfy({ $0.samples == 0 })
        else { return }
        throw WriterError(
            code: .damagedFile, subject: demuxer.path,
            message: "Cannot read \(demuxer.path): there is no whole picture in it; the file is "
                + "damaged or incomplete.")
    }
}
