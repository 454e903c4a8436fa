internal import LibAV
public import Media

extension FilmStills {
    /// The audio of the film, or its range, all along: a row for each channel, times, chapters, loudness and peak.
    /// - Parameters:
    ///   - width: of the picture (pixels; 320…16,384).
    ///   - height: of the picture (pixels; 160…4,096).
    ///   - form: of the file that is made.
    ///   - progress: called while the audio is read (0…1).
    /// - Throws: `invalid-setting` for a film without audio and a size out of range; what a source answered.
    public func waveform(
        width: Int = 1600, height: Int = 360, as form: Form = .png,
        progress: (Double) -> Void = { _ in }
    ) throws(MediaError) -> [UInt8] {
        try measuredWaveform(width: width, height: height, as: form, progress: progress).bytes
    }

    /// As `waveform`, with how loud it is.
    package func measuredWaveform(
        width: Int = 1600, height: Int = 360, as form: Form = .png,
        progress: (Double) -> Void = { _ in }
    ) throws(MediaError) -> (bytes: [UInt8], loudness: Loudness) {
        let least = WaveformPicture.smallest
        guard (least.width...16_384).contains(width), (least.height...4096).contains(height) else {
            throw .setting(
                "size", "A waveform is 320x160 to 16384x4096 pixels, not \(width)x\(height).")
        }
        let picture = WaveformPicture(size: PixelSize(width: width, height: height), film: film)
        let waveform = try AudioWaveform(of: film, parts: picture.parts, progress: progress)
        let frames = try LayerFrames(picture.layer(waveform), renderSize: picture.size)
        guard let image = try frames.picture(at: .zero)?.pixelBuffer else { throw Film.noFrames }
        return (try form.bytes(of: image), waveform.loudness)
    }
}
