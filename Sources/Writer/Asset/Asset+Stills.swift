internal import LibAV
internal import Media

/// What is asked of picture files beyond what any movie is asked.
extension Asset {
    /// Looks at a picture file's first sample while the file is read.
    /// - Throws: `damaged-file`.
    static func check(
        _ sample: SampleBuffer, number: Int, of demuxer: Demuxer
    ) throws(WriterError) {
        guard demuxer.isStill, number == 1, let codec = sample.format.video?.codec,
            let block = sample.block,
            !block.withUnsafeBytes({ StillStructure.isWhole($0, codec) })
        else { return }
        throw WriterError(
            code: .damagedFile, subject: demuxer.path,
            message: "Cannot read \(demuxer.path): the picture is cut off; the file is damaged or "
                + "incomplete.")
    }

    /// - Throws: `damaged-file` for a picture file without a whole picture.
    static func checkPictures(_ demuxer: Demuxer, _ counts: [SampleCount]) throws(WriterError) {
        guard demuxer.isStill, counts.allSatisfy({ $0.samples == 0 }) else { return }
        throw WriterError(
            code: .damagedFile, subject: demuxer.path,
            message: "Cannot read \(demuxer.path): there is no whole picture in it; the file is "
                + "damaged or incomplete.")
    }
}
