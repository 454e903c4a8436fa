public import Media

extension TimelineBuilder {
    /// Images of a clip as the strip under it shows them: the middle of each of equal parts of what it shows of
    /// its source, without transitions and titles. Times are movie time of the source; a still picture is
    /// decoded once.
    /// - Parameters:
    ///   - index: of the timeline's `videos`.
    ///   - count: of images (1…10,000).
    ///   - settings: how large they are, and how near to the times asked for.
    /// - Throws: `invalid-setting`, `invalid-edit`; `unsupported` for a clip without pictures.
    public func thumbnails(
        of index: Int, count: Int, settings: ImageGeneratorSettings = ImageGeneratorSettings()
    ) throws(MediaError) -> ImageGenerator.Images {
        try timeline.validate()
        guard timeline.videos.indices.contains(index) else {
            throw .setting(
                "clip", "The timeline has \(timeline.videos.count) clips and none at \(index).")
        }
        let clip = try placedClips()[index]
        guard let frame = clip.picture else {
            throw MediaError(
                code: .unsupported, subject: clip.name,
                message: "\(clip.name) has no video to make thumbnails of.")
        }
        return try ImageGenerator(asset: clip.asset, track: frame.track, settings: settings)
            .thumbnails(count: count, in: frame.range)
    }
}
